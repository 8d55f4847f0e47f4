"""The section on a suite whose benchmarks have one value a side: the spread of the changes, and the largest ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.output.report import figures
from statera.output.report.material import by_metric
from statera.output.report.model import Cell, Column, Fold, Item, Items, Prose, Section, Table
from statera.output.report.sections.cards import counters
from statera.output.report.sections.rows import index_of, where
from statera.output.views.texts import mean_parts, mean_words, quantile_words
from statera.support.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.comparison import Section as Rows
    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.output.report.sections.rows import Index

# So many are listed at either end; a suite of fewer than two benchmarks has no spread.
NAMED: Final = 10
_LEAST: Final = 2
_MOST_PAIRS: Final = 60
# Columns of other metrics beside the largest changes, and what finds their rows.
_MOST_OTHERS: Final = 5
_KEY: Final = ("benchmark", "group", "baseline", "contender", "metric")
_SPREAD: Final = (
    "One value per build allows no test of a single benchmark: noise and change cannot be distinguished. The changes "
    "over the suite can be described: if nothing had changed, they would lie around zero, equally far in both "
    "directions."
)
_NO_INTERVAL: Final = (
    "The geometric mean has no interval: the benchmarks of one run vary together, so that the spread between them does "
    "not tell how much another run would differ."
)


def section(material: Material) -> Section | None:
    """Show the spread of a suite's changes, with its largest changes and the bars of all benchmarks."""
    comparison = material.comparison
    found = single_valued(comparison) if comparison is not None else []
    if comparison is None or not found:
        return None
    blocks: list[Block] = [Prose((_SPREAD, _NO_INTERVAL)), _spread(comparison, found)]
    more: list[Block] = []
    for each in found[:_MOST_PAIRS]:
        into = blocks if each.metric == found[0].metric else more
        into += _ends(comparison, each, material.aside or comparison)
    bars = figures.suites(comparison)
    blocks += bars[:1]
    more += bars[1:]
    # The first metric is the one that the comparison is about.
    blocks += [Fold("The same of the other metrics", tuple(more), on_paper=True)] if more else []
    return Section("suite", "The suite as a whole", tuple(blocks))


def single_valued(comparison: Comparison) -> list[Rows]:
    """Return the metrics, groups and pairs whose benchmarks have one value a side."""
    sections = comparison.sections()
    return [each for each in sections if each.summary["quantiles"] is not None and each.summary["rows"] >= _LEAST]


def described(comparison: Comparison) -> list[Block]:
    """Write for the summary how the changes of each suite spread; empty if there is no suite."""
    found = single_valued(comparison)
    if not found:
        return []
    lead = Prose(("Over the suite as a whole, described and not judged:",))
    items = [Item(_sentence(comparison, each)) for each in found[:_MOST_PAIRS]]
    return [lead, Items(tuple(items))]


def _sentence(comparison: Comparison, rows: Rows) -> str:
    at = dict(quantile_words(rows.summary))
    known = comparison.arrangement.assignment.rule(rows.metric).better is not None
    worst = next(iter(_named(comparison, rows, "effect" if known else "rise", 1)), None)
    half = f"half of the changes lie from {at['25%']} to {at['75%']}"
    said = f"{half}, their median is {at['50%']}, their mean {at['mean']}"
    more = f"; {'worst' if known else 'most'} is {worst.name} with {worst.change}" if worst else ""
    return f"{where(comparison, rows)}: {said}; geometric mean {mean_words(rows.summary)}{more}."


def _spread(comparison: Comparison, found: list[Rows]) -> Table:
    rows = []
    for each in found[:_MOST_PAIRS]:
        words = quantile_words(each.summary)
        keys = [*each.summary["quantiles"], each.summary["mean_change"]]
        change, how = mean_parts(each.summary)
        cells = [Cell(text, key) for (_, text), key in zip(words, keys, strict=True)]
        rows.append((Cell(where(comparison, each)), *cells, Cell(change, each.summary["ratio"]), Cell(how)))
    levels = [name for name, _ in quantile_words(found[0].summary)]
    heads = (Column("of"), *(Column(name, numeric=True) for name in levels))
    heads = (*heads, Column("geometric mean", numeric=True), Column("over"))
    notes = ("Quantiles of the relative changes, type 7; above zero the contender has more than the baseline.",)
    return Table("Quantiles of change over the suite", heads, tuple(rows), notes, len(found))


