"""Options to a plan: commands on the command line, or an experiment file."""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING, Final

from statera.errors import Stop
from statera.experiment import order
from statera.experiment.durations import parse_duration
from statera.experiment.launcher import COUNTERS
from statera.experiment.plan import Machine, Rounds
from statera.experiment.rounds import parse_rounds, with_looks
from statera.experiment.selection import only
from statera.experiment.self_test import with_self_test
from statera.experiment.stopping import LIMIT
from statera.experiment.words import Words, planned

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from statera.experiment.plan import Plan

# A single command that is not compared runs so often.
_ALONE: Final = 20
_MOST: Final = 1_000_000
_SEEDS: Final = 1 << 63
# Options that an experiment file replaces.
_OF_COMMANDS: Final = {
    "setup": "-s", "prepare": "-p", "conclude": "-C", "cleanup": "-c", "command_name": "-n", "shell": "-S",
    "parameter_scan": "-P", "parameter_step_size": "-D", "parameter_list": "-L", "ignore_failure": "-i",
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
    made = made._replace(rounds=_rounds(options, made, alpha))
    if options.only:
        made = only(made, options.only)
    return checked(with_self_test(made) if options.self_test else made)


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
        "pin": None if options.pin is None else list(_pinned(options.pin)),
        "counters": _counters(options) or None,
    }
    return file.planned(options.commands[0], given)


def _of_commands(options: argparse.Namespace) -> Plan:
    return planned(
        _words(options),
        rounds=Rounds(seconds=duration("--max-time", options.max_time)),
        order=options.order or "random",
        warmup=_number("-w", options.warmup, 0, 0),
        seed=_seed(options.order_seed),
        machine=_machine(options),
    )


def _rounds(options: argparse.Namespace, made: Plan, alpha: float) -> Rounds:
    """Return how many rounds there are: those of the options, else those of the file."""
    for name, value in (("--until", options.until), ("-m", options.min_runs), ("-M", options.max_runs)):
        if value is not None and options.runs is not None:
            raise Stop("bad-option", f"-r fixes the number of rounds, and {name} leaves it open; leave one of them out")
    if options.runs is not None:
        return made.rounds._replace(
            number=_number("-r", options.runs, 1, 1), until=None, width=None, looks=(), shares=()
        )
    found = made.rounds if options.until is None else _until(options.until)._replace(seconds=made.rounds.seconds)
    if found.number is None and len(made.variants) == 1:
        # There is nothing to decide; with a width there would be no difference whose interval is meant.
        return Rounds(number=_number("-M", options.max_runs, _ALONE, 1), seconds=found.seconds)
    if found.number is None and found.until is None:
        found = found._replace(until="decided")
    limit, least = _number("-M", options.max_runs, LIMIT, 2), _number("-m", options.min_runs, 1, 1)
    if least > limit:
        raise Stop("bad-option", f"-m {least} is more than -M {limit}; raise -M or lower -m")
    return with_looks(found, limit, least, alpha)


def _until(word: str) -> Rounds:
    found = parse_rounds("until decided" if word == "decided" else word)
    if found is None or found.until is None:
        raise Stop("bad-option", f"--until {word}: write decided, or width:1% for the relative width of every interval")
    return found


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
    )


def _shell(given: str | None) -> tuple[str, ...]:
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
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise Stop("bad-option", f"--env {word}: write NAME=VALUE, for instance GOGC=400")
    return name, value


def _machine(options: argparse.Namespace) -> Machine:
    codes = _codes(options.ignore_failure)
    return Machine(
        cpus=_pinned(options.pin),
        timeout=duration("--timeout", options.timeout),
        counters=_counters(options),
        accept_failures=codes is not None,
        accepted_codes=codes or (),
    )


def _counters(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the events that are counted."""
    names = tuple(dict.fromkeys(word.strip() for word in (options.counters or "").split(",") if word.strip()))
    for name in names:
        if name not in {*COUNTERS, "callgrind"}:
            raise Stop("bad-option", f"--counters {name}: no event has this name; there are {', '.join(COUNTERS)}")
    return names


def _pinned(word: str | None) -> tuple[int, ...]:
    if word is None:
        return ()
    from statera.experiment.pinning import pinned  # noqa: PLC0415 - only where it is asked for

    return pinned(word)


def _codes(word: str | None) -> tuple[int, ...] | None:
    """Return the exit codes that are no failures; empty: all, None: 0 alone."""
    if word is None or word == "all-non-zero":
        return None if word is None else ()
    if not re.fullmatch(r"\d{1,3}(,\d{1,3})*", word):
        raise Stop(
            "bad-option",
            f"--ignore-failure {word!r}: write exit codes, as in --ignore-failure=1,2, or -i for all of them",
        )
    return tuple(int(code) for code in word.split(","))


def duration(name: str, word: str | None) -> float | None:
    """Return the seconds of an option.

    Raises:
        Stop: it is no length of time.

    """
    if word is None:
        return None
    seconds = parse_duration(word)
    if seconds is None:
        raise Stop("bad-option", f"{name} {word}: write a length of time above 0, such as 30s, 10m or 1h30m")
    return seconds


def _number(name: str, given: int | None, default: int, least: int) -> int:
    if given is None:
        return default
    if not least <= given <= _MOST:
        raise Stop("bad-option", f"{name} takes a number from {least} to {_MOST:,}, not {given}")
    return given


def _seed(given: int | None) -> int:
    import secrets  # noqa: PLC0415 - only where nobody gives one

    if given is None:
        return secrets.randbelow(1 << 32)
    if not 0 <= given < _SEEDS:
        raise Stop("bad-option", f"--seed takes a number from 0 to {_SEEDS - 1}, not {given}")
    return given


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
        order.halves(made.machine.cpus)
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
