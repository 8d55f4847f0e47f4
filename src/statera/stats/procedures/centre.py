"""Centres of a sample with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Estimate
from statera.stats.single import common, one
from statera.stats.wording import CONTINUOUS, INDEPENDENT, NORMAL

if TYPE_CHECKING:
    from collections.abc import Iterable


def median(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the median, with the narrowest symmetric pair of order statistics that covers it.

    Nothing is assumed of the shape. Six values are needed at 95 %; with fewer there is no interval.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    found = one("median", {"x": x}, confidence=confidence)
    return Estimate(**common(found, (INDEPENDENT, CONTINUOUS), "order statistics"))


def mean(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the arithmetic mean, with Student's interval. A single value has none.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    return Estimate(**common(one("mean", {"x": x}, confidence=confidence), (INDEPENDENT, NORMAL), "t"))


def trimmed_mean(x: Iterable[float], *, share: float = 0.2, confidence: float = 0.95) -> Estimate:
    """Return the mean of what is left when ``share`` of the values is cut off at each end.

    The interval is that of Tukey & McLaughlin (1963) in the form of Yuen (1974).

    Raises:
        ValueError: for a share outside 0 to below 0.5, for no value, and values that are not finite.

    """
    found = one("trimmed_mean", {"x": x}, share=share, confidence=confidence)
    return Estimate(**common(found, (INDEPENDENT, NORMAL), "t"))


def geometric_mean(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the geometric mean, with Student's interval of the logarithms.

    Raises:
        ValueError: for a value that is not positive, for no value, and values that are not finite.

    """
    return Estimate(**common(one("geometric_mean", {"x": x}, confidence=confidence), (INDEPENDENT, NORMAL), "t"))
