"""Connections to SQLite or PostgreSQL: what differs between the two stands here alone."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import URL, Column, Connection, Engine, Table
    from sqlalchemy.sql.dml import ReturningInsert

# How long a write waits for another one of SQLite, in seconds.
_PATIENCE: Final = 30
# Between two attempts at what SQLite itself does not repeat, in seconds.
_PAUSE: Final = 0.01
_DRIVERS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
# What a database says that is away, busy or full; and what is wrong with what it was asked.
_AWAY: Final = (OperationalError, InterfaceError)
_AWAY_SQLITE: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}
# Of PostgreSQL: no connection, undone because of another transaction, no resources, in use, ended by an operator.
_AWAY_CLASSES: Final = {"08", "40", "53", "55", "57"}


class Database:
    """A database."""

    def __init__(self, url: str) -> None:
        """Take the address of a database: ``sqlite:///FILE`` or ``postgresql://USER@HOST/NAME``.

        Raises ``Stop`` if it is of another kind, or none.
        """
        try:
            made = make_url(url)
        except (ArgumentError, ValueError):
            # Nobody knows where in it a password stands.
            raise _bad("the address of the database") from None
        kind = made.drivername.partition("+")[0]
        # A password may also stand among the options.
        # its address, as the caller wrote it, without the password
        self.url = made.difference_update_query(["password"]).render_as_string()
        if kind not in _DRIVERS or not made.database:
            raise _bad(self.url)
        self.is_sqlite = kind == "sqlite"
        self.engine = _engine(made.set(drivername=_DRIVERS[kind]), is_sqlite=self.is_sqlite)  # SQLAlchemy's engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection whose queries see one state of the database."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self.engine.connect().execution_options(**options) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection whose changes take effect together at the end, and are on the disk then."""
        with self.engine.connect().execution_options(statera_writes=True) as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def add_new(connection: Connection, table: Table, values: dict[str, Any]) -> int | None:
    """Insert a row; return its number, or None if it is there already."""
    number: int | None = connection.execute(_adding(table, connection.dialect.name), values).scalar()
    return number


@cache
def _adding(table: Table, dialect: str) -> ReturningInsert[Any]:
    """Return the statement that inserts a row: to put it together takes longer than to execute it."""
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return insert(table).on_conflict_do_nothing().returning(table.c.id)


def add_many(
    connection: Connection, table: Table, names: Sequence[str], rows: Sequence[Sequence[Any]], *, known: bool = False
) -> None:
    """Insert many rows, with values of the named columns, by one statement; ``known`` leaves out those that are there.

    PostgreSQL gets one array for each column: statements one after another would take minutes where this takes seconds.
    """
    if not rows:
        return
    into = f'insert into "{table.name}" ({_quoted(names)})'
    but = " on conflict do nothing" if known else ""
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(names))
        connection.exec_driver_sql(f"{into} values ({marks}){but}", [tuple(row) for row in rows])
        return
    types = [table.c[name].type.compile(connection.dialect) for name in names]
    arrays = ", ".join(f"%s::{each}[]" for each in types)
    columns = tuple(list(column) for column in zip(*rows, strict=True))
    connection.exec_driver_sql(f"{into} select * from unnest({arrays}){but}", columns)


def numbers_of(connection: Connection, table: Table, project_id: int, hashes: Sequence[str]) -> dict[str, int]:
    """Return the numbers of the rows of a project that have certain hashes, by these."""
    return dict(rows_among(connection, table.c.hash, hashes, project_id, ("hash", "id")))


def rows_among(
    connection: Connection, column: Column[str], texts: Sequence[str], project_id: int, names: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """Return columns of the rows of a project that have one of many texts in a column.

    A parameter for each text would be more than a statement can have: an upload has 84,000 benchmarks.
    """
    mark, given, wanted = (
        ("?", "select value from json_each(?)", json.dumps(texts))
        if connection.dialect.name == "sqlite"
        else ("%s", "select unnest(%s::text[])", list(texts))
    )
    chosen = f'select {_quoted(names)} from "{column.table.name}" where project_id = {mark}'
    statement = f'{chosen} and "{column.name}" in ({given})'
    return map(tuple, connection.exec_driver_sql(statement, (project_id, wanted)))


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def is_away(error: BaseException) -> bool:
    """Return whether a database is gone, busy or full, so that the same may succeed later."""
    # All connections were in use for too long.
    if isinstance(error, NoConnection):
        return True
    if not isinstance(error, DBAPIError):
        return False
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        # The lower half is the kind of error. Without a code, it is of the driver itself.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _AWAY_SQLITE
    state = getattr(cause, "sqlstate", None)
    return error.connection_invalidated or (isinstance(error, _AWAY) and (state is None or state[:2] in _AWAY_CLASSES))


def _engine(url: URL, *, is_sqlite: bool) -> Engine:
    if not is_sqlite:
        return create_engine(url, pool_pre_ping=True, pool_size=10, connect_args={"connect_timeout": 5})
    engine = create_engine(url, connect_args={"timeout": _PATIENCE, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _: object) -> None:
        # It will hold the secrets of hooks; the files that SQLite puts beside it get the same mode.
        file = Path(url.database or "")
        if file.is_file() and not file.stat().st_size:
            file.chmod(0o600)
        # The driver begins no transaction by itself: the one below decides which kind.
        connection.isolation_level = None
        _write_ahead(connection)
        for statement in ("synchronous=full", "foreign_keys=on"):
            connection.execute(f"pragma {statement}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A transaction that reads first and then writes would fail if another one wrote in between.
        immediate = connection.get_execution_options().get("statera_writes")
        connection.exec_driver_sql("begin immediate" if immediate else "begin")

    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Set the mode of the journal, in which readers and a writer do not wait for each other.

    A new file is locked while its mode changes, and SQLite ends at once for the others that ask for the change,
    whatever their timeout: https://www.sqlite.org/c3ref/busy_handler.html.
    """
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("pragma journal_mode=wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _bad(what: str) -> Stop:
    return Stop(
        "bad-database", f"{what}: write sqlite:///FILE for SQLite, or postgresql://USER@HOST/NAME for PostgreSQL"
    )
