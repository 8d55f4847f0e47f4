"""Tokens: who may do what in which project."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import ColumnElement, bindparam, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from statera.server import tables
from statera.server.moments import now
from statera.support.errors import Stop

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from statera.server.database import Database

# Scanners of secrets recognize tokens by it.
PREFIX: Final = "statera_"
# 256 random bits, so that a plain hash of them is as good as any: nobody tries them out.
_BYTES: Final = 32
_LENGTH: Final = len(PREFIX) + 43
_LONGEST_NAME: Final = 100
_MOST_DAYS: Final = 36_500
_DAY: Final = 24 * 3600
# What a token has of the one in whose place it stands.
_KEPT: Final = ("name", "role", "project_id", "expires")
# The time of use is noted once within so many seconds.
_NOTED: Final = 3600


class Role(IntEnum):
    """What a token may do; each may also do what the ones before it may."""

    READ = 1
    WRITE = 2
    ADMIN = 3

    @property
    def word(self) -> str:
        """Return how tables and documents write it."""
        return self.name.lower()


class Identity(NamedTuple):
    """Whoever holds a token.

    Attributes:
        token_id: the number of the token.
        name: the name of the token.
        role: what it may do in its project.
        project_id: its project; None of a token of the server, which may do everything in all projects.

    """

    token_id: int
    name: str
    role: Role
    project_id: int | None

    def may(self, project_id: int, role: Role) -> bool:
        """Return whether it may do in a project what a role may."""
        return self.is_servers or (self.project_id == project_id and self.role >= role)

    @property
    def is_servers(self) -> bool:
        """Return whether it is a token of the server."""
        return self.project_id is None


class Token(NamedTuple):
    """What is known of a token; nobody knows its secret any more."""

    id: int
    name: str
    role: Role
    project_id: int | None
    created: str
    expires: str | None
    used: str | None
    revoked: str | None


def issue(
    connection: Connection, name: str, role: Role, project_id: int | None, days: int | None = None
) -> tuple[int, str]:
    """Make a token; return its number, and its secret, which is stored nowhere.

    Args:
        connection: writes.
        name: what people call it.
        role: what it may do; a token of the server may do everything.
        project_id: its project; None for a token of the server.
        days: how long it is good; None for ever.

    Raises:
        Stop: it has no proper name, or no proper end.

    """
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise Stop("bad-token", f"the name of a token has 1 to {_LONGEST_NAME} printable characters; state another one")
    if days is not None and not 1 <= days <= _MOST_DAYS:
        raise Stop(
            "bad-token", f"a token is good for 1 to {_MOST_DAYS} days, or for ever; state another number of days"
        )
    made = Role.ADMIN if project_id is None else role
    expires = None if days is None else now(days * _DAY)
    return _added(connection, {"name": name, "role": made.word, "project_id": project_id, "expires": expires})


def admitted(database: Database, secret: str) -> Identity | None:
    """Return who holds a secret, and note that the token was used; None if no token has it that is still good."""
    with database.reading() as connection:
        known = _row(connection, secret)
    if known is None:
        return None
    if known.used is None or known.used < now(-_NOTED):
        used = update(tables.token).where(tables.token.c.id == known.id).values(used=now())
        # A database that is busy is not a reason to refuse a token.
        with suppress(SQLAlchemyError), database.writing() as connection:
            connection.execute(used)
    return _identity(known)


def numbered(connection: Connection, number: int) -> Identity | None:
    """Return who holds the token of a number; None if it is not good any more."""
    row = connection.execute(_OF_NUMBER, {"number": number, "now": now()}).one_or_none()
    return _identity(row) if row else None


def rotate(connection: Connection, number: int, project_id: int | None) -> tuple[int, str]:
    """Put a new token in the place of another, with the same name, role and end; return its number and secret.

    Raises:
        Stop: the project has no such token, or it is not good any more.

    """
    # Of two that do this at the same time, one finds it ended.
    good = update(tables.token).where(tables.token.c.id == number, _of(project_id), *_GOOD)
    ended = good.values(revoked=now()).returning(*(tables.token.c[name] for name in _KEPT))
    row = connection.execute(ended, {"now": now()}).mappings().one_or_none()
    if row is None:
        raise _none(number)
    return _added(connection, dict(row))


def revoke(connection: Connection, number: int, project_id: int | None) -> None:
    """End a token. One that has ended stays as it is.

    Raises:
        Stop: the project has no such token.

    """
    columns = tables.token.c
    if connection.execute(select(columns.id).where(columns.id == number, _of(project_id))).one_or_none() is None:
        raise _none(number)
    connection.execute(
        update(tables.token).where(columns.id == number, columns.revoked.is_(None)).values(revoked=now())
    )


def project_of(connection: Connection, number: int) -> int | None:
    """Return the number of the project of a token; None of a token of the server.

    Raises:
        Stop: there is no such token.

    """
    row = connection.execute(select(tables.token.c.project_id).where(tables.token.c.id == number)).one_or_none()
    if row is None:
        raise _none(number)
    found: int | None = row.project_id
    return found


def listed(connection: Connection, project_id: int | None, *, after: int = 0, most: int = 1000) -> list[Token]:
    """Return the tokens of a project, or those of the server, by number.

    Args:
        connection: reads.
        project_id: the project; None for the tokens of the server.
        after: the number after which to begin.
        most: how many at most.

    """
    wanted = select(tables.token).where(_of(project_id), tables.token.c.id > after)
    return [_token(row) for row in connection.execute(wanted.order_by(tables.token.c.id).limit(most))]


def _added(connection: Connection, values: dict[str, object]) -> tuple[int, str]:
    secret = PREFIX + secrets.token_urlsafe(_BYTES)
    adding = insert(tables.token).values(**values, digest=_digest(secret), created=now()).returning(tables.token.c.id)
    return connection.execute(adding).scalar_one(), secret


def _row(connection: Connection, secret: str) -> Row[tuple[object, ...]] | None:
    # Anything else is none of ours, and its bytes are no business of the database.
    if len(secret) != _LENGTH or not secret.isascii() or not secret.startswith(PREFIX):
        return None
    return connection.execute(_OF_DIGEST, {"digest": _digest(secret), "now": now()}).one_or_none()


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


_GOOD: Final = (
    tables.token.c.revoked.is_(None),
    or_(tables.token.c.expires.is_(None), tables.token.c.expires > bindparam("now")),
)
# Made once: to put a statement together takes longer than to execute it.
_OF_DIGEST: Final = select(tables.token).where(tables.token.c.digest == bindparam("digest"), *_GOOD)
_OF_NUMBER: Final = select(tables.token).where(tables.token.c.id == bindparam("number"), *_GOOD)


def _of(project_id: int | None) -> ColumnElement[bool]:
    column = tables.token.c.project_id
    return column.is_(None) if project_id is None else column == project_id


def _identity(row: Row[tuple[object, ...]]) -> Identity:
    known = row._mapping  # noqa: SLF001 - the name of SQLAlchemy's public attribute
    return Identity(known["id"], known["name"], Role[known["role"].upper()], known["project_id"])


def _token(row: Row[tuple[object, ...]]) -> Token:
    known = row._mapping  # noqa: SLF001 - as above
    return Token(**{name: known[name] for name in Token._fields} | {"role": Role[known["role"].upper()]})


def _none(number: int) -> Stop:
    return Stop(
        "no-such-token", f"{number}: there is no such token, or it has ended; list the tokens for their numbers"
    )
