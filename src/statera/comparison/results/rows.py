"""The rows of comparisons and of inspections as typed objects."""

# `make schema` writes this file from the fields in crates/tables.

from __future__ import annotations

from dataclasses import asdict, dataclass

from statera.comparison.results import lines


@dataclass(frozen=True, slots=True, repr=False)
class Row:
    """The comparison of a contender with the baseline for one benchmark and metric.

    The fields are those of JSON, CSV and data frames; docs/json.md states the meaning and unit of each.
    Absent numbers are None.
    """

    group: str
    benchmark: str
    metric: str
    unit: str
    baseline: str
    contender: str
    design: str
    scale: str
    change_unit: str
    baseline_values: int
    baseline_n: int
    baseline_centre: float | None
    baseline_low: float | None
    baseline_high: float | None
    baseline_level: float | None
    contender_values: int
    contender_n: int
    contender_centre: float | None
    contender_low: float | None
    contender_high: float | None
    contender_level: float | None
    change: float | None
    change_low: float | None
    change_high: float | None
    change_level: float | None
    change_low_open: bool
    change_high_open: bool
    superiority: float | None
    method: str | None
    statistic: float | None
    p: float | None
    p_corrected: float | None
    p_apart: float | None
    least_p: float | None
    session: float | None
    effective_units: float | None
    verdict: str
    reason: str | None
    detectable: float | None
    runs_needed: float | None
    runs_needed_low: float | None
    runs_needed_high: float | None
    pairs_dropped: int
    warnings: tuple[str, ...]
    baseline_slow: int | None
    contender_slow: int | None
    tail_p: float | None
    tail_p_corrected: float | None
    tail_level: float | None
    tail_change: float | None
    tail_change_low: float | None
    tail_change_high: float | None
    baseline_spread: float | None
    contender_spread: float | None
    spread_p: float | None
    spread_p_corrected: float | None
    level_change_of: str | None
    level_change_first: int | None
    level_change_last: int | None
    level_change: float | None
    mean_change: float | None
    mean_change_low: float | None
    mean_change_high: float | None

    def __repr__(self) -> str:
        """Write the row in a line."""
        return lines.of_row(asdict(self))


@dataclass(frozen=True, slots=True, repr=False)
class Inspected:
    """The inspection of one variant for one benchmark and metric.

    The fields are those of JSON, CSV and data frames; docs/inspect.md states the meaning and unit of each.
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
    robust_within_sd: float | None
    robust_between_sd: float | None
    robust_share: float | None
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

    def __repr__(self) -> str:
        """Write the row in a line."""
        return lines.of_inspected(asdict(self))
