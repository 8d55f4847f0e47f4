"""Procedures that describe one sample: centre, quantiles, shape, density, normality, and intervals by the bootstrap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from statera import _native
from statera.stats.calls import (
    CONTINUOUS,
    INDEPENDENT,
    INDEPENDENT_SAMPLES,
    NORMAL,
    ORDER,
    RESAMPLES,
    WARNINGS,
    one,
    result,
    sample,
)
from statera.stats.results import Bootstrapped, Density, Estimate, Interval, Moments, Outcome, Quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

DECILES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_CUT = 3.0
_LEAST_POINTS = 2
Statistic = Literal["mean", "median", "trimmed-mean"]


def median(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the median, with the narrowest interval between symmetric order statistics that covers it.

    The interval follows from the binomial distribution (Conover 1999, chapter 3). The method makes no assumption
    about the shape. An interval at 95 % needs six values; fewer values have none.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    found = one("median", {"x": x}, confidence=confidence)
    return result(Estimate, found, (INDEPENDENT, CONTINUOUS), "order statistics")


def mean(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the arithmetic mean, with the interval of Student (1908). A single value has no interval.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Estimate, one("mean", {"x": x}, confidence=confidence), (INDEPENDENT, NORMAL), "t")


def trimmed_mean(x: Iterable[float], *, share: float = 0.2, confidence: float = 0.95) -> Estimate:
    """Return the mean of the remaining values after ``share`` of the values is cut off at each end.

    The interval is that of Tukey & McLaughlin (1963) in the form of Yuen (1974).

    Raises:
        ValueError: the share is not from 0 to below 0.5, there are no values, or a value is not finite.
    """
    found = one("trimmed_mean", {"x": x}, share=share, confidence=confidence)
    return result(Estimate, found, (INDEPENDENT, NORMAL), "t")


def geometric_mean(x: Iterable[float], *, confidence: float = 0.95) -> Estimate:
    """Return the geometric mean (Fleming & Wallace 1986), with Student's interval of the logarithms.

    Raises:
        ValueError: a value is not positive or not finite, or there are no values.
    """
    return result(Estimate, one("geometric_mean", {"x": x}, confidence=confidence), (INDEPENDENT, NORMAL), "t")


def quantiles(
    x: Iterable[float], *, levels: Sequence[float] = DECILES, confidence: float = 0.95
) -> tuple[Quantile, ...]:
    """Return quantiles of type 7 (Hyndman & Fan 1996), each with its interval by order statistics.

    A level has no interval if there are too few values to bracket it.

    Raises:
        ValueError: a level lies outside 0 to 1, there are no values, or a value is not finite.
    """
    asked = tuple(levels)
    found = one("quantiles", {"x": x}, levels=asked, confidence=confidence)
    # The row has four numbers per level, in order.
    numbers = iter(found.values())
    return tuple(
        Quantile(
            quantile=level,
            estimate=next(numbers),
            interval=(interval := _interval(next(numbers), next(numbers), next(numbers))),
            n=found["n"],
            method="order statistics",
            assumptions=(INDEPENDENT, CONTINUOUS),
            warnings=() if interval else (WARNINGS["no-interval"],),
        )
        for level in asked
    )


def _interval(low: float | None, high: float | None, level: float | None) -> Interval | None:
    return None if low is None or high is None or level is None else Interval(low=low, high=high, level=level)


def quantile(x: Iterable[float], level: float, *, confidence: float = 0.95) -> Quantile:
    """Return one quantile of type 7 (Hyndman & Fan 1996) with its interval by order statistics.

    Raises:
        ValueError: a level lies outside 0 to 1, there are no values, or a value is not finite.
    """
    return quantiles(x, levels=(level,), confidence=confidence)[0]


def harrell_davis(x: Iterable[float], *, levels: Sequence[float] = DECILES) -> tuple[Quantile, ...]:
    """Estimate quantiles as weighted means of all order statistics (Harrell & Davis 1982).

    Raises:
        ValueError: a level lies outside 0 to 1, there are no values, or a value is not finite.
    """
    asked = tuple(levels)
    found = one("harrell_davis", {"x": x}, levels=asked)
    return tuple(
        Quantile(quantile=level, estimate=estimate, n=found["n"], method="harrell-davis", assumptions=(INDEPENDENT,))
        for level, estimate in zip(asked, found.values(), strict=False)
    )


def dip(x: Iterable[float]) -> Outcome:
    """Test whether a sample has more than one mode (Hartigan & Hartigan 1985).

    The statistic is the dip; p, from a table for uniform samples, is not below 1e-4.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Outcome, one("dip", {"x": x}), (INDEPENDENT,), "table")


