"""What requests and background work share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.server.store import DatabaseStore

if TYPE_CHECKING:
    from pathlib import Path

    from statera.server.database import Database
    from statera.server.projects import Project
    from statera.server.rendered import Renderer
    from statera.server.writer import Writer
    from statera.support.settings.limits import Limits


class Services(NamedTuple):
    """What requests need.

    Attributes:
        database: the database.
        writer: stores uploads.
        data: a folder of this machine, for copies of uploads and bodies in transit; it may be lost.
        limits: how much is read of an upload.
        renderer: gives the pages of projects.
        address: where browsers find the server, such as ``https://perf.example.org``, without a slash at the end.
        allow_private: whether hooks may be machines of the server's own network.

    """

    database: Database
    writer: Writer
    data: Path
    limits: Limits
    renderer: Renderer
    address: str
    allow_private: bool = False

    def store(self, project: Project) -> DatabaseStore:
        """Return the history of a project."""
        return DatabaseStore(self.database, project, self.data / "copies" / str(project.id), self.limits)
