"""The cells of a row of a metric: title, means, change with its interval drawn, verdict, numbers of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cluster.report.wording import number
from statera.cluster.views.compared import verdict
from statera.cluster.views.numbers import percent
from statera.output.report.model import Cell, Column
from statera.output.report.sections.rows import TONES

if TYPE_CHECKING:
    from statera.cluster.report.intervals import Axis
    from statera.cluster.rows import Cell as Change
    from statera.cluster.units import RowUnit
    from statera.output.report.model import Tone


def change_columns(level: str) -> tuple[Column, ...]:
    """Return the columns of a change; a phone shows the change in per cent and the verdict."""
    return (
        Column(f"Δ [{level}% interval]", numeric=True, minor=True),
        Column("Δ%", numeric=True),
        Column("verdict"),
        Column("n", numeric=True, minor=True),
    )


def title(text: str, unit: RowUnit, link: str = "") -> Cell:
    """Return the first cell of a row: the metric, the unit of its numbers, and a link to its charts."""
    return Cell(f"{text}, {unit.name}", link=link)


def mean(value: float | None, unit: RowUnit) -> Cell:
    """Return a cell with a mean in the unit of its row."""
    return number(value, unit.amount(value))


def change(cell: Change, axis: Axis, rider: str = "") -> tuple[Cell, ...]:
    """Return the cells below the columns of a change; ``rider`` is a qualification that stands elsewhere."""
    unit = cell.written
    ends = f" {unit.interval(cell.low, cell.high)}" if cell.low is not None else ""
    return (
        number(cell.delta, f"{unit.difference(cell.delta)}{ends}"),
        Cell(percent(cell.delta_percent), cell.delta_percent, tone(cell), axis.place(cell)),
        Cell(verdict(cell, rider), tone=tone(cell), chip=True),
        _samples(cell),
    )


def _samples(cell: Change) -> Cell:
    """Write the number of values of both sides, or the one number that they share."""
    base, other = cell.before.n, cell.side.n
    return Cell(f"{base:,}" if base == other else f"{base:,}, {other:,}", base)


def tone(cell: Change) -> Tone:
    """Return the colour of a verdict."""
    return toned(cell.verdict)


def toned(verdict: str) -> Tone:
    """Return the colour of a verdict by its code."""
    return TONES.get(verdict, "")


def side_column(label: str) -> Column:
    """Return the column of the means of a variant."""
    return Column(label, numeric=True, minor=True)
