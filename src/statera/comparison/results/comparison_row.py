"""A row of a comparison as a typed object."""

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