def _ends(comparison: Comparison, rows: Rows, aside: Comparison) -> Iterable[Table]:
    """List the largest changes for the worse and for the better, if there are any, beside those of other metrics."""
    known = comparison.arrangement.assignment.rule(rows.metric).better is not None
    if known:
        ends = (("effect", "Worst offenders"), ("gain", "Largest gains"))
    else:
        ends = (("rise", "Largest rises"), ("fall", "Largest falls"))
    for sort, words in ends:
        named = _named(comparison, rows, sort, NAMED)
        if not named:
            continue
        fields = comparison.weighing.row_dict(rows.rows[0])
        sides = [_native.printable(fields[side]) for side in ("baseline", "contender")]
        index, others = index_of(comparison), _others(aside, named[0].row, comparison)
        minor = [*sides, *map(_native.printable, others)]
        heads = (
            Column("benchmark"),
            Column("change", numeric=True),
            *(Column(name, numeric=True, minor=True) for name in minor),
        )
        body = tuple(
            (
                Cell(each.name, link=index.row_anchor(each.row)),
                Cell(each.change, each.keys[2]),
                Cell(each.sides[0], each.keys[0]),
                Cell(each.sides[1], each.keys[1]),
                *(_beside((index, index_of(aside)), index.fields(each.row), name) for name in others),
            )
            for each in named
        )
        table = Table(f"{words}: {where(comparison, rows)}", heads, body).without_empty()
        beside = {column.name for column in table.columns} & {_native.printable(name) for name in others}
        notes = ("The columns on the right are the changes of the other metrics of the same run.",) if beside else ()
        yield replace(table, notes=notes)


def _others(aside: Comparison, row: int, comparison: Comparison) -> list[str]:
    """Return other metrics whose changes may say why a benchmark changed: those that are compared, then counters."""
    own = index_of(comparison).fields(row)["metric"]
    compared = [comparison.observations.metrics[metric].name for metric in by_metric(comparison)]
    more = [aside.observations.metrics[metric].name for metric in by_metric(aside)]
    names = dict.fromkeys([*compared, *counters(more)])
    return [name for name in names if name != own][:_MOST_OTHERS]


def _beside(indexes: Sequence[Index], fields: dict[str, Any], metric: str) -> Cell:
    """Write the change of another metric of a benchmark, from the first comparison that has it."""
    key = tuple(metric if name == "metric" else fields[name] for name in _KEY)
    for index in indexes:
        for row in index.by_names(_KEY).get(key, ())[:1]:
            return Cell(shown(index.weighing.cell(row, "change")), index.fields(row)["change"])
    return Cell("")


class _Named(NamedTuple):
    """A row at one end of a suite: its name, change and values as written, and the sort keys of values and change."""

    row: int
    name: str
    change: str
    sides: tuple[str, str]
    keys: tuple[float | None, float | None, float | None]


def _named(comparison: Comparison, rows: Rows, sort: str, most: int) -> list[_Named]:
    """Return the rows at one end of a suite."""
    weighing = comparison.weighing
    found: list[_Named] = []
    for index in weighing.order(rows.rows, sort, changed=False):
        fields = weighing.row_dict(index)
        if len(found) == most or _size(weighing, index, sort) <= 0:
            break
        keys = fields["baseline_centre"], fields["contender_centre"], fields["change"]
        name, change, *sides = map(shown, weighing.cells(index, ("benchmark", "change", "baseline", "contender")))
        found.append(_Named(index, name, change, (sides[0], sides[1]), keys))
    return found


def _size(weighing: _native.Weighing, index: int, sort: str) -> float:
    """Return how far a row moved in the listed direction."""
    moved = weighing.rise(index) if sort in {"rise", "fall"} else weighing.harm(index)
    return -moved if sort in {"gain", "fall"} else moved
