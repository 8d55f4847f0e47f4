"""Densities as pictures show them: on the axis's own scale, over the values that the axis can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera import stats

if TYPE_CHECKING:
    from statera.plots.samples import Floats

POINTS = 256
_SEEN = 0.004  # of a curve's peak: lower is no more than a pixel
_WIDE = 30.0  # largest over smallest value from which on an axis is logarithmic by itself


class Curve(NamedTuple):
    """A density: places in the unit of the axis, and heights with area 1 on the axis's scale."""

    at: list[float]
    height: list[float]
    bandwidth: float


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
    if len(taken) < 2 or taken.min() == taken.max():  # noqa: PLR2004
        return None
    try:
        found = stats.density(np.ascontiguousarray(taken), points=POINTS)
    except ValueError:
        return None
    at = np.power(10.0, found.at) if log else np.asarray(found.at)
    return Curve(at.tolist(), list(found.density), float(found.estimate or 0.0))


def span(values: Floats, drawn: list[Curve | None], *, log: bool) -> tuple[float, float]:
    """Give the ends of an axis for values in its unit and their curves; where all values are equal, room about them."""
    import numpy as np  # noqa: PLC0415

    ends = [
        at
        for curve in drawn
        if curve
        for at, height in zip(curve.at, curve.height, strict=True)
        if height > _SEEN * max(curve.height)
    ]
    if log:
        held = values[values > 0]
        low, high = np.log10(held.min()), np.log10(held.max())
        room = (high - low) * 0.03 or 0.1
        low, high = float(10 ** (low - room)), float(10 ** (high + room))
    else:
        low, high = float(values.min()), float(values.max())
        room = (high - low) * 0.03 or abs(low) * 0.05 or 1.0
        low, high = low - room, high + room
    return min(low, *ends, low), max(high, *ends, high)
