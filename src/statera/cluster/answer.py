"""The answer of a comparison of runs in one line: metrics by their titles, changes relative to the baseline's mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, cast

from statera import _native
from statera.cluster.metrics import name
from statera.cluster.views.numbers import percent
from statera.comparison.verdicts.answer import Answer, answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statera.cluster.compare import ClusterComparison
    from statera.cluster.rows import Cell

# Sizes that differ more between metrics say nothing about any of them, and neither do larger ends of intervals.
_WIDEST: Final = 20
_TELLING: Final = 0.5


class _Told:
    """The rows of a comparison in the words of a cluster; everything else is that of the compiled code.

    The compiled code states changes of means in the unit of each metric; the sizes of several metrics compare only
    relative to the means of the baseline.
    """

    def __init__(self, weighing: _native.Weighing, cells: Mapping[int, Cell], comparison: ClusterComparison) -> None:
        self._weighing = weighing
        self._cells = cells
        self._comparison = comparison

    def __getattr__(self, attribute: str) -> Any:  # noqa: ANN401 - what the compiled code has
        return getattr(self._weighing, attribute)

    def row_dict(self, row: int) -> dict[str, Any]:
        """Return the fields of a row, with the name of its metric for readers."""
        return {**self._weighing.row_dict(row), "metric": name(self._cells[row].metric)}

    def cell(self, row: int, column: str) -> str | None:
        """Write a cell; a change and its interval are relative."""
        of = self._cells[row]
        if column == "change":
            return change(of)
        if column == "interval" and of.ends_percent is not None:
            return "[{}, {}]".format(*_native.percent_ends(*(end / 100 for end in of.ends_percent)))
        return self._weighing.cell(row, column)

    def answer(self, by_metric: bool) -> _native.Answer:  # noqa: FBT001 - as the compiled code has it
        """Return what the answer stands on, with relative sizes."""
        found = self._weighing.answer(by_metric)
        undecided = set(self._weighing.with_verdict(["inconclusive"]))
        cells = {row: self._cells[row] for row in found["leads"]}
        sizes = [size for row, cell in cells.items() if row in undecided for size in _detectable(cell)]
        ends = [end for cell in cells.values() for end in _bad_end(cell, self._comparison) if end <= _TELLING]
        alike = bool(sizes) and max(sizes) <= _WIDEST * min(sizes)
        found["detectable"] = (min(sizes), max(sizes), len(sizes)) if alike else None
        found["excluded"] = (min(ends), max(ends), len(ends)) if ends else None
        return found


def stated(comparison: ClusterComparison) -> Answer:
    """State the answer of a comparison of two variants or more."""
    compared = comparison.comparison
    if compared is None:
        raise LookupError("a single variant is not compared")
    cells = {cell.place: cell for row in comparison.rows for cell in row.cells if cell.place is not None}
    told = _Told(compared.weighing, cells, comparison)
    return answer(cast("_native.Weighing", told), compared.observations.words)


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
