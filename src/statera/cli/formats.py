"""``statera formats``: the formats that can be read, and everything about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import output

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "formats",
        help="list the formats that statera reads",
        description="List the formats that statera reads: name, what writes them, and what a value is. With NAME, say "
        "everything about one: sign, processes, blocks, keys, metrics and the option that exports it.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the name of a format, as --format takes it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List the formats, or describe one."""
    from statera import formats, observations  # noqa: PLC0415 - --help does without
    from statera.views import formats as view  # noqa: PLC0415

    known = formats.by_name()
    if options.name is None:
        output.write(view.listing(list(known.values())), None)
        return 0
    if options.name not in known:
        raise observations.unknown_format(options.name)
    output.write(view.description(known[options.name]), None)
    return 0
