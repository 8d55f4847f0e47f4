"""The pages of a site: the first one, those of series and those of alerts, with their sentences.

A template gets plain values; the rows of tables are dictionaries, which name each value once.
"""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.history import wording
from statera.history.cases import BELOW
from statera.history.check import ended, gone, sentence, stopped, without_gone
from statera.history.documents import Written
from statera.history.job import lane_name
from statera.history.left_out import briefly, left_out
from statera.history.material import Course, day, line_id, web
from statera.history.site import rendering
from statera.history.site.chart import Scale, Texts, chart, scale, sparkline, tone
from statera.support.settings.detector import SETTLED
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from markupsafe import Markup

    from statera.history.cases import Case
    from statera.history.material import Material, Stretch
    from statera.history.order import Order
    from statera.history.track import Change, Track

    Row = dict[str, Any]

# So many days or commits stand below a chart.
_BELOW: Final = 5
_BETTER: Final = {"lower": "lower is better", "higher": "higher is better", None: "neither direction is better"}
# Heights of charts on the page of a series and on that of an alert, in pixels.
_HEIGHT: Final = 300
_SMALL: Final = 130
# So many series of an alert have a chart.
_DRAWN: Final = 6
# So many commits of an alert and branches are listed.
_LISTED: Final = 50
_BRANCHES: Final = 3
# Of a second, which orders decisions and tells a reader nothing.
_FRACTION: Final = re.compile(r"(?<=:\d\d)\.\d+")


def overview_page(stretches: Iterable[Stretch], material: Material) -> str:
    """Write the first page: what is open, the alerts, and every series with its course."""
    rows = _rows(stretches, material)
    changed = [row for row in rows if row["place"]]
    return rendering.page(
        "overview.html.j2",
        project=material.project,
        left_out=_left_out(material),
        answer=_answer(material),
        newest=_newest(material),
        tone="worse" if any(case.is_open and case.alert.worse for case in material.cases) else "",
        ended=_ended(material),
        suspects=[cell for row in rows for cell in row["cells"] if cell and cell["suspect"]],
        opened=[_listed(case, material) for case in material.cases if case.is_open],
        closed=[_listed(case, material) for case in material.cases if not case.is_open],
        # Where nothing changed, everything is shown.
        changed=changed or rows,
        flat=[row for row in rows if not row["place"]] if changed else [],
        metrics=_metrics(rows),
        choices=_choices(rows),
    )


def series_page(of_courses: Sequence[Course], others: Sequence[tuple[str, str]], material: Material) -> str:
    """Write the page of a series; ``others`` are metrics of its benchmark, each with the id of the series."""
    track = of_courses[0].newest.track
    return rendering.page(
        "series.html.j2",
        project=material.project,
        left_out=_left_out(material),
        name=track.name,
        metric=f"{track.series.metric}, {_BETTER[track.series.better]}",
        id=track.series.id,
        others=others,
        sections=[_section(course, number, material) for number, course in enumerate(of_courses)],
        lines=sorted({line_id(stretch.track.line) for course in of_courses for stretch in course.stretches}),
        commit_url=material.commit_url,
    )


def alert_page(case: Case, places: Mapping[int, tuple[Stretch, Course]], material: Material) -> str:
    """Write the page of an alert; ``places`` has the stretch and the course of each track, by its ``id()``."""
    alert = case.alert
    candidates = _candidates(case, places, material)
    drawn = []
    for number, part in enumerate(alert.parts[:_DRAWN]):
        course = places[id(part.track)][1]._replace(beside=None)
        name = f"{part.track.name} {wording.size(part.track, part.change)}"
        drawing = _drawing(course, scale(course), f"chart-{number}", _SMALL, material)
        drawn.append((part.track.series.id, name, part.track.series.metric, drawing))
    return rendering.page(
        "alert.html.j2",
        project=material.project,
        left_out=_left_out(material),
        alert=alert,
        headline=wording.headline(alert),
        tone=_tone(case),
        state=case.state,
        word=case.word,
        issue=web(case.state.url),
        is_open=case.is_open,
        begins=wording.commits(alert, material.analysis),
        raised=_commit(material.analysis.orders[alert.branch], alert.raised, material),
        candidates=candidates[-_LISTED:],
        unmeasured=not all(each["measured"] for each in candidates),
        more=len(candidates) - min(len(candidates), _LISTED),
        affected=[
            {
                "id": part.track.series.id,
                "name": part.track.name,
                "metric": part.track.series.metric,
                "machine": lane_name(part.track.line.lane),
                "row": _change(part.track, part.change, material, _known(number, case)),
            }
            for number, part in enumerate(alert.parts)
        ],
        decisions=[_decision(event) for event in case.events],
        drawn=drawn,
        count=counted(len(alert.parts), "series", "series"),
    )


