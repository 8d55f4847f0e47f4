"""The renamed benchmarks of a project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import select

from statera.history.catalog import RENAME
from statera.server import tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from statera.history.catalog import Events


def renamings(connection: Connection, project_id: int) -> Events:
    """Return the events that rename benchmarks; a word of a reason may look like one, and is none."""
    columns = tables.event.c
    wanted = select(columns.hash, columns.content).where(
        columns.project_id == project_id, columns.content.contains(f'"kind":"{RENAME}"', autoescape=True)
    )
    found = [(hash_, json.loads(text)) for hash_, text in connection.execute(wanted.order_by(columns.hash))]
    return [(hash_, event) for hash_, event in found if event.get("kind") == RENAME]
