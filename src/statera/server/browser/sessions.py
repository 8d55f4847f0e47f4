"""Sessions: a browser that showed a token once, and shows a cookie since."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, select

from statera.server import access, tables
from statera.server.moments import now

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from statera.server.access import Identity

SECONDS: Final = 12 * 3600
_BYTES: Final = 32


def begin(connection: Connection, token_id: int) -> str:
    """Begin a session of a token; return its secret, which is stored nowhere."""
    secret = secrets.token_urlsafe(_BYTES)
    connection.execute(delete(tables.session).where(tables.session.c.expires <= now()))
    values = {"digest": _digest(secret), "token_id": token_id, "created": now(), "expires": now(SECONDS)}
    connection.execute(insert(tables.session).values(**values))
    return secret


def identity(connection: Connection, secret: str) -> Identity | None:
    """Return whose session it is; None if it or its token has ended."""
    columns = tables.session.c
    wanted = select(columns.token_id).where(columns.digest == _digest(secret), columns.expires > now())
    number = connection.execute(wanted).scalar_one_or_none()
    return None if number is None else access.numbered(connection, number)


def end(connection: Connection, secret: str) -> None:
    """End a session."""
    connection.execute(delete(tables.session).where(tables.session.c.digest == _digest(secret)))


def proof(secret: str) -> str:
    """Return what a form of a session holds, so that no other site can send it."""
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def is_proof(secret: str, stated: str) -> bool:
    """Return whether a form is of a session."""
    return hmac.compare_digest(proof(secret).encode(), stated.encode())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
