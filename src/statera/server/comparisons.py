"""The jobs of two commits of a project as an ordinary comparison."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from statera.comparison import pipeline
from statera.comparison.pairing.request import Request
from statera.history import catalog, comparison
from statera.output.views import json
from statera.server import tables
from statera.support.errors import Stop
from statera.support.settings.file import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from statera.server.projects import Project
    from statera.server.services import Services
    from statera.server.store import DatabaseStore


# So many are made at once, and whoever asks for another waits so many seconds: each takes cores and memory, and a
# thread that other requests need.
_FREE: Final = BoundedSemaphore(2)
_PATIENCE: Final = 5.0


class _Chosen:
    """The history of a project with some of its uploads alone."""

    def __init__(self, store: DatabaseStore, hashes: set[str]) -> None:
        self._store = store
        self._hashes = hashes

    def uploads(self) -> list[tuple[str, Path]]:
        return self._store.uploads(self._hashes)

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        return self._store.events()


def compared(services: Services, project: Project, base: str, head: str, branch: str | None) -> str:
    """Compare the jobs of two commits; return the comparison as JSON.

    Args:
        services: the database.
        project: the project.
        base: the name of a commit, or how it begins.
        head: that of the other.
        branch: the branch whose jobs count; all by default.

    Raises:
        Stop: a commit was not measured, nothing can be compared, or too many ask for comparisons.

    """
    with services.database.reading() as connection:
        old, new = (_commit(connection, project.id, name, branch) for name in (base, head))
        hashes = _uploads(connection, project.id, {old, new}, branch)
    if not _FREE.acquire(timeout=_PATIENCE):
        raise Stop("server-busy", "too many comparisons are running; try again later")
    try:
        return _compared(services, project, (old, new), hashes, branch)
    finally:
        _FREE.release()


def _compared(
    services: Services, project: Project, commits: tuple[str, str], hashes: set[str], branch: str | None
) -> str:
    held = catalog.read(_Chosen(services.store(project), hashes), services.limits)
    jobs = [each for each in held.held if branch in {None, each.job.branch}]
    lane = project.about.lane
    *sides, _ = comparison.on_same_machines(*comparison.of_commits(jobs, *commits), lane)
    found, request = comparison.read(held, sides, lane, services.limits, Request(), named=lambda stored: stored.id)
    named: list[tuple[str | None, str]] = [(side.label, side.label) for side in sides]
    return json.comparison_document(pipeline.compared(found, named, request, Settings()))


def _commit(connection: Connection, project_id: int, name: str, branch: str | None) -> str:
    """Return the full name of a commit that was measured."""
    columns = tables.job.c
    own = [columns.project_id == project_id, *([columns.branch == branch] if branch is not None else [])]
    wanted = select(columns.commit).distinct().where(*own, columns.commit.startswith(name, autoescape=True))
    found = list(connection.execute(wanted.order_by(columns.commit).limit(2)).scalars())
    if name in found or len(found) == 1:
        return name if name in found else found[0]
    why = (
        "several commits begin with this; write more of the name"
        if found
        else "the project has no jobs of such a commit"
    )
    raise Stop("no-commit", f"{name}: {why}")


def _uploads(connection: Connection, project_id: int, commits: set[str], branch: str | None) -> set[str]:
    """Return the hashes of the uploads with jobs of commits."""
    jobs, uploads = tables.job.c, tables.upload.c
    own = [jobs.project_id == project_id, *([jobs.branch == branch] if branch is not None else [])]
    wanted = select(uploads.hash).where(uploads.id == jobs.upload_id, jobs.commit.in_(commits), *own)
    return set(connection.execute(wanted).scalars())
