"""``statera completion``: the script that lets a shell complete statera's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import output

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

    from statera import formats  # noqa: PLC0415
    from statera.cli import parser  # noqa: PLC0415 - the parser holds this verb

    every = parser()
    _complete_formats(every, tuple(formats.every()))
    output.write(shtab.complete(every, shell=options.shell) + "\n", None)
    return 0


def _complete_formats(parser: argparse.ArgumentParser, names: tuple[str, ...]) -> None:
    """Offer the names of formats; the parser of every day does not know them, which saves loading the readers."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to its arguments
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                _complete_formats(below, names)
        elif "--format" in action.option_strings or (parser.prog.endswith(" formats") and action.dest == "name"):
            action.choices = names
