"""The cells of a row of a metric: title, means, change with its interval drawn, verdict, numbers of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from statera.cluster.report.wording import number
from statera.cluster.views.numbers import percent
from statera.report.model import Cell, Column

if TYPE_CHECKING:
    from statera.cluster.report.intervals import Axis
    from statera.cluster.rows import Cell as Change
    from statera.cluster.units import RowUnit
    from statera.report.model import Tone

# A phone shows the metric, the change and the verdict.
CHANGE: Final = (
    Column("Δ", numeric=True, minor=True), Column("Δ%", numeric=True),
    Column("interval of Δ", numeric=True, minor=True), Column("verdict"), Column("n", numeric=True, minor=True),
)  # fmt: skip


def title(text: str, unit: RowUnit, link: str = "") -> Cell:
    """Return the first cell of a row: the metric, the unit of its numbers, and a link to its charts."""
    return Cell(f"{text}, {unit.name}", link=link)


def mean(value: float | None, unit: RowUnit) -> Cell:
    """Return a cell with a mean in the unit of its row."""
    return number(value, unit.amount(value))


def change(cell: Change, axis: Axis) -> tuple[Cell, ...]:
    """Return the cells below the columns of ``CHANGE``."""
    unit = cell.written
    return (
        number(cell.delta, unit.difference(cell.delta)),
        Cell(percent(cell.delta_percent), cell.delta_percent, tone(cell), axis.place(cell)),
        number(cell.low, unit.interval(cell.low, cell.high)),
        Cell(cell.words, tone=tone(cell), chip=True),
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
    return cast("Tone", "" if verdict in {"", "new", "one-value"} else verdict)


def side_column(label: str) -> Column:
    """Return the column of the means of a variant."""
    return Column(label, numeric=True, minor=True)
