"""The sign test (Arbuthnott 1710; Dixon & Mood 1946)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Comparison
from statera.stats.single import common, one
from statera.stats.wording import PAIRS

if TYPE_CHECKING:
    from collections.abc import Iterable


def sign_test(x: Iterable[float], y: Iterable[float] | None = None, *, confidence: float | None = 0.95) -> Comparison:
    """Test whether the differences ``y - x`` (or ``x``, if it holds differences) are as often above 0 as below.

    This is the sign test (Dixon & Mood 1946). The statistic is the number of positive differences; zeros are left
    out, and p is exact. The estimate is the median of the differences with its interval by order statistics.

    Raises:
        ValueError: a sample is empty, the samples differ in size, or a value is not finite.

    """
    samples = {"x": x} if y is None else {"x": x, "y": y}
    found = one("sign_test", samples, confidence=confidence)
    return Comparison(
        **common(found, (PAIRS,)),
        statistic=found["statistic"],
        p=found["p"],
        least_p=found["least_p"],
        superiority=found["superiority"],
    )
