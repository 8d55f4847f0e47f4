"""The roles of columns of plain tables: from options, from the settings, or from an answer on a terminal."""

from __future__ import annotations

import sys

from statera.cli import arguments
from statera.cli.ending import READS_WITH
from statera.cli.progress import paused
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from statera.support.settings.file import Settings

    Roles = list[tuple[str, str]]

T = TypeVar("T")


def said(options: argparse.Namespace) -> Roles:
    """Parse the ``ROLE=COLUMN`` words of ``--column``."""
    pairs = []
    for word in options.column:
        role, equals, column = word.partition("=")
        if not equals or not role or not column:
            raise Stop("bad-option", f"--column {word}: write ROLE=COLUMN, for instance value=elapsed")
        pairs.append((role, column))
    return pairs


def reading(read: Callable[[Roles], T], options: argparse.Namespace, settings: Settings, *, asks: bool = False) -> T:
    """Read with the roles of the options; where a table needs others, with those of the settings or of an answer.

    Args:
        read: reads with these roles; Stop has the question of a table.
        options: the options of the verb.
        settings: the settings, of which ``[columns]`` answers.
        asks: whether somebody on a terminal is asked.

    """
    roles = said(options)
    try:
        return read(roles)
    except Stop as stop:
        _, found, rest = str(stop).partition(f"\n{READS_WITH} ")
        if not found:
            raise
        named = {name for _, name in roles}
        more = [pair for pair in settings.columns if pair[1] not in named]
        of_settings = bool(more)
        if not more and asks:
            more = _answered(str(stop), rest.partition("\n")[0])
        # Standard input cannot be read twice.
        if not more or _has_standard_input(options):
            raise
    try:
        return read([*roles, *more])
    except Stop as stop:
        if not of_settings:
            raise
        raise Stop(stop.code, f"{stop}\nThe roles are those of [columns] in {settings.file}.") from None


def _has_standard_input(options: argparse.Namespace) -> bool:
    given = vars(options)
    words = given.get("paths") or given.get("inputs") or ()
    return any(word.rpartition("=")[2] == "-" for word in words)


def _answered(question: str, proposal: str) -> Roles:
    """Ask whether to read a table as it is proposed; no roles if nobody can answer, or says no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return []
    import shlex  # noqa: PLC0415 - only where somebody answers

    words = [word.partition("=") for word in shlex.split(proposal) if word != "--column"]
    if any(word == "--format" for word, _, _ in words):
        return []
    for end in ("\nOtherwise:", "\nIf it is no such table:"):
        question = question.partition(end)[0]
    with paused():
        arguments.say(f"statera: {question}")
        print("Read it so? [Y/n] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip().lower()
    if answer not in {"", "y", "yes"}:
        return []
    roles = [(role, name) for role, _, name in words]
    arguments.say("To keep the answer, add to statera.toml:\n" + _table(roles))
    return roles


def _table(roles: Roles) -> str:
    import json  # noqa: PLC0415 - as above

    names: dict[str, list[str]] = {}
    for role, name in roles:
        names.setdefault(role, []).append(name)
    written = (f"{role} = {json.dumps(of, ensure_ascii=False)}" for role, of in names.items())
    return "\n".join(["[columns]", *written])