def modes(x: Iterable[float]) -> Estimate:
    """Count the modes: 1 unless the dip test rejects it; otherwise the peaks of a kernel density above its noise.

    The dip test is that of Hartigan & Hartigan (1985), the bandwidth of the density that of Sheather & Jones (1991).

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Estimate, one("modes", {"x": x}), (INDEPENDENT,), "dip test and density")


def moments(x: Iterable[float]) -> Moments:
    """Return mean, standard deviation, coefficient of variation, skewness and excess kurtosis (Joanes & Gill 1998).

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    found = one("moments", {"x": x})
    return result(Moments, found, (INDEPENDENT,), "moments", estimate=found["mean"])


def bandwidth(x: Iterable[float], *, rule: Literal["nrd0", "sj"] = "sj") -> Estimate:
    """Return the bandwidth by Silverman's rule of thumb (1986, ``nrd0``) or by Sheather & Jones (1991, ``sj``).

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Estimate, one("bandwidth", {"x": x}, rule=rule), (INDEPENDENT,))


def density(
    x: Iterable[float],
    *,
    rule: Literal["nrd0", "sj"] = "sj",
    width: float | None = None,
    low: float | None = None,
    high: float | None = None,
    points: int = 512,
) -> Density:
    """Estimate the density of a sample at equidistant points with a Gaussian kernel (Silverman 1986).

    Args:
        x: the values.
        rule: the rule for the bandwidth; if ``sj`` is not defined, ``nrd0`` is used and ``method`` says so.
        width: the bandwidth itself, in the unit of the values.
        low: the first point; by default three bandwidths below the least value.
        high: the last point; by default three bandwidths above the greatest value.
        points: the number of points.

    Raises:
        ValueError: there are fewer than two values, a value is not finite, or the bandwidth is not positive.
    """
    values = sample(x, "x")
    method = "given"
    if width is None:
        chosen = bandwidth(values, rule=rule)
        if chosen.estimate is None and rule == "sj":
            chosen = bandwidth(values, rule="nrd0")
        width, method = chosen.estimate, chosen.method
    if width is None or not width > 0:
        raise ValueError("the density needs two values or more, or a positive width")
    if points < _LEAST_POINTS:
        raise ValueError(f"points must be {_LEAST_POINTS} or more, not {points}")
    low = float(min(values) - _CUT * width if low is None else low)
    high = float(max(values) + _CUT * width if high is None else high)
    found = _native.density(("x", values), width, low, high, points)
    return Density(
        estimate=width,
        n=len(values),
        method=method,
        assumptions=(INDEPENDENT,),
        at=tuple(low + (high - low) * place / (points - 1) for place in range(points)),
        density=tuple(found),
    )


def shapiro_wilk(x: Iterable[float]) -> Outcome:
    """Test whether a sample comes from a normal distribution (Shapiro & Wilk 1965; Royston 1995).

    The statistic is W. Fewer than 3 values, and values that are all equal, have no p-value.

    Raises:
        ValueError: there are more than 5,000 values (use anderson_darling, or normality, which chooses) or none, or a
            value is not finite.
    """
    try:
        return result(Outcome, one("shapiro_wilk", {"x": x}), (INDEPENDENT,))
    except ValueError as error:
        if "more values" not in str(error):
            raise
        raise ValueError("x has more than 5,000 values. Use anderson_darling, or normality, which chooses") from None


def anderson_darling(x: Iterable[float]) -> Outcome:
    """Test whether a sample comes from a normal distribution (Anderson & Darling 1954; Stephens 1974).

    The statistic is A squared. Fewer than 8 values, and values that are all equal, have no p-value.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Outcome, one("anderson_darling", {"x": x}), (INDEPENDENT,))


def normality(x: Iterable[float]) -> Outcome:
    """Test whether a sample comes from a normal distribution: Shapiro-Wilk up to 5,000 values, Anderson-Darling above.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Outcome, one("normality", {"x": x}), (INDEPENDENT,))


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
                "a function can be bootstrapped for one sample only. Name a statistic to compare two samples"
            )
        return _of_function(x, statistic, method=method, confidence=confidence, resamples=resamples, seed=seed)
    samples = {"x": x} if y is None else {"x": x, "y": y}
    settings = {"method": method, "share": share, "confidence": confidence, "resamples": resamples, "seed": seed}
    found = one("bootstrap", samples, statistic=statistic, withhold=withhold, **settings)
    assumed = (INDEPENDENT if y is None else INDEPENDENT_SAMPLES, RESAMPLES)
    return result(Bootstrapped, found, assumed, method, seed=seed)


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
    return result(Bootstrapped, row, (INDEPENDENT, RESAMPLES), method, seed=seed)


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
    return result(Bootstrapped, found, (ORDER, RESAMPLES), "percentile", seed=seed)
