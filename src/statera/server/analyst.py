"""The analysis of everything that a project holds, in a process of its own, so that requests never wait for it.

It stores the points, alerts and pages of the project as rows that requests find at once. The pages of series are not
among them: ``site`` writes these when they are asked for.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from statera import _native
from statera.history import catalog, site
from statera.history.alerts import event_on
from statera.history.analysis import analyse
from statera.history.cases import stated_margins
from statera.history.material import gather, line_id
from statera.server import deliveries, projects, tables
from statera.server.database import Database, rows_among
from statera.server.histories import DatabaseStore
from statera.support.errors import Stop
from statera.support.settings.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from statera.history.analysis import Analysis
    from statera.history.cases import Case
    from statera.history.catalog import Catalog, Events
    from statera.history.material import Material
    from statera.history.track import Change, Track
    from statera.server.projects import Project

_ON_DEMAND: Final = "series/"
_LOG: Final = logging.getLogger("statera.server")
# Changes are looked for as often, in seconds; a project that could not be analysed waits longer.
_POLL: Final = 0.25
_AFTER_FAILURE: Final = 30.0


class Analyst:
    """The process, which is started again if it ends."""

    def __init__(self, url: str, data: Path) -> None:
        """Take the address of the database, and the folder of copies."""
        self._environment = {**os.environ, "STATERA_DATABASE": url}
        self._data = data
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._watch, name="analyst")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End the process; an analysis that it is in is made again at the next start."""
        self._ended.set()
        if self._process:
            self._process.terminate()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.is_set():
            # It ends when this process does: the pipe closes.
            command = [sys.executable, "-m", "statera.server.analyst", os.fspath(self._data)]
            try:
                # In a group of its own: the key that ends the server in a terminal does not reach it.
                self._process = subprocess.Popen(  # noqa: S603 - own
                    command, stdin=subprocess.PIPE, env=self._environment, process_group=0
                )
            except OSError as error:
                _LOG.error("the analysis cannot start (%s); it is tried again", error)
                self._ended.wait(1.0)
                continue
            if self._ended.is_set():
                self._process.terminate()
            code = self._process.wait()
            if self._process.stdin:
                self._process.stdin.close()
            if not self._ended.is_set():
                _LOG.error("the analysis ended with code %d; it starts again", code)
                self._ended.wait(1.0)


def run(url: str, data: Path) -> None:
    """Analyse what changes, until standard input closes."""
    database = Database(url)
    limits = Limits()
    later: dict[int, float] = {}
    while True:
        waiting = _waiting(database, later)
        for project in waiting:
            began = time.monotonic()
            try:
                analyse_one(database, project, data, limits)
                # A project to which uploads come all the time takes half of a processor at most.
                later[project.id] = 2 * time.monotonic() - began
            # Whatever is wrong with one project must not stop the others.
            except Exception:
                _LOG.exception("the project %s cannot be analysed", _native.printable(project.name))
                later[project.id] = time.monotonic() + _AFTER_FAILURE
        if not waiting:
            time.sleep(_POLL)


def analyse_one(database: Database, project: Project, data: Path, limits: Limits) -> None:
    """Analyse a project, and queue what hooks are told."""
    store = DatabaseStore(database, project, data / "copies" / str(project.id))

    def tell(connection: Connection, alert: str, event: str) -> None:
        deliveries.queue(connection, project.id, alert, event)

    bring_up_to_date(database, project, store, limits, tell)
    # A server that was killed may have left unfinished copies.
    store.sweep()


def _waiting(database: Database, later: dict[int, float]) -> list[Project]:
    try:
        with database.reading() as connection:
            found = projects.listed(connection)
    except DBAPIError:
        time.sleep(1.0)
        return []
    now = time.monotonic()
    return [each for each in found if each.changed > each.analysed and later.get(each.id, 0.0) <= now]


class _Known(NamedTuple):
    """An alert of the last analysis: its commits and series, and for these the far ends that were told."""

    subject: dict[str, Any]
    told: dict[str, float | None]


class _Told(NamedTuple):
    """What there is to tell of an alert, or nothing, and for its series the far ends of the intervals told so far."""

    event: str
    ends: dict[str, float | None]


def bring_up_to_date(
    database: Database,
    project: Project,
    store: DatabaseStore,
    limits: Limits,
    tell: Callable[[Connection, str, str], None],
) -> None:
    """Analyse a project, as it stood before its uploads were read, and store what was found.

    ``tell`` is called, in the transaction that stores them, with each alert that is open and says something new:
    ``new``, or ``grown`` if a size left the interval that was told.
    """
    held = catalog.read(store, limits)
    analysis = _with_margins(analyse(held, project.about.lane), project)
    material = gather(project.name, analysis, {}, project.commit_url)
    pages = {path: make() for path, make in site.files(material).items() if not path.startswith(_ON_DEMAND)}
    documents = {case.alert.id: pages[f"alerts/{case.alert.id}.json"] for case in material.cases}
    with database.writing() as connection:
        projects.hold(connection, project.id)
        # Another server of the same database may have seen more.
        if projects.numbered(connection, project.id).analysed > project.changed:
            return
        if late := _late_events(connection, project.id, held):
            # The pages follow with the next analysis; what is open does not wait for it.
            events = held._replace(events=[*held.events, *late])
            material = gather(project.name, analysis._replace(catalog=events), {}, project.commit_url)
        before = _known(connection, project.id)
        told = {case.alert.id: _told(case, material, before) for case in material.cases}
        _replace_rows(connection, project.id, material, documents, told)
        _replace_pages(connection, project.id, pages)
        # What a project holds on the first look happened before anybody watched.
        if project.analysed:
            for case in reversed(material.cases):
                if case.is_open and told[case.alert.id].event:
                    tell(connection, case.alert.id, told[case.alert.id].event)
        own = tables.project.c.id == project.id
        connection.execute(update(tables.project).where(own).values(analysed=project.changed))


