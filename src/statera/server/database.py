"""Connections to SQLite or PostgreSQL: what differs between the two stands here alone."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError

from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine, Table

# How long a write waits for another one of SQLite, in seconds.
_PATIENCE: Final = 30
_DRIVERS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
# What a database says that is away or too busy.
AWAY: Final = (OperationalError, InterfaceError)


class Database:
    """A database.

    Attributes:
        url: its address, as the caller wrote it, without the password.
        engine: SQLAlchemy's engine.

    """

    def __init__(self, url: str) -> None:
        """Take the address of a database: ``sqlite:///FILE`` or ``postgresql://USER@HOST/NAME``.

        Raises:
            Stop: it is of another kind, or none.

        """
        try:
            made = make_url(url)
        except ArgumentError:
            raise _bad(url) from None
        kind = made.drivername.partition("+")[0]
        if kind not in _DRIVERS or not made.database:
            raise _bad(made.render_as_string())
        self.url = made.render_as_string()
        self.is_sqlite = kind == "sqlite"
        self.engine = _engine(made.set(drivername=_DRIVERS[kind]), is_sqlite=self.is_sqlite)

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

    def insert(self, table: Table) -> Any:  # noqa: ANN401 - of either dialect
        """Return an insertion that can leave out rows that are there (``on_conflict_do_nothing``)."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def is_away(error: DBAPIError) -> bool:
    """Return whether a database is gone or busy, so that the same may succeed later."""
    return isinstance(error, AWAY) or error.connection_invalidated


def _engine(url: Any, *, is_sqlite: bool) -> Engine:  # noqa: ANN401 - SQLAlchemy's address
    if not is_sqlite:
        return create_engine(url, pool_pre_ping=True, pool_size=10, connect_args={"connect_timeout": 5})
    engine = create_engine(url, connect_args={"timeout": _PATIENCE, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: object) -> None:  # noqa: ANN401 - the driver's
        # The driver begins no transaction by itself: the one below decides which kind.
        connection.isolation_level = None
        for statement in ("journal_mode=wal", "synchronous=full", "foreign_keys=on"):
            connection.execute(f"pragma {statement}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A transaction that reads first and then writes would fail if another one wrote in between.
        immediate = connection.get_execution_options().get("statera_writes")
        connection.exec_driver_sql("begin immediate" if immediate else "begin")

    return engine


def _bad(url: str) -> Stop:
    return Stop(
        "bad-database", f"{url}: write sqlite:///FILE for SQLite, or postgresql://USER@HOST/NAME for PostgreSQL"
    )
