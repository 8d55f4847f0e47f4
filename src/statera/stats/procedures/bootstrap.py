"""Bootstrap intervals (Efron 1979, 1987): percentile and BCa; and of a series by blocks (Politis & Romano 1992)."""

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
    """Return a statistic of ``x``, or its difference ``y`` less ``x``, with a bootstrap interval.

    The distribution of a median over all resamples is known, so that none are drawn. The same seed gives the same
    digits on any number of threads.

    Args:
        x: the sample, or the baseline.
        y: the contender, resampled by itself.
        statistic: a word, or any function of a resample, which is a list, or an array where ``x`` is a NumPy array.
        method: quantiles of the replicates moved for bias and skewness (``bca``), or as they are (``percentile``).
        share: cut off at each end by the trimmed mean.
        confidence: of the interval.
        resamples: drawn, where any are.
        seed: of the draws.
        withhold: give no interval of so few values that it would hold less often than it says; docs/calibration.md has
            the numbers of values. They are known for the words, not for functions, whose intervals are always given.

    Raises:
        ValueError: when a sample is empty or a value is not finite, and for a function of two samples.

    """
    if callable(statistic):
        if y is not None:
            raise ValueError("a function is bootstrapped of one sample; name a statistic to compare two")
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
    """Return a statistic of a series whose values depend on those before them, with a percentile interval.

    Args:
        x: the values in the order of measurement.
        statistic: what is computed.
        length: of the blocks that are drawn; None chooses it from the autocorrelations (Politis & White 2004).
        share: cut off at each end by the trimmed mean.
        confidence: of the interval.
        resamples: drawn.
        seed: of the draws.
        withhold: give no interval of fewer than 1,000 values, which would hold less often than it says.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    settings = {"share": share, "confidence": confidence, "resamples": resamples, "seed": seed}
    found = one("block_bootstrap", {"x": x}, statistic=statistic, length=length, withhold=withhold, **settings)
    return Bootstrapped(
        **common(found, (ORDER, RESAMPLES), "percentile"),
        resamples=found["resamples"],
        seed=seed,
        length=found["length"],
    )
