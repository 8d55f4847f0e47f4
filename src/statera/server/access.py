"""Who may do what: the roles of tokens, and whoever holds a token that is good."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import bindparam, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from statera.server import tables
from statera.server.tables import now

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from statera.server.database import Database

# Scanners of secrets recognize tokens by it.
PREFIX: Final = "statera_"
# 256 random bits, so that a plain hash of them is as good as any: nobody tries them out.
BYTES: Final = 32
_LENGTH: Final = len(PREFIX) + 43
# The time of use is noted once within so many seconds.
_NOTED: Final = 3600
# A token that was not revoked and has not expired.
GOOD: Final = (
    tables.token.c.revoked.is_(None),
    or_(tables.token.c.expires.is_(None), tables.token.c.expires > bindparam("now")),
)
# Made once: to put a statement together takes longer than to execute it.
_OF_DIGEST: Final = select(tables.token).where(tables.token.c.digest == bindparam("digest"), *GOOD)
_OF_NUMBER: Final = select(tables.token).where(tables.token.c.id == bindparam("number"), *GOOD)


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
    """Whoever holds a token."""

    token_id: int | None  # the number of the token; None of a job, whose issuer a project trusts
    name: str  # the name of the token, or what the issuer calls the job
    role: Role  # what it may do in its project
    project_id: int | None  # its project; None of a token of the server, which may do everything in all projects

    def may(self, project_id: int, role: Role) -> bool:
        """Return whether it may do in a project what a role may."""
        return self.is_servers or (self.project_id == project_id and self.role >= role)

    @property
    def is_servers(self) -> bool:
        """Return whether it is a token of the server."""
        return self.project_id is None


def admitted(database: Database, secret: str) -> Identity | None:
    """Return who holds a secret, and note that the token was used; None if no token has it that is still good."""
    with database.reading() as connection:
        known = _row(connection, secret)
    if known is None:
        return None
    if known["used"] is None or known["used"] < now(-_NOTED):
        used = update(tables.token).where(tables.token.c.id == known["id"]).values(used=now())
        # A database that is busy is not a reason to refuse a token.
        with suppress(SQLAlchemyError), database.writing() as connection:
            connection.execute(used)
    return _identity(known)


def numbered(connection: Connection, number: int) -> Identity | None:
    """Return who holds the token of a number; None if it is not good any more."""
    row = connection.execute(_OF_NUMBER, {"number": number, "now": now()}).mappings().one_or_none()
    return _identity(row) if row else None


def digest_of(secret: str) -> str:
    """Return what stands in the database for a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _row(connection: Connection, secret: str) -> RowMapping | None:
    # Anything else is none of ours, and its bytes are no business of the database.
    if len(secret) != _LENGTH or not secret.isascii() or not secret.startswith(PREFIX):
        return None
    return connection.execute(_OF_DIGEST, {"digest": digest_of(secret), "now": now()}).mappings().one_or_none()


def _identity(row: RowMapping) -> Identity:
    return Identity(row["id"], row["name"], Role[row["role"].upper()], row["project_id"])
