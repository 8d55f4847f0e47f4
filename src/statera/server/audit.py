"""The record of who changed what, and of tokens that were refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import insert, select

from statera import _native
from statera.server import tables
from statera.server.tables import now

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from statera.server.access import Identity

_LONGEST: Final = 1000
# Beyond every number of a row.
_LAST: Final = 2**63 - 1


class Entry(NamedTuple):
    """A row of the record: when, whose token (number and name), from which address, what, and about what."""

    id: int
    moment: str
    token_id: int | None
    who: str
    address: str
    action: str
    detail: str


# Made once: to put a statement together takes longer than to execute it.
_INSERT: Final = insert(tables.audit)


def note(
    connection: Connection,
    action: str,
    *,
    identity: Identity | None = None,
    project_id: int | None = None,
    address: str = "",
    detail: str = "",
) -> None:
    """Write a row in the transaction of the change itself, so that both take effect or neither.

    The action is a word such as ``upload`` or ``token-revoked``. The identity is None for a stranger, the project None
    for the server. The detail never holds a secret.
    """
    values = {
        "project_id": project_id,
        "moment": now(),
        "token_id": identity.token_id if identity else None,
        "who": identity.name if identity else "",
        "address": address,
        "action": action,
        # It may quote a stranger.
        "detail": _native.printable(detail[:_LONGEST]),
    }
    connection.execute(_INSERT, values)


def listed(connection: Connection, project_id: int | None, *, before: int = _LAST, most: int = 1000) -> list[Entry]:
    """Return the rows of a project, or with None those of the server, before the row of a number: the newest first."""
    columns = tables.audit.c
    own = columns.project_id.is_(None) if project_id is None else columns.project_id == project_id
    wanted = select(*(columns[name] for name in Entry._fields)).where(own, columns.id < before)
    return [Entry(*row) for row in connection.execute(wanted.order_by(columns.id.desc()).limit(most))]
