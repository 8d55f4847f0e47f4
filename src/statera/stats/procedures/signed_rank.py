"""Wilcoxon's signed-rank test (Wilcoxon 1945; zeros as Pratt 1959 on request)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from statera.stats.results import Comparison
from statera.stats.single import common, one
from statera.stats.wording import PAIRS, SYMMETRIC

if TYPE_CHECKING:
    from collections.abc import Iterable


def signed_rank(
    x: Iterable[float],
    y: Iterable[float] | None = None,
    *,
    zeros: Literal["drop", "pratt"] = "drop",
    confidence: float | None = 0.95,
) -> Comparison:
    """Test whether the differences ``y - x`` (or ``x``, if it holds differences) are centred on 0 (Wilcoxon 1945).

    The statistic is V, the sum of the ranks of the positive differences. For fewer than 50 nonzero differences p is
    exact given the ties. The estimate is the median of the averages of all pairs of differences; its interval inverts
    the test with zeros dropped, and is withheld if Pratt's zeros change the test.

    Args:
        x: the baseline, or differences.
        y: the contender, in the order of the pairs.
        zeros: whether to leave out differences of 0 before ranking (``drop``) or after (``pratt``).
        confidence: the confidence level of the interval; None for the test alone, which is faster.

    Raises:
        ValueError: a sample is empty, the samples differ in size, or a value is not finite.

    """
    samples = {"x": x} if y is None else {"x": x, "y": y}
    found = one("signed_rank", samples, zeros=zeros, confidence=confidence)
    return Comparison(
        **common(found, (PAIRS, SYMMETRIC)),
        statistic=found["statistic"],
        p=found["p"],
        least_p=found["least_p"],
        superiority=found["superiority"],
    )
