"""The routes of comparisons, which are made of the jobs of two commits like any other, and of the badge."""

import json
from pathlib import Path
from threading import BoundedSemaphore
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response
from sqlalchemy import Connection, select

from statera.comparison import pipeline
from statera.comparison.pairing.request import Request
from statera.history import catalog, comparison, documents
from statera.output.views import json as json_view
from statera.server import tables
from statera.server.histories import DatabaseStore
from statera.server.projects import Project
from statera.server.requests import PUBLIC, Branch, Plain, Reading, Services
from statera.support.errors import Stop
from statera.support.settings.file import Settings

ROUTER: Final = APIRouter(prefix="/api/v1/projects/{project}", tags=["comparisons"])
_SVG: Final = "image/svg+xml"
# So many are made at once, and whoever asks for another waits so many seconds: each takes cores and memory, and a
# thread that other requests need.
_FREE: Final = BoundedSemaphore(2)
_PATIENCE: Final = 5.0

Commit = Annotated[
    str, Plain, Query(min_length=4, max_length=200, description="A commit that was measured, or how its name begins.")
]


@ROUTER.get("/compare", summary="Compare two commits", openapi_extra=PUBLIC, response_model=dict[str, Any])
def compare(asked: Reading, base: Commit, head: Commit, branch: Branch = None) -> Response:
    """Compare all jobs of two commits, as `statera history compare -f json` does (docs/json.md)."""
    text = _compared(asked.services, asked.project, base, head, branch)
    return Response(text, media_type="application/json")


@ROUTER.get(
    "/badge.svg",
    openapi_extra=PUBLIC,
    summary="The open alerts as a badge",
    response_class=Response,
    responses={200: {"content": {_SVG: {"schema": {"type": "string"}}}, "description": "A picture."}},
)
def drawn(asked: Reading) -> Response:
    """Draw how many alerts are open."""
    columns = tables.alert.c
    wanted = select(columns.document).where(columns.project_id == asked.project.id, columns.is_open)
    with asked.services.database.reading() as connection:
        found = [json.loads(text) for text in connection.execute(wanted).scalars()]
    text = documents.badge([document["worse"] > 0 for document in found])
    # Whoever shows it asks again and again.
    return Response(text, media_type=_SVG, headers={"Cache-Control": "max-age=300"})


class _Chosen:
    """The history of a project with some of its uploads alone."""

    def __init__(self, store: DatabaseStore, hashes: set[str]) -> None:
        self._store = store
        self._hashes = hashes

    def uploads(self) -> list[tuple[str, Path]]:
        return self._store.uploads(self._hashes)

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        return self._store.events()

    def lost(self) -> list[Path]:
        return self._store.lost()


def _compared(services: Services, project: Project, base: str, head: str, branch: str | None) -> str:
    with services.database.reading() as connection:
        old, new = (_commit(connection, project.id, name, branch) for name in (base, head))
        hashes = _uploads(connection, project.id, {old, new}, branch)
    if not _FREE.acquire(timeout=_PATIENCE):
        raise Stop("server-busy", "too many comparisons are running. Try again later")
    try:
        return _document(services, project, (old, new), hashes, branch)
    finally:
        _FREE.release()


def _document(
    services: Services, project: Project, commits: tuple[str, str], hashes: set[str], branch: str | None
) -> str:
    held = catalog.read(_Chosen(services.store(project), hashes), services.limits)
    jobs = [each for each in held.held if branch in {None, each.job.branch}]
    lane = project.about.lane
    *sides, _ = comparison.on_same_machines(*comparison.of_commits(jobs, *commits), lane)
    found, request = comparison.read(held, sides, lane, services.limits, Request(), named=lambda stored: stored.id)
    named: list[tuple[str | None, str]] = [(side.label, side.label) for side in sides]
    return json_view.comparison_document(pipeline.compared(found, named, request, Settings(project.policy)))


def _commit(connection: Connection, project_id: int, name: str, branch: str | None) -> str:
    """Return the full name of a commit that was measured."""
    columns = tables.job.c
    own = [columns.project_id == project_id, *([columns.branch == branch] if branch is not None else [])]
    wanted = select(columns.commit).distinct().where(*own, columns.commit.startswith(name, autoescape=True))
    found = list(connection.execute(wanted.order_by(columns.commit).limit(2)).scalars())
    if name in found or len(found) == 1:
        return name if name in found else found[0]
    why = (
        "several commits begin with this. Write more of the name"
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
