"""The history of a project in a database, with the interface of one in a folder.

Its files are copied into a folder of this machine when they are read for the first time: what works on files works on
them, as on the copy of a branch.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from statera.history.folder import create, event_text, exists, open_folder
from statera.server import tables, uploads
from statera.server.moments import now
from statera.server.projects import touch
from statera.support.settings.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sqlalchemy import Connection

    from statera.history.folder import About
    from statera.server.database import Database
    from statera.server.projects import Project


class DatabaseStore:
    """The history of a project.

    Attributes:
        about: what is known of it.
        name: how messages name it.

    """

    def __init__(self, database: Database, project: Project, copy: Path, limits: Limits | None = None) -> None:
        """Take the project, and the folder of the copy."""
        self.about: About = project.about
        self.name = f"{database.url} {project.name}"
        self._database = database
        self._project = project
        self._limits = limits or Limits()
        self._copy = open_folder(copy, self.name) if exists(copy) else create(copy, project.about, self.name)

    def uploads(self, wanted: AbstractSet[str] | None = None) -> list[tuple[str, Path]]:
        """Return the hash and the file of each upload, or of those that are wanted, in the order of the hashes."""
        columns = tables.upload.c
        own = columns.project_id == self._project.id
        with self._database.reading() as connection:
            found = sorted(connection.execute(select(columns.hash).where(own)).scalars())
            hashes = [hash_ for hash_ in found if wanted is None or hash_ in wanted]
            held = {name for name, _ in self._copy.uploads()}
            for hash_ in (hash_ for hash_ in hashes if hash_ not in held):
                content = select(columns.content).where(own, columns.hash == hash_)
                with self._copy.receiving() as part:
                    part.write_bytes(connection.execute(content).scalar_one())
                    self._copy.put(part, self._copy.file_of(hash_))
        return [(hash_, self._copy.file_of(hash_)) for hash_ in hashes]

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the events with their hashes, in the order of these."""
        columns = tables.event.c
        wanted = select(columns.hash, columns.content).where(columns.project_id == self._project.id)
        with self._database.reading() as connection:
            return [(hash_, json.loads(text)) for hash_, text in connection.execute(wanted.order_by(columns.hash))]

    def commits(self) -> set[str]:
        """Return the commits that it has jobs of."""
        columns = tables.job.c
        wanted = select(columns.commit).distinct().where(columns.project_id == self._project.id)
        with self._database.reading() as connection:
            return set(connection.execute(wanted).scalars())

    def receiving(self) -> AbstractContextManager[Path]:
        """Yield the path of an empty file for an upload; what is not kept of it vanishes."""
        return self._copy.receiving()

    def keep(self, part: Path, checked: Limits | None = None) -> tuple[str, bool]:
        """Store a whole upload; return its hash, and whether it is new.

        Raises:
            Stop: it is not an upload, or that of another project, or the unit of a series changed.

        """
        prepared = uploads.prepare(part, self.about.project, self._limits)._replace(new_unit=checked is None)
        with self._database.writing() as connection:
            (stored,) = uploads.store(self._database, connection, self._project.id, [(prepared, None)])
        return stored.hash, stored.new

    def record(self, event: dict[str, Any]) -> str:
        """Store an event; return its hash. The same event twice is one."""
        with self._database.writing() as connection:
            return record(self._database, connection, self._project.id, event)

    def sweep(self) -> None:
        """Remove unfinished files that killed commands left behind."""
        self._copy.sweep()


def record(database: Database, connection: Connection, project_id: int, event: dict[str, Any]) -> str:
    """Store an event of a project; return its hash."""
    text = event_text(event)
    hash_ = hashlib.sha256(text.encode()).hexdigest()
    values = {"project_id": project_id, "hash": hash_, "received": now(), "content": text}
    added = database.added(connection, tables.event, values)
    if added is not None:
        touch(connection, project_id)
    return hash_
