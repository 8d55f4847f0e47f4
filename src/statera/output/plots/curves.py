"""Densities of pictures on the scale of their axis, and the choice of that scale and of the axis's ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from statera import stats
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized

    import numpy.typing as npt

    from statera.output.plots.raw_values import Floats

_FEWEST, _MOST = 64, 256  # fewest and most points of a curve
_FINE = 5  # points per bandwidth
_SEEN = 0.004  # times a curve's peak: lower values are less than a pixel high
_WIDE = 30.0  # from this quotient of the largest and the smallest value, the axis is logarithmic by default
_LEAST = 2
_PIXELS = 2000  # pixels of the longest axis: a density whose bandwidth is less than a pixel is not visible
_ENDS = (-323.3, 308.25)  # decimal exponents of the smallest and the largest number
_NARROW = 1e-4  # times the largest value: on an axis this short a logarithm looks like a straight line
LARGEST = 1e300  # the largest number of an axis; sums of larger values may overflow
ROOM = 0.03  # free room at the ends of an axis, as a share of its length


class Curve(NamedTuple):
    """A density: points in the unit of the axis, heights with area 1 on the axis's scale, and the bandwidth on it."""

    at: list[float]
    height: list[float]
    bandwidth: float

    def ends(self) -> tuple[float, float]:
        """Return the points between which it is visible."""
        peak = max(self.height)
        seen = [at for at, height in zip(self.at, self.height, strict=True) if height > _SEEN * peak]
        return min(seen), max(seen)


def wants_log(values: Floats, log: bool | None) -> bool:  # noqa: FBT001 - the option as the user set it
    """Return whether the axis is logarithmic: as requested, else if all values are positive and spread widely.

    Values that lie very close together, or of which none is above zero, never have a logarithmic axis.
    """
    if log is False or not len(values):
        return False
    held = values[values > 0] if log else values
    low, high = (float(held.min()), float(held.max())) if len(held) else (0.0, 0.0)
    return low > 0 and (not narrow(low, high) if log else high / _WIDE >= low)


def narrow(low: float, high: float) -> bool:
    """Return whether numbers between two ends differ only in their last digits."""
    return 0 < high - low < _NARROW * max(abs(low), abs(high))


def power(exponent: npt.ArrayLike) -> Floats:
    """Return powers of ten, limited to the range of floating point."""
    found: Floats = np.power(10.0, np.clip(exponent, *_ENDS))
    return found


def density(values: Floats, *, log: bool, length: float | None = None) -> Curve | None:
    """Estimate the density of values in the unit of the axis (of their decimal logarithms on a logarithmic one).

    None if there is no spread to smooth (fewer than two values, or all equal), or if the density would not be visible
    on an axis of this length, by default the range of the values.
    """
    taken = np.log10(values[values > 0]) if log else values
    if len(taken) < _LEAST or taken.min() == taken.max():
        return None
    try:
        found = stats.density(np.ascontiguousarray(taken), points=_FEWEST)
        width = found.estimate or 0.0
        if width * _PIXELS < (length or float(taken.max() - taken.min())):
            return None
        fine = int(np.clip(_FINE * (found.at[-1] - found.at[0]) / width, _FEWEST, _MOST))
        found = stats.density(taken, points=fine, width=width)
    except ValueError:
        return None
    at, height = np.asarray(found.at), np.asarray(found.density)
    if log:
        inside = (at > _ENDS[0]) & (at < _ENDS[1])
        at, height = power(at[inside]), height[inside]
    return Curve(at.tolist(), height.tolist(), width)


def narrower(curve: Sized | None, values: Floats) -> bool:
    """Return whether values have a density that is not visible."""
    return not curve and len(values) >= _LEAST and bool(values.min() < values.max())


def unseen(drawn: Iterable[tuple[Curve | None, Floats]]) -> list[str]:
    """Describe how many densities are left out."""
    count = sum(narrower(curve, values) for curve, values in drawn)
    return [f"{counted(count, 'density', 'densities')} narrower than a pixel left out"] if count else []


def span(values: Floats, *, log: bool, room: float = ROOM, zero: bool = False) -> tuple[float, float]:
    """Return the ends of an axis for values in its unit, with some room; a single value gets more room.

    A linear axis with ``zero`` as an end has no room there.
    """
    if log:
        first, last = np.log10(values.min()), np.log10(values.max())
        beyond = (last - first) * room or 0.1
        low, high = power([first - beyond, last + beyond]).tolist()
        return low, high
    low, high = float(values.min()), float(values.max())
    beyond = (high - low) * room or abs(low) * 0.05 or 1.0
    return low - beyond * (low < 0 or not zero), high + beyond * (high > 0 or low == high or not zero)


def typical(values: Floats) -> float:
    """Return the median of the absolute values."""
    (found,) = quantiles(np.abs(values), 0.5)
    return found


def mean(values: Floats) -> float:
    """Return the mean of values, even if their sum would overflow."""
    count = len(values)
    return float((values / count).sum()) if abs(values).max() > LARGEST else float(values.mean())


def quantiles(values: Floats, *levels: float) -> list[float]:
    """Return quantiles of type 7, as in the tables."""
    found = stats.quantiles(values, levels=levels)
    return [float(each.estimate) for each in found if each.estimate is not None]


def thinning(counts: Iterable[int], most: int) -> list[str]:
    """Describe that only some values of larger samples are drawn."""
    return [f"of more than {most:,} values {most:,} are drawn, evenly"] if max(counts, default=0) > most else []


def thinned(count: int, most: int, ends: int = 1) -> list[int]:
    """Choose ``most`` indices of a series, evenly spaced, and so many at either end; all of a shorter series."""
    if count <= most:
        return list(range(count))
    spaced = {round(place * (count - 1) / (most - 1)) for place in range(most)}
    return sorted({*spaced, *range(min(ends, count)), *range(max(count - ends, 0), count)})
