"""Bootstrap intervals (Efron 1979, 1987): percentile and BCa, and for series by blocks (Politis & Romano 1992)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from statera import _native
from statera.stats.results import Bootstrapped
from statera.stats.samples import sample
from statera.stats.single import common, one
from statera.stats.wording import INDEPENDENT, INDEPENDENT_SAMPLES, ORDER, RESAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Statistic = Literal["mean", "median", "trimmed-mean"]


def bootstrap(
    x: Iterable[float],
    y: Iterable[float] | None = None,
    *,
    statistic: Statistic | Callable[[Any], float] = "mean",
    method: Literal["bca", "percentile"] = "bca",
    share: float = 0.2,
    confidence: float = 0.95,
    resamples: int = 9999,
    seed: int = 1,
    withhold: bool = True,
) -> Bootstrapped:
    """Return a statistic of ``x``, or its difference between ``y`` and ``x`` (y - x), with a bootstrap interval.

    The method is that of Efron (1979, 1987). The distribution of a median over all resamples is known, so that no
    resamples are drawn. The same seed gives the same digits on any number of threads.

    Args:
        x: the sample, or the baseline.
        y: the contender, resampled by itself.
        statistic: the name of a statistic, or a function of a resample: a list, or an array if ``x`` is a NumPy array.
        method: quantiles of the replicates corrected for bias and skewness (``bca``), or plain (``percentile``).
        share: the share of values that the trimmed mean cuts off at each end.
        confidence: the confidence level of the interval.
        resamples: the number of resamples, if any are drawn.
        seed: the seed of the draws.
        withhold: return no interval for so few values that its coverage would be below its level; docs/calibration.md
            lists these numbers of values. They are known for named statistics; functions always have an interval.

    Raises:
        ValueError: a sample is empty, a value is not finite, or a function is used with two samples.

    """
    if callable(statistic):
        if y is not None:
            raise ValueError(
                "a function can be bootstrapped for one sample only; name a statistic to compare two samples"
            )
        return _of_function(x, statistic, method=method, confidence=confidence, resamples=resamples, seed=seed)
    samples = {"x": x} if y is None else {"x": x, "y": y}
    settings = {"method": method, "share": share, "confidence": confidence, "resamples": resamples, "seed": seed}
    found = one("bootstrap", samples, statistic=statistic, withhold=withhold, **settings)
    assumed = (INDEPENDENT if y is None else INDEPENDENT_SAMPLES, RESAMPLES)
    return Bootstrapped(
        **common(found, assumed, method),
        resamples=found["resamples"],
        seed=seed,
        bias_correction=found["bias_correction"],
        acceleration=found["acceleration"],
    )


def _of_function(
    x: Iterable[float],
    statistic: Callable[[Any], float],
    *,
    method: str,
    confidence: float,
    resamples: int,
    seed: int,
) -> Bootstrapped:
    values = sample(x, "x")
    numpy = type(x).__module__ == "numpy"

    def of_bytes(data: bytes) -> float:
        if numpy:
            import numpy as np  # noqa: PLC0415 - only for those who use it

            return float(statistic(np.frombuffer(data)))
        return float(statistic(memoryview(data).cast("d").tolist()))

    count = len(values)
    if not count:
        raise ValueError("x has no values; a sample needs one or more")
    percentile = _word("method", method, ("bca", "percentile")) == 1
    found = _native.bootstrap_with(("x", values), of_bytes, percentile, confidence, resamples, seed)
    none = {"estimate": None, "resamples": None, "bias_correction": None, "acceleration": None}
    code = "too-few" if count == 1 else "undefined"
    row = {**(found or none), "level": confidence, "n": count, "warnings": [] if found else [code]}
    return Bootstrapped(
        **common(row, (INDEPENDENT, RESAMPLES), method),
        resamples=row["resamples"],
        seed=seed,
        bias_correction=row["bias_correction"],
        acceleration=row["acceleration"],
    )


def _word(name: str, word: str, words: tuple[str, ...]) -> int:
    if word not in words:
        raise ValueError(f"{name} must be one of {', '.join(words)}")
    return words.index(word)


def block_bootstrap(
    x: Iterable[float],
    *,
    statistic: Statistic = "mean",
    length: int | None = None,
    share: float = 0.2,
    confidence: float = 0.95,
    resamples: int = 9999,
    seed: int = 1,
    withhold: bool = True,
) -> Bootstrapped:
    """Return a statistic of a series of dependent values, with a percentile interval of the block bootstrap.

    Args:
        x: the values in the order of measurement.
        statistic: the statistic to compute.
        length: the length of the blocks; None chooses it from the autocorrelations (Politis & White 2004).
        share: the share of values that the trimmed mean cuts off at each end.
        confidence: the confidence level of the interval.
        resamples: the number of resamples.
        seed: the seed of the draws.
        withhold: return no interval for fewer than 1,000 values, whose coverage would be below its level.

    Raises:
        ValueError: there are no values, or a value is not finite.

    """
    settings = {"share": share, "confidence": confidence, "resamples": resamples, "seed": seed}
    found = one("block_bootstrap", {"x": x}, statistic=statistic, length=length, withhold=withhold, **settings)
    return Bootstrapped(
        **common(found, (ORDER, RESAMPLES), "percentile"),
        resamples=found["resamples"],
        seed=seed,
        length=found["length"],
    )
