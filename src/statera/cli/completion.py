"""``statera completion``: the script that lets a shell complete statera's words."""

from __future__ import annotations

import argparse

import shtab

from statera.cli import parser, verbs
from statera.cli.options import COLUMN, COLUMN_ROLES, FILE, FOLDER, FORMAT, OPTIONS
from statera.cli.streams import write
from statera.reading import formats as known
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def completion(options: argparse.Namespace) -> None:
    """Print the script that lets a shell complete statera's words."""
    write(shtab.complete(_tree(tuple(known.every())), shell=options.shell) + "\n")


def _tree(formats: tuple[str, ...]) -> argparse.ArgumentParser:
    """Return a parser of all verbs, with the words that completion offers; ``formats`` are the names of all formats."""
    offers: dict[str, Any] = {
        FORMAT: {"choices": formats},
        COLUMN: {"choices": [f"{role}=" for role in COLUMN_ROLES]},
        FILE: {"complete": shtab.FILE},
        FOLDER: {"complete": shtab.DIRECTORY},
    }
    top = argparse.ArgumentParser(prog="statera", add_help=False)
    families = {"": top.add_subparsers()}
    for verb in verbs.VERBS:
        above, _, last = verb.name.rpartition(" ")
        if above not in families:
            above, last = "", verb.name
        aliases = [verb.alias.rpartition(" ")[2]] if verb.alias else []
        made = families[above].add_parser(last, help=verb.help.replace("%", "%%"), aliases=aliases, add_help=False)
        if not verb.run:
            families[verb.name] = made.add_subparsers()
            continue
        parser.add(made, verb)
        completes = {option.dest: option.completes for option in map(OPTIONS.__getitem__, verb.keys)}
        for action in made._actions:  # noqa: SLF001 - argparse has no other way to its arguments
            for name, value in offers.get(completes.get(action.dest, ""), {}).items():
                setattr(action, name, value)
    return top
