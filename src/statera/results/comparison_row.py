"""A row of a comparison as a typed object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["better", "worse", "changed", "equivalent", "inconclusive", "one value", "missing", "new"]


@dataclass(frozen=True, slots=True)
class Row:
    """A benchmark and metric of a contender against the baseline.

    Values are in the metric's base unit. ``change``, ``low``, ``high`` and ``detectable`` are relative
    (-0.5 is half) where ``scale`` is ``ratio`` and in the unit where it is ``difference``. Absent numbers are None.

    Attributes:
        change: the typical change, Hodges-Lehmann; low, high: its interval, which inverts the test; level: attained.
        superiority: P(new > old) + P(tie) / 2.
        p: of the test; p_corrected: over all rows of the comparison; least_p: the least that so many runs could give.
        detectable: the smallest change that these runs could have shown; runs_needed: a side, to decide at the margin.

    """

    group: str
    benchmark: str
    metric: str
    unit: str
    baseline: str
    contender: str
    design: str
    scale: str
    old_n: int
    old_values: int
    old_centre: float | None
    old_low: float | None
    old_high: float | None
    old_level: float | None
    new_n: int
    new_values: int
    new_centre: float | None
    new_low: float | None
    new_high: float | None
    new_level: float | None
    change: float | None
    low: float | None
    high: float | None
    level: float | None
    superiority: float | None
    statistic: float | None
    least_p: float | None
    detectable: float | None
    runs_needed: float | None
    low_open: bool
    high_open: bool
    p: float | None
    p_corrected: float | None
    method: str | None
    verdict: Verdict
    reason: str
    pairs_dropped: int
    warnings: tuple[str, ...]
