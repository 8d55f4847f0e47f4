"""The rows of an inspection as typed objects."""

# `make schema` writes this file from the fields in crates/tables.

from __future__ import annotations

from dataclasses import asdict, dataclass

from statera.comparison.results import lines


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