def _with_margins(analysis: Analysis, project: Project) -> Analysis:
    """Return an analysis with the margins of a project.

    A series that came later may have another unit than an amount that was stated before: its page and the alerts must
    not wait until somebody mends that. Without margins more is told, never less.
    """
    try:
        stated_margins(analysis.catalog.series, project.policy)
    except Stop as stop:
        _LOG.error("the margins of %s do not count: %s", _native.printable(project.name), _native.printable(str(stop)))
        return analysis
    return analysis._replace(policy=project.policy)


def _late_events(connection: Connection, project_id: int, held: Catalog) -> Events:
    """Return what was decided since the events were read."""
    columns = tables.event.c
    seen = {hash_ for hash_, _ in held.events}
    known = connection.execute(select(columns.hash).where(columns.project_id == project_id)).scalars()
    rows = rows_among(connection, columns.hash, sorted(set(known) - seen), project_id, ("hash", "content"))
    return [(hash_, json.loads(content)) for hash_, content in rows]


def _replace_rows(
    connection: Connection, project_id: int, material: Material, documents: dict[str, str], told: dict[str, _Told]
) -> None:
    tracks = [track for track in material.analysis.tracks if len(track.found)]
    rows = {
        tables.course: [_course(track) for track in tracks],
        tables.point: [_point(track, change, material) for track in tracks for change in track.changes],
        tables.alert: [_alert(number, case, material, documents, told) for number, case in enumerate(material.cases)],
    }
    for table, own in rows.items():
        connection.execute(delete(table).where(table.c.project_id == project_id))
        if own:
            connection.execute(insert(table), [{"project_id": project_id, **each} for each in own])


def _replace_pages(connection: Connection, project_id: int, pages: dict[str, str]) -> None:
    """Store pages; those that are the same stay untouched."""
    own = tables.page.c.project_id == project_id
    wanted = select(tables.page.c.path, tables.page.c.content).where(own)
    before = {row.path: row.content for row in connection.execute(wanted)}
    changed = {path: content for path, content in pages.items() if before.get(path) != content}
    for path in [path for path in before if path not in pages or path in changed]:
        connection.execute(delete(tables.page).where(own, tables.page.c.path == path))
    if changed:
        rows = [{"project_id": project_id, "path": path, "content": content} for path, content in changed.items()]
        connection.execute(insert(tables.page), rows)


def _course(track: Track) -> dict[str, Any]:
    return {
        "series": track.series.id,
        "line": line_id(track.line),
        "name": track.name,
        "metric": track.series.metric,
        "corrected": track.corrected,
    }


def _point(track: Track, change: Change, material: Material) -> dict[str, Any]:
    commits = track.order.commits
    case = material.case(track, change)
    return {
        "series": track.series.id,
        "line": line_id(track.line),
        "branch": track.line.branch,
        **{name: commits[getattr(change, name)] for name in ("place", "first", "last", "raised")},
        **{name: _finite(getattr(change, name)) for name in ("size", "low", "high")},
        **{name: getattr(change, name) for name in ("is_ratio", "p", "returns", "weak")},
        "worse": change.is_worse(track.series),
        "alert": case.alert.id if case else None,
    }


def _alert(
    number: int, case: Case, material: Material, documents: dict[str, str], told: dict[str, _Told]
) -> dict[str, Any]:
    return {
        "id": case.alert.id,
        "number": number,
        "branch": case.alert.branch,
        "state": case.state.word,
        "is_open": case.is_open,
        "document": documents[case.alert.id],
        "subject": json.dumps(_subject(case, material)),
        "told": json.dumps(told[case.alert.id].ends),
    }


def _subject(case: Case, material: Material) -> dict[str, Any]:
    return event_on(case.alert, material.analysis.orders[case.alert.branch])


def _known(connection: Connection, project_id: int) -> list[_Known]:
    wanted = select(tables.alert.c.subject, tables.alert.c.told).where(tables.alert.c.project_id == project_id)
    return [_Known(json.loads(row.subject), json.loads(row.told)) for row in connection.execute(wanted)]


def _told(case: Case, material: Material, before: list[_Known]) -> _Told:
    """Return what there is to tell of an alert, and what is told of it then.

    A size is told again when it lies beyond the interval that was told: one that only wanders within it is not.
    """
    now = {f"{part.track.series.id} {line_id(part.track.line)}": part.change for part in case.alert.parts}
    ends = {key: _finite(max(change.low, change.high, key=abs)) for key, change in now.items()}
    if case.small and not case.is_open:
        # Nothing is told of it: if it grows beyond its margin, or that is lowered, it is news.
        return _Told("", {})
    subject = _subject(case, material)
    known = next((each for each in before if _same(subject, each.subject)), None)
    if known is None or not known.told:
        return _Told("new", ends)
    grown = [
        change.size
        for key, change in now.items()
        if (end := known.told.get(key)) is not None and isfinite(change.size) and abs(change.size) > abs(end)
    ]
    if not grown:
        return _Told("", {**ends, **known.told})
    return _Told(f"grown {max(grown, key=abs):.3g}", ends)


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two alerts are the same although the first alarm moved: they share a commit and a series."""
    return one["branch"] == other["branch"] and all(set(one[key]) & set(other[key]) for key in ("commits", "series"))


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    threading.Thread(target=_end_with_parent, daemon=True).start()
    run(os.environ["STATERA_DATABASE"], Path(sys.argv[1]))
