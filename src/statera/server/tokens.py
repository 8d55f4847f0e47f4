"""Tokens: made, replaced and ended. Each change stands in the record, and the hooks of the project are told of it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import ColumnElement, insert, select, update

from statera.server import audit, deliveries, tables
from statera.server.access import BYTES, GOOD, PREFIX, Role, digest_of
from statera.server.tables import now
from statera.support.errors import Stop

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from statera.server.access import Identity

_LONGEST_NAME: Final = 100
_MOST_DAYS: Final = 36_500
_DAY: Final = 24 * 3600
# What a token has of the one in whose place it stands.
_KEPT: Final = ("name", "role", "project_id", "expires")


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


class Changer(NamedTuple):
    """Who changes a token: the holder of another one, or with None the command line; and from which address."""

    identity: Identity | None = None
    address: str = ""


def add(
    connection: Connection, by: Changer, name: str, role: Role, project_id: int | None, *, days: int | None
) -> tuple[Token, str]:
    """Make a token as ``issue`` does; return it with its secret, which is stored nowhere."""
    number, secret = issue(connection, name, role, project_id, days)
    made = _of_number(connection, number, project_id)
    _changed(connection, by, made, "added", f"{number}: {name} {made.role.word}")
    return made, secret


def issue(
    connection: Connection, name: str, role: Role, project_id: int | None, days: int | None = None
) -> tuple[int, str]:
    """Make a token, good for so many days or for ever; return its number, and its secret, which is stored nowhere.

    A token of no project is the server's, and may do everything.

    Raises ``Stop`` if it has no proper name, or no proper end.
    """
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise Stop("bad-token", f"the name of a token has 1 to {_LONGEST_NAME} printable characters. State another one")
    if days is not None and not 1 <= days <= _MOST_DAYS:
        raise Stop(
            "bad-token", f"a token is good for 1 to {_MOST_DAYS} days, or for ever. State another number of days"
        )
    made = Role.ADMIN if project_id is None else role
    expires = None if days is None else now(days * _DAY)
    return _added(connection, {"name": name, "role": made.word, "project_id": project_id, "expires": expires})


def rotate(connection: Connection, by: Changer, number: int, project_id: int | None) -> tuple[Token, str]:
    """Put a new token in the place of another, with the same name, role and end; return it with its secret.

    Raises ``Stop`` if the project has no such token, or it is not good any more.
    """
    # Of two that do this at the same time, one finds it ended.
    good = update(tables.token).where(tables.token.c.id == number, _of(project_id), *GOOD)
    ended = good.values(revoked=now()).returning(*(tables.token.c[name] for name in _KEPT))
    row = connection.execute(ended, {"now": now()}).mappings().one_or_none()
    if row is None:
        raise _none(number)
    made, secret = _added(connection, dict(row))
    token = _of_number(connection, made, project_id)
    _changed(connection, by, token, "rotated", f"{number}: now {made}")
    return token, secret


def revoke(connection: Connection, by: Changer, number: int, project_id: int | None) -> None:
    """End a token. One that has ended stays as it is. Raises ``Stop`` if the project has no such token."""
    columns = tables.token.c
    if connection.execute(select(columns.id).where(columns.id == number, _of(project_id))).one_or_none() is None:
        raise _none(number)
    connection.execute(
        update(tables.token).where(columns.id == number, columns.revoked.is_(None)).values(revoked=now())
    )
    _changed(connection, by, _of_number(connection, number, project_id), "revoked", str(number))


def project_of(connection: Connection, number: int) -> int | None:
    """Return the number of the project of a token; None of a token of the server.

    Raises ``Stop`` if there is no such token.
    """
    row = connection.execute(select(tables.token.c.project_id).where(tables.token.c.id == number)).one_or_none()
    if row is None:
        raise _none(number)
    found: int | None = row.project_id
    return found


def listed(connection: Connection, project_id: int | None, *, after: int = 0, most: int = 1000) -> list[Token]:
    """Return the tokens of a project, or with None those of the server, after the one of a number."""
    wanted = select(tables.token).where(_of(project_id), tables.token.c.id > after)
    return [_token(row) for row in connection.execute(wanted.order_by(tables.token.c.id).limit(most)).mappings()]


def _added(connection: Connection, values: dict[str, object]) -> tuple[int, str]:
    secret = PREFIX + secrets.token_urlsafe(BYTES)
    adding = insert(tables.token).values(**values, digest=digest_of(secret), created=now()).returning(tables.token.c.id)
    return connection.execute(adding).scalar_one(), secret


def _of(project_id: int | None) -> ColumnElement[bool]:
    column = tables.token.c.project_id
    return column.is_(None) if project_id is None else column == project_id


def _of_number(connection: Connection, number: int, project_id: int | None) -> Token:
    (found,) = listed(connection, project_id, after=number - 1, most=1)
    return found


def _token(row: RowMapping) -> Token:
    return Token(**{name: row[name] for name in Token._fields} | {"role": Role[row["role"].upper()]})


def _changed(connection: Connection, by: Changer, token: Token, event: str, detail: str) -> None:
    """Write down that a token was added, rotated or revoked, and tell the hooks of its project."""
    audit.note(
        connection,
        f"token-{event}",
        identity=by.identity,
        project_id=token.project_id,
        address=by.address,
        detail=detail,
    )
    # A token of the server belongs to no project, and hooks do: the record alone shows it.
    if token.project_id is not None:
        who = by.identity.name if by.identity else ""
        facts = {"id": token.id, "name": token.name, "role": token.role.word, "by": who}
        deliveries.queue_token(connection, token.project_id, event, facts)


def _none(number: int) -> Stop:
    return Stop(
        "no-such-token", f"{number}: there is no such token, or it has ended. List the tokens for their numbers"
    )
