"""Which pictures a report shows, of what, and how many."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison import Comparison
    from statera.inspection import Inspection
    from statera.report.model import Figure


def overview(comparison: Comparison) -> list[Figure]:
    """Draw what shows a whole comparison."""
    return []


def of_metric(comparison: Comparison, group: int, metric: int) -> list[Figure]:
    """Draw what shows one metric of one group."""
    return []


def speed_ups(comparison: Comparison) -> list[Figure]:
    """Draw the speed-up at each percentile."""
    return []


def shifts(comparison: Comparison) -> list[Figure]:
    """Draw the shift functions."""
    return []


def assumptions(inspection: Inspection) -> list[Figure]:
    """Draw what shows whether samples are normal."""
    return []


def quality(inspection: Inspection, *, alone: bool) -> list[Figure]:
    """Draw each sample in the order of measurement."""
    return []