def chart_data(of_courses: Sequence[Course], series: str) -> dict[str, Any]:
    """Return what the script of the charts needs: for each value its line, job, place on the scale and text."""
    found = []
    for course in of_courses:
        own, level = scale(course), course.newest.levels[-1].value
        found.append(
            {
                "stretches": [_stretch_data(stretch, own, level) for stretch in course.stretches],
                "low": own.low / own.factor,
                "high": own.high / own.factor,
                "unit": own.unit,
            }
        )
    return {"series": series, "courses": found}


def _stretch_data(stretch: Stretch, own: Scale, level: float) -> Row:
    values, series = stretch.found, stretch.track.series
    return {
        "line": line_id(stretch.track.line),
        "jobs": Written(values.json_places()),
        "steps": Written(values.json_steps(own.low, own.high)),
        "texts": Written(values.json_texts(series.quantity, series.unit, level)),
        "outside": [number for first, count in stretch.outside for number in range(first, first + count)],
        "changes": [change.place for change in stretch.track.changes],
    }


def beyond(course: Course, scale: Scale) -> Iterator[str]:
    """Say how many values the chart shows by marks at its edge."""
    if count := sum(len(stretch.found.beyond(scale.low, scale.high)) for stretch in course.stretches):
        yield f"{counted(count, 'value')} beyond the scale: marks at its edge."


def _rows(stretches: Iterable[Stretch], material: Material) -> list[Row]:
    """Return a row for each benchmark on each line: what is open first, then what changed last, then by name."""
    held: dict[tuple[str, str], list[Stretch]] = {}
    for each in stretches:
        held.setdefault((each.track.name, line_id(each.track.line)), []).append(each)
    metrics: dict[str, tuple[bool, int]] = {}
    for each in (each for own in held.values() for each in own):
        primary, count = metrics.get(each.track.series.metric, (False, 0))
        metrics[each.track.series.metric] = primary or each.track.is_watched, count + 1
    # Those that everything is measured by come first.
    order = sorted(metrics, key=lambda name: (not metrics[name][0], -metrics[name][1]))
    rows = [_row(own, order, material) for own in held.values()]
    return sorted(
        rows, key=lambda row: ([-each for each in row["place"]] or [inf], row["name"], row["branch"], row["machine"])
    )


def _row(own: list[Stretch], order: Sequence[str], material: Material) -> Row:
    """Return a benchmark on a line as a row, with a cell for each metric or None, and the course that changed most."""
    places = {metric: place for place, metric in enumerate(order)}
    cells: list[Row | None] = [None] * len(order)
    ranked = []
    for stretch in own:
        cell = _cell(stretch, material)
        at = places[stretch.track.series.metric]
        ranked.append((cell["place"], -at, cell, stretch))
        # Two series of a metric differ in their unit: the newer one stands in the row.
        known = cells[at]
        if known is None or stretch.last > known["newest"]:
            cells[at] = cell
    place, _, leading, stretch = max(ranked, key=lambda each: each[:2])
    track = stretch.track
    return {
        "name": track.name,
        "id": leading["id"],
        "branch": track.line.branch,
        "machine": lane_name(track.line.lane),
        "place": place,
        "cells": cells,
        "leading": leading,
        "spark": rendering.markup(sparkline(stretch, scale(Course((stretch,))), leading["tone"])),
        "jobs": max(cell["jobs"] for cell in cells if cell),
    }


