"""Centres of a sample with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Estimate
from statera.stats.single import common, one
from statera.stats.wording import CONTINUOUS, INDEPENDENT, NORMAL

if TYPE_CHECKING:
    from collections.abc import Iterable


def median(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the median, with the narrowest interval between symmetric order statistics that covers it.

    The interval follows from the binomial distribution (Conover 1999, chapter 3). The method makes no assumption
    about the shape. An interval at 95 % needs six values; fewer values have none.

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    found = one("median", {"x": x}, confidence=confidence)
    return Estimate(**common(found, (INDEPENDENT, CONTINUOUS), "order statistics"))


def mean(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the arithmetic mean, with the interval of Student (1908). A single value has no interval.

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    return Estimate(**common(one("mean", {"x": x}, confidence=confidence), (INDEPENDENT, NORMAL), "t"))


def trimmed_mean(x: Iterable[float], *, share: float = 0.2, confidence: float = 0.95) -> Estimate:
    """Return the mean of the remaining values after ``share`` of the values is cut off at each end.

    The interval is that of Tukey & McLaughlin (1963) in the form of Yuen (1974).

    Raises:
        ValueError: the share is not from 0 to below 0.5, there are no values, or a value is not finite.

    """
    found = one("trimmed_mean", {"x": x}, share=share, confidence=confidence)
    return Estimate(**common(found, (INDEPENDENT, NORMAL), "t"))


def geometric_mean(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the geometric mean (Fleming & Wallace 1986), with Student's interval of the logarithms.

    Raises:
        ValueError: a value is not positive or not finite, or there are no values.

    """
    return Estimate(**common(one("geometric_mean", {"x": x}, confidence=confidence), (INDEPENDENT, NORMAL), "t"))
