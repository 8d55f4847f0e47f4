"""The values of single options of ``statera run``: each is checked, and refused with the remedy."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from statera.experiment.launcher import COUNTERS
from statera.experiment.schedule import parse_duration, parse_rounds
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse

    from statera.experiment.plan import Rounds

_MOST: Final = 1_000_000
_SEEDS: Final = 1 << 63


def shell(given: str | None) -> tuple[str, ...]:
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


def variable(word: str) -> tuple[str, str]:
    """Return name and value of ``--env``."""
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise Stop("bad-option", f"--env {word}: write NAME=VALUE, for instance GOGC=400")
    return name, value


def counters(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the events that are counted."""
    names = tuple(dict.fromkeys(word.strip() for word in (options.counters or "").split(",") if word.strip()))
    for name in names:
        if name not in {*COUNTERS, "callgrind"}:
            raise Stop("bad-option", f"--counters {name}: no event has this name; there are {', '.join(COUNTERS)}")
    return names


def cores(word: str | None) -> tuple[int, ...]:
    """Return the numbers of the cores of ``--pin``; none for all."""
    if word is None:
        return ()
    from statera.experiment.host import pinned  # noqa: PLC0415 - only where it is asked for

    return pinned(word)


def codes(word: str | None) -> tuple[int, ...] | None:
    """Return the exit codes that are not failures; empty: all, None: 0 alone."""
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
        Stop: it is not a length of time.

    """
    if word is None:
        return None
    seconds = parse_duration(word)
    if seconds is None:
        raise Stop("bad-option", f"{name} {word}: write a length of time above 0, such as 30s, 10m or 1h30m")
    return seconds


def number(name: str, given: int | None, default: int, least: int) -> int:
    """Return a number of rounds or invocations."""
    if given is None:
        return default
    if not least <= given <= _MOST:
        raise Stop("bad-option", f"{name} takes a number from {least} to {_MOST:,}, not {given}")
    return given


def seed(given: int | None) -> int:
    """Return the seed, drawn anew if none is given."""
    import secrets  # noqa: PLC0415 - only where nobody gives one

    if given is None:
        return secrets.randbelow(1 << 32)
    if not 0 <= given < _SEEDS:
        raise Stop("bad-option", f"--seed takes a number from 0 to {_SEEDS - 1}, not {given}")
    return given


def until(word: str) -> Rounds:
    """Return what ``--until`` asks for, without looks."""
    found = parse_rounds("until decided" if word == "decided" else word)
    if found is None or found.until is None:
        raise Stop("bad-option", f"--until {word}: write decided, or width:1% for the relative width of every interval")
    return found
