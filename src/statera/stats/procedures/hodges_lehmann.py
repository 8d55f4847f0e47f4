"""The Hodges-Lehmann estimate (Hodges & Lehmann 1963) of a centre or of a shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Estimate
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT, INDEPENDENT_SAMPLES, SAME_SHAPE, SYMMETRIC

if TYPE_CHECKING:
    from collections.abc import Iterable


def hodges_lehmann(x: Iterable[float], y: Iterable[float] | None = None, *, confidence: float = 0.95) -> Estimate:
    """Estimate the centre of ``x``, or the shift from ``x`` to ``y`` (Hodges & Lehmann 1963).

    For one sample it is the median of the averages of all pairs of values, including each value with itself; for two
    samples the median of all differences y - x. The interval inverts the signed-rank test or the Mann-Whitney test.

    Raises:
        ValueError: a sample is empty or a value is not finite.

    """
    samples = {"x": x} if y is None else {"x": x, "y": y}
    assumed = (INDEPENDENT, SYMMETRIC) if y is None else (INDEPENDENT_SAMPLES, SAME_SHAPE)
    return Estimate(**common(one("hodges_lehmann", samples, confidence=confidence), assumed))
