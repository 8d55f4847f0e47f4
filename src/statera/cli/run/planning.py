"""Options to a plan: commands on the command line, or an experiment file."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from statera.errors import Stop
from statera.experiment import order
from statera.experiment.durations import parse_duration
from statera.experiment.plan import Machine, Rounds
from statera.experiment.words import Words, planned

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from statera.experiment.plan import Plan

# A single command that is not compared runs so often.
_ALONE: Final = 20
_LIMIT: Final = 60
_MOST: Final = 1_000_000
_SEEDS: Final = 1 << 63


def plan(options: argparse.Namespace) -> Plan:
    """Return the plan of commands.

    Raises:
        Stop: options contradict each other, or one cannot be used.

    """
    if not options.commands:
        raise Stop("bad-option", "nothing to run: name commands in quotes, the baseline first, or an experiment file")
    made = planned(
        _words(options),
        rounds=Rounds(),
        order=options.order or "random",
        warmup=_number("-w", options.warmup, 0, 0),
        seed=_seed(options.order_seed),
        machine=_machine(options),
    )
    return checked(made._replace(rounds=rounds(options, len(made.variants))))


def rounds(options: argparse.Namespace, variants: int) -> Rounds:
    """Return how many rounds there are.

    Raises:
        Stop: options contradict each other, or one cannot be used.

    """
    seconds = duration("--max-time", options.max_time)
    fixed = options.runs if options.runs is not None or variants > 1 else _ALONE
    if fixed is None:
        return _until(options)._replace(seconds=seconds)
    for name, value in (("--until", options.until), ("-m", options.min_runs), ("-M", options.max_runs)):
        if value is not None:
            why = (
                "-r fixes the number of rounds" if options.runs is not None else "one variant is compared with nothing"
            )
            raise Stop("bad-option", f"{name}: {why}; leave one of them out")
    return Rounds(number=_number("-r", fixed, _ALONE, 1), seconds=seconds)


def _until(options: argparse.Namespace) -> Rounds:
    from statera.experiment.stopping import looks, width_looks  # noqa: PLC0415 - only where looks are planned

    limit = _number("-M", options.max_runs, _LIMIT, 2)
    least = _number("-m", options.min_runs, 1, 1)
    if least > limit:
        raise Stop("bad-option", f"-m {least} is more than -M {limit}; raise -M or lower -m")
    until = options.until or "decided"
    if until == "decided":
        numbers, shares = looks(limit)
        kept = [number for number in numbers if number >= least]
        # Looks that are left out leave their share to the last one.
        spent = shares[len(numbers) - len(kept) : -1]
        return Rounds(until="decided", looks=tuple(kept), shares=(*spent, 1.0 - sum(spent)))
    found = re.fullmatch(r"width:\s*(\d+(?:\.\d+)?)\s*%", until)
    width = float(found[1]) / 100 if found else 0.0
    if not 0 < width < 1:
        raise Stop("bad-option", f"--until {until}: write decided, or width:1% for a relative width of every interval")
    return Rounds(until="width", width=width, looks=tuple(each for each in width_looks(limit) if each >= least))


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
        counters=tuple(word for word in (options.counters or "").split(",") if word),
        accept_failures=codes is not None,
        accepted_codes=codes or (),
    )


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
