"""Section of the analysis: tables of metrics with changes, intervals and verdicts, filters and observations."""

from __future__ import annotations

from dataclasses import replace
from statistics import stdev
from typing import TYPE_CHECKING, Final

from statera.cluster.comparison import ONE_RUN
from statera.cluster.metrics import in_sections
from statera.cluster.numbers import percent, suited
from statera.cluster.observations import PERCENTILES
from statera.cluster.report import journey
from statera.cluster.report.cells import change, change_columns, count, mean, number, shown, title, tone
from statera.cluster.report.cells import mean as written
from statera.cluster.report.chain import filters, observations
from statera.cluster.report.material import anchor
from statera.cluster.views.comparison import WITHIN, shared_rider
from statera.output.report.model import Cell, Column, Fold, Heading, Prose, Section, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.comparison import Change, MetricRow
    from statera.cluster.numbers import RowUnit
    from statera.cluster.observations import Variant
    from statera.cluster.report.cells import Axis
    from statera.cluster.report.material import Material
    from statera.output.report.model import Block


TITLE: Final = "2 Analysis"
_MARK: Final = "+ "
_DIFFERS: Final = " ≠"
_ACROSS: Final = (
    "Each is the change of the mean over runs of the runs' own percentile, with its interval. The unit of the test is "
    "the run, as for means. Coloured changes are better, worse or changed."
)
_MAJOR_PERCENTILE: Final = "p95"
_NEW: Final = "+ marks rows that older reports do not have."
# The number of contenders that fit on a page side by side with Δ and Δ%, and with values and Δ%.
_WITH_DELTA, _WITH_VALUES = 2, 4
_ON_A_PHONE: Final = 2


def section(material: Material) -> Section:
    """Build the section: every metric of every variant."""
    pictures = material.pictures
    blocks: list[Block] = []
    if pictures.journey is not None:
        blocks += journey.blocks(pictures.journeys, material.comparison.variants, pictures.journey)
    blocks += _lead(material)
    for each, rows in in_sections({row.metric.key: row for row in material.rows}):
        called = f"{each.number} {each.title}" if each else "2.6 Beyond the five tables"
        blocks += _tables(material, called, [(row, _MARK if extra else "") for row, extra in rows])
    blocks += [Heading("2.7 Filters"), filters(material), Heading("2.8 Observations of peers"), observations(material)]
    return Section("results", TITLE, (*blocks, *_percentiles(material)))


def _percentiles(material: Material) -> list[Block]:
    """Show the percentiles of every metric beside its mean, for each pair of variants; nothing if none are compared."""
    found: list[Block] = []
    for place, (base, other) in enumerate(material.comparison.pairs):
        rows = [
            (row.metric, row.cells[place], row.percentiles[place]) for row in material.rows if row.percentiles[place]
        ]
        body = tuple(
            (Cell(metric.title, link=material.pictures.link(metric)), _moved(mean_of), *_each(cells))
            for metric, mean_of, cells in rows
        )
        names = (shown(material.comparison.variants[number].label) for number in (other, base))
        heads = (
            Column("metric"),
            Column("mean", numeric=True, minor=True),
            *(Column(each, numeric=True, minor=each != _MAJOR_PERCENTILE) for each in PERCENTILES),
        )
        found += [Table(" against ".join(names), heads, body, (_ACROSS,))] if body else []
    return [Heading("2.9 Percentiles"), *found] if found else []


def _each(cells: Sequence[Change]) -> Iterator[Cell]:
    """Yield a cell for each percentile; one that is not compared is empty."""
    of = {cell.percentile: cell for cell in cells}
    return (_moved(of[each]) if each in of else Cell("-") for each in PERCENTILES)


def _moved(cell: Change) -> Cell:
    text = f"{percent(cell.delta_percent)} {cell.interval_percent or ''}".rstrip()
    return number(cell.delta_percent, text, tone(cell) if cell.changed else "")


def _lead(material: Material) -> list[Block]:
    means = "Every cell is the mean over all values of all hosts; n is the number of values of the row."
    if not material.compares:
        return [Prose((means,))]
    base = shown(material.comparison.variants[0].label)
    level = f"{material.comparison.settings.policy.level}\u00a0%"
    said = (
        f"{means} If the sides differ in n, both numbers are shown. Δ and Δ% are the change from {base}, computed from "
        f"unrounded means. The interval is the {level} confidence interval of Δ. A verdict follows from the interval "
        "and the p-value, which is corrected for multiple comparisons; the section Method explains it."
    )
    drawn = f"Where intervals are drawn: {material.axes[0].words}. The name of a metric leads to its charts."
    return [Prose((said,)), Prose((drawn,), plain=False)]


def _tables(material: Material, called: str, rows: Sequence[tuple[MetricRow, str]]) -> list[Block]:
    if not rows:
        return []
    notes = (_NEW,) if any(mark for _, mark in rows) else ()
    if not material.compares:
        return [Heading(called), _spread_table(material, rows, notes)]
    contenders = material.comparison.variants[1:]
    if len(contenders) == 1:
        table = _pair(material, rows, 0)
        return [Heading(called), replace(table, notes=(*table.notes, *notes), anchors=_anchors(rows))]
    details = [_pair(material, rows, place) for place in range(len(material.comparison.pairs))]
    whose = "of each contender" if len(details) > 1 else "of the contender"
    return [
        Heading(called),
        _side_by_side(material, rows, notes),
        Fold(f"{called}: intervals and verdicts {whose}", tuple(details), on_paper=True),
    ]


def _anchors(rows: Sequence[tuple[MetricRow, str]]) -> tuple[str, ...]:
    return tuple(anchor("row", row.metric) for row, _ in rows)


