"""Bisection of a change that was told: commits of its range are measured until one of them is probable enough.

``posterior`` says how probable each commit is, and which one tells most; a noisy one is measured several times. What
measures a commit is not known here.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import exp, inf, isfinite, lgamma, log, log1p, pi, sqrt
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera.history.alerts import followed
from statera.history.job import lane_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from statera.history.alerts import Alert, Part
    from statera.history.analysis import Analysis
    from statera.history.job import Lane

# A share of outliers, and the width over which they may lie, in spreads.
_OUTLIERS: Final = 0.05
_WIDTH: Final = 20.0
# A level is averaged over so many standard errors of a median, on so many places.
_REACH: Final = 4.0
_ERROR: Final = 1.2533141373155001
_PLACES: Final = 33
# The median absolute deviation of normal values is this share of their standard deviation, and as uncertain as the
# standard deviation of half as many values.
_SHARE: Final = 0.6744897501960817
_EFFICIENCY: Final = 0.5
_LEAST_DEGREES: Final = 3.0
# Of the step: values that are all equal have a spread too.
_LEAST_SPREAD: Final = 1e-3


def posterior(values: Sequence[tuple[int, float]], first: int, last: int, *, exact: bool = False) -> list[float]:
    """Return the probability that the change begins at each of the commits ``first`` to ``last``; they sum to 1.

    ``values`` are positions of commits, each with a value: some before ``first`` and some from ``last`` on, of any
    unit; logarithms where levels are ratios. If values without a change are always equal (``exact``), none is an
    outlier.
    """
    count = last - first + 1
    sides = _sides(values, first, last)
    if count == 1 or sides is None:
        return [1 / count] * count
    density = _Density(sides.spread, sides.degrees, 0.0 if exact else _OUTLIERS)
    within = sorted((at, value) for at, value in values if first <= at < last)
    fits = [
        _evidence(density, around, [value for _, value in turned])
        for around, turned in ((sides.before, within), (sides.after, within[::-1]))
    ]
    # Of n values within, so many are before the change: it begins behind them.
    weights = [one + other for one, other in zip(fits[0], reversed(fits[1]), strict=True)]
    most = max(weights)
    places = [at for at, _ in within]
    likely = [exp(weights[bisect_right(places, at - 1)] - most) for at in range(first, last + 1)]
    total = sum(likely)
    return [each / total for each in likely]


def distance(values: Sequence[tuple[int, float]], first: int, last: int) -> float:
    """Return how far the levels before and behind a range are apart, in standard errors; 0 where either is unknown."""
    sides = _sides(values, first, last)
    if sides is None:
        return 0.0
    error = _ERROR * sides.spread * sqrt(1 / len(sides.before) + 1 / len(sides.after))
    return abs(median(sides.after) - median(sides.before)) / error


class _Sides(NamedTuple):
    """The values before a range and from its last commit on, their spread, and how well it is known."""

    before: list[float]
    after: list[float]
    spread: float
    degrees: float


def _sides(values: Sequence[tuple[int, float]], first: int, last: int) -> _Sides | None:
    """Return what lies on both sides of a range; None if a side is empty, or if all values are equal."""
    before = [value for at, value in values if at < first]
    after = [value for at, value in values if at >= last]
    if not before or not after:
        return None
    old, new = median(before), median(after)
    apart = [abs(value - old) for value in before] + [abs(value - new) for value in after]
    # Two levels were fitted to the values.
    degrees = max(len(apart) - 2, 1)
    known = max(_EFFICIENCY * degrees, _LEAST_DEGREES)
    # One standard error more: with too small a spread, many values would be too sure.
    spread = median(apart) / _SHARE * len(apart) / degrees * (1 + 1 / sqrt(2 * known))
    spread = max(spread, _LEAST_SPREAD * abs(new - old))
    return _Sides(before, after, spread, known) if spread > 0 else None


def halving(chances: Sequence[float], measurable: Sequence[bool]) -> int | None:
    """Return the number of the commit whose value tells most; None if none that can be measured tells anything.

    A commit tells whether the change begins at it or before it, or behind it: most where both are equally probable.
    ``chances`` has the probability of each commit of a range, and ``measurable`` whether it can be measured.
    """
    sums = list(accumulate(chances))
    told = [(min(share, 1 - share), -at) for at, share in enumerate(sums[:-1]) if measurable[at]]
    most, at = max(told, default=(0.0, 0))
    return -at if most > (1 - LEVEL) / 2 else None


# A commit that is as probable as this is named.
LEVEL: Final = 0.95


class _Density:
    """The logarithm of the density of a value at a distance from its level."""

    def __init__(self, spread: float, degrees: float, outliers: float) -> None:
        self.spread = spread
        self._half = (degrees + 1) / 2
        self._degrees = degrees
        height = lgamma(self._half) - lgamma(degrees / 2) - log(degrees * pi) / 2
        self._height = (1 - outliers) * exp(height)
        self._floor = outliers / _WIDTH

    def __call__(self, distance: float) -> float:
        inner = -self._half * log1p((distance / self.spread) ** 2 / self._degrees)
        if not self._floor:
            return log(self._height) + inner
        return log(self._height * exp(inner) + self._floor)


def _evidence(density: _Density, around: Sequence[float], added: Sequence[float]) -> list[float]:
    """Return the logarithm of how well values fit one level, with each number of the added ones, from none."""
    level = median(around)
    reach = _REACH * _ERROR * density.spread / sqrt(len(around))
    levels = [level + reach * (2 * at / (_PLACES - 1) - 1) for at in range(_PLACES)]
    fits = [sum(density(value - each) for value in around) for each in levels]
    found = [_summed(fits)]
    for value in added:
        fits = [fit + density(value - each) for fit, each in zip(fits, levels, strict=True)]
        found.append(_summed(fits))
    return found


def _summed(logarithms: Sequence[float]) -> float:
    most = max(logarithms)
    return most if most == -inf else most + log(sum(exp(each - most) for each in logarithms))


# found: one commit is probable enough. gone: with the new jobs no change is left. skipped: what could tell more cannot
# be measured. budget: the time is spent.
Reason = Literal["found", "gone", "skipped", "budget"]
# So many values on each side of the range say what its levels are.
_AROUND: Final = 60
# Levels so many standard errors apart are different ones: for a normal noise, that is one chance in 16,000.
_CLEAR: Final = 4.0


class Step(NamedTuple):
    """A job that is to be measured."""

    commit: str  # its full name
    job: int  # its number among those of the commit in this bisection, from 1
    chances: tuple[tuple[str, float], ...]  # how probable the commits of the range are, the most probable first


class Backfilled(NamedTuple):
    """How a bisection ended."""

    reason: Reason  # why it went no further
    alert: Alert  # the change as the last analysis tells it; the one before, if it is gone
    analysis: Analysis  # the last one
    measured: tuple[str, ...] = ()  # the commits that got jobs, one for each job
    skipped: tuple[str, ...] = ()  # the commits that could not be measured, or whose jobs lack the series
    # how probable it is that the change begins at each commit of the range, the most probable first
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
    """Return whether jobs of a machine with facts, of which ``keys`` keep jobs apart, count for a part of an alert."""
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

    ``measure`` adds one job of a commit to the history, and returns whether it could be measured. ``again`` analyses
    the history as it is then, and ``told`` takes what the alert became. ``lane`` is that of the machine that measures;
    None for that of any series.
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
