"""``statera completion``: the script that lets a shell complete statera's words."""

from __future__ import annotations

from statera.cli import output
from statera.cli.options import COLUMN_ROLES
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "completion",
        help="print a completion script for the shell",
        description='Print the completion script of a shell. Use it by eval "$(statera completion bash)".',
    )
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    import shtab  # noqa: PLC0415 - only here

    from statera.cli import parser  # noqa: PLC0415 - the parser holds this verb
    from statera.reading import formats  # noqa: PLC0415

    every = parser()
    _complete_words(every, tuple(formats.every()))
    output.write(shtab.complete(every, shell=options.shell) + "\n", None)
    return 0


def _complete_words(parser: argparse.ArgumentParser, names: tuple[str, ...]) -> None:
    """Offer roles of columns, and the names of formats, which the parser of every day does not load."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to its arguments
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                _complete_words(below, names)
        elif "--column" in action.option_strings:
            action.choices = [f"{role}=" for role in COLUMN_ROLES]
        elif "--format" in action.option_strings or (parser.prog.endswith(" formats") and action.dest == "name"):
            action.choices = names