def _cell(stretch: Stretch, material: Material) -> Row:
    """Return a series on a line: texts, the numbers that sort them, and how urgent its last change is."""
    track = stretch.track
    last = track.changes[-1] if track.changes else None
    case = material.case(track, last) if last else None
    is_below = case is not None and case.word == BELOW
    level = wording.current_level(track)
    suspect = track.suspect is not None
    is_open = suspect or (case is not None and case.is_open)
    return {
        "id": track.series.id,
        "name": track.name,
        "metric": track.series.metric,
        "primary": track.is_watched,
        "level": wording.amount(track, level),
        "level_key": level,
        "jobs": len(stretch.found),
        "newest": stretch.last,
        "tone": tone(last, track) if last and not is_below else "",
        "suspect": suspect,
        "change": wording.size(track, last) if last else "",
        "when": wording.short(track.order.commits[last.place]) if last else "",
        "when_key": last.place if last else -1,
        "place": [is_open, last.place if last else -1] if suspect or (last and not is_below) else [],
    }


def _metrics(rows: Sequence[Row]) -> list[tuple[str, bool]]:
    """Return the metric of each column, and whether any series of it is watched."""
    columns = zip(*(row["cells"] for row in rows), strict=True)
    found = [[cell for cell in column if cell] for column in columns]
    return [(column[0]["metric"], any(cell["primary"] for cell in column)) for column in found]


def _choices(rows: Sequence[Row]) -> list[tuple[str, str, list[str]]]:
    """Return what the rows can be selected by: column, title, values; nothing that all share."""
    found = [(column, column.capitalize(), sorted({row[column] for row in rows})) for column in ("branch", "machine")]
    return [choice for choice in found if len(choice[2]) > 1]


def _listed(case: Case, material: Material) -> Row:
    """Return an alert of the list."""
    raised = material.analysis.orders[case.alert.branch].commits[case.alert.raised]
    return {
        "id": case.alert.id,
        "tone": _tone(case),
        "headline": wording.headline(case.alert),
        "begins": wording.commits(case.alert, material.analysis),
        "day": day(material.fact(raised).committed),
        "branch": case.alert.branch,
        "state": case.word,
        "reason": case.state.reason,
    }


def _tone(case: Case) -> str:
    """Return the class of an alert."""
    if not case.is_open:
        return "quiet"
    return "worse" if case.alert.worse else "better" if case.alert.better else "changed"


def _answer(material: Material) -> str:
    """Say in a sentence what is open."""
    open_cases = [case for case in material.cases if case.is_open]
    if not open_cases:
        series = len({track.series.id for track in material.analysis.tracks})
        hidden = briefly(material.analysis)
        return f"Nothing is open in {counted(series, 'series', 'series')}{f', and {hidden}' if hidden else ''}."
    worst = max(open_cases, key=lambda case: (case.alert.worse > 0, case.alert.worse))
    colon = ": " if len(open_cases) == 1 else "; the worst: "
    return f"{counted(len(open_cases), 'alert')} open{colon}{wording.headline(worst.alert)}."


def _left_out(material: Material) -> list[str]:
    """Say what no page shows."""
    return [str(each) for each in left_out(material.analysis)]


def _ended(material: Material) -> list[str]:
    """Say which series are no longer measured."""
    lost = gone(material.analysis)
    return [each for each in (ended(without_gone(stopped(material.analysis), lost)), sentence(lost)) if each]


