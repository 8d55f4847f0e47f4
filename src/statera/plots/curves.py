"""Densities as pictures show them, on the axis's own scale; which scale it is; and where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera import stats
from statera.plots.magnitudes import LARGEST
from statera.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized

    import numpy.typing as npt

    from statera.plots.raw_values import Floats

_FEWEST, _MOST = 64, 256  # places of a curve
_FINE = 5  # of them in a bandwidth
_SEEN = 0.004  # of a curve's peak: lower is no more than a pixel
_WIDE = 30.0  # largest over smallest value from which on an axis is logarithmic by itself
_LEAST = 2
_PIXELS = 2000  # of the longest axis: a density whose bandwidth is shorter than one of them cannot be seen
_ENDS = (-323.3, 308.25)  # the exponents of the smallest and the largest number
_NARROW = 1e-4  # of the largest value: on an axis so short no logarithm can be told from a straight line
ROOM = 0.03  # at the ends of an axis, as a share of its length


class Curve(NamedTuple):
    """A density: places in the unit of the axis, heights with area 1 on the axis's scale, and the bandwidth on it."""

    at: list[float]
    height: list[float]
    bandwidth: float

    def ends(self) -> tuple[float, float]:
        """Return the places between which it can be seen."""
        peak = max(self.height)
        seen = [at for at, height in zip(self.at, self.height, strict=True) if height > _SEEN * peak]
        return min(seen), max(seen)


def wants_log(values: Floats, log: bool | None) -> bool:  # noqa: FBT001 - the option as it was given
    """Return whether the axis is logarithmic: as asked for, else where all values are positive and spread widely.

    Values that lie very close together, or none above zero, have no logarithmic axis.
    """
    if log is False or not len(values):
        return False
    held = values[values > 0] if log else values
    low, high = (float(held.min()), float(held.max())) if len(held) else (0.0, 0.0)
    return low > 0 and (not narrow(low, high) if log else high / _WIDE >= low)


def narrow(low: float, high: float) -> bool:
    """Return whether numbers between two ends differ in their last digits alone."""
    return 0 < high - low < _NARROW * max(abs(low), abs(high))


def power(exponent: npt.ArrayLike) -> Floats:
    """Return powers of ten; beyond the ends of floating point its ends."""
    import numpy as np  # noqa: PLC0415 - optional

    found: Floats = np.power(10.0, np.clip(exponent, *_ENDS))
    return found


def density(values: Floats, *, log: bool, length: float | None = None) -> Curve | None:
    """Estimate the density of values in the unit of the axis (of their decimal logarithms on a logarithmic one).

    None where there is no spread to smooth: fewer than two values, or all equal; and where it could not be seen on an
    axis of this length, by itself that of the values.
    """
    import numpy as np  # noqa: PLC0415 - optional

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
    """Return whether values have a density that cannot be seen."""
    return not curve and len(values) >= _LEAST and bool(values.min() < values.max())


def unseen(drawn: Iterable[tuple[Curve | None, Floats]]) -> list[str]:
    """Describe how many densities are left out."""
    count = sum(narrower(curve, values) for curve, values in drawn)
    return [f"{counted(count, 'density', 'densities')} narrower than a pixel left out"] if count else []


def span(values: Floats, *, log: bool, room: float = ROOM, zero: bool = False) -> tuple[float, float]:
    """Return the ends of an axis for values in its unit, with some room; about a single value there is more.

    A linear axis of which ``zero`` is an end has no room there.
    """
    import numpy as np  # noqa: PLC0415

    if log:
        first, last = np.log10(values.min()), np.log10(values.max())
        beyond = (last - first) * room or 0.1
        low, high = power([first - beyond, last + beyond]).tolist()
        return low, high
    low, high = float(values.min()), float(values.max())
    beyond = (high - low) * room or abs(low) * 0.05 or 1.0
    return low - beyond * (low < 0 or not zero), high + beyond * (high > 0 or low == high or not zero)


def typical(values: Floats) -> float:
    """Return the median of the sizes of values."""
    import numpy as np  # noqa: PLC0415

    (found,) = quantiles(np.abs(values), 0.5)
    return found


def mean(values: Floats) -> float:
    """Return the mean of values, whose sum may be larger than any number."""
    count = len(values)
    return float((values / count).sum()) if abs(values).max() > LARGEST else float(values.mean())


def quantiles(values: Floats, *levels: float) -> list[float]:
    """Return quantiles of type 7, as the tables do."""
    found = stats.quantiles(values, levels=levels)
    return [float(each.estimate) for each in found if each.estimate is not None]


def thinning(counts: Iterable[int], most: int) -> list[str]:
    """Say that of larger samples not every value is drawn."""
    return [f"of more than {most:,} values {most:,} are drawn, evenly"] if max(counts, default=0) > most else []


def thinned(count: int, most: int) -> list[int]:
    """Choose at most so many places of a series, evenly, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(place * (count - 1) / (most - 1)) for place in range(most)})
