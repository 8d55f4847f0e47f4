"""An analysis of everything that a project holds → its points, alerts and pages, as rows that requests find at once.

The pages of series are not among them: ``rendered`` writes these when they are asked for.
"""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, insert, select, update

from statera.history import catalog, site
from statera.history.analysis import analyse
from statera.history.site.courses import line_id
from statera.history.site.material import gather
from statera.history.states import event_on
from statera.server import tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from statera.history.analysis import Change, Track
    from statera.history.site.material import Case, Material
    from statera.server.database import Database
    from statera.server.projects import Project
    from statera.server.store import DatabaseStore
    from statera.settings.limits import Limits

_ON_DEMAND: Final = "series/"


def bring_up_to_date(
    database: Database,
    project: Project,
    store: DatabaseStore,
    limits: Limits,
    tell: Callable[[Connection, str], None],
) -> None:
    """Analyse a project, and store what was found.

    Args:
        database: the database.
        project: the project, as it stood before its uploads were read.
        store: its history.
        limits: how much is read of an upload.
        tell: is called, in the transaction that stores them, for each alert that is open and was not known before.

    """
    held = catalog.read(store, limits)
    analysis = analyse(held, project.about.lane)
    material = gather(project.name, analysis, {}, project.commit_url)
    pages = {path: make() for path, make in site.files(material).items() if not path.startswith(_ON_DEMAND)}
    documents = {case.alert.id: pages[f"alerts/{case.alert.id}.json"] for case in material.cases}
    with database.writing() as connection:
        before = _subjects(connection, project.id)
        _replace_rows(connection, project.id, material, documents)
        _replace_pages(connection, project.id, pages)
        # What a project holds on the first look happened before anybody watched.
        if project.analysed:
            for case in reversed(material.cases):
                if case.is_open and not any(_same(_subject(case, material), each) for each in before):
                    tell(connection, case.alert.id)
        own = tables.project.c.id == project.id
        connection.execute(update(tables.project).where(own).values(analysed=project.changed))


def _replace_rows(connection: Connection, project_id: int, material: Material, documents: dict[str, str]) -> None:
    tracks = [track for track in material.analysis.tracks if len(track.found)]
    rows = {
        tables.course: [_course(track) for track in tracks],
        tables.point: [_point(track, change, material) for track in tracks for change in track.changes],
        tables.alert: [_alert(number, case, material, documents) for number, case in enumerate(material.cases)],
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


def _alert(number: int, case: Case, material: Material, documents: dict[str, str]) -> dict[str, Any]:
    return {
        "id": case.alert.id,
        "number": number,
        "branch": case.alert.branch,
        "state": case.state.word,
        "is_open": case.is_open,
        "document": documents[case.alert.id],
        "subject": json.dumps(_subject(case, material)),
    }


def _subject(case: Case, material: Material) -> dict[str, Any]:
    return event_on(case.alert, material.analysis.orders[case.alert.branch])


def _subjects(connection: Connection, project_id: int) -> list[dict[str, Any]]:
    wanted = select(tables.alert.c.subject).where(tables.alert.c.project_id == project_id)
    return [json.loads(text) for text in connection.execute(wanted).scalars()]


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two alerts are the same although the first alarm moved: they share a commit and a series."""
    return one["branch"] == other["branch"] and all(set(one[key]) & set(other[key]) for key in ("commits", "series"))


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None
