"""What other programs read: the JSON of the verbs and of the site, the Atom feed of the alerts, and their badge.

docs/history/commands.md and docs/history/site.md list the keys.
"""

from __future__ import annotations

import json
from html import escape
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any, Final
from uuid import NAMESPACE_URL, uuid4, uuid5

from statera import _native
from statera.history import wording
from statera.history.check import gone, stopped, without_gone
from statera.history.job import moment
from statera.history.left_out import left_out
from statera.history.material import gather, line_id, stretch, web

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis
    from statera.history.cases import Case
    from statera.history.check import Check, Gone, Stopped, Told
    from statera.history.material import Material, Stretch
    from statera.history.track import Change, Line, Track

_KEY: Final = "statera"
_MOST: Final = 50
# An entry must say when it changed, even if nobody knows.
_UNKNOWN: Final = "1970-01-01T00:00:00+00:00"


class Written:
    """A part of a document that is JSON already."""

    def __init__(self, text: str) -> None:
        self.text = text


# No stranger knows it.
_HERE: Final = uuid4().hex


def text(document: dict[str, Any]) -> str:
    """Write a document, of which parts may be written already."""
    parts: list[str] = []

    def default(part: Written) -> str:
        parts.append(part.text)
        return _HERE

    whole = json.dumps(document, allow_nan=False, separators=(",", ":"), default=default)
    between = whole.split(f'"{_HERE}"')
    return "".join(chain.from_iterable(zip(between, [*parts, "\n"], strict=True)))


def series(stretches: Sequence[Stretch], material: Material) -> dict[str, Any]:
    """Return the document of a series: its values, which are written already, and changes on every line."""
    document = _series(stretches, material, [_columns(stretch.found) for stretch in stretches])
    return {**document, "left_out": hidden(material.analysis)}


def _columns(values: _native.Found) -> dict[str, Any]:
    return {"positions": Written(values.json_positions()), "values": Written(values.json_values())}


def _series(stretches: Sequence[Stretch], material: Material, columns: Iterable[dict[str, Any]]) -> dict[str, Any]:
    tracks = [_track(each, own, material) for each, own in zip(stretches, columns, strict=True)]
    return {_KEY: "history-series/1", **identity(stretches[0].track), "tracks": tracks}


def alert(case: Case, material: Material) -> dict[str, Any]:
    """Return the document of an alert."""
    return {**_whole(case, material), "left_out": hidden(material.analysis)}


