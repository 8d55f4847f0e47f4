"""The rows of an inspection, and what one build weighed against itself showed, as typed objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Inspected:
    """A benchmark and metric of one variant, looked at alone.

    The fields are those of JSON, CSV and data frames; docs/inspect.md says of each what it means and what its unit is.
    Absent numbers are None.
    """

    group: str
    benchmark: str
    metric: str
    unit: str
    variant: str
    grade: str
    defects: tuple[str, ...]
    verdict: str
    sampled: str
    scale: str
    change_unit: str
    exact: bool
    values: int
    n: int
    runs: int | None
    centre: float | None
    low: float | None
    high: float | None
    level: float | None
    iqr: float | None
    mad: float | None
    cv: float | None
    normality_test: str
    normality: float | None
    normality_p: float | None
    log_normality: float | None
    log_normality_p: float | None
    skewness: float | None
    dip: float | None
    dip_p: float | None
    modes: int
    outliers: int
    drift_rho: float | None
    drift_p: float | None
    drift_change: float | None
    autocorrelation: float | None
    autocorrelation_z: float | None
    series: int
    series_warming: int
    series_unsteady: int
    warm_up: float | None
    warm_up_change: float | None
    distinct: int
    resolution: float | None
    iterations: float | None
    within_sd: float | None
    between_sd: float | None
    icc: float | None
    icc_low: float | None
    icc_high: float | None
    runs_p: float | None
    break_even: float | None
    best_iterations: float | None
    best_runs: float | None
    best_seconds: float | None
    present_seconds: float | None
    detectable: float | None
    runs_for_1: float | None
    runs_for_2: float | None
    runs_for_5: float | None
    margin: float
    runs_for_margin: float | None


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something happened in ``trials``; low, high: the interval of Clopper & Pearson, None without trials."""

    count: int
    trials: int
    low: float | None
    high: float | None

    @property
    def share(self) -> float | None:
        """The share of the trials; None without any."""
        return self.count / self.trials if self.trials else None


@dataclass(frozen=True, slots=True)
class RowRate:
    """A benchmark over all splits.

    Attributes:
        called: splits in which it was called better, worse or changed; significant: those with p at most alpha.
        floor: the 95 % quantile of the size of the typical change between the two sides; largest: the largest.
            Relative where ``scale`` is ``ratio``, else in the metric's unit.

    """

    group: str
    benchmark: str
    metric: str
    metric_number: int
    scale: str
    called: Rate
    significant: int
    floor: float | None
    largest: float | None


@dataclass(frozen=True, slots=True)
class MetricRate:
    """All benchmarks of a metric over all splits.

    Attributes:
        rows: benchmarks that could be called changed.
        called, significant: rows and splits called changed, and with p at most alpha; any: splits with any row called.
        margin, gate: the ``--margin``, and the margin of ``--fail-on worse:``, at which at most 5 % of ``called`` would
            be left; margin_any, gate_any: the same of ``any``. None where there are no more than that.
        mean_floor: the 95 % quantile of the size of the change of the geometric mean.

    """

    group: str
    metric: str
    metric_number: int
    rows: int
    called: Rate
    significant: Rate
    any: Rate
    margin: float | None
    gate: float | None
    margin_any: float | None
    gate_any: float | None
    mean_floor: float | None


@dataclass(frozen=True, slots=True)
class Called:
    """A row that was called changed where nothing had changed."""

    group: str
    benchmark: str
    metric: str
    metric_number: int
    scale: str
    verdict: str
    change: float | None


@dataclass(frozen=True, slots=True)
class AsMeasured:
    """Two results of the build compared as they were measured: rows tested, with p at most alpha, called changed."""

    baseline: str
    contender: str
    rows: int
    significant: int
    called: tuple[Called, ...]


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One build weighed against itself.

    Attributes:
        dealt: what was dealt to the two sides, ``runs`` or ``values``, in ``stretches`` of ``length`` neighbours.
        splits: how many splits were weighed, 0 where there is too little to split; all_splits: whether these are all.
        suite: splits in which any row was called changed.

    """

    dealt: str
    stretches: int
    length: float
    splits: int
    all_splits: bool
    suite: Rate
    rows: tuple[RowRate, ...]
    metrics: tuple[MetricRate, ...]
    as_measured: tuple[AsMeasured, ...]


def self_test_of(found: Mapping[str, Any]) -> SelfTest:
    """Make the typed object of what the compiled part gives."""
    rates = ("called", "significant", "any")

    def with_rates(fields: Mapping[str, Any]) -> dict[str, Any]:
        return {k: Rate(**v) if k in rates and isinstance(v, dict) else v for k, v in fields.items()}

    return SelfTest(
        **{
            **found,
            "suite": Rate(**found["suite"]),
            "rows": tuple(RowRate(**with_rates(row)) for row in found["rows"]),
            "metrics": tuple(MetricRate(**with_rates(metric)) for metric in found["metrics"]),
            "as_measured": tuple(
                AsMeasured(**{**pair, "called": tuple(Called(**row) for row in pair["called"])})
                for pair in found["as_measured"]
            ),
        }
    )
