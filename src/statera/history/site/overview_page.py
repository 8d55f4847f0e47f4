"""The first page: what is open, the alerts, and every series with its course."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.history import words
from statera.history.site import rendering, texts
from statera.history.site.chart import tone
from statera.history.site.courses import Course
from statera.history.site.material import day
from statera.history.site.scale import scale
from statera.history.site.sparkline import sparkline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markupsafe import Markup

    from statera.history.site.courses import Stretch
    from statera.history.site.material import Case, Material


class Row(NamedTuple):
    """A series on a line as a row: texts, and the numbers that sort them."""

    id: str
    name: str
    metric: str
    primary: bool
    branch: str
    machine: str
    spark: Markup
    level: str
    level_key: float
    noise: str
    noise_key: float | str
    jobs: int
    tone: str
    suspect: bool
    change: str
    when: str
    when_key: int


class Listed(NamedTuple):
    """An alert of the list."""

    id: str
    tone: str
    headline: str
    begins: str
    day: str
    branch: str
    state: str
    reason: str


def page(stretches: Iterable[Stretch], material: Material) -> str:
    """Write the first page."""
    rows = sorted((_row(each, material) for each in stretches), key=_place)
    return rendering.page(
        "overview.html.j2",
        project=material.project,
        answer=texts.answer(material),
        newest=texts.newest(material),
        tone="worse" if any(case.is_open and case.alert.worse for case in material.cases) else "",
        suspects=[row for row in rows if row.suspect],
        opened=[_listed(case, material) for case in material.cases if case.is_open],
        closed=[_listed(case, material) for case in material.cases if not case.is_open],
        rows=rows,
        choices=_choices(rows),
    )


def _choices(rows: Sequence[Row]) -> list[tuple[str, str, list[str]]]:
    """Return what the rows can be selected by: column, title, values; nothing that all share."""
    found = [
        (column, title, sorted({getattr(row, column) for row in rows}))
        for column, title in (("metric", "Metric"), ("branch", "Branch"), ("machine", "Machine"))
    ]
    return [choice for choice in found if len(choice[2]) > 1]


def _place(row: Row) -> tuple[bool, str, str, str, str]:
    return not row.primary, row.name, row.metric, row.branch, row.machine


def _row(stretch: Stretch, material: Material) -> Row:
    track = stretch.track
    last = track.changes[-1] if track.changes else None
    kind = tone(last, stretch) if last else ""
    level = words.current_level(material.analysis, track)
    return Row(
        track.series.id,
        track.name,
        track.series.metric,
        track.is_watched,
        track.line.branch,
        texts.lane(stretch),
        rendering.markup(sparkline(stretch, scale(Course((stretch,))), kind)),
        words.amount(track, level),
        level,
        texts.noise(stretch),
        "" if track.noise is None else track.noise,
        len(stretch.values),
        kind,
        track.suspect is not None,
        words.size(track, last) if last else "",
        words.short(track.order.commits[last.place]) if last else "",
        last.place if last else -1,
    )


def _listed(case: Case, material: Material) -> Listed:
    alert = case.alert
    raised = material.analysis.orders[alert.branch].commits[alert.raised]
    return Listed(
        alert.id,
        texts.case_tone(case),
        words.headline(alert),
        words.commits(alert, material.analysis),
        day(material.fact(raised).committed),
        alert.branch,
        case.state.word,
        case.state.reason,
    )
