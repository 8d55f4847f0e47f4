"""How probable it is that a change of level begins at each commit of a range, from noisy values.

Before any value all commits of the range are equally probable. A value counts by its density at the level before or
after: Student's t with the spread that the values around the range show, mixed with a few outliers that may lie
anywhere. The two levels are unknown; they are averaged over what the values allow.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import exp, inf, lgamma, log, log1p, pi, sqrt
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

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

    Args:
        values: positions of commits, each with a value: some before ``first`` and some from ``last`` on, of any unit;
            logarithms where levels are ratios.
        first: the position of the first commit at which it may begin.
        last: that of the last one.
        exact: whether values without a change are always equal, so that none is an outlier.

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

    Args:
        chances: the probability of each commit of a range.
        measurable: whether each can be measured.

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
