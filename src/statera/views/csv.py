"""The rows as comma-separated values: every number in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.results.comparison import Comparison


def text(comparison: Comparison, sort: str = "file", *, changed: bool = False, raw: bool = False) -> str:
    """Write one line a row, with a header line."""
    rows = comparison.weighing.order(list(range(len(comparison))), sort, changed)
    return comparison.weighing.csv(rows, raw=raw)
