"""The steps that lead to the tables. A step takes effect as a whole or not at all, and one process makes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from alembic import command, op
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, ForeignKeyConstraint, column, inspect, select, table, text

from statera.support.errors import Stop

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.types import TypeEngine

    from statera.server.database import Database

# The table in which Alembic keeps the revision.
_OWN: Final = "alembic_version"
# Processes that ask PostgreSQL for the lock of this number wait for each other; it has no meaning.
_LOCK: Final = 7_382_946_105


def upgrade(database: Database, revision: str = "head") -> None:
    """Make all steps up to a revision that the database lacks; its rows stay.

    Raises ``Stop`` if a newer statera made the database, or something else did.
    """
    with database.writing() as connection:
        _lock(database, connection)
        found = _revision(connection, database)
        if found is None and set(inspect(connection).get_table_names()) - {_OWN}:
            raise Stop("bad-database", f"{database.url}: it has tables that statera did not make. Name an empty one")
        if not database.is_sqlite and (encoding := connection.execute(text("show server_encoding")).scalar()) != "UTF8":
            raise Stop("bad-database", f"{database.url}: its encoding is {encoding}. Make it with createdb -E UTF8")
        command.upgrade(_config(connection), revision)


def downgrade(database: Database, revision: str) -> None:
    """Undo all steps after a revision; ``base`` is the empty database.

    Raises ``Stop`` if tokens, uploads or the like would be lost, or a newer statera made the database.
    """
    with database.writing() as connection:
        _lock(database, connection)
        _revision(connection, database)
        command.downgrade(_config(connection), revision)


def is_current(database: Database) -> bool:
    """Return whether no step is missing. Raises ``Stop`` if a newer statera made the database."""
    with database.reading() as connection:
        return _revision(connection, database) == _scripts().get_current_head()


def check(database: Database) -> None:
    """Refuse a database whose tables are not those of this statera: steps are missing, or a newer one made it."""
    if not is_current(database):
        raise Stop("old-database", f"{database.url}: its tables are missing or old. Run statera server upgrade")


def columns(kind: TypeEngine[Any] | type[TypeEngine[Any]], *names: str, nullable: bool = False) -> list[Column[Any]]:
    """Return columns of one type."""
    return [Column(name, kind, nullable=nullable) for name in names]


def reference(name: str, other: str) -> ForeignKeyConstraint:
    """Return what ties the rows of a table to those of another one, with which they vanish."""
    return ForeignKeyConstraint([f"{other}_id"], [f"{other}.id"], name=f"fk_{name}_{other}_id", ondelete="CASCADE")


def refuse_to_lose(*names: str) -> None:
    """Refuse to remove tables that hold anything."""
    connection = op.get_bind()
    for name in names:
        if connection.execute(select(column("id")).select_from(table(name)).limit(1)).first():
            raise Stop(
                "bad-database",
                f"the table {name} is not empty, and an older version of statera has no such table. Write a backup "
                "with statera server backup, and restore it into another database",
            )


def _config(connection: Connection | None = None) -> Config:
    made = Config(attributes={"connection": connection})
    # The percent sign introduces a variable there.
    made.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return made


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _revision(connection: Connection, database: Database) -> str | None:
    """Return the last step that was made; None of an empty database."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and found not in {each.revision for each in _scripts().walk_revisions()}:
        raise Stop(
            "newer-database",
            f"{database.url}: its tables are of revision {found}, which this version of statera does not know. "
            "Use the version that made them, or a newer one",
        )
    return found


def _lock(database: Database, connection: Connection) -> None:
    """Wait until no other process makes steps; the end of the transaction lets the next one begin."""
    # On SQLite, the transaction itself keeps others out.
    if not database.is_sqlite:
        connection.execute(text("select pg_advisory_xact_lock(:number)"), {"number": _LOCK})
