"""The page of a series: its charts and changes on every branch and machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.history import words
from statera.history.site import rendering, texts
from statera.history.site.chart import Texts, chart, tone
from statera.history.site.courses import line_id
from statera.history.site.material import day
from statera.history.site.scale import scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from statera.history.analysis import Change, Track
    from statera.history.order import Order
    from statera.history.site.courses import Course, Stretch
    from statera.history.site.material import Material
    from statera.history.site.scale import Scale

_HEIGHT: Final = 300


class Commit(NamedTuple):
    """A commit as pages show it: short name, subject, day, and the address of its page or nothing."""

    short: str
    subject: str
    day: str
    url: str


class Row(NamedTuple):
    """A change as a row of a table; without an alert, ``alert`` and ``state`` are empty."""

    tone: str
    direction: str
    commit: Commit
    began: str
    size: str
    interval: str
    old: str
    new: str
    p: str
    raised: str
    alert: str
    state: str


class Section(NamedTuple):
    """A course as a page shows it."""

    title: str
    standing: str
    drawing: Markup
    rows: list[Row]
    remarks: list[str]


def page(of_courses: Sequence[Course], others: Sequence[tuple[str, str]], material: Material) -> str:
    """Write the page of a series.

    Args:
        of_courses: its courses.
        others: other metrics of the benchmark: metric, and id of the series.
        material: the material.

    """
    first = of_courses[0].newest
    lines = sorted({line_id(stretch.track.line) for course in of_courses for stretch in course.stretches})
    return rendering.page(
        "series.html.j2",
        project=material.project,
        name=first.track.name,
        metric=texts.metric(first),
        id=first.track.series.id,
        others=others,
        sections=[_section(course, number, material) for number, course in enumerate(of_courses)],
        lines=lines,
        commit_url=material.commit_url,
    )


def commit(order: Order, position: int, material: Material) -> Commit:
    """Return a commit as pages show it."""
    name = order.commits[position]
    fact = material.fact(name)
    return Commit(words.short(name), fact.subject, day(fact.committed), material.page_of(name))


def row(track: Track, change: Change, stretch: Stretch, material: Material) -> Row:
    """Return a change as a row."""
    commits = track.order.commits
    old, new = words.levels(material.analysis, track, change)
    case = material.case(track, change)
    first, last = words.short(commits[change.first]), words.short(commits[change.last])
    direction = {True: "worse", False: "better", None: "changed"}[change.is_worse(track.series)]
    return Row(
        tone(change, stretch),
        f"{direction}{' (weak)' if change.weak else ''}{', returns' if change.returns else ''}",
        commit(track.order, change.place, material),
        first if first == last else f"{first}..{last}",
        words.size(track, change),
        words.interval(track, change),
        words.amount(track, old),
        words.amount(track, new),
        texts.p_value(change),
        words.short(commits[change.raised]),
        case.alert.id if case else "",
        case.state.word if case else "",
    )


def drawing(course: Course, own: Scale, name: str, height: int, material: Material) -> Markup:
    """Draw a course."""
    newest = course.newest
    title = f"{newest.track.name}, {newest.track.series.metric}, on {newest.track.line.branch}"
    said = Texts(title, texts.described(course, material), texts.below(course, material))
    return rendering.markup(chart(course, own, said, name, height))


def _section(course: Course, number: int, material: Material) -> Section:
    newest = course.newest
    machines = [texts.lane(stretch) for stretch in course.stretches]
    shown = [(stretch, change) for stretch in course.stretches for change in stretch.track.changes]
    several = len(course.stretches) > 1
    own = scale(course)
    remarks = list(texts.beyond(course, own))
    for stretch, machine in zip(course.stretches, machines, strict=True):
        remarks += [f"{machine}: {each}" if several else each for each in texts.remarks(stretch)]
    if several:
        remarks.append("Where the machine changed, levels are not compared.")
    return Section(
        f"{newest.track.line.branch} on {', then '.join(machines)}",
        texts.standing(newest, material),
        drawing(course, own, f"chart-{number}", _HEIGHT, material),
        [row(stretch.track, change, stretch, material) for stretch, change in reversed(shown)],
        remarks,
    )


def data(of_courses: Sequence[Course], series: str) -> dict[str, Any]:
    """Return what the script of the charts needs: for each value its line, job, place on the scale and text."""
    found = []
    for course in of_courses:
        own, level = scale(course), course.newest.levels[-1].value
        stretches = []
        for stretch in course.stretches:
            ids = {job.id: number for number, job in enumerate(stretch.track.line.jobs)}
            jobs = [ids[job.id] for job in stretch.jobs]
            stretches.append(
                {
                    "line": line_id(stretch.track.line),
                    # In most series every job has a value.
                    "jobs": None if jobs == list(range(len(ids))) else jobs,
                    "steps": [own.step(value) for value in stretch.values],
                    "texts": [words.amount(stretch.track, value, level) for value in stretch.values],
                    "outside": sorted(stretch.outside),
                    "changes": [change.place for change in stretch.track.changes],
                }
            )
        found.append(
            {"stretches": stretches, "low": own.low / own.factor, "high": own.high / own.factor, "unit": own.unit}
        )
    return {"series": series, "courses": found}
