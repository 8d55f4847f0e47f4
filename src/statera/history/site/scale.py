"""The vertical scale of a chart: what it covers, and its ticks."""

from __future__ import annotations

from math import ceil, floor, inf, log10
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native

if TYPE_CHECKING:
    from statera.history.site.courses import Course, Stretch

# Steps from the top of a chart to its bottom.
STEPS: Final = 10_000
# So many standard deviations of a value fit above and below: the noise of a calm series must not look like an event.
_CALM: Final = 5.0
# Of series without noise, as a share of their level.
_FLAT: Final = 0.02
# Values farther from their level are beyond the scale, otherwise a single one would press all others flat.
_FAR: Final = 10.0
# Left free above and below.
_FREE: Final = 0.06
_TICKS: Final = 4
_MOST_TICKS: Final = 7
# Beyond, differences would overflow.
_LARGEST: Final = 1e300
# The unit is that of the newest level, unless the scale reaches so many times farther.
_OTHER_UNIT: Final = 1e9
# A value is at most so many heights of the chart away from it.
_AWAY: Final = 1e3
# Numbers with more digits than these before or behind the point are written with an exponent.
_PLAIN: Final = 9


class Scale(NamedTuple):
    """A vertical scale.

    Attributes:
        low, high: what stands at the bottom and at the top, in the base unit.
        factor, unit: the unit of the labels: what to divide by, and its name.

    """

    low: float
    high: float
    factor: float
    unit: str

    def step(self, value: float) -> int:
        """Return the place of a value in steps from the top; values beyond the scale are beyond its ends."""
        heights = (self.high - value) / (self.high - self.low)
        return round(min(max(heights, -_AWAY), _AWAY) * STEPS)

    def ticks(self) -> list[tuple[int, str]]:
        """Return the places of round values with their labels."""
        low, high = self.low / self.factor, self.high / self.factor
        width = 10.0 ** floor(log10((high - low) / _TICKS))
        width *= next(size for size in (1, 2, 5, 10) if (high - low) / (width * size) <= _MOST_TICKS)
        decimals = max(0, -floor(log10(width) + 1e-9))
        form = f".{decimals}f" if decimals <= _PLAIN and max(-low, high) < 10**_PLAIN else ".3g"
        numbers = range(ceil(low / width), floor(high / width) + 1)
        unit = f" {self.unit}" if self.unit else ""
        return [(self.step(number * width * self.factor), f"{number * width:{form}}{unit}") for number in numbers]


def scale(course: Course) -> Scale:
    """Return the scale of a course: it covers the levels, and the values that are not far from them."""
    seen: list[float] = []
    for stretch in course.stretches:
        outside = stretch.outside
        for level in stretch.levels:
            seen += [end for end in (level.value, level.low, level.high) if end is not None]
            far = _FAR * _deviation(stretch, level.value) or inf
            seen += [
                value
                for number, value in enumerate(stretch.values[level.begin : level.end], level.begin)
                if number not in outside and abs(value - level.value) <= far
            ]
    low, high = _bounded(min(seen)), _bounded(max(seen))
    free = max((high - low) * _FREE, *(_calm(stretch) - (high - low) / 2 for stretch in course.stretches))
    series = course.newest.track.series
    low, high = low - free, high + free
    newest, most = abs(course.newest.levels[-1].value), max(abs(low), abs(high))
    like = newest if most <= _OTHER_UNIT * newest else most
    factor, unit = _native.series_unit(series.quantity, series.unit, like)
    return Scale(low, high, factor, unit)


def _bounded(value: float) -> float:
    return min(max(value, -_LARGEST), _LARGEST)


def _calm(stretch: Stretch) -> float:
    """Return the least half height of a chart of a stretch."""
    level = _bounded(abs(stretch.levels[-1].value))
    least = _CALM * _deviation(stretch, level)
    return least if 0 < least <= _LARGEST else _FLAT * level or 1.0


def _deviation(stretch: Stretch, level: float) -> float:
    """Return the standard deviation of a value around a level, in the base unit; 0 if unknown."""
    noise = stretch.track.noise or 0.0
    return noise * abs(level) if stretch.is_ratio else noise
