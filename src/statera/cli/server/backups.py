"""``statera server backup`` and ``restore``: what cannot be made again, in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli.server import shared
from statera.support.files import outputs
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.server.backup import Held


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verbs."""
    backup = verbs.add_parser(
        "backup",
        help="write all projects into one file, whether the server runs or not",
        description="Write all projects with their uploads, decisions, tokens, hooks and the record of changes into "
        "one file, in one consistent state. The server may run.",
    )
    backup.add_argument("-o", "--output", required=True, metavar="FILE", help="write this file, a tar archive")
    shared.add_database(backup)
    backup.set_defaults(run=_backup)
    restore = verbs.add_parser(
        "restore",
        help="read a backup into an empty database",
        description="Read a backup into an empty database of SQLite or PostgreSQL, as a whole or not at all. The "
        "server analyses the projects when it starts.",
    )
    restore.add_argument("input", metavar="FILE", help="the backup")
    shared.add_database(restore)
    restore.set_defaults(run=_restore)


def _backup(options: argparse.Namespace) -> int:
    outputs.check(options.output)
    database = shared.database(options)
    from statera.server import backup  # noqa: PLC0415 - --help does without

    with shared.answering(database):
        held = backup.write(database, options.output)
    common.say(f"statera: {options.output}: {_words(held)} written")
    return 0


def _restore(options: argparse.Namespace) -> int:
    database = shared.opened(options)
    from statera.server import backup  # noqa: PLC0415 - --help does without
    from statera.support.settings.limits import Limits  # noqa: PLC0415

    with shared.answering(database):
        held = backup.restore(database, options.input, Limits())
    common.say(f"statera: {database.url}: {_words(held)} restored")
    return 0


def _words(held: Held) -> str:
    return f"{counted(held.projects, 'project')} with {counted(held.uploads, 'upload')}"
