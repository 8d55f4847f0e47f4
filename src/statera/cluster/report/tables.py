"""Section of the analysis: tables of metrics with changes, intervals and verdicts, filters and observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from statera.cluster.metrics import METRICS, SECTIONS
from statera.cluster.report import spread
from statera.cluster.report.accepted import filters, observations
from statera.cluster.report.wording import number, shown, title
from statera.cluster.views.numbers import difference, interval, percent
from statera.report.model import Cell, Column, Heading, Prose, Section, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.report.material import Material
    from statera.cluster.rows import Cell as Change
    from statera.cluster.rows import MetricRow
    from statera.report.model import Block, Tone

_MARK: Final = "+ "
_NEW: Final = "+ marks rows that older reports do not have."
# The number of contenders that fit on a page side by side with Δ and Δ%, and with values and Δ%.
_WITH_DELTA, _WITH_VALUES = 2, 4


def section(material: Material) -> Section:
    """Build the section: every metric of every variant."""
    of = {row.metric.key: row for row in material.comparison.rows}
    blocks: list[Block] = [Prose(_lead(material))]
    beyond = {metric.key for metric in METRICS}
    for each in SECTIONS:
        marked = [(of[metric.key], "") for metric in each.metrics if metric.key in of]
        marked += [(of[metric.key], _MARK) for metric in each.extra if metric.key in of]
        beyond -= {metric.key for metric in (*each.metrics, *each.extra)}
        blocks += _tables(material, f"{each.number} {each.title}", marked)
    rest = [(of[metric.key], "") for metric in METRICS if metric.key in beyond & of.keys()]
    blocks += _tables(material, "2.6 Beyond the five tables", rest)
    blocks += [Heading("2.7 Filters"), filters(material), Heading("2.8 Observations of peers"), observations(material)]
    return Section("results", "2 Analysis", tuple(blocks))


def _lead(material: Material) -> tuple[str, ...]:
    means = "Every cell is the mean over all values of all hosts; n is the number of values of the row."
    if not material.compares:
        return (means,)
    base = shown(material.comparison.variants[0].label)
    level = f"{material.comparison.settings.policy.level}\u00a0%"
    said = (
        f"{means} If the sides differ in n, both numbers are shown. Δ and Δ% are the change from {base}, computed from "
        f"unrounded means. The interval is the {level} confidence interval of Δ. A verdict follows from the interval "
        "and the p-value, which is corrected for multiple comparisons; the section Method explains it."
    )
    return (said,)


def _tables(material: Material, name: str, rows: Sequence[tuple[MetricRow, str]]) -> list[Block]:
    if not rows:
        return []
    notes = (_NEW,) if any(mark for _, mark in rows) else ()
    if not material.compares:
        return [Heading(name), spread.table(material.comparison.variants[0], rows, notes)]
    contenders = material.comparison.variants[1:]
    if len(contenders) == 1:
        return [Heading(name), _pair(material, rows, notes)]
    details = [_detail(rows, place) for place in range(len(material.comparison.pairs))]
    return [Heading(name), _side_by_side(material, rows, notes), *details]


def _pair(material: Material, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    base, other = (shown(variant.label) for variant in material.comparison.variants)
    sides = (Column(base, numeric=True), Column(other, numeric=True))
    body = []
    for row, mark in rows:
        [cell] = row.cells
        values = (number(cell.before.mean), number(cell.side.mean))
        body.append((title(row.metric, mark), *values, *_change(cell)))
    return Table(f"{other} against {base}", (Column("metric"), *sides, *_CHANGE), tuple(body), notes)


_CHANGE: Final = (
    Column("Δ", numeric=True), Column("Δ%", numeric=True), Column("interval of Δ", numeric=True), Column("verdict"),
    Column("n", numeric=True),
)  # fmt: skip


def _change(cell: Change) -> tuple[Cell, ...]:
    return (
        number(cell.delta, difference(cell.delta)),
        _percent(cell),
        number(cell.low, interval(cell.low, cell.high)),
        Cell(cell.words, tone=tone(cell)),
        _samples(cell),
    )


def _samples(cell: Change) -> Cell:
    """Write the number of values of both sides, or the one number that they share."""
    base, other = cell.before.n, cell.side.n
    return Cell(f"{base:,}" if base == other else f"{base:,}, {other:,}", base)


def _percent(cell: Change) -> Cell:
    return number(cell.delta_percent, percent(cell.delta_percent), tone(cell))


def tone(cell: Change) -> Tone:
    """Return the colour of a verdict."""
    return cast("Tone", "" if cell.verdict in {"", "new", "one-value"} else cell.verdict)


def _side_by_side(material: Material, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    """Show all variants side by side, as far as there is room; the table of each contender has all columns."""
    base, *others = (shown(variant.label) for variant in material.comparison.variants)
    heads = [Column("metric"), Column(base, numeric=True)]
    for other in others:
        if len(others) <= _WITH_VALUES:
            heads += [Column(other, numeric=True)]
        if len(others) <= _WITH_DELTA:
            heads += [Column("Δ", numeric=True)]
        heads += [Column("Δ%" if len(others) <= _WITH_VALUES else f"{other}, Δ%", numeric=True)]
    body = []
    for row, mark in rows:
        cells = [title(row.metric, mark), number(row.base.mean)]
        for cell in row.cells[: len(others)]:
            if len(others) <= _WITH_VALUES:
                cells.append(number(cell.side.mean))
            if len(others) <= _WITH_DELTA:
                cells.append(number(cell.delta, difference(cell.delta)))
            cells.append(_percent(cell))
        body.append(tuple(cells))
    note = "Coloured changes are better, worse or changed; the tables below have the interval and verdict of each."
    return Table("All side by side", tuple(heads), tuple(body), (note, *notes))


def _detail(rows: Sequence[tuple[MetricRow, str]], place: int) -> Table:
    marked = [(row.cells[place], mark) for row, mark in rows]
    base, other = (shown(variant.label) for variant in (marked[0][0].base, marked[0][0].other))
    heads = (Column("metric"), Column(other, numeric=True), *_CHANGE)
    body = [(title(cell.metric, mark), number(cell.side.mean), *_change(cell)) for cell, mark in marked]
    return Table(f"{other} against {base}", heads, tuple(body))
