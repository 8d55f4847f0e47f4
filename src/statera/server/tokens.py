"""Changes of tokens: each stands in the record, and the hooks of the project are told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.server import access, audit, deliveries

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from statera.server.access import Identity, Role, Token


class Changer(NamedTuple):
    """Who changes a token: the holder of another one, or with None the command line; and from which address."""

    identity: Identity | None = None
    address: str = ""


def add(
    connection: Connection, by: Changer, name: str, role: Role, project_id: int | None, *, days: int | None
) -> tuple[Token, str]:
    """Make a token; return it with its secret, which is stored nowhere. The arguments are those of ``access.issue``.

    Raises:
        Stop: it has no proper name, or no proper end.

    """
    number, secret = access.issue(connection, name, role, project_id, days)
    made = _of_number(connection, number, project_id)
    _changed(connection, by, made, "added", f"{number}: {name} {made.role.word}")
    return made, secret


def rotate(connection: Connection, by: Changer, number: int, project_id: int | None) -> tuple[Token, str]:
    """Put a new token in the place of another, with the same name, role and end; return it with its secret.

    Raises:
        Stop: the project has no such token, or it is not good any more.

    """
    made, secret = access.rotate(connection, number, project_id)
    token = _of_number(connection, made, project_id)
    _changed(connection, by, token, "rotated", f"{number}: now {made}")
    return token, secret


def revoke(connection: Connection, by: Changer, number: int, project_id: int | None) -> None:
    """End a token. One that has ended stays as it is.

    Raises:
        Stop: the project has no such token.

    """
    access.revoke(connection, number, project_id)
    _changed(connection, by, _of_number(connection, number, project_id), "revoked", str(number))


def _of_number(connection: Connection, number: int, project_id: int | None) -> Token:
    (found,) = access.listed(connection, project_id, after=number - 1, most=1)
    return found


def _changed(connection: Connection, by: Changer, token: Token, event: str, detail: str) -> None:
    """Write down that a token was added, rotated or revoked, and tell the hooks of its project."""
    whose = {"identity": by.identity, "project_id": token.project_id, "address": by.address}
    audit.note(connection, f"token-{event}", detail=detail, **whose)  # type: ignore[arg-type]
    # A token of the server belongs to no project, and hooks do: the record alone shows it.
    if token.project_id is not None:
        who = by.identity.name if by.identity else ""
        deliveries.queue_token(connection, token.project_id, event, token, who)
