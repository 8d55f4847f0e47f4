"""Welch's t-test (Welch 1947)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Comparison
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT_SAMPLES, NORMAL

if TYPE_CHECKING:
    from collections.abc import Iterable


def welch(x: Iterable[float], y: Iterable[float], *, confidence: float = 0.95) -> Comparison:
    """Test whether the means of ``x`` and ``y`` differ (Welch 1947).

    The estimate is the mean of y minus the mean of x. The spreads may differ. The statistic is t, positive if y is
    larger. Fewer than two values on a side, and two samples without spread whose means differ, have no p-value.

    Raises:
        ValueError: a sample is empty or a value is not finite.

    """
    found = one("welch", {"x": x, "y": y}, confidence=confidence)
    return Comparison(
        **common(found, (INDEPENDENT_SAMPLES, NORMAL), "t"),
        statistic=found["statistic"],
        p=found["p"],
        least_p=None,
        superiority=found["superiority"],
    )
