"""The JSON documents beside the pages. docs/history/site.md lists their keys."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from statera.history import words
from statera.history.site.courses import line_id
from statera.history.site.material import web

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.history.analysis import Change, Line, Track
    from statera.history.site.courses import Stretch
    from statera.history.site.material import Case, Material

_KEY = "statera"


def series(stretches: Sequence[Stretch], material: Material) -> dict[str, Any]:
    """Return the document of a series: its values and changes on every line."""
    track = stretches[0].track
    return {_KEY: "history-series/1", **identity(track), "tracks": [_track(each, material) for each in stretches]}


def alert(case: Case, material: Material) -> dict[str, Any]:
    """Return the document of an alert."""
    found = case.alert
    return {
        _KEY: "history-alert/1",
        **_alert(case, material),
        "commits": [_commit(name, material) for name in material.analysis.orders[found.branch].commits[_range(case)]],
        "decisions": [
            {key: str(event.get(key, "")) for key in ("kind", "state", "reason", "url", "who", "when")}
            for event in case.events
        ],
        "changes": [
            {
                **identity(part.track),
                "line": line_id(part.track.line),
                "lane": dict(part.track.line.lane),
                **change(part.track, part.change, material),
                "expected": number in case.expected,
            }
            for number, part in enumerate(found.parts)
        ],
    }


def line(each: Line, material: Material) -> dict[str, Any]:
    """Return the document of a line: its jobs, in order."""
    position = material.analysis.orders[each.branch].position
    jobs = [
        {
            "id": job.id,
            "position": position[job.job.commit],
            **_commit(job.job.commit, material),
            "started": job.job.started,
            "url": web(job.job.url),
        }
        for job in each.jobs
    ]
    return {_KEY: "history-line/1", "id": line_id(each), "branch": each.branch, "lane": dict(each.lane), "jobs": jobs}


def index(of_series: Iterable[Sequence[Stretch]], material: Material) -> dict[str, Any]:
    """Return the document that leads to all others."""
    return {
        _KEY: "history-index/1",
        "project": material.project,
        "lines": [
            {
                "id": line_id(each),
                "branch": each.branch,
                "lane": dict(each.lane),
                "jobs": len(each.jobs),
                "newest": each.jobs[-1].job.commit,
                "document": f"lines/{line_id(each)}.json",
            }
            for each in material.analysis.lines
        ],
        "series": [
            {
                **identity(stretches[0].track),
                "page": f"series/{stretches[0].track.series.id}.html",
                "document": f"series/{stretches[0].track.series.id}.json",
                "tracks": [_summary(each, material) for each in stretches],
            }
            for stretches in of_series
        ],
        "alerts": [
            {
                **_alert(case, material),
                "page": f"alerts/{case.alert.id}.html",
                "document": f"alerts/{case.alert.id}.json",
            }
            for case in material.cases
        ],
    }


def identity(track: Track) -> dict[str, Any]:
    """Return what a series is."""
    own = track.series
    return {
        "id": own.id,
        "name": track.name,
        "benchmark": own.benchmark,
        "metric": own.metric,
        "unit": own.unit,
        "better": own.better,
        "factors": own.levels,
    }


def _track(stretch: Stretch, material: Material) -> dict[str, Any]:
    track = stretch.track
    commits = track.order.commits
    return {
        **_summary(stretch, material),
        "positions": stretch.positions,
        "values": stretch.values,
        "left_out": track.found.left_out,
        "changes": [change(track, each, material) for each in track.changes],
        "withdrawn": [{"commit": commits[place], "raised": commits[raised]} for place, raised in track.withdrawn],
        "spikes": [{"value": first, "values": count} for first, count in track.spikes],
    }


def _summary(stretch: Stretch, material: Material) -> dict[str, Any]:
    track = stretch.track
    suspect = track.suspect
    return {
        "line": line_id(track.line),
        "branch": track.line.branch,
        "lane": dict(track.line.lane),
        "jobs": len(stretch.values),
        "level": words.current_level(material.analysis, track),
        "noise": None if track.noise is None else _finite(track.noise),
        "ratio": stretch.is_ratio,
        "exact": track.found.exact,
        "last_change": track.order.commits[track.changes[-1].place] if track.changes else None,
        "suspect": {"value": suspect[0], "values": suspect[1]} if suspect else None,
    }


def change(track: Track, own: Change, material: Material) -> dict[str, Any]:
    """Return a change of a series."""
    commits = track.order.commits
    before, after = words.levels(material.analysis, track, own)
    return {
        "commit": commits[own.place],
        "first": commits[own.first],
        "last": commits[own.last],
        "raised": commits[own.raised],
        "size": _finite(own.size),
        "low": _finite(own.low),
        "high": _finite(own.high),
        "ratio": own.is_ratio,
        "from": before,
        "to": after,
        "p": own.p,
        "worse": own.is_worse(track.series),
        "returns": own.returns,
        "weak": own.weak,
        "alert": case.alert.id if (case := material.case(track, own)) else None,
    }


def _alert(case: Case, material: Material) -> dict[str, Any]:
    found = case.alert
    commits = material.analysis.orders[found.branch].commits
    return {
        "id": found.id,
        "branch": found.branch,
        "first": commits[found.first],
        "last": commits[found.last],
        "raised": commits[found.raised],
        "worse": found.worse,
        "better": found.better,
        "series": len(found.parts),
        "state": case.state.word,
        "reason": case.state.reason,
        "who": case.state.who,
        "when": case.state.when,
        "issue": web(case.state.url),
        "open": case.is_open,
    }


def _range(case: Case) -> slice:
    return slice(case.alert.first, case.alert.last + 1)


def _commit(name: str, material: Material) -> dict[str, str]:
    return {"commit": name, **material.fact(name)._asdict()}


def _finite(size: float) -> float | None:
    return size if isfinite(size) else None
