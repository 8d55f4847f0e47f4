"""``statera server upgrade``: the tables of this statera, in a database of an older one or in an empty one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli.server import shared

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "upgrade",
        help="make the tables that a database lacks",
        description="Make the tables of this version of statera in an empty database, or in that of an older "
        "version, and keep its rows. Before, stop the server and write a backup.",
    )
    shared.add_database(parser)
    parser.set_defaults(run=_upgrade)


def _upgrade(options: argparse.Namespace) -> int:
    database = shared.opened(options)
    from statera.server import migrations  # noqa: PLC0415 - --help does without

    with shared.answering(database):
        migrations.upgrade(database)
    common.say(f"statera: {database.url}: the tables are up to date")
    return 0
