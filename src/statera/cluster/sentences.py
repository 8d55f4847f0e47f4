"""Sentences on the rows of a comparison: what changed and by how much, what is equal, what could not be decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.metrics import name
from statera.cluster.numbers import percent
from statera.comparison.verdicts.findings import deciding, forecast
from statera.support.wording import conjoined, counted, form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.comparison import Change, ClusterComparison

_NAMED: Final = 6


def worst_first(comparison: ClusterComparison, pair: int) -> list[Change]:
    """Return the changed rows of a pair of variants: in the order of the answer, then those that improved."""
    found = (row.cells[pair] for row in comparison.rows)
    of = {cell.place: cell for cell in found if cell.place is not None and cell.changed}
    return [of[place] for place in comparison.answer.leads if place in of]


def changed(cell: Change, level: str) -> str:
    """Write the change of a row: in per cent, from which value to which, and with its interval."""
    unit = cell.written
    by = f"{percent(cell.delta_percent)} " if cell.delta_percent is not None else ""
    ends = f"[{unit.interval(cell.low, cell.high).strip('[]')}]"
    interval = f", {level} interval {ends}{unit.words}" if cell.low is not None else ""
    return (
        f"{cell.words}: {by}from {unit.amount(cell.before.mean)} to {unit.amount(cell.side.mean)}{unit.words}, "
        f"a change of {unit.difference(cell.delta)}{unit.words}{interval}"
    )


def undecided(comparison: ClusterComparison, pair: int) -> Iterator[tuple[str, str]]:
    """Yield sentences on what a pair of variants leaves open, each with the verdict that it is about."""
    cells = [row.cells[pair] for row in comparison.rows]
    if not any(cell.changed for cell in cells):
        yield "No metric is better, worse or changed.", "equivalent"
    absent = [cell for cell in cells if cell.before.mean is None or cell.side.mean is None]
    if absent:
        yield f"Not compared, because a side has no values: {_names(absent)}.", "missing"
    if comparison.comparison is not None and any(cell.verdict == "differs" for cell in cells):
        yield f"{deciding(comparison.comparison.observations.words)}.", "differs"
    open_ones = [cell for cell in cells if cell.verdict == "inconclusive" and cell not in absent]
    if open_ones:
        yield _open(sorted(open_ones, key=_size, reverse=True)), "inconclusive"
    equal = [cell for cell in cells if cell.verdict == "equivalent"]
    if equal:
        states = form(len(equal), "is", "are")
        yield f"{counted(len(equal), 'metric')} {states} equivalent, within the margin: {_names(equal)}.", "equivalent"


def _size(cell: Change) -> float:
    return abs(cell.delta_percent or 0.0)


def _open(cells: Sequence[Change]) -> str:
    """Name what could not be decided, with the largest of its changes and what would decide half of it."""
    widest = cells[0]
    unit = widest.written
    ends = f", interval {unit.interval(widest.low, widest.high)}{unit.words}" if widest.low is not None else ""
    by = percent(widest.delta_percent) if widest.delta_percent is not None else unit.difference(widest.delta)
    said = f"{_name(widest)} {by}{ends}" if widest.delta else _name(widest)
    if len(cells) == 1:
        return f"1 metric could not be decided: {said}."
    largest = f" The largest change among them: {said}." if widest.delta else ""
    return f"{counted(len(cells), 'metric')} could not be decided: {_names(cells)}.{largest}{_next_step(cells)}"


def _next_step(cells: Sequence[Change]) -> str:
    """State how many runs would decide half of some undecided rows; empty if that is not known."""
    rows = [cell.row for cell in cells if cell.row is not None and cell.row.runs_needed]
    if not rows:
        return ""
    row = sorted(rows, key=lambda each: each.runs_needed or 0.0)[len(rows) // 2]
    runs = [row.runs_needed, row.runs_needed_low, row.runs_needed_high]
    if None in runs or (row.runs_needed or 0.0) <= max(row.baseline_n, row.contender_n):
        return ""
    number, low, high = (forecast(each or 0.0) for each in runs)
    return f" About {number} ({low} to {high}) runs a side would decide half of them at their margin."


def _name(cell: Change) -> str:
    return _native.printable(name(cell.metric))


def _names(cells: Sequence[Change]) -> str:
    """Name the metrics of rows, as many as a reader takes in."""
    every = [_name(cell) for cell in cells]
    left = len(every) - _NAMED
    return conjoined([*every[:_NAMED], f"{left:,} more"] if left > 0 else every)