def _side_by_side(material: Material, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    """Show all variants side by side, as far as there is room; the table of each contender has all columns."""
    base, *others = (shown(variant.label) for variant in material.comparison.variants)
    # A phone shows the baseline and the change of each contender, which therefore names it.
    heads = [Column("metric"), Column(base, numeric=True, minor=len(others) > _ON_A_PHONE)]
    for other in others:
        if len(others) <= _WITH_VALUES:
            heads += [Column(other, numeric=True, minor=True)]
        if len(others) <= _WITH_DELTA:
            heads += [Column("Δ", numeric=True, minor=True)]
        heads += [Column(f"{other}, Δ%", numeric=True)]
    heads.append(Column("n", numeric=True, minor=True))
    body, differ = [], False
    for row, mark in rows:
        unit = row.written
        first = title(f"{mark}{row.metric.title}", unit, material.pictures.link(row.metric))
        cells = [first, mean(row.base.mean, unit)]
        for cell in row.cells[: len(others)]:
            if len(others) <= _WITH_VALUES:
                cells.append(mean(cell.side.mean, unit))
            if len(others) <= _WITH_DELTA:
                cells.append(number(cell.delta, unit.difference(cell.delta)))
            of_one = cell.verdict == "differs"
            differ = differ or of_one
            text = percent(cell.delta_percent) + _DIFFERS * of_one
            cells.append(number(cell.delta_percent, text, tone(cell) if cell.changed else ""))
        counts = dict.fromkeys(side.n for side in (row.base, *(cell.side for cell in row.cells[: len(others)])))
        body.append((*cells, number(row.base.n, ", ".join(f"{n:,}" for n in counts))))
    note = "Coloured changes are better, worse or changed; the folded tables have the interval and verdict of each."
    marked = (f"{_DIFFERS.strip()} differs, and a build has one run.",) if differ else ()
    return Table("All beside each other", tuple(heads), tuple(body), (note, *marked, *notes), anchors=_anchors(rows))


def _pair(material: Material, rows: Sequence[tuple[MetricRow, str]], place: int) -> Table:
    """Show all columns of a pair of variants."""
    marked = [(row.cells[place], mark) for row, mark in rows]
    return pair_table(material, marked, material.axes[place], "")


def pair_table(material: Material, marked: Sequence[tuple[Change, str]], axis: Axis, what: str) -> Table:
    """Build a table of changes of one pair of variants; its title names the pair and what they share."""
    cells = [cell for cell, _ in marked]
    base, other = (shown(variant.label) for variant in (cells[0].base, cells[0].other))
    rider = shared_rider(cells)
    body = [
        (
            title(
                f"{mark}{cell.name if what else cell.metric.title}", cell.written, material.pictures.link(cell.metric)
            ),
            mean(cell.before.mean, cell.written),
            mean(cell.side.mean, cell.written),
            *change(cell, axis, rider),
        )
        for cell, mark in marked
    ]
    level = material.comparison.settings.policy.level
    sides = (Column(label, numeric=True, minor=True) for label in (base, other))
    heads = (Column("metric"), *sides, *change_columns(level))
    notes = (WITHIN,) if any(cell.reason == ONE_RUN for cell in cells) else ()
    return Table(f"{what}{other} against {base} {rider}".rstrip(), heads, tuple(body), notes)


# A phone shows these.
_MAJOR: Final = ("mean", "95 %", "in per cent")
_LEVELS: Final = {"0.05": "5 %", "0.5": "median", "0.95": "95 %", "1": "largest"}


def _spread_table(material: Material, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    """Build the table of some metrics of a report without a comparison."""
    [variant] = material.comparison.variants
    units = [suited(row.metric.unit, (row.base.mean,)) for row, _ in rows]
    titles = [
        title(f"{mark}{row.metric.title}", unit, material.pictures.link(row.metric))
        for (row, mark), unit in zip(rows, units, strict=True)
    ]
    if len(variant.runs) == 1:
        what, names = "Means and spread", ("mean", "n", "standard deviation", *_LEVELS.values())
        cells = _values
    else:
        what = f"{len(variant.runs)} runs together"
        names = ("mean", "n", "standard deviation between runs", "in per cent", "smallest mean", "largest mean")
        cells = _between
    body = tuple((first, *cells(variant, row, unit)) for first, (row, _), unit in zip(titles, rows, units, strict=True))
    heads = (Column("metric"), *(Column(each, numeric=True, minor=each not in _MAJOR) for each in names))
    return Table(what, heads, body, notes, anchors=tuple(anchor("row", row.metric) for row, _ in rows))


def _values(variant: Variant, row: MetricRow, unit: RowUnit) -> tuple[Cell, ...]:
    found = variant.runs[0].summary["metrics"][row.metric.key]
    quantiles = found["quantiles"] or {}
    return (
        written(found["mean"], unit),
        count(found["n"]),
        written(found["stddev"], unit),
        *(written(quantiles.get(level), unit) for level in _LEVELS),
    )


def _between(variant: Variant, row: MetricRow, unit: RowUnit) -> tuple[Cell, ...]:
    stated = [run.summary["metrics"][row.metric.key]["mean"] for run in variant.runs]
    means = [mean for mean in stated if mean is not None]
    apart = stdev(means) if len(means) > 1 else None
    share = 100 * apart / abs(row.base.mean) if apart is not None and row.base.mean else None
    return (
        written(row.base.mean, unit), count(row.base.n), written(apart, unit),
        number(share, percent(share).lstrip("+")), written(min(means, default=None), unit),
        written(max(means, default=None), unit),
    )  # fmt: skip
