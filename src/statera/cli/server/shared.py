"""What the commands of the server share: where the database is, and the packages that they need."""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statera.server.database import Database

VARIABLE: Final = "STATERA_DATABASE"
_PACKAGES: Final = ("sqlalchemy", "alembic", "fastapi", "uvicorn", "jinja2", "prometheus_client", "zstandard")


def add_database(parser: argparse._ActionsContainer) -> None:
    """Add where the database is."""
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE, or postgresql://USER@HOST/NAME (the environment's STATERA_DATABASE)",
    )


def check_packages() -> None:
    """Refuse to go on without the packages of the server.

    Raises:
        Stop: one is not installed.

    """
    missing = next((name for name in _PACKAGES if find_spec(name) is None), None)
    if missing:
        raise Stop("missing-package", f"the server needs the package {missing}; run: pip install 'statera[server]'")


def url(options: argparse.Namespace) -> str:
    """Return the address of the database; empty if nobody states it."""
    return options.database or os.environ.get(VARIABLE, "")


def opened(options: argparse.Namespace) -> Database:
    """Return the database, whatever tables it has.

    Raises:
        Stop: nobody states it, or it is none.

    """
    check_packages()
    from statera.server.database import Database  # noqa: PLC0415 - --help does without

    address = url(options)
    if not address:
        raise Stop("bad-option", f"--database is missing: write sqlite:///FILE, or set {VARIABLE}")
    return Database(address)


def database(options: argparse.Namespace) -> Database:
    """Return the database, whose tables are those of this statera.

    Raises:
        Stop: nobody states it, it is none, it does not answer, or it has other tables.

    """
    found = opened(options)
    from statera.server import migrations  # noqa: PLC0415 - --help does without

    with answering(found):
        migrations.check(found)
    return found


@contextmanager
def answering(database: Database) -> Iterator[None]:
    """Report a database that does not answer as an error of the caller's.

    Raises:
        Stop: it does not.

    """
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 - --help does without

    from statera.server.database import is_away  # noqa: PLC0415

    try:
        yield
    except DBAPIError as error:
        if not is_away(error):
            raise
        raise Stop("bad-database", f"{database.url}: {error.orig}") from None
