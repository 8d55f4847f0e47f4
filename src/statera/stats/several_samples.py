"""Procedures that compare two samples, the baseline x and the contender ``y``, or three and more; values in runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from statera.stats.calls import (
    BLOCKS,
    INDEPENDENT,
    INDEPENDENT_SAMPLES,
    NORMAL,
    PAIRS,
    RESAMPLES,
    SAME_SHAPE,
    SYMMETRIC,
    WARNINGS,
    one,
    result,
    sample,
)
from statera.stats.one_sample import DECILES
from statera.stats.results import Comparison, Components, Equivalence, Estimate, Interval, Omnibus, Shift, TOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ASSUMED = {
    "rank": (INDEPENDENT_SAMPLES, SAME_SHAPE),
    "welch": (INDEPENDENT_SAMPLES, NORMAL),
    "signed-rank": (PAIRS, SYMMETRIC),
    "t": (PAIRS, NORMAL),
}


def mann_whitney(x: Iterable[float], y: Iterable[float], *, confidence: float | None = 0.95) -> Comparison:
    """Test whether ``y`` tends to other values than ``x`` (Mann & Whitney 1947), and estimate the shift.

    The statistic is U of y over x: the number of pairs with y > x, plus half of those with y = x. Below 50 values a
    side p is exact given the ties; above, it is from the normal approximation with corrections for ties and continuity.
    The estimate is the median of all differences y - x, and the interval inverts the test.

    Args:
        x: the baseline.
        y: the contender.
        confidence: the confidence level of the interval; None for the test alone, which is faster.

    Raises:
        ValueError: a sample is empty or a value is not finite.
    """
    found = one("mann_whitney", {"x": x, "y": y}, confidence=confidence)
    return result(Comparison, found, (INDEPENDENT_SAMPLES, SAME_SHAPE))


def brunner_munzel(x: Iterable[float], y: Iterable[float], *, confidence: float = 0.95) -> TOutcome:
    """Test whether ``y`` tends to larger or smaller values than ``x``; their spreads may differ.

    The test is that of Brunner & Munzel (2000). The estimate is the superiority P(y > x) + P(y = x) / 2, with an
    interval that inverts the test. If the samples do not overlap, there is no interval, and p is that of the
    permutation test. Fewer than two values in a sample have no p-value.

    Raises:
        ValueError: a sample is empty or a value is not finite.
    """
    found = one("brunner_munzel", {"x": x, "y": y}, confidence=confidence)
    return result(TOutcome, found, (INDEPENDENT_SAMPLES,))


def hodges_lehmann(x: Iterable[float], y: Iterable[float] | None = None, *, confidence: float = 0.95) -> Estimate:
    """Estimate the centre of ``x``, or the shift from ``x`` to ``y`` (Hodges & Lehmann 1963).

    For one sample it is the median of the averages of all pairs of values, including each value with itself; for two
    samples the median of all differences y - x. The interval inverts the signed-rank test or the Mann-Whitney test.

    Raises:
        ValueError: a sample is empty or a value is not finite.
    """
    samples = {"x": x} if y is None else {"x": x, "y": y}
    assumed = (INDEPENDENT, SYMMETRIC) if y is None else (INDEPENDENT_SAMPLES, SAME_SHAPE)
    return result(Estimate, one("hodges_lehmann", samples, confidence=confidence), assumed)


def welch(x: Iterable[float], y: Iterable[float], *, confidence: float = 0.95) -> Comparison:
    """Test whether the means of ``x`` and ``y`` differ (Welch 1947).

    The estimate is the mean of y minus the mean of x. The spreads may differ. The statistic is t, positive if y is
    larger. Fewer than two values in a sample, and two samples without spread whose means differ, have no p-value.

    Raises:
        ValueError: a sample is empty or a value is not finite.
    """
    found = one("welch", {"x": x, "y": y}, confidence=confidence)
    return result(Comparison, found, (INDEPENDENT_SAMPLES, NORMAL), "t", least_p=None)


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
    return result(
        Equivalence, found, _ASSUMED[method], statistic=None, margin=(low, high), equivalent=bool(found["equivalent"])
    )


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
    return result(Comparison, found, (PAIRS, SYMMETRIC))


def sign_test(x: Iterable[float], y: Iterable[float] | None = None, *, confidence: float | None = 0.95) -> Comparison:
    """Test whether the differences ``y - x`` (or ``x``, if it holds differences) are as often above 0 as below.

    This is the sign test (Dixon & Mood 1946). The statistic is the number of positive differences; zeros are left
    out, and p is exact. The estimate is the median of the differences with its interval by order statistics.

    Raises:
        ValueError: a sample is empty, the samples differ in size, or a value is not finite.
    """
    samples = {"x": x} if y is None else {"x": x, "y": y}
    found = one("sign_test", samples, confidence=confidence)
    return result(Comparison, found, (PAIRS,))


def shift_function(
    x: Iterable[float],
    y: Iterable[float],
    *,
    levels: Sequence[float] = DECILES,
    paired: bool = False,
    ratio: bool = False,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 1,
) -> tuple[Shift, ...]:
    """Estimate the change of each quantile from ``x`` to ``y``, with a simultaneous bootstrap band for all levels.

    Quantiles are those of Harrell & Davis (1982); the shift function is that of Doksum (1974). A level has an
    interval if the smaller sample has 15 values or more and expects at least five beyond the level.

    Args:
        x: the baseline.
        y: the contender.
        levels: levels of quantiles, between 0 and 1.
        paired: whether the i-th values are a pair; pairs are then resampled together.
        ratio: whether the change is y / x - 1; otherwise it is y - x.
        confidence: the confidence level of the whole band.
        resamples: the number of resamples; use 1,000 or more.
        seed: the seed of the draws.

    Raises:
        ValueError: a sample is empty, a value is not finite (with ``ratio``: not positive), a level is not between 0
            and 1, or paired samples differ in size.
    """
    asked = tuple(levels)
    settings = {"paired": paired, "ratio": ratio, "confidence": confidence, "resamples": resamples, "seed": seed}
    found = one("shift_function", {"x": x, "y": y}, levels=asked, **settings)
    # The row has five numbers per level, in order.
    numbers = iter(found.values())

    def point(level: float) -> Shift:
        old, new, change, low, high = (next(numbers) for _ in range(5))
        few = WARNINGS["too-few" if change is None else "unsupported"]
        return Shift(
            quantile=level,
            x=old,
            y=new,
            estimate=change,
            interval=None if low is None else Interval(low=low, high=high, level=confidence),
            n=(found["n_x"], found["n_y"]),
            method="bootstrap band",
            assumptions=(PAIRS if paired else INDEPENDENT_SAMPLES, RESAMPLES),
            warnings=(few,) if low is None else (),
        )

    return tuple(point(level) for level in asked)


def kruskal_wallis(*samples: Iterable[float]) -> Omnibus:
    """Test whether any of several independent samples tends to other values than the rest (Kruskal & Wallis 1952).

    The statistic is H, corrected for ties, with a chi-squared distribution. The estimate is epsilon squared, the share
    of the variance of the ranks that lies between the samples.

    Raises:
        ValueError: there are fewer than two samples, one is empty, or a value is not finite.
    """
    names = (f"sample {number}" for number in range(1, len(samples) + 1))
    held: dict[str, Any] = {name: sample(values, name) for name, values in zip(names, samples, strict=False)}
    found = one("kruskal_wallis", held)
    sizes = tuple(len(values) for values in held.values())
    return result(Omnibus, found, (INDEPENDENT_SAMPLES, SAME_SHAPE), "chi-squared", n=sizes, df=(found["df"],))


def friedman(*samples: Iterable[float]) -> Omnibus:
    """Test whether any of several treatments tends to other values than the rest (Friedman 1937).

    The i-th values of all samples form a block. The statistic is chi-squared, corrected for ties. The estimate is
    Kendall's W: from 0 (the blocks do not agree) to 1 (all blocks have the same order). n is the number of blocks.

    Raises:
        ValueError: there are fewer than two samples, they differ in size or are empty, or a value is not finite.
    """
    found = one("friedman", {f"sample {number}": sample for number, sample in enumerate(samples, 1)})
    return result(Omnibus, found, (BLOCKS,), "chi-squared", df=(found["df"],))


def quade(*samples: Iterable[float]) -> Omnibus:
    """Test like Friedman's test, but weight blocks by how much the treatments differ in them (Quade 1979).

    The statistic is F; if all blocks agree completely, it is infinite and p is exact. n is the number of blocks. A
    single block has no p-value.

    Raises:
        ValueError: there are fewer than two samples, they differ in size or are empty, or a value is not finite.
    """
    found = one("quade", {f"sample {number}": sample for number, sample in enumerate(samples, 1)})
    df = tuple(found[name] for name in ("df", "df2") if found[name] is not None)
    return result(Omnibus, found, (BLOCKS,), "F", df=df)


def variance_components(*runs: Iterable[float], confidence: float = 0.95) -> Components:
    """Divide the variance of iterations into the variance within runs and the variance between runs.

    This is the one-way analysis of variance (Searle, Casella & McCulloch 1992). The estimate is the intraclass
    correlation: the share of the variance that lies between runs. The statistic is F. There is no result for fewer
    than two runs with values, or if no run has two iterations.

    Raises:
        ValueError: there are fewer than two runs, one is empty, or a value is not finite.
    """
    named = {f"run {number}": run for number, run in enumerate(runs, 1)}
    found = one("variance_components", named, confidence=confidence)
    assumed = ("runs and iterations vary independently, each near enough to normally",)
    return result(Components, found, assumed, "analysis of variance")
