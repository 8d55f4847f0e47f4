"""Tests of equivalence within a margin (TOST, Schuirmann 1987)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from statera.stats.results import Equivalence
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT_SAMPLES, NORMAL, PAIRS, SAME_SHAPE, SYMMETRIC

if TYPE_CHECKING:
    from collections.abc import Iterable

_ASSUMED = {
    "rank": (INDEPENDENT_SAMPLES, SAME_SHAPE),
    "welch": (INDEPENDENT_SAMPLES, NORMAL),
    "signed-rank": (PAIRS, SYMMETRIC),
    "t": (PAIRS, NORMAL),
}


def tost(
    x: Iterable[float],
    y: Iterable[float] | None = None,
    *,
    low: float,
    high: float,
    method: Literal["rank", "welch", "signed-rank", "t"] = "rank",
    confidence: float = 0.95,
) -> Equivalence:
    """Test whether the change from ``x`` to ``y`` lies between ``low`` and ``high``.

    Two one-sided tests (Schuirmann 1987) decide. ``rank`` and ``welch`` need two independent samples,
    ``signed-rank`` and ``t`` pairs or differences. The interval has the level 1 - 2 (1 - confidence). For ratios,
    pass the logarithms of values and margin.

    Raises:
        ValueError: a sample is empty, a value is not finite, pairs do not match, or ``low`` is not below ``high``.

    """
    samples = {"x": x} if y is None else {"x": x, "y": y}
    found = one("tost", samples, low=low, high=high, method=method, confidence=confidence)
    return Equivalence(
        **common(found, _ASSUMED[method]),
        statistic=None,
        p=found["p"],
        margin=(low, high),
        p_low=found["p_low"],
        p_high=found["p_high"],
        equivalent=bool(found["equivalent"]),
    )
