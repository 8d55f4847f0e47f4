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

    from statera.cli import parser  # noqa: PLC0415 - the parser holds this verb

    output.write(shtab.complete(parser(), shell=options.shell) + "\n", None)
    return 0