def _newest(material: Material) -> str:
    """Name the newest commit of each branch that is measured."""
    found = []
    for branch, order in material.analysis.orders.items():
        if jobs := material.analysis.jobs(branch):
            last = max(jobs, key=lambda job: order.position[job.job.commit])
            when = day(material.fact(last.job.commit).committed, last.job.started)
            found.append(f"{branch} up to {wording.short(last.job.commit)}{f' ({when})' if when else ''}")
    more = [f"{len(found) - _BRANCHES} more branches"] if len(found) > _BRANCHES else []
    return ", ".join([*found[:_BRANCHES], *more])


def _section(course: Course, number: int, material: Material) -> Row:
    """Return a course as the page of its series shows it."""
    track = course.newest.track
    machines = [lane_name(stretch.track.line.lane) for stretch in course.stretches]
    changes = [(stretch.track, change) for stretch in course.stretches for change in stretch.track.changes]
    several = len(course.stretches) > 1
    own = scale(course)
    remarks = list(beyond(course, own))
    for stretch, machine in zip(course.stretches, machines, strict=True):
        remarks += [f"{machine}: {each}" if several else each for each in _remarks(stretch)]
    if several:
        remarks.append("Where the machine changed, a level is compared only with what all benchmarks did there.")
    level = wording.amount(track, wording.current_level(track))
    jobs = counted(len(course.newest.found), "job")
    return {
        "title": f"{track.line.branch} on {', then '.join(machines)}",
        "standing": f"Level {level}, noise {wording.noise(track)}, {jobs}.{_against(course)}",
        "drawing": _drawing(course, own, f"chart-{number}", _HEIGHT, material),
        "rows": [_change(track, change, material) for track, change in reversed(changes)],
        "remarks": remarks,
        "branch": track.line.branch,
        "beside": course.beside.stretch.track.line.branch if course.beside else "",
    }


def _against(course: Course) -> str:
    """Say where the main branch stands beside a branch; an empty text without one."""
    if course.beside is None:
        return ""
    own, other = course.newest.track, course.beside.stretch.track
    here, there = (wording.current_level(each) for each in (own, other))
    share = f" ({_native.percent(here / there - 1)} here)" if here > 0 and there > 0 else ""
    return f" {other.line.branch} is at {wording.amount(other, there, here)}{share}."


def _remarks(stretch: Stretch) -> Iterator[str]:
    """Say what the chart shows besides changes, and what it leaves out."""
    track = stretch.track
    if track.found.exact:
        yield "The metric is exact: every commit with another value is a change."
    elif len(stretch.found) < SETTLED:
        yield f"A change may not be told before {SETTLED} jobs: {SETTLED - len(stretch.found)} to go."
    if track.suspect:
        yield "The newest value is outside the range of all before it. Run this commit again: two or more jobs decide."
    if track.spikes:
        yield f"{counted(len(track.spikes), 'spike')}: values outside the range, after which the level returned."
    if track.withdrawn:
        yield f"{counted(len(track.withdrawn), 'alarm')} withdrawn: later values did not confirm it."
    if track.found.left_out:
        yield f"{counted(track.found.left_out, 'job')} without a finite value left out."


def _change(track: Track, change: Change, material: Material, remark: str = "") -> Row:
    """Return a change as a row of a table; without an alert, ``alert`` and ``state`` are empty."""
    commits = track.order.commits
    old, new = wording.levels(track, change)
    case = material.case(track, change)
    weak, returns = " (weak)" if change.weak else "", ", returns" if change.returns else ""
    return {
        "tone": tone(change, track),
        "direction": f"{change.word(track.series)}{weak}{returns}{remark}",
        "commit": _commit(track.order, change.place, material),
        "began": wording.began(track.order, change.first, change.last),
        "size": wording.size(track, change),
        "interval": wording.interval(track, change),
        "old": wording.amount(track, old),
        "new": wording.amount(track, new),
        "p": "exact" if change.p is None else _native.p_value(change.p),
        "raised": wording.short(commits[change.raised]),
        "alert": case.alert.id if case else "",
        "state": case.word if case else "",
    }


def _known(number: int, case: Case) -> str:
    """Say why nobody has to look at a change of an alert; an empty text if somebody has to."""
    if number in case.expected:
        return ", expected"
    return f", {BELOW}" if number in case.small else ""


