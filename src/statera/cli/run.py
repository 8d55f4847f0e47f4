"""``statera run``: run an experiment, continue one, or do one of the things instead; and weigh its results."""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cli import arguments, compare, gate, inspect, output
from statera.cli.options import OPTIONS
from statera.cli.progress import Progress
from statera.cli.verbs import VERBS
from statera.cli.words import namespace, with_defaults
from statera.comparison import pairing, pipeline
from statera.comparison.verdicts.gate import Judged
from statera.comparison.verdicts.notes import INCLUDES
from statera.experiment import (
    check,
    counters,
    drift,
    export,
    file,
    hosts,
    looks,
    profiling,
    progress,
    schedule,
    selection,
    self_test,
    suites,
    verification,
)
from statera.experiment import run as experiment
from statera.experiment.command_line import Words, literal_words, planned, split, without_service
from statera.experiment.host import ELSEWHERE, HERE, pinned
from statera.experiment.initial_file import FACTOR, initial, is_known
from statera.experiment.plan import Machine, Rounds
from statera.experiment.run import Extension
from statera.experiment.schedule import LIMIT, parse_duration, parse_rounds, with_looks
from statera.experiment.selection import only
from statera.experiment.self_test import with_self_test
from statera.experiment.verification import again
from statera.reading.store import run_folder
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.wording import conjoined, counted, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Literal

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.verdicts import Note
    from statera.comparison.verdicts.gate import Gate
    from statera.experiment.plan import Plan
    from statera.experiment.run import Ran
    from statera.experiment.verification import Suspect
    from statera.reading.store.journal import Record
    from statera.support.settings.file import Settings

# Options that an experiment file replaces.
_OF_COMMANDS: Final = (
    "setup", "prepare", "conclude", "cleanup", "command_name", "shell", "parameter_scan", "parameter_step_size",
    "ignore_failure", "output", "input", "env", "format", "service", "ready", "service_scope", "service_pin",
)  # fmt: skip
_OPTIONS: Final = tuple(OPTIONS[key] for verb in VERBS if verb.name == "run" for key in verb.keys)


def run(options: argparse.Namespace) -> int:
    """Run what is asked for, and return the exit code."""
    return _chosen(options)(options) or 0


_MOST: Final = 1_000_000
_SEEDS: Final = 1 << 63


def _shell(given: str | None) -> tuple[str, ...]:
    """Return the words of the shell of ``-S``; none without a shell."""
    if given is None or given == "none":
        return ()
    if given == "default":
        return ("sh",)
    try:
        words = tuple(shlex.split(given))
    except ValueError as error:
        raise Stop("bad-option", f"-S {given!r}: {error}") from None
    if not words:
        raise Stop("bad-option", "-S: name a shell, such as bash, or default")
    return words


def _variable(word: str) -> tuple[str, str]:
    """Return name and value of ``--env``."""
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise Stop("bad-option", f"--env {word}: write NAME=VALUE, for instance GOGC=400")
    return name, value


