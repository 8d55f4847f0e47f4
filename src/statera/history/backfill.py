"""Bisection of a change that was told: commits of its range are measured until one of them is probable enough.

``posterior`` says how probable each commit is, and which one tells most; a noisy one is measured several times. What
measures a commit is not known here.
"""

from __future__ import annotations

from math import inf, isfinite, log, log1p
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera.history.alerts import followed
from statera.history.job import lane_of
from statera.history.posterior import LEVEL, distance, halving, posterior

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from statera.history.alerts import Alert, Part
    from statera.history.analysis import Analysis
    from statera.history.job import Lane

# found: one commit is probable enough. gone: with the new jobs no change is left. skipped: what could tell more cannot
# be measured. budget: the time is spent.
Reason = Literal["found", "gone", "skipped", "budget"]
# So many values on each side of the range say what its levels are.
_AROUND: Final = 60
# Levels so many standard errors apart are different ones: for a normal noise, that is one chance in 16,000.
_CLEAR: Final = 4.0


class Step(NamedTuple):
    """A job that is to be measured.

    Attributes:
        commit: its full name. job: its number among those of the commit in this bisection, from 1.
        chances: how probable the commits of the range are, the most probable first.

    """

    commit: str
    job: int
    chances: tuple[tuple[str, float], ...]


class Backfilled(NamedTuple):
    """How a bisection ended.

    Attributes:
        reason: why it went no further.
        alert: the change as the last analysis tells it; the one before, if it is gone.
        analysis: the last one.
        measured: the commits that got jobs, one for each job.
        skipped: the commits that could not be measured, or whose jobs lack the series.
        chances: how probable it is that the change begins at each commit of the range, the most probable first.

    """

    reason: Reason
    alert: Alert
    analysis: Analysis
    measured: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    chances: tuple[tuple[str, float], ...] = ()


class Budget:
    """A length of time. Nothing begins that would probably end after it.

    Args:
        seconds: from now on.

    """

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self._longest = 0.0

    @property
    def left(self) -> float:
        """Return the seconds that are left; below 0 if it is overdrawn."""
        return self._end - monotonic()

    @property
    def is_spent(self) -> bool:
        """Return whether something that takes as long as the longest before would end too late."""
        return self.left <= self._longest

    def took(self, seconds: float) -> None:
        """Take note of how long something took."""
        self._longest = max(self._longest, seconds)


def about(commits: int) -> int:
    """Return about how many measurements one of so many commits takes if each decides; noise adds to them."""
    return max(commits - 1, 0).bit_length()


def on_machine(alert: Alert, facts: Mapping[str, str], keys: Iterable[str]) -> bool:
    """Return whether jobs of a machine with these facts count for one of the series of an alert.

    Args:
        alert: the change.
        facts: about the machine.
        keys: of the facts that keep jobs apart.

    """
    own = lane_of(facts, keys)
    return any(part.track.line.lane == own for part in alert.parts)


