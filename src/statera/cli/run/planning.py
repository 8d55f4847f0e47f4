"""Options to a plan: commands on the command line, or an experiment file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from statera.cli.run.values import codes, cores, counters, duration, number, seed, shell, until, variable
from statera.experiment import schedule
from statera.experiment.command_line import Words, planned, split
from statera.experiment.plan import Machine, Rounds
from statera.experiment.schedule import LIMIT, with_looks
from statera.experiment.selection import only
from statera.experiment.self_test import with_self_test
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from statera.experiment.plan import Plan

# A single command that is not compared runs so often.
_ALONE: Final = 20
# Options that an experiment file replaces.
_OF_COMMANDS: Final = {
    "setup": "-s", "prepare": "-p", "conclude": "-C", "cleanup": "-c", "command_name": "-n", "shell": "-S",
    "parameter_scan": "-P", "parameter_step_size": "-D", "ignore_failure": "-i",
    "output": "--output", "input": "--input", "env": "--env", "format": "--format",
}  # fmt: skip


def plan(options: argparse.Namespace, alpha: float) -> Plan:
    """Return the plan of commands, or of an experiment file.

    Args:
        options: the options of the verb.
        alpha: the significance level, which the looks share.

    Raises:
        Stop: options contradict each other, or one cannot be used.

    """
    if not options.commands:
        raise Stop("bad-option", "nothing to run: name commands in quotes, the baseline first, or an experiment file")
    made = _of_file(options) if is_file(options.commands) else _of_commands(options)
    if options.only:
        made = only(made, options.only)
    if options.self_test:
        made = with_self_test(made)
    return checked(made._replace(rounds=_rounds(options, made, alpha)))


def is_file(commands: list[str]) -> bool:
    """Return whether the only argument is an experiment file."""
    return len(commands) == 1 and commands[0].endswith(".toml") and os.path.exists(commands[0])  # noqa: PTH110


def _of_file(options: argparse.Namespace) -> Plan:
    from statera.experiment import file  # noqa: PLC0415 - only where there is one

    for name, word in _OF_COMMANDS.items():
        if getattr(options, name):
            raise Stop("bad-option", f"{word} is for commands on the command line; state it in {options.commands[0]}")
    given = {
        "order": options.order,
        "seed": options.order_seed,
        "warmup": options.warmup,
        "timeout": options.timeout,
        "max_time": options.max_time,
        "pin": None if options.pin is None else list(cores(options.pin)),
        "counters": counters(options) or None,
    }
    return file.planned(options.commands[0], given, _levels(options.parameter_list))


def _levels(lists: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the levels that replace those of the file's factors.

    Raises:
        Stop: a factor is named twice.

    """
    found = {name: split(name, values) for name, values in lists}
    if len(found) < len(lists):
        raise Stop("bad-option", "-L names a factor twice; give all its levels once")
    return found


def _of_commands(options: argparse.Namespace) -> Plan:
    return planned(
        _words(options),
        rounds=Rounds(seconds=duration("--max-time", options.max_time)),
        order=options.order or "random",
        warmup=number("-w", options.warmup, 0, 0),
        seed=seed(options.order_seed),
        machine=_machine(options),
    )


def _rounds(options: argparse.Namespace, made: Plan, alpha: float) -> Rounds:
    """Return how many rounds there are: those of the options, else those of the file."""
    seconds, fixed = made.rounds.seconds, options.runs
    if fixed is None and options.until is None:
        fixed = made.rounds.number
    if fixed is not None:
        _refuse_open(options)
        return Rounds(number=number("-r", fixed, 1, 1), seconds=seconds)
    if len(made.variants) == 1:
        return _alone(options)._replace(seconds=seconds)
    found = made.rounds if options.until is None else until(options.until)
    found = found if found.until else Rounds(until="decided")
    limit, least = number("-M", options.max_runs, LIMIT, 2), number("-m", options.min_runs, 1, 1)
    if least > limit:
        raise Stop("bad-option", f"-m {least} is more than -M {limit}; raise -M or lower -m")
    return with_looks(found, limit, least, alpha)._replace(seconds=seconds)


def _refuse_open(options: argparse.Namespace) -> None:
    """Refuse what leaves the number of rounds open, where it is fixed."""
    for name, value in (("--until", options.until), ("-m", options.min_runs), ("-M", options.max_runs)):
        if value is not None:
            what = "-r fixes" if options.runs is not None else f"{options.commands[0]} fixes"
            raise Stop("bad-option", f"{what} the number of rounds, and {name} leaves it open; leave one of them out")


def _alone(options: argparse.Namespace) -> Rounds:
    """Return the rounds of a single variant, for which there is nothing to decide."""
    if options.until is not None:
        raise Stop("bad-option", "--until: a single variant is compared with nothing; give a number of rounds with -r")
    least = number("-m", options.min_runs, 1, 1)
    return Rounds(number=number("-M", options.max_runs, max(_ALONE, least), least))


def _words(options: argparse.Namespace) -> Words:
    return Words(
        commands=tuple(options.commands),
        names=tuple(options.command_name),
        lists=tuple((name, values) for name, values in options.parameter_list),
        scans=tuple((name, low, high) for name, low, high in options.parameter_scan),
        steps=tuple(options.parameter_step_size),
        shell=shell(options.shell),
        setup=options.setup,
        cleanup=options.cleanup,
        prepare=tuple(options.prepare),
        conclude=tuple(options.conclude),
        inputs=tuple(options.input),
        outputs=tuple(options.output),
        environment=tuple(map(variable, options.env)),
        format=options.format,
    )


def _machine(options: argparse.Namespace) -> Machine:
    accepted = codes(options.ignore_failure)
    return Machine(
        cpus=cores(options.pin),
        timeout=duration("--timeout", options.timeout),
        counters=counters(options),
        accept_failures=accepted is not None,
        accepted_codes=accepted or (),
    )


def checked(made: Plan) -> Plan:
    """Return a plan whose order fits its variants and rounds.

    Raises:
        Stop: it does not.

    """
    if made.order == "duet":
        if len(made.variants) != 2:  # noqa: PLR2004 - one on each half of the cores
            raise Stop(
                "bad-option",
                f"--order duet runs two variants at the same time, and there are {len(made.variants)}; use random",
            )
        schedule.halves(made.machine.cpus)
    if made.order == "sequential" and (made.rounds.number is None or made.rounds.seconds is not None):
        raise Stop(
            "bad-option",
            "--order sequential runs all rounds of one variant before the next one begins: no look can stop it; give "
            "the number of rounds with -r, without --max-time",
        )
    return made


def given(options: argparse.Namespace, defaults: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """Return which of these options differ from their defaults."""
    return [name for name in names if getattr(options, name) != getattr(defaults, name)]
