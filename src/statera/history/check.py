"""What the newest commit of a branch tells: alarms, suspects, and series that are missing or no longer measured."""

from __future__ import annotations

from bisect import bisect_left
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.history import wording
from statera.history.cases import cases
from statera.history.job import time_of
from statera.support.errors import Stop
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from statera.history.alerts import Alert, Part, State
    from statera.history.analysis import Analysis
    from statera.history.track import Track

DAYS: Final = 31
_NAMED: Final = 4
# So many of the newest values of a series tell whether the last commits have it.
_NEWEST = 100


class Gone(NamedTuple):
    """A series without a value for a month: its newest track, and when its last job was."""

    track: Track
    last: datetime


def gone(analysis: Analysis) -> list[Gone]:
    """Return the watched series of which no value is younger than 31 days before the newest job of the branch.

    The newest job is the one of the newest commit: an old commit that is measured today says nothing of the present.
    The machine does not count: a series that another one measures is not gone.
    """
    newest: dict[str, tuple[int, datetime]] = {}
    for line in analysis.lines:
        position = analysis.orders[line.branch].position
        at = next(((position[each.job.commit], when) for each in reversed(line.jobs) if (when := time_of(each))), None)
        if at and at > newest.get(line.branch, (-1, at[1])):
            newest[line.branch] = at
    last: dict[tuple[str, str], Gone] = {}
    for track in analysis.tracks:
        job = None if track.found.newest is None else analysis.catalog.jobs[track.found.newest]
        when = time_of(job) if job else None
        key = track.line.branch, track.series.id
        if track.is_watched and when and (key not in last or when > last[key].last):
            last[key] = Gone(track, when)
    found = [each for (branch, _), each in last.items() if newest[branch][1] - each.last > timedelta(days=DAYS)]
    return sorted(found, key=lambda each: (each.last, each.track.name), reverse=True)


def sentence(found: Sequence[Gone]) -> str:
    """Write what is gone in a line; an empty text if nothing is."""
    if not found:
        return ""
    names = wording.names([each.track.name for each in found])
    dated = listed([f"{name} ({each.last:%Y-%m-%d})" for name, each in zip(names, found, strict=True)], _NAMED)
    series = counted(len(found), "series", "series")
    return f"{series} without a value in the {DAYS} days before the newest job: {dated}."


class Stopped(NamedTuple):
    """A series that ended: a track of it, and the position of the first measured commit without a value of it."""

    track: Track
    since: int


def stopped(analysis: Analysis) -> list[Stopped]:
    """Return the watched series that ended: their last two commits follow each other, and later ones lack them.

    One of the first commit alone is expected at the second. Of a series that was seldom measured nobody expects a
    value. The machine does not count: a series that another one measures goes on.
    """
    measured: dict[str, set[int]] = {}
    for line in analysis.lines:
        position = analysis.orders[line.branch].position
        measured.setdefault(line.branch, set()).update(position[each.job.commit] for each in line.jobs)
    seen: dict[tuple[str, str], tuple[Track, set[int]]] = {}
    for track in analysis.tracks:
        if track.is_watched:
            at = seen.setdefault((track.line.branch, track.series.id), (track, set()))[1]
            at.update(track.found.newest_positions(_NEWEST))
    places = {branch: sorted(positions) for branch, positions in measured.items()}
    found = []
    for (branch, _), (track, at) in seen.items():
        if not at or max(at) == places[branch][-1]:
            continue
        last = bisect_left(places[branch], max(at))
        if last == 0 or places[branch][last - 1] in at:
            found.append(Stopped(track, places[branch][last + 1]))
    return sorted(found, key=lambda each: (-each.since, each.track.line.branch, each.track.name))


def without_gone(found: Iterable[Stopped], gone: Iterable[Gone]) -> list[Stopped]:
    """Return the series that ended and are not gone for a month, which is said of these."""
    known = {(each.track.line.branch, each.track.series.id) for each in gone}
    return [each for each in found if (each.track.line.branch, each.track.series.id) not in known]


def ended(found: Sequence[Stopped]) -> str:
    """Write which series ended in a line; an empty text if none did."""
    if not found:
        return ""
    names = wording.names([each.track.name for each in found])
    since = [wording.short(each.track.order.commits[each.since]) for each in found]
    dated = listed([f"{name} (since {commit})" for name, commit in zip(names, since, strict=True)], _NAMED)
    return f"{counted(len(found), 'series', 'series')} no longer measured: {dated}."


