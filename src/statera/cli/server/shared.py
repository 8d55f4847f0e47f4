"""What the commands of the server share: where the database is, and the packages that they need."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from statera.errors import Stop

if TYPE_CHECKING:
    import argparse

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


def database(options: argparse.Namespace) -> Database:
    """Return the database, whose tables are those of this statera.

    Raises:
        Stop: nobody states it, it is none, or it has other tables.

    """
    check_packages()
    from statera.server import migrations  # noqa: PLC0415 - --help does without
    from statera.server.database import Database  # noqa: PLC0415

    address = url(options)
    if not address:
        raise Stop("bad-option", f"--database is missing: write sqlite:///FILE, or set {VARIABLE}")
    found = Database(address)
    migrations.check(found)
    return found
