"""The pages of a site: the first one, those of series and those of alerts, with their sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.history import wording
from statera.history.job import lane_name
from statera.history.material import Course, day, line_id, web
from statera.history.site import rendering
from statera.history.site.chart import STEPS, Texts, chart, scale, sparkline, tone
from statera.support.settings.detector import Detector
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from markupsafe import Markup

    from statera.history.alerts import Case, Part
    from statera.history.analysis import Change, Track
    from statera.history.material import Material, Stretch
    from statera.history.order import Order
    from statera.history.site.chart import Scale


_BELOW: Final = 5
_BETTER: Final = {"lower": "lower is better", "higher": "higher is better", None: "neither direction is better"}
# Heights of charts on the page of a series and on that of an alert, in pixels.
_HEIGHT: Final = 300
_SMALL: Final = 130
# So many series of an alert have a chart.
_DRAWN: Final = 6
# So many commits are listed.
_LISTED: Final = 50
# Of a second, which orders decisions and tells a reader nothing.
_FRACTION: Final = re.compile(r"(?<=:\d\d)\.\d+")


def p_value(change: Change) -> str:
    """Write the p of a change."""
    return "exact" if change.p is None else _native.p_value(change.p)


def metric(stretch: Stretch) -> str:
    """Describe the metric of a series."""
    series = stretch.track.series
    return f"{series.metric}, {_BETTER[series.better]}"


def standing(stretch: Stretch, material: Material) -> str:
    """Say where a series stands: level, noise, jobs."""
    level = wording.amount(stretch.track, wording.current_level(material.analysis, stretch.track))
    return f"Level {level}, noise {wording.noise(stretch.track)}, {counted(len(stretch.values), 'job')}."


def remarks(stretch: Stretch) -> Iterator[str]:
    """Say what the chart shows besides changes, and what it leaves out."""
    track = stretch.track
    first = Detector().first_look
    if track.found.exact:
        yield "The metric is exact: every commit with another value is a change."
    elif len(stretch.values) < first:
        yield f"Changes are reported from {first} jobs on: {counted(first - len(stretch.values), 'job')} to go."
    if track.suspect:
        yield "The newest value is outside the range of all before it. Run this commit again: two more jobs decide."
    if track.spikes:
        yield f"{counted(len(track.spikes), 'spike')}: values outside the range, after which the level returned."
    if track.withdrawn:
        yield f"{counted(len(track.withdrawn), 'alarm')} withdrawn: later values did not confirm it."
    if track.found.left_out:
        yield f"{counted(track.found.left_out, 'job')} without a finite value left out."


def beyond(course: Course, scale: Scale) -> Iterator[str]:
    """Say how many values the chart shows by marks at its edge."""
    steps = [scale.step(value) for stretch in course.stretches for value in stretch.values]
    if count := sum(not 0 <= step <= STEPS for step in steps):
        yield f"{counted(count, 'value')} beyond the scale: marks at its edge."


def described(course: Course, material: Material) -> str:
    """Describe a chart to those who do not see it."""
    parts = []
    for number, stretch in enumerate(course.stretches):
        track, commits = stretch.track, stretch.track.order.commits
        if number:
            parts.append(f"The machine changed to {lane_name(stretch.track.line.lane)}.")
        first = wording.amount(track, stretch.levels[0].value)
        parts.append(f"{counted(len(stretch.values), 'value')} from a level of {first} on.")
        for change in track.changes:
            _, new = wording.levels(material.analysis, track, change)
            at = wording.short(commits[change.place])
            parts.append(f"At {at} {wording.size(track, change)} to {wording.amount(track, new)}.")
    return " ".join(parts)


def below(course: Course, material: Material) -> list[tuple[int, str]]:
    """Return what stands below a chart: the days of some commits, or their names if all are of one day."""
    of_positions = {
        position: job
        for stretch in course.stretches
        for position, job in zip(stretch.positions, stretch.jobs, strict=True)
    }
    positions = sorted(of_positions)
    last = len(positions) - 1
    chosen = sorted({positions[round(last * number / (_BELOW - 1))] for number in range(_BELOW)})
    jobs = [of_positions[position].job for position in chosen]
    days = [day(material.fact(job.commit).committed, job.started) for job in jobs]
    if not all(days) or len(set(days)) == 1:
        days = [wording.short(job.commit) for job in jobs]
    # A day stands at its first commit.
    return [(at, text) for at, text, before in zip(chosen, days, [None, *days], strict=False) if text != before]


def answer(material: Material) -> str:
    """Say in a sentence what is open."""
    open_cases = [case for case in material.cases if case.is_open]
    if not open_cases:
        series = len({track.series.id for track in material.analysis.tracks})
        return f"Nothing is open in {counted(series, 'series', 'series')}."
    worst = max(open_cases, key=lambda case: (case.alert.worse > 0, case.alert.worse))
    colon = ": " if len(open_cases) == 1 else "; the worst: "
    return f"{counted(len(open_cases), 'alert')} open{colon}{wording.headline(worst.alert)}."


def newest(material: Material) -> str:
    """Name the newest commit of each branch that is measured."""
    found = []
    for branch, order in material.analysis.orders.items():
        jobs = material.analysis.jobs(branch)
        if not jobs:
            continue
        last = max(jobs, key=lambda job: order.position[job.job.commit])
        when = day(material.fact(last.job.commit).committed, last.job.started)
        found.append(f"{branch} up to {wording.short(last.job.commit)}{f' ({when})' if when else ''}")
    most = 3
    more = [f"{len(found) - most} more branches"] if len(found) > most else []
    return ", ".join([*found[:most], *more])


def case_tone(case: Case) -> str:
    """Return the class of an alert."""
    if not case.is_open:
        return "quiet"
    return "worse" if case.alert.worse else "better" if case.alert.better else "changed"


class Commit(NamedTuple):
    """A commit as pages show it: short name, subject, day, and the address of its page or nothing."""

    short: str
    subject: str
    day: str
    url: str


class ChangeRow(NamedTuple):
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
    rows: list[ChangeRow]
    remarks: list[str]


def series_page(of_courses: Sequence[Course], others: Sequence[tuple[str, str]], material: Material) -> str:
    """Write the page of a series; ``others`` are metrics of its benchmark, each with the id of the series."""
    first = of_courses[0].newest
    lines = sorted({line_id(stretch.track.line) for course in of_courses for stretch in course.stretches})
    return rendering.page(
        "series.html.j2",
        project=material.project,
        name=first.track.name,
        metric=metric(first),
        id=first.track.series.id,
        others=others,
        sections=[_section(course, number, material) for number, course in enumerate(of_courses)],
        lines=lines,
        commit_url=material.commit_url,
    )


def _commit(order: Order, position: int, material: Material) -> Commit:
    """Return a commit as pages show it."""
    name = order.commits[position]
    fact = material.fact(name)
    return Commit(wording.short(name), fact.subject, day(fact.committed), material.page_of(name))


def _change_row(track: Track, change: Change, stretch: Stretch, material: Material) -> ChangeRow:
    """Return a change as a row."""
    commits = track.order.commits
    old, new = wording.levels(material.analysis, track, change)
    case = material.case(track, change)
    first, last = wording.short(commits[change.first]), wording.short(commits[change.last])
    direction = change.direction(track.series)
    return ChangeRow(
        tone(change, stretch),
        f"{direction}{' (weak)' if change.weak else ''}{', returns' if change.returns else ''}",
        _commit(track.order, change.place, material),
        first if first == last else f"{first}..{last}",
        wording.size(track, change),
        wording.interval(track, change),
        wording.amount(track, old),
        wording.amount(track, new),
        p_value(change),
        wording.short(commits[change.raised]),
        case.alert.id if case else "",
        case.state.word if case else "",
    )


def _drawing(course: Course, own: Scale, name: str, height: int, material: Material) -> Markup:
    """Draw a course."""
    newest = course.newest
    title = f"{newest.track.name}, {newest.track.series.metric}, on {newest.track.line.branch}"
    said = Texts(title, described(course, material), below(course, material))
    return rendering.markup(chart(course, own, said, name, height))


def _section(course: Course, number: int, material: Material) -> Section:
    newest = course.newest
    machines = [lane_name(stretch.track.line.lane) for stretch in course.stretches]
    shown = [(stretch, change) for stretch in course.stretches for change in stretch.track.changes]
    several = len(course.stretches) > 1
    own = scale(course)
    said = list(beyond(course, own))
    for stretch, machine in zip(course.stretches, machines, strict=True):
        said += [f"{machine}: {each}" if several else each for each in remarks(stretch)]
    if several:
        said.append("Where the machine changed, levels are not compared.")
    return Section(
        f"{newest.track.line.branch} on {', then '.join(machines)}",
        standing(newest, material),
        _drawing(course, own, f"chart-{number}", _HEIGHT, material),
        [_change_row(stretch.track, change, stretch, material) for stretch, change in reversed(shown)],
        said,
    )


def chart_data(of_courses: Sequence[Course], series: str) -> dict[str, Any]:
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
                    "texts": [wording.amount(stretch.track, value, level) for value in stretch.values],
                    "outside": sorted(stretch.outside),
                    "changes": [change.place for change in stretch.track.changes],
                }
            )
        found.append(
            {"stretches": stretches, "low": own.low / own.factor, "high": own.high / own.factor, "unit": own.unit}
        )
    return {"series": series, "courses": found}


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
    row: ChangeRow


class Decision(NamedTuple):
    """What somebody decided."""

    what: str
    reason: str
    who: str
    when: str
    url: str


def alert_page(case: Case, places: Mapping[int, tuple[Stretch, Course]], material: Material) -> str:
    """Write the page of an alert; ``places`` has the stretch and the course of each track, by its ``id()``."""
    alert = case.alert
    drawn = [_small(part, places[id(part.track)][1], number, material) for number, part in enumerate(_worst(case))]
    candidates = _candidates(case, places, material)
    return rendering.page(
        "alert.html.j2",
        project=material.project,
        alert=alert,
        headline=wording.headline(alert),
        tone=case_tone(case),
        state=case.state,
        issue=web(case.state.url),
        is_open=case.is_open,
        begins=wording.commits(alert, material.analysis),
        raised=_commit(material.analysis.orders[alert.branch], alert.raised, material),
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
    name = f"{part.track.name} {wording.size(part.track, part.change)}"
    return (
        part.track.series.id,
        name,
        part.track.series.metric,
        _drawing(course, scale(course), f"chart-{number}", _SMALL, material),
    )


def _candidates(case: Case, places: Mapping[int, tuple[Stretch, Course]], material: Material) -> list[Candidate]:
    """Return the commits that an alert may begin at, with those before them that no job of its series measured."""
    alert = case.alert
    order = material.analysis.orders[alert.branch]
    measured = {position for part in alert.parts for position in places[id(part.track)][0].positions}
    before = max((position for position in measured if position < alert.first), default=alert.first - 1)
    return [
        Candidate(_commit(order, position, material), position in measured)
        for position in range(before + 1, alert.last + 1)
    ]


def _affected(part: Part, stretch: Stretch, material: Material, *, expected: bool) -> Affected:
    track = part.track
    found = _change_row(track, part.change, stretch, material)
    if expected:
        found = found._replace(direction=f"{found.direction}, expected")
    return Affected(track.series.id, track.name, track.series.metric, lane_name(stretch.track.line.lane), found)


def _decision(event: dict[str, object]) -> Decision:
    said = {key: str(event.get(key, "")) for key in ("kind", "state", "reason", "who", "when", "url")}
    what = said["state"] or "linked with an issue"
    return Decision(what, said["reason"], said["who"], _FRACTION.sub("", said["when"]), web(said["url"]))


class SeriesRow(NamedTuple):
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


def overview_page(stretches: Iterable[Stretch], material: Material) -> str:
    """Write the first page."""
    rows = sorted((_series_row(each, material) for each in stretches), key=_row_order)
    return rendering.page(
        "overview.html.j2",
        project=material.project,
        answer=answer(material),
        newest=newest(material),
        tone="worse" if any(case.is_open and case.alert.worse for case in material.cases) else "",
        suspects=[row for row in rows if row.suspect],
        opened=[_listed(case, material) for case in material.cases if case.is_open],
        closed=[_listed(case, material) for case in material.cases if not case.is_open],
        rows=rows,
        choices=_choices(rows),
    )


def _choices(rows: Sequence[SeriesRow]) -> list[tuple[str, str, list[str]]]:
    """Return what the rows can be selected by: column, title, values; nothing that all share."""
    found = [
        (column, title, sorted({getattr(row, column) for row in rows}))
        for column, title in (("metric", "Metric"), ("branch", "Branch"), ("machine", "Machine"))
    ]
    return [choice for choice in found if len(choice[2]) > 1]


def _row_order(row: SeriesRow) -> tuple[bool, str, str, str, str]:
    return not row.primary, row.name, row.metric, row.branch, row.machine


def _series_row(stretch: Stretch, material: Material) -> SeriesRow:
    track = stretch.track
    last = track.changes[-1] if track.changes else None
    kind = tone(last, stretch) if last else ""
    level = wording.current_level(material.analysis, track)
    return SeriesRow(
        track.series.id,
        track.name,
        track.series.metric,
        track.is_watched,
        track.line.branch,
        lane_name(stretch.track.line.lane),
        rendering.markup(sparkline(stretch, scale(Course((stretch,))), kind)),
        wording.amount(track, level),
        level,
        wording.noise(stretch.track),
        "" if track.noise is None else track.noise,
        len(stretch.values),
        kind,
        track.suspect is not None,
        wording.size(track, last) if last else "",
        wording.short(track.order.commits[last.place]) if last else "",
        last.place if last else -1,
    )


def _listed(case: Case, material: Material) -> Listed:
    alert = case.alert
    raised = material.analysis.orders[alert.branch].commits[alert.raised]
    return Listed(
        alert.id,
        case_tone(case),
        wording.headline(alert),
        wording.commits(alert, material.analysis),
        day(material.fact(raised).committed),
        alert.branch,
        case.state.word,
        case.state.reason,
    )
