"""The rows of a comparison as CSV, with every number in full precision."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison


def text(comparison: Comparison, sort: str = "file", *, changed: bool = False, raw: bool = False) -> str:
    """Write a header line and a line for each row."""
    rows = comparison.weighing.order(list(range(len(comparison))), sort, changed)
    return comparison.weighing.csv(rows, raw=raw)