class Told(NamedTuple):
    """A change that was raised by the commits in question, with its alert and what was decided about that."""

    part: Part
    alert: Alert
    state: State
    expected: bool
    small: bool = False  # whether it is below the margin that the settings state for its benchmark or metric

    @property
    def is_open(self) -> bool:
        """Return whether it matters, and nobody announced it or decided about it."""
        return not self.small and not self.expected and not self.state.is_quiet

    @property
    def gravity(self) -> tuple[bool, tuple[int, float]]:
        """Return its place among others: what is open first, then the worst."""
        return not self.is_open, self.part.gravity


class Gate(NamedTuple):
    """When a check fails."""

    least: float | None = 0.0  # on changes for the worse of at least this size; None for none of them
    suite: bool = False  # only on those that hold among all series
    missing: bool = False  # on series that the newest commit lacks, until they are gone

    def fails(self, told: Told) -> bool:
        """Return whether a change fails the check."""
        change = told.part.change
        if self.least is None:
            return False
        large = abs(change.size) >= self.least if change.is_ratio else True
        return told.is_open and told.part.is_worse is True and large and not (self.suite and change.weak)


class Check(NamedTuple):
    """What a branch tells at its newest commit."""

    branch: str
    commits: list[str]  # the commits in question, the newest last: one, or those after a commit
    told: list[Told]  # the changes that their jobs raised, the worst first
    suspects: list[Track]  # series whose newest values stand outside everything before them
    withdrawn: list[Track]  # series of which one of these commits raised an alarm that later values did not confirm
    tracks: list[Track]  # the series that have a value of one of these commits
    young: list[Track]  # of these, those with too few values to tell every change
    missing: int  # how many values the youngest of these lacks
    # Series that one of these commits is the first to lack, although the two commits before have them, and no later one
    # has.
    lacking: list[Track]
    stopped: list[Stopped]  # those that ended before, and are not gone
    gone: list[Gone]  # series that had values, and have none of the last month

    @property
    def absent(self) -> int:
        """Return how many series the newest commit lacks, without those that are gone."""
        return len(self.lacking) + len(self.stopped)


def check(analysis: Analysis, branch: str, settled: int, since: str | None = None) -> Check:
    """Return what a branch tells, where series of fewer than ``settled`` values are young.

    The newest commit is in question, or all commits after ``since``, the newest that was told before.
    """
    jobs = analysis.jobs(branch)
    if not jobs:
        known = ", ".join(sorted(analysis.orders)) or "none"
        raise Stop("no-branch", f"--branch {branch}: the history has no jobs of this branch; it has: {known}")
    order = analysis.orders[branch]
    measured = sorted({order.position[job.job.commit] for job in jobs})
    after = measured[-1] if since is None else _position(order.position, since) + 1
    asked = {position for position in measured if position >= after}
    tracks = [track for track in analysis.watched(branch) if track.newest >= after]
    told = [
        Told(part, case.alert, case.state, number in case.expected, number in case.small)
        for case in cases(analysis)
        if case.alert.branch == branch
        for number, part in enumerate(case.alert.parts)
        if part.change.raised in asked
    ]
    young = [track for track in tracks if len(track.found) < settled and not track.found.exact]
    lost = [each for each in gone(analysis) if each.track.line.branch == branch]
    ends = [each for each in stopped(analysis) if each.track.line.branch == branch]
    return Check(
        branch,
        [order.commits[position] for position in measured if position in asked],
        sorted(told, key=lambda each: each.gravity),
        [track for track in tracks if track.suspect],
        [
            track
            for track in tracks
            if any(raised in asked for _, raised in track.withdrawn)
            and not any(change.raised in asked for change in track.changes)
        ],
        tracks,
        young,
        max((settled - len(track.found) for track in young), default=0),
        [each.track for each in ends if each.since >= after],
        without_gone([each for each in ends if each.since < after], lost),
        lost,
    )


def _position(positions: dict[str, int], commit: str) -> int:
    if commit in positions:
        return positions[commit]
    found = [position for name, position in positions.items() if name.startswith(commit)]
    if len(found) != 1 or not commit:
        why = "several commits of the branch begin with this" if found else "the branch has no such commit"
        raise Stop("no-commit", f"--since {commit}: {why}")
    return found[0]
