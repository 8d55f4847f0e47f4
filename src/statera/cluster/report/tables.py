"""Section of the analysis: tables of metrics with changes, intervals and verdicts, filters and observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.metrics import METRICS, SECTIONS
from statera.cluster.report import spread
from statera.cluster.report.accepted import filters, observations
from statera.cluster.report.cells import CHANGE, change, mean, side_column, title, tone
from statera.cluster.report.pictures import anchor
from statera.cluster.report.wording import number, shown
from statera.cluster.views.numbers import percent
from statera.report.model import Column, Fold, Heading, Prose, Section, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.report.material import Material
    from statera.cluster.rows import MetricRow
    from statera.report.model import Block

TITLE: Final = "2 Analysis"
_MARK: Final = "+ "
_NEW: Final = "+ marks rows that older reports do not have."
# The number of contenders that fit on a page side by side with Δ and Δ%, and with values and Δ%.
_WITH_DELTA, _WITH_VALUES = 2, 4


def section(material: Material) -> Section:
    """Build the section: every metric of every variant."""
    of = {row.metric.key: row for row in material.rows}
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
    return Section("results", TITLE, tuple(blocks))


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
    return (said, f"Beside Δ% the interval is drawn: {material.axis(0).words}. A metric leads to its charts.")


def _tables(material: Material, name: str, rows: Sequence[tuple[MetricRow, str]]) -> list[Block]:
    if not rows:
        return []
    notes = (_NEW,) if any(mark for _, mark in rows) else ()
    if not material.compares:
        return [Heading(name), spread.table(material, rows, notes)]
    contenders = material.comparison.variants[1:]
    if len(contenders) == 1:
        return [Heading(name), _pair(material, rows, notes)]
    details = [_detail(material, rows, place) for place in range(len(material.comparison.pairs))]
    whose = "of each contender" if len(details) > 1 else "of the contender"
    return [
        Heading(name),
        _side_by_side(material, rows, notes),
        Fold(f"{name}: intervals and verdicts {whose}", tuple(details)),
    ]


def _anchors(rows: Sequence[tuple[MetricRow, str]]) -> tuple[str, ...]:
    return tuple(anchor("row", row.metric) for row, _ in rows)


def _pair(material: Material, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    base, other = (shown(variant.label) for variant in material.comparison.variants)
    body = []
    for row, mark in rows:
        [cell] = row.cells
        unit = cell.written
        first = title(f"{mark}{row.metric.title}", unit, material.pictures.link(row.metric))
        values = (mean(cell.before.mean, unit), mean(cell.side.mean, unit))
        body.append((first, *values, *change(cell, material.axis(0))))
    heads = (Column("metric"), side_column(base), side_column(other), *CHANGE)
    return Table(f"{other} against {base}", heads, tuple(body), notes, anchors=_anchors(rows))


def _side_by_side(material: Material, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    """Show all variants side by side, as far as there is room; the table of each contender has all columns."""
    base, *others = (shown(variant.label) for variant in material.comparison.variants)
    heads = [Column("metric"), Column(base, numeric=True)]
    for other in others:
        if len(others) <= _WITH_VALUES:
            heads += [Column(other, numeric=True)]
        if len(others) <= _WITH_DELTA:
            heads += [Column("Δ", numeric=True, minor=True)]
        heads += [Column("Δ%" if len(others) <= _WITH_VALUES else f"{other}, Δ%", numeric=True)]
    body = []
    for row, mark in rows:
        unit = row.written
        first = title(f"{mark}{row.metric.title}", unit, material.pictures.link(row.metric))
        cells = [first, mean(row.base.mean, unit)]
        for cell in row.cells[: len(others)]:
            if len(others) <= _WITH_VALUES:
                cells.append(mean(cell.side.mean, unit))
            if len(others) <= _WITH_DELTA:
                cells.append(number(cell.delta, unit.difference(cell.delta)))
            cells.append(number(cell.delta_percent, percent(cell.delta_percent), tone(cell) if cell.changed else ""))
        body.append(tuple(cells))
    note = "Coloured changes are better, worse or changed; the folded tables have the interval and verdict of each."
    return Table("All side by side", tuple(heads), tuple(body), (note, *notes), anchors=_anchors(rows))


def _detail(material: Material, rows: Sequence[tuple[MetricRow, str]], place: int) -> Table:
    marked = [(row.cells[place], mark) for row, mark in rows]
    base, other = (shown(variant.label) for variant in (marked[0][0].base, marked[0][0].other))
    heads = (Column("metric"), side_column(base), side_column(other), *CHANGE)
    body = [
        (
            title(f"{mark}{cell.metric.title}", cell.written, material.pictures.link(cell.metric)),
            mean(cell.before.mean, cell.written),
            mean(cell.side.mean, cell.written),
            *change(cell, material.axis(place)),
        )
        for cell, mark in marked
    ]
    return Table(f"{other} against {base}", heads, tuple(body))