def _whole(case: Case, material: Material) -> dict[str, Any]:
    found = case.alert
    commits = material.analysis.orders[found.branch].commits
    return {
        _KEY: "history-alert/1",
        **_alert(case, material),
        "commits": [_commit(name, material) for name in commits[found.first : found.last + 1]],
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
                "below_margin": number in case.small,
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
    lost = gone(material.analysis)
    return {
        _KEY: "history-index/1",
        "project": material.project,
        "left_out": hidden(material.analysis),
        "stopped": _stopped(without_gone(stopped(material.analysis), lost)),
        "gone": _gone(lost),
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
                "tracks": [_summary(each) for each in stretches],
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


def hidden(analysis: Analysis) -> list[dict[str, Any]]:
    """Return what an analysis leaves out."""
    return [
        {"code": each.code, "branch": each.branch, "count": each.number, "what": each.what}
        for each in left_out(analysis)
    ]


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


def _track(stretch: Stretch, columns: dict[str, Any], material: Material) -> dict[str, Any]:
    track = stretch.track
    commits = track.order.commits
    return {
        **_summary(stretch),
        **columns,
        "left_out": track.found.left_out,
        "changes": [change(track, each, material) for each in track.changes],
        "withdrawn": [{"commit": commits[place], "raised": commits[raised]} for place, raised in track.withdrawn],
        "spikes": [{"value": first, "values": count} for first, count in track.spikes],
    }


def _summary(stretch: Stretch) -> dict[str, Any]:
    track = stretch.track
    suspect = track.suspect
    return {
        "line": line_id(track.line),
        "branch": track.line.branch,
        "lane": dict(track.line.lane),
        "jobs": len(track.found),
        "level": wording.current_level(track),
        "noise": None if track.noise is None else finite(track.noise),
        "ratio": stretch.is_ratio,
        "exact": track.found.exact,
        "last_change": track.order.commits[track.changes[-1].place] if track.changes else None,
        "suspect": {"value": suspect[0], "values": suspect[1]} if suspect else None,
    }


def change(track: Track, own: Change, material: Material) -> dict[str, Any]:
    """Return a change of a series."""
    commits = track.order.commits
    before, after = wording.levels(track, own)
    return {
        "commit": commits[own.place],
        "first": commits[own.first],
        "last": commits[own.last],
        "raised": commits[own.raised],
        "size": finite(own.size),
        "low": finite(own.low),
        "high": finite(own.high),
        "ratio": own.is_ratio,
        "from": before,
        "to": after,
        "p": own.p,
        "worse": own.is_worse(track.series),
        "invalid": own.invalid,
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
        "candidates": found.last - found.first + 1,
        "raised": commits[found.raised],
        "worse": found.worse,
        "better": found.better,
        "series": len(found.parts),
        "scope": found.scope or None,
        "state": case.state.word,
        "reason": case.state.reason,
        "who": case.state.who,
        "when": case.state.when,
        "issue": web(case.state.url),
        "open": case.is_open,
    }


def _commit(name: str, material: Material) -> dict[str, str]:
    return {"commit": name, **material.fact(name)._asdict()}


def finite(number: float) -> float | None:
    """Return a number that JSON and tables have; None in the place of others."""
    return number if isfinite(number) else None


def shown(project: str, analysis: Analysis, tracks: Iterable[Track]) -> dict[str, Any]:
    """Return the document of some series: what they are, their values and changes."""
    material = gather(project, analysis, {}, "")
    lost = gone(analysis)
    of_series: dict[str, list[Track]] = {}
    for track in tracks:
        of_series.setdefault(track.series.id, []).append(track)
    return {
        _KEY: "history-show/1",
        "project": project,
        "series": [
            {**_series([stretch(track) for track in own], material, map(_lists, own)), "names": own[0].series.names}
            for own in of_series.values()
        ],
        "stopped": _stopped(without_gone(stopped(analysis), lost)),
        "gone": _gone(lost),
        "left_out": hidden(analysis),
    }


def _lists(track: Track) -> dict[str, Any]:
    return {"positions": track.positions, "values": track.found.values}


def pointed(project: str, analysis: Analysis, alerts: Iterable[Alert]) -> dict[str, Any]:
    """Return the document of some alerts."""
    material = gather(project, analysis, {}, "")
    wanted = {(alert.branch, alert.id) for alert in alerts}
    cases = [case for case in material.cases if (case.alert.branch, case.alert.id) in wanted]
    return {
        _KEY: "history-points/1",
        "project": project,
        "alerts": [_whole(case, material) for case in cases],
        "left_out": hidden(analysis),
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
        "stopped": _stopped(found.stopped),
        "gone": _gone(found.gone),
        "left_out": hidden(analysis),
        "gate": None if gate is None else {"fail_on": gate[0], "failed": bool(gate[1]), "changes": gate[1]},
    }


def _told(told: Told, material: Material) -> dict[str, Any]:
    track = told.part.track
    own = change(track, told.part.change, material)
    about = {"state": told.state.word, "expected": told.expected, "below_margin": told.small, "open": told.is_open}
    return {**_place(track), **own, **about}


def _place(track: Track) -> dict[str, Any]:
    return {
        **identity(track),
        "branch": track.line.branch,
        "line": line_id(track.line),
        "lane": dict(track.line.lane),
    }


def _stopped(found: Iterable[Stopped]) -> list[dict[str, Any]]:
    return [{**_place(each.track), "since": each.track.order.commits[each.since]} for each in found]


def _gone(found: Iterable[Gone]) -> list[dict[str, Any]]:
    return [{**_place(each.track), "last": each.last.isoformat()} for each in found]


def feed(material: Material) -> str:
    """Write the feed: an entry for each of the newest alerts; it changes when somebody decides about it."""
    cases = material.cases[:_MOST]
    updated = max((_updated(case, material) for case in cases), default=_UNKNOWN)
    entries = "".join("".join(_entry(case, material)) for case in cases)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{_id(material.project)}</id>\n<title>{_text(material.project)}: alerts</title>\n"
        f"<updated>{_text(updated)}</updated>\n"
        '<author><name>statera</name></author>\n<link rel="self" href="feed.xml"/>\n<link href="index.html"/>\n'
        f"{entries}</feed>\n"
    )


def _entry(case: Case, material: Material) -> Iterator[str]:
    alert = case.alert
    yield f"<entry>\n<id>{_id(material.project, alert.id)}</id>\n"
    yield f"<title>{_text(wording.headline(alert))}</title>\n<updated>{_text(_updated(case, material))}</updated>\n"
    yield f'<link href="alerts/{alert.id}.html"/>\n<category term="{_text(case.state.word)}"/>\n'
    state = wording.state(case.word, case.state.reason)
    where = f"On {alert.branch}, begins at {wording.commits(alert, material.analysis)}. State: {state}."
    yield f"<summary>{_text(where)}</summary>\n</entry>\n"


def _updated(case: Case, material: Material) -> str:
    """Return when an alert changed last: when somebody decided, otherwise when the job began that told it."""
    raised = material.analysis.orders[case.alert.branch].commits[case.alert.raised]
    started = [
        job.job.started for part in case.alert.parts[:1] for job in part.track.line.jobs if job.job.commit == raised
    ]
    stated = [*(str(event.get("when", "")) for event in case.events), *started]
    return max(filter(None, map(_moment, stated)), default=_UNKNOWN)


def _moment(text: str) -> str:
    """Write a moment in UTC, so that texts compare as moments do; empty if it is none."""
    found = moment(text)
    return found.isoformat(timespec="seconds") if found else ""


def _id(*names: str) -> str:
    return f"urn:uuid:{uuid5(NAMESPACE_URL, ' '.join(('statera history', *names)))}"


def _text(value: str) -> str:
    return escape(_native.printable(value))


def badge(open_ones: Sequence[bool]) -> str:
    """Draw how many alerts are open, as SVG; of each it says whether a change is for the worse."""
    from statera.output.report import card  # noqa: PLC0415 - pages and other verbs need none of the reports

    if worse := sum(open_ones):
        return card.badge_of(f"{worse:,} worse", "worse")
    if open_ones:
        return card.badge_of(f"{len(open_ones):,} changed", "changed")
    return card.badge_of("no open change", "better")
