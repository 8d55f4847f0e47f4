"""Kernel density estimates with a Gaussian kernel, and their bandwidths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from statera import _native
from statera.stats.results import Density, Estimate
from statera.stats.samples import sample
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT

if TYPE_CHECKING:
    from collections.abc import Iterable

_CUT = 3.0
_LEAST_POINTS = 2


def bandwidth(x: Iterable[float], *, rule: Literal["nrd0", "sj"] = "sj") -> Estimate:
    """Return the bandwidth by Silverman's rule of thumb (1986, ``nrd0``) or by Sheather & Jones (1991, ``sj``).

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    return Estimate(**common(one("bandwidth", {"x": x}, rule=rule), (INDEPENDENT,)))


def density(
    x: Iterable[float],
    *,
    rule: Literal["nrd0", "sj"] = "sj",
    width: float | None = None,
    low: float | None = None,
    high: float | None = None,
    points: int = 512,
) -> Density:
    """Estimate the density of a sample at equidistant points with a Gaussian kernel (Silverman 1986).

    Args:
        x: the values.
        rule: the rule for the bandwidth; if ``sj`` is not defined, ``nrd0`` is used and ``method`` says so.
        width: the bandwidth itself, in the unit of the values.
        low: the first point; by default three bandwidths below the least value.
        high: the last point; by default three bandwidths above the greatest value.
        points: the number of points.

    Raises:
        ValueError: there are fewer than two values, a value is not finite, or the bandwidth is not positive.

    """
    values = sample(x, "x")
    method = "given"
    if width is None:
        chosen = bandwidth(values, rule=rule)
        if chosen.estimate is None and rule == "sj":
            chosen = bandwidth(values, rule="nrd0")
        width, method = chosen.estimate, chosen.method
    if width is None or not width > 0:
        raise ValueError("the density needs two values or more, or a positive width")
    if points < _LEAST_POINTS:
        raise ValueError(f"points must be {_LEAST_POINTS} or more, not {points}")
    low = float(min(values) - _CUT * width if low is None else low)
    high = float(max(values) + _CUT * width if high is None else high)
    found = _native.density(("x", values), width, low, high, points)
    return Density(
        estimate=width,
        interval=None,
        n=len(values),
        method=method,
        assumptions=(INDEPENDENT,),
        warnings=(),
        at=tuple(low + (high - low) * place / (points - 1) for place in range(points)),
        density=tuple(found),
    )
