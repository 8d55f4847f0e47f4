"""What the verbs show, as JSON documents. docs/history/commands.md lists their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.history.gone import gone
from statera.history.site import documents
from statera.history.site.courses import line_id, stretch
from statera.history.site.material import gather

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis, Track
    from statera.history.check import Check, Told
    from statera.history.gone import Gone
    from statera.history.site.material import Material

_KEY = "statera"


def shown(project: str, analysis: Analysis, tracks: Iterable[Track]) -> dict[str, Any]:
    """Return the document of some series: what they are, their values and changes."""
    material = gather(project, analysis, {}, "")
    of_series: dict[str, list[Track]] = {}
    for track in tracks:
        of_series.setdefault(track.series.id, []).append(track)
    return {
        _KEY: "history-show/1",
        "project": project,
        "series": [
            {**documents.series([stretch(track, analysis) for track in own], material), "names": own[0].series.names}
            for own in of_series.values()
        ],
        "gone": _gone(gone(analysis)),
    }


def pointed(project: str, analysis: Analysis, alerts: Iterable[Alert]) -> dict[str, Any]:
    """Return the document of some alerts."""
    material = gather(project, analysis, {}, "")
    wanted = {(alert.branch, alert.id) for alert in alerts}
    cases = [case for case in material.cases if (case.alert.branch, case.alert.id) in wanted]
    return {
        _KEY: "history-points/1",
        "project": project,
        "alerts": [documents.alert(case, material) for case in cases],
    }


def checked(project: str, analysis: Analysis, found: Check, gate: tuple[str, int] | None = None) -> dict[str, Any]:
    """Return the document of a check; ``gate`` has the gate as it was stated, and how many fail it."""
    material = gather(project, analysis, {}, "")
    return {
        _KEY: "history-check/1",
        "project": project,
        "branch": found.branch,
        "commits": found.commits,
        "series": len(found.tracks),
        "changes": [_told(told, material) for told in found.told],
        "suspects": [_place(track) for track in found.suspects],
        "young": [_place(track) for track in found.young],
        "missing": found.missing,
        "lacking": [_place(track) for track in found.lacking],
        "gone": _gone(found.gone),
        "gate": None if gate is None else {"fail_on": gate[0], "failed": bool(gate[1]), "changes": gate[1]},
    }


def _told(told: Told, material: Material) -> dict[str, Any]:
    track = told.part.track
    change = documents.change(track, told.part.change, material)
    return {**_place(track), **change, "state": told.state.word, "expected": told.expected, "open": told.is_open}


def _place(track: Track) -> dict[str, Any]:
    return {
        **documents.identity(track),
        "branch": track.line.branch,
        "line": line_id(track.line),
        "lane": dict(track.line.lane),
    }


def _gone(found: Iterable[Gone]) -> list[dict[str, Any]]:
    return [{**_place(each.track), "last": each.last.isoformat()} for each in found]
