"""Power of the rank test: detectable changes, and numbers of runs that a change needs."""

from __future__ import annotations

import math

from statera import _native
from statera.stats.results import Estimate

_ASSUMED = ("normal noise; on other noise hardly ever more runs are needed",)


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
        raise ValueError(f"there must be one run or more on each side, not {m} and {n}")
    _check(sd, confidence, power)
    found = _native.detectable(sd, m, n, confidence, power)
    none = () if found is not None else ("no result of so few runs could be significant",)
    return Estimate(
        estimate=found, interval=None, n=(m, n), method="relative efficiency", assumptions=_ASSUMED, warnings=none
    )


def runs_for(sd: float, change: float, *, confidence: float = 0.95, power: float = 0.8) -> Estimate:
    """Return the number of runs a side with which the rank test detects ``change`` with probability ``power``.

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
    return Estimate(
        estimate=found, interval=None, n=None, method="relative efficiency", assumptions=_ASSUMED, warnings=none
    )


def least_runs(*, confidence: float = 0.95, rows: int = 1, paired: bool = False) -> Estimate:
    """Return the least number of runs a side, or of pairs, with which one of ``rows`` rows can be significant.

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
    return Estimate(estimate=found, interval=None, n=None, method="least attainable p", assumptions=(), warnings=none)


def _check(sd: float, confidence: float, power: float) -> None:
    if not 0 <= sd < math.inf:
        raise ValueError(f"sd must be 0 or more and finite, not {sd}")
    for name, value in (("confidence", confidence), ("power", power)):
        if not 0 < value < 1:
            raise ValueError(f"{name} must lie between 0 and 1, not {value}")
