"""The page of an alert: its changes, the commits that it may begin at, and what was decided."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.history import words
from statera.history.site import rendering, texts
from statera.history.site.material import web
from statera.history.site.scale import scale
from statera.history.site.series_page import Row, commit, drawing, row
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from statera.history.alerts import Part
    from statera.history.site.courses import Course, Stretch
    from statera.history.site.material import Case, Material
    from statera.history.site.series_page import Commit

_DRAWN: Final = 6
_HEIGHT: Final = 130
# So many commits are listed.
_LISTED: Final = 50
# Of a second, which orders decisions and tells a reader nothing.
_FRACTION: Final = re.compile(r"(?<=:\d\d)\.\d+")


class Candidate(NamedTuple):
    """A commit that an alert may begin at, and whether a job measured it."""

    commit: Commit
    measured: bool


class Affected(NamedTuple):
    """A series of an alert."""

    id: str
    name: str
    metric: str
    machine: str
    row: Row


class Decision(NamedTuple):
    """What somebody decided."""

    what: str
    reason: str
    who: str
    when: str
    url: str


def page(case: Case, places: Mapping[int, tuple[Stretch, Course]], material: Material) -> str:
    """Write the page of an alert.

    Args:
        case: the alert.
        places: the stretch and the course of each track, by its ``id()``.
        material: the material.

    """
    alert = case.alert
    drawn = [_small(part, places[id(part.track)][1], number, material) for number, part in enumerate(_worst(case))]
    candidates = _candidates(case, places, material)
    return rendering.page(
        "alert.html.j2",
        project=material.project,
        alert=alert,
        headline=words.headline(alert),
        tone=texts.case_tone(case),
        state=case.state,
        issue=web(case.state.url),
        is_open=case.is_open,
        begins=words.commits(alert, material.analysis),
        raised=commit(material.analysis.orders[alert.branch], alert.raised, material),
        candidates=candidates[-_LISTED:],
        unmeasured=not all(each.measured for each in candidates),
        more=len(candidates) - min(len(candidates), _LISTED),
        affected=[
            _affected(part, places[id(part.track)][0], material, expected=number in case.expected)
            for number, part in enumerate(alert.parts)
        ],
        decisions=[_decision(event) for event in case.events],
        drawn=drawn,
        count=counted(len(alert.parts), "series", "series"),
    )


def _worst(case: Case) -> list[Part]:
    return list(case.alert.parts[:_DRAWN])


def _small(part: Part, course: Course, number: int, material: Material) -> tuple[str, str, str, Markup]:
    name = f"{part.track.name} {words.size(part.track, part.change)}"
    return (
        part.track.series.id,
        name,
        part.track.series.metric,
        drawing(course, scale(course), f"chart-{number}", _HEIGHT, material),
    )


def _candidates(case: Case, places: Mapping[int, tuple[Stretch, Course]], material: Material) -> list[Candidate]:
    """Return the commits that an alert may begin at, with those before them that no job of its series measured."""
    alert = case.alert
    order = material.analysis.orders[alert.branch]
    measured = {position for part in alert.parts for position in places[id(part.track)][0].positions}
    before = max((position for position in measured if position < alert.first), default=alert.first - 1)
    return [
        Candidate(commit(order, position, material), position in measured)
        for position in range(before + 1, alert.last + 1)
    ]


def _affected(part: Part, stretch: Stretch, material: Material, *, expected: bool) -> Affected:
    track = part.track
    found = row(track, part.change, stretch, material)
    if expected:
        found = found._replace(direction=f"{found.direction}, expected")
    return Affected(track.series.id, track.name, track.series.metric, texts.lane(stretch), found)


def _decision(event: dict[str, object]) -> Decision:
    said = {key: str(event.get(key, "")) for key in ("kind", "state", "reason", "who", "when", "url")}
    what = said["state"] or "linked with an issue"
    return Decision(what, said["reason"], said["who"], _FRACTION.sub("", said["when"]), web(said["url"]))