def _counters(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the events that are counted."""
    names = tuple(dict.fromkeys(word.strip() for word in (options.counters or "").split(",") if word.strip()))
    for name in names:
        if not counters.is_event(name):
            raise Stop("bad-option", f"--counters {name}: {counters.unknown(name)}")
    return names


def _cores(word: str | None, option: str = "--pin", *, elsewhere: bool = False) -> tuple[int, ...]:
    """Return the numbers of the cores of ``--pin`` or ``--service-pin``, here or on hosts; none for all."""
    if word is None:
        return ()
    try:
        return pinned(word, ELSEWHERE if elsewhere else HERE)
    except Stop as stop:
        raise Stop(stop.code, str(stop).replace("--pin", option)) from None


def _hosts(options: argparse.Namespace) -> tuple[str, ...]:
    return () if options.on is None else hosts.names(options.on.split(","))


def _codes(word: str | None) -> tuple[int, ...] | None:
    """Return the exit codes that are not failures; empty: all, None: 0 alone."""
    if word is None or word == "all-non-zero":
        return None if word is None else ()
    if not re.fullmatch(r"\d{1,3}(,\d{1,3})*", word):
        raise Stop(
            "bad-option",
            f"--ignore-failure {word!r}: write exit codes, as in --ignore-failure=1,2, or -i for all of them",
        )
    return tuple(int(code) for code in word.split(","))


def _duration(name: str, word: str | None) -> float | None:
    """Return the seconds of an option. Raises ``Stop`` if it is not a length of time."""
    if word is None:
        return None
    seconds = parse_duration(word)
    if seconds is None:
        raise Stop("bad-option", f"{name} {word}: write a length of time above 0, such as 30s, 10m or 1h30m")
    return seconds


def _number(name: str, given: int | None, default: int, least: int) -> int:
    """Return a number of rounds or invocations."""
    if given is None:
        return default
    if not least <= given <= _MOST:
        raise Stop("bad-option", f"{name} takes a number from {least} to {_MOST:,}, not {given}")
    return given


def _seed(given: int | None) -> int:
    """Return the seed, drawn anew if none is given."""
    if given is None:
        return secrets.randbelow(1 << 32)
    if not 0 <= given < _SEEDS:
        raise Stop("bad-option", f"--seed takes a number from 0 to {_SEEDS - 1}, not {given}")
    return given


def _until(word: str) -> Rounds:
    """Return what ``--until`` asks for, without looks."""
    found = parse_rounds("until decided" if word == "decided" else word)
    if found is None or found.until is None:
        raise Stop("bad-option", f"--until {word}: write decided, or width:1% for the relative width of every interval")
    return found


# Words that a message names.
_NAMED: Final = 5
# A single command that is not compared runs so often.
_ALONE: Final = 20


def _plan(options: argparse.Namespace, alpha: float) -> Plan:
    """Return the plan of commands, or of an experiment file, whose looks share ``alpha``.

    Raises ``Stop`` if options contradict each other, or one cannot be used.
    """
    if not options.commands and not options.across:
        here = f". Here is one: statera run {_EXPERIMENT}" if os.path.exists(_EXPERIMENT) else ""
        raise Stop(
            "bad-option", f"nothing to run: name commands in quotes, the baseline first, or an experiment file{here}"
        )
    if [*map(_is_name_of_file, options.commands)] == [True] and not os.path.exists(options.commands[0]):
        raise Stop("bad-option", f"{options.commands[0]}: there is no such experiment file. --init writes one")
    of_file = options.across or _is_file(options.commands)
    made = _whole(_of_file(options) if of_file else _of_commands(options), options, alpha)
    if len(made.variants) == 1:
        _refuse_comparing(options)
    return made


def _whole(made: Plan, options: argparse.Namespace, alpha: float) -> Plan:
    """Return a plan with the benchmarks, rounds and metrics that are measured."""
    if not options.build_only:
        made = suites.expanded(made)
    if options.only:
        made = only(made, options.only)
    if options.self_test:
        made = with_self_test(made)
    where = "--decide-by" if options.decide_by is not None else f"{_file_of(options)}: decide"
    return _possible(_with_decider(made._replace(rounds=_rounds(options, made, alpha)), where))


def _refuse_comparing(options: argparse.Namespace) -> None:
    """Refuse what is about differences where there is a single variant."""
    for name in ("fail_on", "decide_by", "until", "profile"):
        if getattr(options, name):
            raise Stop("bad-option", f"{_named(name)}: a single variant is compared with nothing. Leave it out")


def _with_decider(made: Plan, where: str) -> Plan:
    """Return a plan in which the metric that decides is measured. Raises ``Stop`` if no benchmark can have it."""
    counted = looks.counted(made.decide, made.machine.counters)
    made = made._replace(machine=made.machine._replace(counters=counted))
    looks.refuse_unknown(made, where)
    return made


def _is_file(commands: list[str]) -> bool:
    """Return whether the only argument is an experiment file."""
    return len(commands) == 1 and commands[0].endswith(".toml") and os.path.exists(commands[0])


def _is_name_of_file(command: str) -> bool:
    """Return whether this can only be meant as an experiment file: one word, and no program ends so."""
    return command.endswith(".toml") and len(command.split()) == 1


# The file of an experiment in the folder of its project.
_EXPERIMENT: Final = "experiment.toml"


def _file_of(options: argparse.Namespace) -> str:
    return options.commands[0] if options.commands else _EXPERIMENT


def _across(options: argparse.Namespace) -> tuple[dict[str, list[str]], str | None]:
    """Return the levels of ``--across``, and the text of the experiment if the folder has no file of one.

    Raises ``Stop`` if commands or another pair are named beside it, or there is neither a file nor a project of a known
    kind.
    """
    if options.commands or len(options.across) > 1 or options.parameter_list:
        raise Stop("bad-option", "--across takes two revisions, and neither commands nor -L beside them")
    revisions = list(options.across[0])
    if os.path.exists(_EXPERIMENT):
        return {file.factor_of_revisions(_EXPERIMENT): revisions}, None
    if not is_known(Path.cwd()):
        raise Stop(
            "bad-option",
            "--across finds no experiment.toml, go.mod, Cargo.toml, dune-project, CMakeLists.txt or benchmark of "
            "pytest-benchmark in this folder. Write experiment.toml with: statera run --init",
        )
    arguments.say("statera: no experiment.toml here; the project is measured as --init would write it")
    return {FACTOR: revisions}, initial(Path.cwd())


def _of_file(options: argparse.Namespace, revision: str | None = None) -> Plan:
    path = _file_of(options)
    for name in _OF_COMMANDS:
        if getattr(options, name):
            there = f"State it in {path}"
            if not os.path.exists(path):
                there = f"Write {path} with statera run --init, and state it there"
            raise Stop("bad-option", f"{_named(name)} is for commands on the command line. {there}")
    levels, text = _across(options) if options.across else (_levels(options.parameter_list), None)
    given = {
        "order": options.order,
        "seed": options.order_seed,
        "warmup": options.warmup,
        "timeout": options.timeout,
        "max_time": options.max_time,
        "pin": None if options.pin is None else list(_cores(options.pin, elsewhere=options.on is not None)),
        "on": list(_hosts(options)) or None,
        "counters": _counters(options) or None,
        "decide": options.decide_by,
    }
    return file.planned(path, given, levels, text, revision)


def _levels(lists: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the levels that replace those of the file's factors. Raises ``Stop`` if a factor is named twice."""
    found = {name: split(name, values) for name, values in lists}
    if len(found) < len(lists):
        raise Stop("bad-option", "-L names a factor twice. Give all its levels once")
    return found


def _of_commands(options: argparse.Namespace) -> Plan:
    words = _words(options)
    made = planned(
        words,
        rounds=Rounds(seconds=_duration("--max-time", options.max_time)),
        order=options.order or "random",
        warmup=_number("-w", options.warmup, 0, 0),
        seed=_seed(options.order_seed),
        machine=_machine(options),
    )
    if literal := literal_words(words):
        stay = "stays as it is" if len(literal) == 1 else "stay as they are"
        arguments.say(
            f"statera: no shell runs the commands, so that {listed(literal, _NAMED)} {stay}. -S default has a shell "
            "replace variables and patterns"
        )
    if unserved := without_service(words):
        arguments.say(f"statera: there is no --service, so that {listed(unserved)} in the commands is plain text")
    if options.runs is None and len(words.names) == 1 and words.names[0].isdecimal():
        number = words.names[0]
        arguments.say(f"statera: -n names the first command {number}. -r {number} sets the number of runs")
    return made._replace(decide=options.decide_by, hosts=_hosts(options))


def _rounds(options: argparse.Namespace, made: Plan, alpha: float) -> Rounds:
    """Return how many rounds there are: those of the options, else those of the file."""
    seconds, fixed = made.rounds.seconds, options.runs
    if fixed is None and options.until is None:
        fixed = made.rounds.number
    if fixed is not None:
        _refuse_open(options)
        return Rounds(number=_number("-r", fixed, 1, 1), seconds=seconds)
    if len(made.variants) == 1:
        return _alone(options)._replace(seconds=seconds)
    found = made.rounds if options.until is None else _until(options.until)
    found = found if found.until else Rounds(until="decided")
    limit, least = _number("-M", options.max_runs, LIMIT, 2), _number("-m", options.min_runs, 1, 1)
    if least > limit:
        raise Stop("bad-option", f"-m {least} is more than -M {limit}. Raise -M or lower -m")
    return with_looks(found, limit, least, alpha)._replace(seconds=seconds)


def _refuse_open(options: argparse.Namespace) -> None:
    """Refuse what leaves the number of rounds open, where it is fixed."""
    for name, value in (("--until", options.until), ("-m", options.min_runs), ("-M", options.max_runs)):
        if value is not None:
            what = "-r fixes" if options.runs is not None else f"{_file_of(options)} fixes"
            raise Stop("bad-option", f"{what} the number of rounds, and {name} leaves it open. Leave one of them out")


def _alone(options: argparse.Namespace) -> Rounds:
    """Return the rounds of a single variant, for which there is nothing to decide."""
    least = _number("-m", options.min_runs, 1, 1)
    return Rounds(number=_number("-M", options.max_runs, max(_ALONE, least), least))


def _words(options: argparse.Namespace) -> Words:
    return Words(
        commands=tuple(options.commands),
        names=tuple(options.command_name),
        lists=tuple((name, values) for name, values in options.parameter_list),
        scans=tuple((name, low, high) for name, low, high in options.parameter_scan),
        steps=tuple(options.parameter_step_size),
        shell=_shell(options.shell),
        setup=options.setup,
        cleanup=options.cleanup,
        prepare=tuple(options.prepare),
        conclude=tuple(options.conclude),
        inputs=tuple(options.input),
        outputs=tuple(options.output),
        environment=tuple(map(_variable, options.env)),
        format=options.format,
        services=tuple(options.service),
        ready=tuple(options.ready),
        scope=options.service_scope or "run",
        service_cpus=_cores(options.service_pin, "--service-pin"),
    )


def _machine(options: argparse.Namespace) -> Machine:
    accepted = _codes(options.ignore_failure)
    return Machine(
        cpus=_cores(options.pin, elsewhere=options.on is not None),
        timeout=_duration("--timeout", options.timeout),
        counters=_counters(options),
        accept_failures=accepted is not None,
        accepted_codes=accepted or (),
    )


def _possible(made: Plan) -> Plan:
    """Return a plan; refuse one whose order does not fit its variants and rounds."""
    hosts.refuse_impossible(made)
    if made.order == "duet":
        if len(made.variants) != 2:  # noqa: PLR2004 - one on each half of the cores
            raise Stop(
                "bad-option",
                f"--order duet runs two variants at the same time, and there are {len(made.variants)}. Use random",
            )
        schedule.halves(made.machine.cpus)
    if made.order == "sequential" and (made.rounds.number is None or made.rounds.seconds is not None):
        raise Stop(
            "bad-option",
            "--order sequential runs all rounds of one variant before the next one begins: no look can stop it. Give "
            "the number of rounds with -r, without --max-time",
        )
    return made


# Options that each mode takes beside its own; every other option that is given is refused.
_VIEW: Final = (
    "output_format", "sort", "colour", "width", "export_json", "fail_on", "accept_one_process", "accept_parametric",
)  # fmt: skip
_TAKEN: Final = {
    "status": (),
    "resume": ("more", "runs", "max_runs", "profile", "only", *_VIEW),
    "more": ("commands", "profile", *_VIEW),
    "verify": ("folder", "only", "profile", *_VIEW),
    "check": ("colour", "width"),
    "init": (),
}
_SEQUENTIAL: Final = (
    "--order sequential runs one variant after the other, so that whatever changes on the machine meanwhile looks like "
    "a difference between them; random order has no such error"
)


def _chosen(options: argparse.Namespace) -> Callable[[argparse.Namespace], int | None]:
    """Return the function of the mode that the options choose.

    Raises ``Stop`` if they choose two modes, or one that does not take another option.
    """
    asked = [name for name in _MODES if getattr(options, name) is not None and getattr(options, name) is not False]
    if asked == ["resume", "more"]:
        asked = ["resume"]
    if len(asked) > 1:
        raise Stop("bad-option", f"{_named(asked[0])} and {_named(asked[1])} do different things. Give one of them")
    if not asked:
        return _run
    if asked[0] in _TAKEN:
        _refuse(options, asked[0])
    return _MODES[asked[0]]


def _refuse(options: argparse.Namespace, mode: str) -> None:
    """Refuse what would change nothing: the folder of a run holds its plan."""
    defaults = with_defaults("run")
    for name, default in vars(defaults).items():
        if name not in {mode, *_TAKEN[mode]} and getattr(options, name) != default:
            raise Stop("bad-option", f"{_named(mode)} does not take {_named(name)}. Leave it out")


def _named(dest: str) -> str:
    """Return the first flag of an option, as messages name it."""
    option = next(option for option in _OPTIONS if option.dest == dest)
    return "a command" if option.is_argument else option.flags.split()[0]


def _checked(options: argparse.Namespace, inputs: Iterable[str]) -> Gate | None:
    """Return the gate; refuse what the end of the run could not write, before anything runs."""
    output.kind(_view(options))
    if options.export_json is not None:
        outputs.check(options.export_json, inputs)
    if options.profile:
        # What is missing is said before hours of measurement.
        profiling.profiler()
    return gate.parsed(options)


def _run(options: argparse.Namespace) -> int:
    settings = arguments.settings(options)
    plan = _plan(options, settings.policy.alpha)
    path = _folder(options)
    files = options.commands if _is_file(options.commands) else []
    asked = _checked(options, [*experiment.inputs(plan), *files, str(path)])
    experiment.refuse_overwriting(plan, path)
    plan = _countable(plan)
    arguments.say(f"statera: the run is in {path}")
    if plan.order == "sequential":
        arguments.say(f"statera: {_SEQUENTIAL} [sequential-order]")
    with _resumable(path):
        ran = experiment.begin(plan, path, ["statera", *sys.argv[1:]], settings)
    return _shown(options, ran, asked)


def _countable(plan: Plan) -> Plan:
    """Return a plan with the counters that this machine has."""
    if plan.hosts:
        # Each host says what it cannot count.
        return plan
    events, replaced = check.countable(plan.machine.counters, HERE)
    if replaced:
        arguments.say(f"statera: {replaced}")
    plan = plan._replace(machine=plan.machine._replace(counters=events))
    counters.refuse_beside_services(plan)
    return plan


def commit_alone(options: argparse.Namespace, commit: str, path: Path, settings: Settings) -> Ran:
    """Run the experiment of a file for one commit, by its full name, as the only variant, in the folder ``path``.

    Raises ``Stop`` if the file cannot be used, or states more than one variant of a commit; and as ``begin``.
    """
    made = _of_file(options, commit)
    if len(made.variants) > 1:
        names = listed([each.name for each in made.variants], _NAMED)
        raise Stop(
            "several-variants",
            f"{options.commands[0]} has {len(made.variants)} variants of one commit ({names}). Choose the levels of "
            "the one that the history has with -L FACTOR LEVEL",
        )
    plan = _countable(_whole(made, options, settings.policy.alpha))
    experiment.refuse_overwriting(plan, path)
    return experiment.begin(plan, path, ["statera", *sys.argv[1:]], settings)


def _folder(options: argparse.Namespace) -> Path:
    return experiment.default_folder() if options.folder is None else Path(output.folder(options.folder))


def _resume(options: argparse.Namespace) -> int:
    path = Path(options.resume)
    if options.only and not options.profile:
        raise Stop(
            "bad-option", "--resume runs the plan of the run; --only names what --profile profiles. Leave it out"
        )
    asked, more = _checked(options, [str(path)]), _extension(options)
    with _resumable(path):
        ran = experiment.resume(path, more)
    if len(ran.plan.variants) == 1:
        _refuse_comparing(options)
    return _shown(options, ran, asked)


def _extension(options: argparse.Namespace) -> Extension | None:
    """Return the rounds that a run shall have; None: those of its plan."""
    ways: tuple[tuple[str, int | None, Literal["more", "exactly", "most"]], ...] = (
        ("--more", options.more, "more"),
        ("-r", options.runs, "exactly"),
        ("-M", options.max_runs, "most"),
    )
    given = [Extension(_number(name, number, 1, 1), way, name) for name, number, way in ways if number is not None]
    if given[1:]:
        raise Stop("bad-option", f"{given[0].option} and {given[1].option} both say how many rounds. Give one of them")
    return given[0] if given else None


def _more(options: argparse.Namespace) -> int:
    """Extend the run that is named, otherwise the newest one below this folder."""
    if len(options.commands) > 1:
        raise Stop("bad-option", "--more extends one run. Name one folder")
    _extension(options)
    path = Path(options.commands[0]) if options.commands else experiment.newest()
    if path is None:
        raise Stop("bad-option", "--more: there is no run in statera-runs. Name the folder of a run")
    if not options.commands:
        arguments.say(f"statera: more rounds for the run in {path}")
    options.resume = str(path)
    return _resume(options)


def _status(options: argparse.Namespace) -> None:
    output.write("".join(f"{line}\n" for line in experiment.status(Path(options.status))), None)


def _check(options: argparse.Namespace) -> None:
    width, colour = output.width_and_colour(_view(options))
    output.write(check.text(check.findings(), width, colour=colour), None)


def _list(options: argparse.Namespace) -> None:
    plan = _plan(options, arguments.settings(options).policy.alpha)
    _said(options, "--list", lambda: selection.listed(plan), lambda: selection.described(plan))


def _said(
    options: argparse.Namespace, mode: str, text: Callable[[], str], document: Callable[[], dict[str, Any]]
) -> None:
    """Write what a mode says of the plan, as text or as JSON."""
    if options.output_format == "json":
        output.write(json.dumps(document(), indent=1, ensure_ascii=False) + "\n", None)
    elif options.output_format in {None, "terminal"}:
        # Names and commands are those of a file, perhaps of a stranger's.
        output.write(_native.for_terminal(text()), None)
    else:
        raise Stop(
            "bad-option", f"{mode} writes text or JSON, not {options.output_format}. Leave -f out, or give -f json"
        )


def _build_only(options: argparse.Namespace) -> int:
    """Make the builds, and return 2 if one of them failed."""
    return 2 if experiment.build(_plan(options, arguments.settings(options).policy.alpha)) else 0


def _init(_: argparse.Namespace) -> None:
    """Write an experiment file to begin with, unless there is one."""
    path = Path(_EXPERIMENT)
    if path.exists():
        raise Stop("bad-option", f"--init: there is {path} already. Remove it, or go to another folder")
    outputs.write(path, initial(Path.cwd()))
    arguments.say(f"statera: wrote {path}. Edit it, and run it with: statera run {path}")


def _dry_run(options: argparse.Namespace) -> None:
    """Show the commands, and the order of the first rounds."""
    plan = _plan(options, arguments.settings(options).policy.alpha)
    firsts = list(zip(schedule.passes(plan), range(3), strict=False))
    names = [
        [
            [plan.benchmarks[each.benchmark], plan.variants[each.variant].name]
            for step in schedule.steps(plan, current, range(len(plan.benchmarks)))
            for each in step
        ]
        for current, _ in firsts
    ]

    def text() -> str:
        lines = [
            f"{plan.benchmarks[cell.benchmark]}, {plan.variants[cell.variant].name}: "
            f"{shlex.join(cell.command.arguments)}"
            for cell in plan.cells
        ]
        lines += selection.services(plan)
        most = counted(schedule.most_rounds(plan.rounds), "round")
        limit = most if plan.rounds.number is not None else f"at most {most}"
        lines += [f"on {conjoined(plan.hosts)}"] * bool(plan.hosts)
        lines += ["", f"order {plan.order}, seed {plan.seed}, {limit}; the first ones:"]
        for (current, _), places in zip(firsts, names, strict=True):
            lines.append(f"{current.round}: {' | '.join(', '.join(place) for place in places)}")
        return "".join(f"{line}\n" for line in lines)

    def document() -> dict[str, Any]:
        ways = {"order": plan.order, "seed": plan.seed, "most_rounds": schedule.most_rounds(plan.rounds)}
        return selection.described(plan) | ways | {"first_rounds": names}

    _said(options, "--dry-run", text, document)


@contextmanager
def _resumable(path: Path) -> Iterator[None]:
    """Say how to continue a run that ends early, by an interruption for instance."""
    try:
        yield
    except BaseException as error:
        # What another process runs, or ran there, is not this run; and one whose baseline fails would fail again.
        others = getattr(error, "code", None) in {"in-use", "folder-has-content", "baseline-fails"}
        if not others and run_folder.is_run(path) and not _is_finished(path):
            arguments.say(f"statera: continue this run with: statera run --resume {shlex.quote(str(path))}")
        raise


def _is_finished(path: Path) -> bool:
    try:
        records = run_folder.replay(path)
    except Stop:
        return True
    return run_folder.has_ended(records)


def _shown(
    options: argparse.Namespace,
    ran: Ran,
    asked: Gate | None,
    more: Callable[[Comparison], list[Note]] = lambda _: [],
) -> int:
    """Write the comparison, or the inspection of a single variant, and return the exit code.

    ``more`` are further notes on the comparison.

    0: done. 1: the gate holds. 2: a planned sample is missing.
    """
    arguments.say(f"statera: {progress.heading(ran.plan, ran.course)}")
    if extended := experiment.extension_in_words(ran.plan, ran.course, ran.settings.policy.alpha):
        arguments.say(f"statera: {extended}")
    missing = progress.missing(ran.course)
    for line in progress.lost(ran.plan, ran.course, ran.path):
        arguments.say(f"statera: {line} [host-lost]")
    for line in missing:
        arguments.say(f"statera: {line}{_how_to_see(options)} [missing-samples]")
    for line in drift.slow_first_run(ran.plan, run_folder.replay(ran.path)):
        arguments.say(f"statera: {line} [first-run-slow]")
    if options.export_json is not None:
        output.write(export.text(ran.plan, run_folder.replay(ran.path)), options.export_json, "json")
    _need_values(ran)
    if options.profile:
        _profile(options, ran)
    code = _compared(options, ran, asked, more) if len(ran.plan.variants) > 1 else _inspected(options, ran)
    return 2 if missing else code


def _profile(options: argparse.Namespace, ran: Ran) -> None:
    """Profile the programs of the rows that changed most, or that are named."""
    first = pipeline.compare([os.fspath(ran.path)], looks.request_of(ran.plan), ran.settings)
    try:
        found = verification.suspects(first, ran.plan, only=options.only)
    except Stop as stop:
        why = str(stop) if options.only else "no row changed. --only names benchmarks"
        arguments.say(f"statera: nothing is profiled: {why}")
        return
    names = [*dict.fromkeys(each.program for each in found)]
    profiling.profile(ran, names, lambda text: arguments.say(f"statera: {text}"))


def _how_to_see(options: argparse.Namespace) -> str:
    """Say how to see why commands of the command line fail; a file, and a format, keep what they print."""
    kept = not options.commands or _is_file(options.commands) or options.format or "inherit" in options.output
    return "" if kept else "; --output inherit shows what the commands print"


def _need_values(ran: Ran) -> None:
    """Refuse to compare with nothing; why the invocations failed was said when they did."""
    plan, samples = ran.plan, ran.course.samples
    baseline = plan.variants[0].name
    if not any(samples[benchmark, baseline] for benchmark in plan.benchmarks):
        done = "inspect" if len(plan.variants) == 1 else "compare with"
        raise Stop("nothing-to-compare", f"no invocation of {baseline!r} gave a sample: there is nothing to {done}")


def _of_a_run(result: Comparison | Inspection, ran: Ran, verb: str) -> list[Note]:
    """Let the notes name what shows more of a run: ``statera run`` itself does not take these options."""
    shows = f"statera {verb} {shlex.quote(os.fspath(ran.path))} --all-metrics shows them"
    counts = [name for name in result.arrangement.unused_metrics if name in ran.plan.machine.counters]
    if counts:
        shows += f", and {' '.join(f'--metric {shlex.quote(name)}' for name in counts)} the counts alone"
    return [note._replace(text=note.text.replace(INCLUDES, shows)) for note in result.notes]


def _compared(
    options: argparse.Namespace, ran: Ran, asked: Gate | None, more: Callable[[Comparison], list[Note]]
) -> int:
    with Progress("reading"):
        comparison = pipeline.compare([os.fspath(ran.path)], looks.request_of(ran.plan), ran.settings)
        comparison.notes = _of_a_run(comparison, ran, "compare")
        comparison.notes += self_test.notes(comparison, ran.plan)
        # Where the number of rounds is fixed and no metric is named, nothing was decided.
        if ran.course.decide is not None and (ran.plan.decide or ran.plan.rounds.until):
            comparison.worth_more = looks.deciding_rows(comparison, ran.course.decide["metrics"])
            # With looks, the first one says it.
            if comparison.worth_more is None and not ran.plan.rounds.until:
                arguments.say(f"statera: --decide-by {ran.plan.decide}: no benchmark has this metric")
            comparison.notes += looks.decided_notes(comparison, ran.course.decide["metrics"])
        comparison.notes += more(comparison)
        comparison.notes += drift.notes(pipeline.inspect([os.fspath(ran.path)], settings=ran.settings), ran.plan.order)
    shape = _view(options)
    kind = output.kind(shape)
    code, words = gate.examined(comparison, asked, lambda found: _judged(found, ran))
    if asked is not None and (which := _said_of_gate(ran)):
        words.append(which)
    # What a lost host did not do is not missing, and failures are told already.
    told = ran.course.lost or ran.course.missing()
    for line in [] if told else progress.unprinted(comparison):
        words.append(f"statera: {line} [missing-samples]")
        code = 2
    gate.written(compare.shown(comparison, kind, shape), shape, kind, ran.settings, words)
    return code


def _judged(comparison: Comparison, ran: Ran) -> Judged:
    """Return the rows that a gate judges: those of the metric that was asked to decide, and the counts asked for.

    Without such a wish it judges all, but only the metric that decided leaves something open.
    """
    asked, known = ran.plan.decide, ran.course.decide
    primary, programs = looks.primary_metrics(comparison), looks.programs(comparison)
    groups = {name: number for number, name in enumerate(comparison.arrangement.groups)}

    def wished(row: Mapping[str, Any]) -> bool:
        return _is_counted(row["metric"], ran.plan) or looks.decides(row["metric"], asked or "", primary)

    def decides(row: Mapping[str, Any]) -> bool:
        own = programs[row["benchmark"], groups[row["group"]]]
        by = {} if known is None else known["metrics"]
        return _is_counted(row["metric"], ran.plan) or looks.judged(by, primary, row, own)

    return Judged(None, decides) if asked is None else Judged(wished, wished)


def _said_of_gate(ran: Ran) -> str:
    """Say which metric alone a gate judges, or leaves open; nothing if it is time and nobody asked for it."""
    if ran.plan.decide not in {None, looks.ANY}:
        counts = " and the counts that were asked for" if ran.plan.machine.counters else ""
        return f"statera: the gate judges {ran.plan.decide}{counts} alone, because of --decide-by"
    fixed = ran.plan.decide is None and ran.plan.rounds.until is None
    line = looks.said(ran.course.decide["metrics"]) if fixed and ran.course.decide else ""
    return line and f"statera: {line}"


def _is_counted(metric: str, plan: Plan) -> bool:
    """Return whether a metric is a count that was asked for."""
    return metric in plan.machine.counters or metric == counters.METRIC


def _inspected(options: argparse.Namespace, ran: Ran) -> int:
    inspection = pipeline.inspect([os.fspath(ran.path)], settings=ran.settings)
    inspection.notes = _of_a_run(inspection, ran, "inspect")
    shape = _view(options)
    kind = output.kind(shape)
    shape.sort = "defects"
    output.write(inspect.shown(inspection, kind, shape), None, kind)
    return 0


def _view(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options of the view: here ``--output`` says where the commands print to."""
    return namespace(
        {**vars(options), "output": None, "raw_csv": False, "changed": False, "only": (), "propose": False}
    )


def _verify(options: argparse.Namespace) -> int:
    """Measure rows of a run again, those that changed or are named, and say whether their differences stand."""
    asked = _checked(options, [options.verify])
    plan, settings, records = _finished(Path(options.verify))
    first = pipeline.compare([options.verify], looks.request_of(plan), settings)
    found = verification.suspects(first, plan, only=options.only)
    other = again(plan, found, records)
    path = _folder(options)
    _say(found, other, path)
    with _resumable(path):
        ran = experiment.begin(other, path, ["statera", *sys.argv[1:]], settings)

    def said(comparison: Comparison) -> list[Note]:
        return verification.notes(found, comparison, _counts(path, settings))

    return _shown(options, ran, asked, said)


def _finished(path: Path) -> tuple[Plan, Settings, list[Record]]:
    ran = experiment.finished(path)
    if ran is None:
        raise Stop("run-unfinished", f"{path}: this run has not ended. Continue it with: statera run --resume {path}")
    return ran.plan, ran.settings, run_folder.replay(path)


def _say(found: list[Suspect], plan: Plan, path: Path) -> None:
    names = listed((each.name for each in found), between="; ")
    arguments.say(f"statera: {counted(len(found), 'row')} measured again ({names}), in {os.fspath(path)}")
    if not plan.builds:
        arguments.say("statera: this experiment builds nothing, so the same programs run again")


def _counts(path: Path, settings: Settings) -> Comparison | None:
    """Return the comparison of the instructions alone; None if none were counted."""
    try:
        return pipeline.compare([path], pairing.Request(metrics=("instructions*",)), settings)
    except Stop:
        return None


_MODES: Final[dict[str, Callable[[argparse.Namespace], int | None]]] = {
    "status": _status,
    "resume": _resume,
    "more": _more,
    "verify": _verify,
    "check": _check,
    "list": _list,
    "dry_run": _dry_run,
    "build_only": _build_only,
    "init": _init,
}
