"""Densities as pictures show them, on the axis's own scale; which scale it is; and where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera import stats

if TYPE_CHECKING:
    from statera.plots.samples import Floats

_FEWEST, _MOST = 64, 256  # places of a curve
_FINE = 5  # of them in a bandwidth
_SEEN = 0.004  # of a curve's peak: lower is no more than a pixel
_WIDE = 30.0  # largest over smallest value from which on an axis is logarithmic by itself
_LEAST = 2


class Curve(NamedTuple):
    """A density: places in the unit of the axis, heights with area 1 on the axis's scale, and the bandwidth on it."""

    at: list[float]
    height: list[float]
    bandwidth: float

    def ends(self) -> tuple[float, float]:
        """Give the places between which it can be seen."""
        peak = max(self.height)
        seen = [at for at, height in zip(self.at, self.height, strict=True) if height > _SEEN * peak]
        return min(seen), max(seen)


def wants_log(values: Floats, log: bool | None) -> bool:  # noqa: FBT001 - the option as it was given
    """Say whether the axis is logarithmic: as asked for, else where all values are positive and spread widely."""
    if log is not None:
        return log and bool((values > 0).any())
    return bool(len(values)) and bool((values > 0).all()) and float(values.max() / values.min()) >= _WIDE


def density(values: Floats, *, log: bool) -> Curve | None:
    """Estimate the density of values in the unit of the axis (of their decimal logarithms on a logarithmic one).

    None where there is no spread to smooth: fewer than two values, or all equal.
    """
    import numpy as np  # noqa: PLC0415 - optional

    taken = np.log10(values[values > 0]) if log else values
    if len(taken) < _LEAST or taken.min() == taken.max():
        return None
    try:
        found = stats.density(np.ascontiguousarray(taken), points=_FEWEST)
        fine = int(np.clip(_FINE * (found.at[-1] - found.at[0]) / (found.estimate or np.inf), _FEWEST, _MOST))
        found = stats.density(taken, points=fine, width=found.estimate)
    except ValueError:
        return None
    at = np.power(10.0, found.at) if log else np.asarray(found.at)
    return Curve(at.tolist(), list(found.density), float(found.estimate or 0.0))


def span(values: Floats, *, log: bool) -> tuple[float, float]:
    """Give the ends of an axis for values in its unit, with some room; about a single value there is more."""
    import numpy as np  # noqa: PLC0415

    if log:
        held = values[values > 0]
        low, high = np.log10(held.min()), np.log10(held.max())
        room = (high - low) * 0.03 or 0.1
        return float(10 ** (low - room)), float(10 ** (high + room))
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.03 or abs(low) * 0.05 or 1.0
    return low - room, high + room


def quantiles(values: Floats, *levels: float) -> list[float]:
    """Give quantiles of type 7, as the tables do."""
    found = stats.quantiles(values, levels=levels)
    return [float(each.estimate) for each in found if each.estimate is not None]


def thinned(count: int, most: int) -> list[int]:
    """Choose at most so many places of a series, evenly, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(place * (count - 1) / (most - 1)) for place in range(most)})
