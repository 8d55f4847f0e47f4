"""The pages of a project: those of series are written when they are asked for, the others by the last analysis."""

from __future__ import annotations

import json
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import func, select

from statera import _native
from statera.history import site
from statera.history.alerts import QUIET, Alert, State
from statera.history.analysis import analyse
from statera.history.cases import Case
from statera.history.catalog import assembled, names_now
from statera.history.job import Stored, from_json
from statera.history.material import gather, line_id
from statera.history.series import Series
from statera.history.site import rendering
from statera.history.track import Change, begun_with
from statera.server import tables
from statera.server.histories import shaping

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Row

    from statera.history.catalog import Catalog, Events
    from statera.history.material import Material
    from statera.history.track import Track
    from statera.server.database import Database
    from statera.server.projects import Project

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "xml": "application/atom+xml; charset=utf-8",
}
# The jobs of so many projects stay in memory.
_PROJECTS: Final = 8
_NAN: Final = float("nan")
# What a change says of commits.
_COMMITS: Final = ("place", "first", "last", "raised")
# What the database has of one.
_STATED: Final = [name for name in Change._fields if name != "invalid"]


class Content(NamedTuple):
    """A page or document: its text, and its media type."""

    text: str
    media_type: str


class _Jobs(NamedTuple):
    """The jobs of a project: the rows of the database, and what they state."""

    numbers: dict[int, int]
    texts: list[str]
    stored: list[Stored]


class Renderer:
    """Gives the pages of projects. Several threads may ask at the same time."""

    def __init__(self, database: Database) -> None:
        """Take the database."""
        self._database = database
        self._jobs: dict[int, _Jobs] = {}
        self._lock = Lock()

    def content(self, project: Project, path: str) -> Content | None:
        """Return the file of a site at a path such as ``index.html``; None if there is none."""
        media_type = _TYPES.get(path.rpartition(".")[2], "")
        if path in _assets():
            return Content(_assets()[path], media_type)
        with self._database.reading() as connection:
            if path.startswith("series/"):
                text = self._of_series(connection, project, path)
            else:
                wanted = select(tables.page.c.content).where(
                    tables.page.c.project_id == project.id, tables.page.c.path == path
                )
                text = connection.execute(wanted).scalar_one_or_none()
        return None if text is None else Content(text, media_type)

    def catalog(self, connection: Connection, project: Project, key: str) -> Catalog:
        """Return the jobs of a project with the values of one series, or of none if there is no such series.

        Of a series of failures it has the others of its benchmark, too: jobs that state no failures had none.
        """
        held = self._all_jobs(connection, project.id)
        rows: list[list[tuple[Any, tuple[int, float, float, float, float]]]] = [[] for _ in held.stored]
        events = shaping(connection, project.id)
        for number, series in _series(connection, project.id, key, events):
            values = tables.value.c
            wanted = select(values.job_id, values.n, values.median, values.mad, values.least, values.largest).where(
                values.series_id == number
            )
            for job_id, n, *numbers in connection.execute(wanted):
                # A job that came after the jobs were read belongs to the next look.
                if job_id in held.numbers:
                    median, mad, least, largest = (_NAN if each is None else each for each in numbers)
                    rows[held.numbers[job_id]].append((series, (n, median, mad, least, largest)))
        native = _native.Catalog.of_rows(list(zip(held.texts, rows, strict=True)))
        return assembled(native, list(held.stored), [], [], events)

    def _of_series(self, connection: Connection, project: Project, path: str) -> str | None:
        key = path.removeprefix("series/").rpartition(".")[0]
        held = self.catalog(connection, project, key)
        if not held.series:
            return None
        courses = _courses(connection, project.id, key)
        material = _with_findings(connection, project, held, key, courses)
        others = _metrics(connection, project.id, courses)
        beside = {(each.benchmark, each.factors): others for each in held.series}
        writer = site.files(material, beside).get(path)
        return writer() if writer else None

    def _all_jobs(self, connection: Connection, project_id: int) -> _Jobs:
        """Return the jobs of a project; of those that were read before, only the new ones are read."""
        own = tables.job.c.project_id == project_id
        count = connection.execute(select(func.count()).select_from(tables.job).where(own)).scalar_one()
        with self._lock:
            # Another thread may have read jobs that came after this connection began: they have no values here.
            held = self._jobs.pop(project_id, None) or _Jobs({}, [], [])
            if len(held.stored) < count:
                held = _and_new(connection, project_id, held)
            self._jobs[project_id] = held
            while len(self._jobs) > _PROJECTS:
                del self._jobs[next(iter(self._jobs))]
            return held


def _and_new(connection: Connection, project_id: int, held: _Jobs) -> _Jobs:
    columns = tables.job.c
    wanted = select(columns.id, columns.content).where(
        columns.project_id == project_id, columns.id > max(held.numbers, default=0)
    )
    numbers, texts, stored = dict(held.numbers), list(held.texts), list(held.stored)
    for number, text in connection.execute(wanted.order_by(columns.id)):
        for id_, job in from_json(text, "a job of the database"):
            numbers[number] = len(stored)
            texts.append(text)
            stored.append(Stored(id_, job, len(stored), 0))
    return _Jobs(numbers, texts, stored)


