"""Quantiles of the chi-squared distribution and of Student's t."""

from __future__ import annotations

import math

from statera.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

# More degrees of freedom would change a bound of a standard deviation by less than 4 %.
_MOST_DEGREES: Final = 1000
_HALVINGS: Final = 60
_SMALL: Final = 1e-15


def chi_squared_quantile(level: float, degrees: int) -> float:
    """Return a quantile, by bisection; of at most 1,000 degrees of freedom, scaled to more."""
    used = min(degrees, _MOST_DEGREES)
    low, high = 0.0, used + 10 * math.sqrt(2 * used) + 10
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _chi_squared_cdf(middle, used) < level else (low, middle)
    return high * degrees / used


def _chi_squared_cdf(value: float, degrees: int) -> float:
    """Return the probability of smaller values: the series of the incomplete gamma function."""
    half, shape = value / 2, degrees / 2
    if half <= 0:
        return 0.0
    term = math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
    total = 0.0
    while term > _SMALL * total:
        total += term
        shape += 1
        term *= half / shape
    return total


def t_quantile(level: float, degrees: float) -> float:
    """Return a quantile by the expansion of Cornish & Fisher, within 1 % from 4 degrees of freedom on at 95 %."""
    from statistics import NormalDist  # noqa: PLC0415 - slow to import

    z = NormalDist().inv_cdf(level)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
