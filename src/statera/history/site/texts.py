"""Numbers and sentences of the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.history import words
from statera.history.lanes import lane_name
from statera.history.site.material import day
from statera.history.site.scale import STEPS
from statera.support.settings.detector import Detector
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.history.analysis import Change
    from statera.history.site.courses import Course, Stretch
    from statera.history.site.material import Case, Material
    from statera.history.site.scale import Scale

_BELOW: Final = 5
_BETTER: Final = {"lower": "lower is better", "higher": "higher is better", None: "neither direction is better"}


def noise(stretch: Stretch) -> str:
    """Write how much a value differs from its level."""
    return words.noise(stretch.track)


def p_value(change: Change) -> str:
    """Write the p of a change."""
    return "exact" if change.p is None else _native.p_value(change.p)


def lane(stretch: Stretch) -> str:
    """Write the machine of a stretch."""
    return lane_name(stretch.track.line.lane)


def metric(stretch: Stretch) -> str:
    """Describe the metric of a series."""
    series = stretch.track.series
    return f"{series.metric}, {_BETTER[series.better]}"


def standing(stretch: Stretch, material: Material) -> str:
    """Say where a series stands: level, noise, jobs."""
    level = words.amount(stretch.track, words.current_level(material.analysis, stretch.track))
    return f"Level {level}, noise {noise(stretch)}, {counted(len(stretch.values), 'job')}."


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
            parts.append(f"The machine changed to {lane(stretch)}.")
        first = words.amount(track, stretch.levels[0].value)
        parts.append(f"{counted(len(stretch.values), 'value')} from a level of {first} on.")
        for change in track.changes:
            _, new = words.levels(material.analysis, track, change)
            at = words.short(commits[change.place])
            parts.append(f"At {at} {words.size(track, change)} to {words.amount(track, new)}.")
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
        days = [words.short(job.commit) for job in jobs]
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
    return f"{counted(len(open_cases), 'alert')} open{colon}{words.headline(worst.alert)}."


def newest(material: Material) -> str:
    """Name the newest commit of each branch that is measured."""
    found = []
    for branch, order in material.analysis.orders.items():
        jobs = [job for line in material.analysis.lines if line.branch == branch for job in line.jobs]
        if not jobs:
            continue
        last = max(jobs, key=lambda job: order.position[job.job.commit])
        when = day(material.fact(last.job.commit).committed, last.job.started)
        found.append(f"{branch} up to {words.short(last.job.commit)}{f' ({when})' if when else ''}")
    most = 3
    more = [f"{len(found) - most} more branches"] if len(found) > most else []
    return ", ".join([*found[:most], *more])


def case_tone(case: Case) -> str:
    """Return the class of an alert."""
    if not case.is_open:
        return "quiet"
    return "worse" if case.alert.worse else "better" if case.alert.better else "changed"
