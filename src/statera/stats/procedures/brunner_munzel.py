"""The Brunner-Munzel test (Brunner & Munzel 2000)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import TOutcome
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT_SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable


def brunner_munzel(x: Iterable[float], y: Iterable[float], *, confidence: float = 0.95) -> TOutcome:
    """Test whether ``y`` tends to larger or smaller values than ``x``; their spreads may differ.

    The test is that of Brunner & Munzel (2000). The estimate is the superiority P(y > x) + P(y = x) / 2, with an
    interval that inverts the test. If the samples do not overlap, there is no interval, and p is that of the
    permutation test. Fewer than two values on a side have no p-value.

    Raises:
        ValueError: a sample is empty or a value is not finite.

    """
    found = one("brunner_munzel", {"x": x, "y": y}, confidence=confidence)
    return TOutcome(**common(found, (INDEPENDENT_SAMPLES,)), statistic=found["statistic"], p=found["p"], df=found["df"])
