"""Results of procedures: frozen dataclasses with estimates, intervals, methods, assumptions and warnings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A closed confidence interval.

    Attributes:
        low, high: the ends, in the unit of the estimate.
        level: the confidence level attained; less than requested if there are too few values for it.
        low_open, high_open: whether the end is excluded: it is 0, and the test rejects 0 itself (ties).
    """

    low: float
    high: float
    level: float
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """An estimate. Parts that do not apply or cannot be computed are None; a warning then gives the reason.

    Attributes:
        estimate: the estimate, in the unit of the values unless the procedure says otherwise.
        interval: the confidence interval of the estimate.
        n: the number of values, one number per sample; for paired or blocked data the number of pairs or blocks.
        method: the method of computation.
        assumptions: the assumptions of the method.
        warnings: reasons for doubt about the result.
    """

    estimate: float | None = None
    interval: Interval | None = None
    n: int | tuple[int, ...] | None = None
    method: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Estimate):
    """The result of a test, with the corresponding estimate, if the test has one.

    Attributes:
        statistic: the test statistic; each test says which.
        p: the p-value, two-sided unless the test says otherwise; None if there are too few values.
    """

    statistic: float | None
    p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Outcome):
    """The result of a test of a shift. Its interval holds the shifts that the test does not reject.

    Attributes:
        least_p: the least p-value that samples of these sizes can have without ties.
        superiority: P(y > x) + P(y = x) / 2; for differences P(d > 0) + P(d = 0) / 2.
    """

    least_p: float | None
    superiority: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TOutcome(Outcome):
    """The result of a test whose statistic has Student's t distribution.

    Attributes:
        df: degrees of freedom.
    """

    df: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Omnibus(Outcome):
    """The result of a test of several samples at once; the estimate is the effect size, from 0 to 1.

    Attributes:
        df: degrees of freedom of chi-squared, or of the numerator and the denominator of F.
    """

    df: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence(Outcome):
    """The result of two one-sided tests (TOST) against the ends of a margin; p is the larger of the two p-values.

    Attributes:
        margin: the ends of the margin, in the unit of the values.
        p_low, p_high: p-values of "the change is at most the lower end" and "the change is at least the upper end".
        equivalent: whether both tests reject and the interval lies within the margin.
    """

    margin: tuple[float, float]
    p_low: float | None
    p_high: float | None
    equivalent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile(Estimate):
    """An estimate of a quantile.

    Attributes:
        quantile: its level, between 0 and 1.
    """

    quantile: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift(Estimate):
    """The change of one quantile; its interval is part of a simultaneous band over all levels.

    Attributes:
        quantile: its level, between 0 and 1.
        x, y: the quantile of each sample.
    """

    quantile: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments(Estimate):
    """The moments of a sample; the estimate is the mean.

    Attributes:
        sd: standard deviation, with denominator n - 1.
        coefficient_of_variation: sd divided by the absolute value of the mean.
        skewness: sample skewness G1.
        excess_kurtosis: sample excess kurtosis G2, 0 for a normal distribution.
    """

    sd: float | None
    coefficient_of_variation: float | None
    skewness: float | None
    excess_kurtosis: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrapped(Estimate):
    """An estimate with a bootstrap interval.

    Attributes:
        resamples: the number of resamples drawn; 0 if the distribution over all resamples is known.
        seed: the seed of the draws.
        bias_correction, acceleration: the parameters of a BCa interval; 0 for percentile intervals.
        length: the length of the blocks; None if single values are drawn.
    """

    resamples: int | None
    seed: int
    bias_correction: float | None = None
    acceleration: float | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Density(Estimate):
    """A kernel density estimate; the estimate is the bandwidth.

    Attributes:
        at: equidistant points, in the unit of the values.
        density: the density at each point, per unit of the values.
    """

    at: tuple[float, ...]
    density: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted(Estimate):
    """p-values corrected for multiple comparisons, in the order of the input.

    Attributes:
        p: the corrected p-values; None where the input has none.
    """

    p: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(Adjusted):
    """p-values of many rows, computed jointly by relabeling the runs of all rows in the same way.

    Attributes:
        relabelings: the number of relabelings, including the observed one.
        exact: whether these are all possible relabelings.
        least_p: the least p-value possible with this number of relabelings.
    """

    relabelings: int
    exact: bool
    least_p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Segments(Estimate):
    """The levels of a series; the estimate is the number of changes.

    Attributes:
        starts: the index of the first value of each new level.
        means: the mean of every level.
    """

    starts: tuple[int, ...]
    means: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoint:
    """A change of level in a history. Positions count from 0.

    Attributes:
        place: the position of the first value after the change.
        first, last: the first and the last place that cannot be excluded.
        change: the size: relative if all values are positive, otherwise a difference in the unit.
        size: the interval of the size.
        p: the chance of anything as strong in the whole life of a series without change.
        raised: the position of the value that raised the alarm.
        returns: whether it takes back the change before it.
    """

    place: int
    first: int
    last: int
    change: float
    size: Interval
    p: float
    raised: int
    returns: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """A change as it was told when it was seen.

    Attributes:
        place: the position of the first value after the change, as estimated then.
        raised: the position of the value that raised it.
        withdrawn: whether it does not hold with hindsight.
    """

    place: int
    raised: int
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spike:
    """Values that stand outside everything before them: the position of the first, and their number."""

    place: int
    values: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoints(Estimate):
    """The changes of level in a history; the estimate is the number of points.

    Attributes:
        points: the changes with hindsight.
        alarms: what was told at the time, in this order.
        spikes: values that stood outside and whose successors came back.
        suspect: the newest values, if they stand outside everything before; more measurements decide.
        scale: ``ratio`` if all values are positive, otherwise ``difference``.
        noise: the standard deviation of a value around its level at the end, relative or in the unit; None if unknown.
    """

    points: tuple[ChangePoint, ...]
    alarms: tuple[Alarm, ...]
    spikes: tuple[Spike, ...]
    suspect: Spike | None
    scale: str
    noise: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmUp(Estimate):
    """The warm-up of a series; the estimate is its number of values.

    Attributes:
        level_before, level_after: medians of the warm-up and of the steady state.
        relative: level_before / level_after - 1.
    """

    level_before: float | None
    level_after: float | None
    relative: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Components(Outcome):
    """Variance components within and between runs; the estimate is the intraclass correlation.

    Attributes:
        within, between: the variances, in the squared unit of the values.
        runs: the number of runs with values.
        size: the values per run; their number, if all runs have the same number.
    """

    within: float | None
    between: float | None
    runs: int
    size: float | None
