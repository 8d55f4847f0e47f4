"""The Mann-Whitney test (Mann & Whitney 1947) with the Hodges-Lehmann shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Comparison
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT_SAMPLES, SAME_SHAPE

if TYPE_CHECKING:
    from collections.abc import Iterable


def mann_whitney(x: Iterable[float], y: Iterable[float], *, confidence: float | None = 0.95) -> Comparison:
    """Test whether ``y`` tends to other values than ``x`` (Mann & Whitney 1947), and estimate the shift.

    The statistic is U of y over x: the number of pairs with y > x, plus half of those with y = x. Below 50 values a
    side p is exact given the ties; above, it is from the normal approximation with corrections for ties and continuity.
    The estimate is the median of all differences y - x, and the interval inverts the test.

    Args:
        x: the baseline.
        y: the contender.
        confidence: the confidence level of the interval; None for the test alone, which is faster.

    Raises:
        ValueError: a sample is empty or a value is not finite.

    """
    found = one("mann_whitney", {"x": x, "y": y}, confidence=confidence)
    return Comparison(
        **common(found, (INDEPENDENT_SAMPLES, SAME_SHAPE)),
        statistic=found["statistic"],
        p=found["p"],
        least_p=found["least_p"],
        superiority=found["superiority"],
    )
