"""``statera formats``: the formats that can be read, and everything about one."""

from __future__ import annotations

from statera.cli import options as shared
from statera.cli import output
from statera.support.typed import TYPE_CHECKING

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
    from statera.output.views import formats as view  # noqa: PLC0415
    from statera.reading import formats, observations, plug_ins  # noqa: PLC0415 - --help does without

    if options.name is not None:
        if not formats.is_known(options.name):
            raise observations.unknown_format(options.name)
        output.write(view.description(formats.by_name()[options.name], formats.package(options.name)), None)
        return 0
    known = list(formats.every().values())
    output.write(view.listing(known, {each.name: formats.package(each.name) for each in known}), None)
    for each in plug_ins.loaded().values():
        if each.failure:
            shared.say(each.failure)
    return 0
