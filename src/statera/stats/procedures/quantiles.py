"""Quantiles of a sample with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Interval, Quantile
from statera.stats.single import one
from statera.stats.wording import CONTINUOUS, INDEPENDENT, WARNINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DECILES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def quantiles(
    x: Iterable[float], *, levels: Sequence[float] = DECILES, confidence: float = 0.95
) -> tuple[Quantile, ...]:
    """Return quantiles of type 7 (Hyndman & Fan 1996), each with its interval by order statistics.

    A level has no interval if there are too few values to bracket it.

    Raises:
        ValueError: a level lies outside 0 to 1, there are no values, or a value is not finite.

    """
    asked = tuple(levels)
    found = one("quantiles", {"x": x}, levels=asked, confidence=confidence)
    # The row has four numbers per level, in order.
    numbers = iter(found.values())
    return tuple(
        Quantile(
            quantile=level,
            estimate=next(numbers),
            interval=(interval := _interval(next(numbers), next(numbers), next(numbers))),
            n=found["n"],
            method="order statistics",
            assumptions=(INDEPENDENT, CONTINUOUS),
            warnings=() if interval else (WARNINGS["no-interval"],),
        )
        for level in asked
    )


def _interval(low: float | None, high: float | None, level: float | None) -> Interval | None:
    return None if low is None or high is None or level is None else Interval(low=low, high=high, level=level)


def quantile(x: Iterable[float], level: float, *, confidence: float = 0.95) -> Quantile:
    """Return one quantile of type 7 (Hyndman & Fan 1996) with its interval by order statistics.

    Raises:
        ValueError: a level lies outside 0 to 1, there are no values, or a value is not finite.

    """
    return quantiles(x, levels=(level,), confidence=confidence)[0]


def harrell_davis(x: Iterable[float], *, levels: Sequence[float] = DECILES) -> tuple[Quantile, ...]:
    """Estimate quantiles as weighted means of all order statistics (Harrell & Davis 1982).

    Raises:
        ValueError: a level lies outside 0 to 1, there are no values, or a value is not finite.

    """
    asked = tuple(levels)
    found = one("harrell_davis", {"x": x}, levels=asked)
    return tuple(
        Quantile(
            quantile=level,
            estimate=estimate,
            interval=None,
            n=found["n"],
            method="harrell-davis",
            assumptions=(INDEPENDENT,),
            warnings=(),
        )
        for level, estimate in zip(asked, found.values(), strict=False)
    )
