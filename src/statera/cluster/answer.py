"""The answer of a comparison of runs in one line: metrics by their titles, changes relative to the baseline's mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.metrics import name
from statera.cluster.views.numbers import percent
from statera.verdicts.answer import Answer, Telling, answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.cluster.compare import ClusterComparison
    from statera.cluster.rows import Cell

# Sizes that differ more between metrics say nothing about any of them, and neither do larger ends of intervals.
_WIDEST: Final = 20
_TELLING: Final = 0.5


def stated(comparison: ClusterComparison) -> Answer:
    """State the answer of a comparison of two variants or more."""
    compared = comparison.comparison
    if compared is None:
        return Answer("Nothing was compared", {}, [], [], "metric")
    cells = {cell.place: cell for row in comparison.rows for cell in row.cells if cell.place is not None}

    def sizes(rows: list[int]) -> tuple[float, float] | None:
        found = [size for row in rows for size in _detectable(cells[row])]
        return (min(found), max(found)) if found and max(found) <= _WIDEST * min(found) else None

    def excluded(rows: list[int]) -> tuple[float, float, int] | None:
        found = [end for row in rows for end in _bad_end(cells[row], comparison) if end <= _TELLING]
        return (min(found), max(found), len(found)) if found else None

    telling = Telling(lambda row: _named(cells[row]), lambda row: change(cells[row]), sizes, excluded)
    return answer(compared.weighing, compared.observations.words, telling)


def _named(cell: Cell) -> str:
    return _native.printable(name(cell.metric))


def change(cell: Cell) -> str:
    """Write the change of a row: in per cent, or in its unit where the baseline's mean is zero."""
    if cell.delta_percent is not None:
        return percent(cell.delta_percent)
    return f"{cell.written.difference(cell.delta)}{cell.written.words}"


def _detectable(cell: Cell) -> Iterator[float]:
    """Yield the relative change that a row could have shown, if it is known."""
    size, mean = cell.row.detectable if cell.row else None, cell.before.mean
    if size is not None and mean and math.isfinite(size):
        yield size / abs(mean)


def _bad_end(cell: Cell, comparison: ClusterComparison) -> Iterator[float]:
    """Yield the end of a row's interval that is worst, as a relative change of cost; 0 if all of it is good."""
    better, ends = comparison.better(cell.metric), cell.ends_percent
    if better is None or ends is None:
        return
    low, high = (end / 100 for end in ends)
    if better == "higher" and low <= -1:
        return
    yield max(high if better == "lower" else 1 / (1 + low) - 1, 0.0)