def _commit(order: Order, position: int, material: Material) -> Row:
    """Return a commit: short name, subject, day, and the address of its page or nothing."""
    name = order.commits[position]
    fact = material.fact(name)
    return {
        "short": wording.short(name),
        "subject": fact.subject,
        "day": day(fact.committed),
        "url": material.page_of(name),
    }


def _candidates(case: Case, places: Mapping[int, tuple[Stretch, Course]], material: Material) -> list[Row]:
    """Return the commits that an alert may begin at."""
    alert = case.alert
    order = material.analysis.orders[alert.branch]
    measured = {position for part in alert.parts for position in places[id(part.track)][0].found.positions}
    return [
        {"commit": _commit(order, position, material), "measured": position in measured}
        for position in range(alert.first, alert.last + 1)
    ]


def _decision(event: Mapping[str, object]) -> Row:
    said = {key: str(event.get(key, "")) for key in ("state", "reason", "who", "when", "url")}
    what = said["state"] or "linked with an issue"
    return {**said, "what": what, "when": _FRACTION.sub("", said["when"]), "url": web(said["url"])}


def _drawing(course: Course, own: Scale, name: str, height: int, material: Material) -> Markup:
    newest = course.newest
    title = f"{newest.track.name}, {newest.track.series.metric}, on {newest.track.line.branch}"
    said = Texts(title, _described(course), _below(course, material))
    return rendering.markup(chart(course, own, said, name, height))


def _described(course: Course) -> str:
    """Describe a chart to those who do not see it."""
    parts = []
    for number, stretch in enumerate(course.stretches):
        track, commits = stretch.track, stretch.track.order.commits
        if number:
            parts.append(f"The machine changed to {lane_name(track.line.lane)}.")
        first = wording.amount(track, stretch.levels[0].value)
        parts.append(f"{counted(len(stretch.found), 'value')} from a level of {first} on.")
        for change in track.changes:
            _, new = wording.levels(track, change)
            at = wording.short(commits[change.place])
            parts.append(f"At {at} {wording.size(track, change)} to {wording.amount(track, new)}.")
    return " ".join(parts)


def _below(course: Course, material: Material) -> list[tuple[int, str]]:
    """Return what stands below a chart: the days of some commits, or their names if all are of one day."""
    last = sum(count for _, count in _measured(course)) - 1
    numbers = sorted({round(last * number / (_BELOW - 1)) for number in range(_BELOW)})
    places = [_place(course, number) for number in numbers]
    chosen = [position for _, position in places]
    days = [_day(track, position, material) for track, position in places]
    if not all(days) or len(set(days)) == 1:
        commits = course.newest.track.order.commits
        days = [wording.short(commits[position]) for position in chosen]
    # A day stands at its first commit.
    return [(at, text) for at, text, before in zip(chosen, days, [None, *days], strict=False) if text != before]


def _measured(course: Course) -> list[tuple[Stretch, int]]:
    """Return for each stretch how many commits it measured, without one that the stretch after it has, too.

    A stretch begins where the one before it ends, so that the positions of a course ascend.
    """
    pairs = zip(course.stretches, (*course.stretches[1:], None), strict=True)
    return [(own, own.found.measured - (after is not None and after.first == own.last)) for own, after in pairs]


def _place(course: Course, number: int) -> tuple[Track, int]:
    """Return a commit of a course by its number: the track that has it, and its position."""
    for own, count in _measured(course):
        if number < count:
            return own.track, own.found.commit(number)
        number -= count
    raise IndexError(number)


def _day(track: Track, position: int, material: Material) -> str:
    """Return the day of a commit, or that on which the last job of a series measured it."""
    committed = day(material.fact(track.order.commits[position]).committed)
    if committed:
        return committed
    last = material.analysis.catalog.jobs[track.found.job(track.found.since(position + 1) - 1)]
    return day(last.job.started) if last else ""
