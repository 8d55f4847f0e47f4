"""What procedures return: frozen, and every number with its interval, its method and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval, its ends included.

    Attributes:
        low, high: in the unit of the estimate.
        level: the confidence attained; where so few values cannot attain what was asked for, less.
        low_open, high_open: the end is 0 and 0 itself is rejected (ties).

    """

    low: float
    high: float
    level: float
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """An estimate. What does not apply, or could not be had, is None, and a warning says why.

    Attributes:
        estimate: in the unit of the values, unless the procedure says otherwise.
        interval: of the estimate.
        n: values; of several samples one number each, of pairs and blocks their number.
        method: how it was obtained.
        assumptions: what it rests on.
        warnings: what speaks against it.

    """

    estimate: float | None
    interval: Interval | None
    n: int | tuple[int, ...] | None
    method: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Estimate):
    """A test, with the estimate that belongs to it where it has one.

    Attributes:
        statistic: of the test; each test says which.
        p: two-sided, unless the test says otherwise; None where so few values give none.

    """

    statistic: float | None
    p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Outcome):
    """A test of a shift. Its interval holds the shifts that the test does not reject.

    Attributes:
        least_p: the least p that samples of these sizes can give without ties.
        superiority: P(y > x) + P(y = x) / 2; of differences P(d > 0) + P(d = 0) / 2.

    """

    least_p: float | None
    superiority: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TOutcome(Outcome):
    """A test whose statistic is compared with Student's t.

    Attributes:
        df: degrees of freedom.

    """

    df: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Omnibus(Outcome):
    """A test of several samples at once; the estimate is its effect size, from 0 to 1.

    Attributes:
        df: degrees of freedom: of chi-squared, or of the numerator and the denominator of F.

    """

    df: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence(Outcome):
    """Two one-sided tests against the ends of a margin; p is the larger of both.

    Attributes:
        margin: its ends, in the unit of the values.
        p_low, p_high: of "the change is at most the lower end" and of "it is at least the upper end".
        equivalent: both reject, and the interval lies within the margin.

    """

    margin: tuple[float, float]
    p_low: float | None
    p_high: float | None
    equivalent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile(Estimate):
    """A quantile.

    Attributes:
        quantile: its level, between 0 and 1.

    """

    quantile: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift(Estimate):
    """The change of one quantile; its interval is part of a band over all levels.

    Attributes:
        quantile: its level, between 0 and 1.
        x, y: the quantile of each sample.

    """

    quantile: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments(Estimate):
    """Moments of a sample; the estimate is the mean.

    Attributes:
        sd: standard deviation, with n - 1.
        coefficient_of_variation: sd over the size of the mean.
        skewness: G1.
        excess_kurtosis: G2, 0 for normal values.

    """

    sd: float | None
    coefficient_of_variation: float | None
    skewness: float | None
    excess_kurtosis: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrapped(Estimate):
    """A bootstrap interval.

    Attributes:
        resamples: drawn; 0 where the distribution over all resamples is known.
        seed: of the draws.
        bias_correction, acceleration: what moved the ends of a BCa interval; 0 for percentile intervals.
        length: of the blocks; None where single values are drawn.

    """

    resamples: int | None
    seed: int
    bias_correction: float | None = None
    acceleration: float | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Density(Estimate):
    """A kernel density; the estimate is the bandwidth.

    Attributes:
        at: equidistant places, in the unit of the values.
        density: at each, per unit of the values.

    """

    at: tuple[float, ...]
    density: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted(Estimate):
    """p-values corrected for their number, in the order given.

    Attributes:
        p: corrected; None where none was given.

    """

    p: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(Adjusted):
    """p-values of many rows together, by relabeling the runs of all rows alike.

    Attributes:
        relabelings: that p counts over, the observed one among them.
        exact: these are all there are.
        least_p: the least p that they can give.

    """

    relabelings: int
    exact: bool
    least_p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePoints(Estimate):
    """Levels of a series; the estimate is the number of changes.

    Attributes:
        starts: the place of the first value of each new level.
        means: of every level.

    """

    starts: tuple[int, ...]
    means: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmUp(Estimate):
    """The warm-up of a series; the estimate is the number of values that belong to it.

    Attributes:
        level_before, level_after: medians of the warm-up and of the steady state.
        relative: level_before / level_after - 1.

    """

    level_before: float | None
    level_after: float | None
    relative: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Components(Outcome):
    """Variance within runs and between them; the estimate is the intraclass correlation.

    Attributes:
        within, between: variances, in the squared unit of the values.
        runs: number of runs with values.
        size: values a run; their number where it is the same in all.

    """

    within: float | None
    between: float | None
    runs: int
    size: float | None