class _Range:
    """The commits at which a change may begin, and the series that shows it best.

    Args:
        alert: the change. analysis: in which it was told.
        lane: of the machine that measures; None for any.

    """

    def __init__(self, alert: Alert, analysis: Analysis, lane: Lane | None) -> None:
        order = analysis.orders[alert.branch]
        part = max((each for each in alert.parts if lane in {None, each.track.line.lane}), key=_clarity)
        self.commits = order.commits[alert.first : alert.last + 1]
        self._branch = alert.branch
        self._series = part.track.series.id, part.track.line.lane
        self._is_ratio = part.change.is_ratio
        others = [each for each in part.track.changes if each is not part.change]
        # Behind the change before it and before the one after it, other levels begin.
        least = max((each.last for each in others if each.last < alert.first), default=0)
        most = min((each.first for each in others if each.first > alert.last), default=len(order.commits))
        self._known = frozenset(order.commits[least:most])

    def values(self, analysis: Analysis) -> list[tuple[int, float]]:
        """Return the values around the range and in it, each with its place: 0 is the first commit of the range."""
        for track in analysis.watched(self._branch):
            if (track.series.id, track.line.lane) == self._series:
                position = track.order.position
                first = position[self.commits[0]]
                found = [
                    (position[job.job.commit] - first, log(value) if self._is_ratio else value)
                    for job, value in zip(track.jobs(analysis.catalog), track.found.values, strict=True)
                    if job.job.commit in self._known and (value > 0 or not self._is_ratio)
                ]
                last = len(self.commits) - 1
                before = [each for each in found if each[0] < 0]
                after = [each for each in found if each[0] >= last]
                return [*before[-_AROUND:], *(each for each in found if 0 <= each[0] < last), *after[:_AROUND]]
        return []

    def chances(self, analysis: Analysis) -> list[float]:
        """Return the probability of each commit."""
        return posterior(self.values(analysis), 0, len(self.commits) - 1, exact=self._is_exact(analysis))

    def is_clear(self, analysis: Analysis) -> bool:
        """Return whether the levels differ although no change is told: values between them hide it for a while."""
        return distance(self.values(analysis), 0, len(self.commits) - 1) > _CLEAR

    def count(self, commit: str, analysis: Analysis) -> int:
        """Return how many values a commit has."""
        place = self.commits.index(commit)
        return sum(at == place for at, _ in self.values(analysis))

    def sorted(self, chances: Sequence[float]) -> tuple[tuple[str, float], ...]:
        """Return the commits with their probabilities, the most probable first."""
        return tuple(sorted(zip(self.commits, chances, strict=True), key=lambda pair: -pair[1]))

    def _is_exact(self, analysis: Analysis) -> bool:
        tracks = analysis.watched(self._branch)
        return any(track.found.exact for track in tracks if (track.series.id, track.line.lane) == self._series)


def _clarity(part: Part) -> float:
    """Return the size of a change in standard deviations of a value."""
    noise, size = part.track.noise, part.change.size
    if part.change.is_ratio:
        size = log1p(size) if size > -1 else inf
    return abs(size) / noise if noise and isfinite(noise) else inf


def narrow(
    alert: Alert,
    analysis: Analysis,
    *,
    measure: Callable[[Step], bool],
    again: Callable[[], Analysis],
    told: Callable[[Alert, Analysis], None],
    budget: Budget,
    lane: Lane | None = None,
) -> Backfilled:
    """Measure commits until a change begins at one of them, or nothing more can be said.

    Args:
        alert: the change.
        analysis: in which it was told.
        measure: adds one job of a commit to the history; returns whether it could be measured.
        again: analyses the history as it is then.
        told: takes what the alert became.
        budget: how long it may take.
        lane: of the machine that measures; None for that of any series.

    """
    within = _Range(alert, analysis, lane)
    measured: list[str] = []
    skipped: list[str] = []

    chances: list[float] = []

    def ended(reason: Reason) -> Backfilled:
        return Backfilled(reason, alert, analysis, tuple(measured), tuple(skipped), within.sorted(chances))

    while True:
        chances = within.chances(analysis)
        if max(chances) >= LEVEL:
            return ended("found")
        number = halving(chances, [each not in skipped for each in within.commits])
        if number is None:
            return ended("skipped")
        if budget.is_spent:
            return ended("budget")
        commit = within.commits[number]
        if not _is_measured(Step(commit, measured.count(commit) + 1, within.sorted(chances)), measure, budget):
            skipped.append(commit)
            continue
        measured.append(commit)
        values = within.count(commit, analysis)
        order, analysis = analysis.orders[alert.branch], again()
        now = followed(alert, order, analysis)
        if now is not None:
            alert = now
            told(alert, analysis)
        elif not within.is_clear(analysis):
            return ended("gone")
        if within.count(commit, analysis) == values:
            # Its jobs lack the series, and it would be measured for ever.
            skipped.append(commit)


def _is_measured(step: Step, measure: Callable[[Step], bool], budget: Budget) -> bool:
    begun = monotonic()
    is_done = measure(step)
    budget.took(monotonic() - begun)
    return is_done
