"""The interval and the p-value of a change of means, from the population that a metric has."""

from __future__ import annotations

from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from statera import stats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.samples import Series

_FEWEST = 16
_LEAST_BATCHES, _MOST_BATCHES = 8, 30
_TWO = 2
_HUGE = 1e300


class Weighed(NamedTuple):
    """A change of means, weighed.

    Attributes:
        unit: what the samples are: runs, hosts, blocks or keys.
        samples: of each side; of pairs their number twice.
        method: how the interval was obtained; empty where there is none.
        low, high: the interval of the change, in the metric's unit; None where there is none.
        p: two-sided, uncorrected; None where there is none.
        reason: why there is no interval; empty where there is one.

    """

    unit: str
    samples: tuple[int, int]
    method: str = ""
    low: float | None = None
    high: float | None = None
    p: float | None = None
    reason: str = ""


def of_runs(base: Sequence[float], run: Sequence[float], confidence: float) -> Weighed:
    """Weigh the means of several runs a side: Welch's t, a run is one value."""
    return _welch("runs", base, run, confidence)


def of_series(base: Series, run: Series, change: float | None, confidence: float, unit: str = "blocks") -> Weighed:
    """Weigh blocks or keys of two runs, whose values depend on those before them: Welch's t of batch means.

    Consecutive ones are put together, so that what they have in common with their neighbours lies within a batch and
    the means of batches are nearly independent (Law & Carson 1979). The interval stands around ``change``.
    """
    weighed = _welch(unit, _batches(base), _batches(run), confidence, change)
    return weighed._replace(samples=(len(base), len(run)))


def of_hosts(base: dict[str, float], run: dict[str, float], change: float | None, confidence: float) -> Weighed:
    """Weigh hosts that both runs have: Student's t of their differences. The interval stands around ``change``."""
    differences = [run[host] - mean for host, mean in base.items() if host in run]
    count = (len(differences), len(differences))
    if len(differences) < _TWO or change is None:
        return Weighed("hosts", count, reason="fewer than two hosts in common")
    if not any(differences):
        return Weighed("hosts", count, "t of differences", change, change, 1.0)
    found = stats.mean(differences, confidence=confidence)
    if found.interval is None or found.estimate is None:
        return Weighed("hosts", count, reason="not computable")
    shift = change - found.estimate
    return Weighed(
        "hosts", count, "t of differences", found.interval.low + shift, found.interval.high + shift, _p(differences)
    )


def _p(differences: Sequence[float]) -> float | None:
    """Give the two-sided p of the hypothesis that differences have mean 0: twice the smaller one-sided p."""
    up = stats.tost(differences, low=0.0, high=_HUGE, method="t").p_low
    down = stats.tost(differences, low=-_HUGE, high=0.0, method="t").p_high
    return None if up is None or down is None else min(1.0, 2 * min(up, down))


def _welch(
    unit: str, base: Sequence[float], run: Sequence[float], confidence: float, around: float | None = None
) -> Weighed:
    samples = (len(base), len(run))
    if min(len(base), len(run)) < _TWO:
        return Weighed(unit, samples, reason=f"fewer than two {unit} a side")
    found = stats.welch(base, run, confidence=confidence)
    if found.interval is None or found.estimate is None:
        return Weighed(unit, samples, reason="no spread")
    shift = 0.0 if around is None else around - found.estimate
    method = "Welch's t" if unit == "runs" else "Welch's t of batch means"
    return Weighed(unit, samples, method, found.interval.low + shift, found.interval.high + shift, found.p)


def _batches(series: Series) -> list[float]:
    """Give the means of batches of consecutive blocks: about as many batches as blocks a batch, from 8 to 30."""
    count = len(series)
    if count < _FEWEST:
        return [total / number for total, number in series]
    batches = min(max(isqrt(count), _LEAST_BATCHES), _MOST_BATCHES)
    ends = [count * place // batches for place in range(batches + 1)]
    parts = [series[first:last] for first, last in pairwise(ends)]
    return [sum(total for total, _ in part) / sum(number for _, number in part) for part in parts]