def _series(connection: Connection, project_id: int, key: str, events: Events) -> list[tuple[int, Series]]:
    """Return the series of a key with their numbers, and those under former names of their benchmark."""
    columns = tables.series.c
    own = select(tables.series).where(columns.project_id == project_id).order_by(columns.id)

    def found(*which: ColumnElement[bool]) -> list[tuple[int, Series]]:
        rows = connection.execute(own.where(*which)).mappings()
        return [(row["id"], Series(*(row[name] for name in Series._fields))) for row in rows]

    rows = found(columns.key == key)
    names = names_now(events)
    if not rows:
        return []
    _, first = rows[0]
    now = names.get(first.benchmark, first.benchmark)
    called = columns.benchmark.in_([now, *(old for old, new in names.items() if new == now)])
    if first.counts_failures:
        return found(called)
    return found(called, columns.metric == first.metric, columns.factors == first.factors) if names else rows


def _courses(connection: Connection, project_id: int, key: str) -> dict[str, Row[Any]]:
    """Return what the last analysis found of a series, by line."""
    columns = tables.course.c
    wanted = select(tables.course).where(columns.project_id == project_id, columns.series == key)
    return {row.line: row for row in connection.execute(wanted)}


def _with_findings(
    connection: Connection, project: Project, held: Catalog, key: str, known: dict[str, Row[Any]]
) -> Material:
    """Analyse one series; what follows from all series of the project is what the last analysis found."""
    analysis = analyse(held, project.about.lane)
    points, alerts = tables.point.c, tables.alert.c
    tracks = [
        track.among(row.name, row.corrected) if (row := known.get(line_id(track.line))) else track
        for track in analysis.tracks
        if track.series.id == key
    ]
    tracks = _with_stated(connection, project.id, key, tracks, held)
    material = gather(project.name, analysis._replace(tracks=tracks), {}, project.commit_url)
    wanted = select(
        points.line, points.branch, points.place, alerts.id, alerts.state, alerts.is_open, alerts.document
    ).where(
        points.project_id == project.id,
        points.series == key,
        alerts.project_id == project.id,
        alerts.id == points.alert,
    )
    of_points = {}
    for line, branch, place, alert, state, is_open, document in connection.execute(wanted):
        order = analysis.orders.get(branch)
        position = order.position.get(place) if order else None
        if position is not None:
            found = Alert(alert, branch, position, position, position, ())
            small = frozenset() if is_open or state in QUIET else _small(document)
            of_points[key, line, position] = Case(found, State(state), [], frozenset(), is_open, small)
    return material._replace(cases=[], alert_of=of_points)


def _small(document: str) -> frozenset[int]:
    """Return the numbers of the changes of an alert that are below their margins."""
    changes = json.loads(document)["changes"]
    return frozenset(number for number, each in enumerate(changes) if each.get("below_margin"))


def _with_stated(connection: Connection, project_id: int, key: str, tracks: list[Track], held: Catalog) -> list[Track]:
    """Return tracks with what follows from other series, too.

    That is changes that were carried over from another machine, and which gains are invalid because more fails.
    """
    columns = tables.point.c
    wanted = select(tables.point).where(columns.project_id == project_id, columns.series == key)
    rows = connection.execute(wanted.order_by(columns.id)).mappings().all()
    found = []
    for track in tracks:
        own = track
        position, line = track.order.position, line_id(track.line)
        first = track.newest_positions(held, len(track.found))[0] if len(track.found) else -1
        worse = {position.get(row["place"]) for row in rows if row["line"] == line and row["worse"]}
        own = own._replace(
            changes=tuple(
                change._replace(invalid=change.place in worse and change.is_worse(own.series) is False)
                for change in own.changes
            )
        )
        for row in rows:
            # Those that began on this machine follow its first value.
            if row["line"] == line and position.get(row["place"], first + 1) <= first:
                stated = {name: row[name] for name in _STATED}
                carried = Change(**{**stated, **{name: position[row[name]] for name in _COMMITS}})
                own = begun_with(
                    own, carried._replace(invalid=row["worse"] is True and not carried.is_worse(own.series))
                )
        found.append(own)
    return found


def _metrics(connection: Connection, project_id: int, courses: dict[str, Row[Any]]) -> list[tuple[str, str]]:
    """Return the metrics of the benchmark of a series, each with the id of its series."""
    names = {row.name for row in courses.values()}
    columns = tables.course.c
    wanted = select(columns.metric, columns.series).where(columns.project_id == project_id, columns.name.in_(names))
    return sorted({(row.metric, row.series) for row in connection.execute(wanted)})


@cache
def _assets() -> dict[str, str]:
    return rendering.assets()
