"""Corrections of the p-values of many rows, and the power of tests."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, Literal

from statera import _native
from statera.stats.calls import sample
from statera.stats.results import Adjusted, Estimate, Family

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


Correction = Literal["benjamini-hochberg", "benjamini-yekutieli", "holm", "hochberg", "bonferroni", "none"]

_HOLDS = {
    "benjamini-hochberg": "the tests are independent or positively dependent",
    "hochberg": "the tests are independent or positively dependent",
}

_ASSUMED = ("normal noise; on other noise hardly ever more runs are needed",)


def adjust(p: Iterable[float | None], *, correction: Correction = "benjamini-hochberg") -> Adjusted:
    """Correct p-values for multiple comparisons, like R's ``p.adjust``.

    Args:
        p: the p-values, in any order; None stays None and does not count.
        correction: the method (Holm 1979; Hochberg 1988; Benjamini & Hochberg 1995; Benjamini & Yekutieli 2001).

    Returns:
        The corrected p-values, in the order of ``p``.

    Raises:
        ValueError: a p-value lies outside 0 to 1, or there are no p-values.
    """
    given = list(p)
    counted = [value for value in given if value is not None]
    if not counted:
        raise ValueError("there are no p-values to correct")
    for value in counted:
        if not 0 <= value <= 1:
            raise ValueError(f"a p-value lies between 0 and 1, and one is {value}")
    return Adjusted(
        n=len(counted),
        method=correction,
        assumptions=(_HOLDS[correction],) if correction in _HOLDS else (),
        p=tuple(_native.adjust(given, correction)),
    )


def westfall_young(
    x: Sequence[Iterable[float]],
    y: Sequence[Iterable[float]] | None = None,
    *,
    pools: Sequence[int] | None = None,
    moderated: bool = True,
    relabelings: int = 10_000,
    seed: int = 1,
) -> Family:
    """Return jointly corrected p-values of many rows, by step-down maxT over relabelings (Westfall & Young 1993).

    Run k is the k-th value of every row: all rows are relabeled in the same way, which preserves their dependence. All
    relabelings are used if there are at most ``relabelings``, otherwise this many random ones. Rows without spread have
    no p-value.

    Args:
        x: for each row the runs of the baseline, or paired differences.
        y: for each row the runs of the contender.
        pools: a number for each row; rows with equal numbers shrink their variances together. None means one pool.
        moderated: whether to shrink variances (Smyth 2004); otherwise the statistic is Student's t.
        relabelings: the most relabelings to use.
        seed: the seed of the draws.

    Raises:
        ValueError: rows differ in their numbers of runs or are empty, or a value is not finite.
    """
    rows, m = _rows(x, "x"), None
    if y is not None:
        others, m = _rows(y, "y"), len(rows[0]) if rows else 0
        if len(others) != len(rows):
            raise ValueError(f"x has {len(rows)} rows and y has {len(others)}")
        rows = [old + new for old, new in zip(rows, others, strict=True)]
    of_pool = [0] * len(rows) if pools is None else list(pools)
    if len(of_pool) != len(rows):
        raise ValueError(f"there are {len(rows)} rows and {len(of_pool)} pools")
    named: list[tuple[str, object]] = [(f"row {place}", row) for place, row in enumerate(rows)]
    found = _native.westfall_young(named, of_pool, m, moderated, relabelings, seed)
    if found is None:
        raise ValueError("each row needs three runs, one of each build, or two differences, and relabelings 1 or more")
    return Family(
        n=len(rows),
        method="all relabelings" if found["exact"] else "sampled relabelings",
        assumptions=("where a row did not change, its runs could be exchanged (differences: their signs)",),
        p=tuple(found["p"]),
        relabelings=found["relabelings"],
        exact=found["exact"],
        least_p=found["least_p"],
    )


def _rows(samples: Sequence[Iterable[float]], name: str) -> list[array[float]]:
    """Convert the rows of a build, which must all have the same number of runs."""
    rows = [array("d", sample(row, f"{name}[{place}]")) for place, row in enumerate(samples)]
    for place, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(
                f"{name}[{place}] has {len(row)} runs and {name}[0] has {len(rows[0])}; all rows need the same number"
            )
    return rows


def detectable(sd: float, m: int, n: int | None = None, *, confidence: float = 0.95, power: float = 0.8) -> Estimate:
    """Return the smallest shift that the rank test of ``m`` and ``n`` runs detects with probability ``power``.

    It follows from the t-test by the relative efficiency of the rank test (Hodges & Lehmann 1956).

    Args:
        sd: the standard deviation of a run; of logarithms for relative changes.
        m: the number of runs of the baseline.
        n: the number of runs of the contender; None for ``m``.
        confidence: 1 - the significance level of the test.
        power: the probability of detection.

    Raises:
        ValueError: the standard deviation is below 0, there is less than one run, or a probability is outside 0 to 1.
    """
    n = m if n is None else n
    if m < 1 or n < 1:
        raise ValueError(f"there must be one run or more of each build, not {m} and {n}")
    _check(sd, confidence, power)
    found = _native.detectable(sd, m, n, confidence, power)
    none = () if found is not None else ("no result of so few runs could be significant",)
    return Estimate(estimate=found, n=(m, n), method="relative efficiency", assumptions=_ASSUMED, warnings=none)


def runs_for(sd: float, change: float, *, confidence: float = 0.95, power: float = 0.8) -> Estimate:
    """Return the number of runs per build with which the rank test detects ``change`` with probability ``power``.

    It is the least number for which ``detectable`` is at most ``change``.

    Args:
        sd: the standard deviation of a run; of logarithms for relative changes.
        change: the change, in the same unit; ln 1.01 for 1 %.
        confidence: 1 - the significance level of the test.
        power: the probability of detection.

    Raises:
        ValueError: the standard deviation is below 0, the change is not positive, or a probability is outside 0 to 1.
    """
    _check(sd, confidence, power)
    if not 0 < change < math.inf:
        raise ValueError(f"change must be positive and finite, not {change}")
    found = _native.runs_for(sd, change, confidence, power)
    none = () if found is not None else ("no feasible number of runs detects it",)
    return Estimate(estimate=found, method="relative efficiency", assumptions=_ASSUMED, warnings=none)


def least_runs(*, confidence: float = 0.95, rows: int = 1, paired: bool = False) -> Estimate:
    """Return the least number of runs per build, or of pairs, with which one of ``rows`` rows can be significant.

    Args:
        confidence: 1 - the significance level, after the correction.
        rows: the number of rows of the comparison.
        paired: whether the runs are pairs.

    Raises:
        ValueError: there is less than one row, or the confidence is outside 0 to 1.
    """
    _check(0.0, confidence, 1 / 2)
    if rows < 1:
        raise ValueError(f"there must be one row or more, not {rows}")
    found = _native.least_runs(round(1 - confidence, 12), rows, 1000, paired)
    none = () if found is not None else ("1,000 runs are not enough",)
    return Estimate(estimate=found, method="least attainable p", assumptions=(), warnings=none)


def _check(sd: float, confidence: float, power: float) -> None:
    if not 0 <= sd < math.inf:
        raise ValueError(f"sd must be 0 or more and finite, not {sd}")
    for name, value in (("confidence", confidence), ("power", power)):
        if not 0 < value < 1:
            raise ValueError(f"{name} must lie between 0 and 1, not {value}")
