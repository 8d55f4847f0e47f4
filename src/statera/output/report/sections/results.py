"""The results, metric by metric: every row, the worst first, pictures, and each variant against each other.

Where blocks are paired, a section says which of them changed most, with and without what strikes some of them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.results.blocks import has_events
from statera.output.plots import heatmap
from statera.output.report import figures
from statera.output.report.material import by_metric
from statera.output.report.model import Attachment, Cell, Column, Fold, Heading, Prose, Section, Table
from statera.output.report.sections.rows import TONES, Index, answer_words, index_of, row_table, tally, text_table
from statera.output.views import blocks as words
from statera.output.views import json
from statera.output.views.tables import OMNIBUS_HEADS, omnibus_cells, omnibus_tests
from statera.output.views.texts import mean_words, quantile_words
from statera.support.wording import counted, shown

if TYPE_CHECKING:
    from statera.comparison.results.blocks import ChangedBlocks
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.comparison import Section as Rows
    from statera.output.report.material import Material
    from statera.output.report.model import Block

_TYPICAL: Final = (
    "A typical change is estimated from the changes between all values (Hodges-Lehmann). It is not the ratio of the "
    "medians beside it."
)
# A change this far from the ratio of the medians could look like an error.
_OFF: Final = 0.01
_CALM: Final = frozenset({"equivalent", "inconclusive"})
# With so few rows of each metric, all but the first share a table.
_FEW_OF_EACH: Final = 8


def section(material: Material) -> Section | None:
    """Show every row."""
    blocks: list[Block] = []
    folded: list[Block] = []
    for number, question in enumerate(material.questions):
        name = "rows.csv" if number == 0 else f"rows-{number + 1}.csv"
        index, words = index_of(question.comparison, number), _native.printable(question.words)
        made = _of(index, words, name, first=number == 0)
        blocks += made.open
        folded += made.folded
    if folded:
        blocks.append(Fold("Other metrics of the further questions", tuple(folded)))
    if material.every_pair is not None:
        blocks += matrices(material.every_pair)
    return Section("results", "Results", tuple(blocks)) if blocks else None


class _Shown(NamedTuple):
    """What is open of a question, and what is folded with that of others."""

    open: list[Block]
    folded: list[Block]


def _of(index: Index, title: str, file: str, *, first: bool) -> _Shown:
    comparison = index.comparison
    blocks: list[Block] = [Heading(title)] if title else []
    folded: list[Block] = []
    drawn: list[Block] = []
    metrics = list(by_metric(comparison))
    main, *others = [([metric], _name(comparison, metric)) for metric in metrics]
    if others and len(comparison) <= _FEW_OF_EACH * len(metrics):
        # Few rows of many metrics are easier to read in one table.
        others = [(metrics[1:], "Other metrics" if len(others) > 1 else others[0][1])]
    harmed = {metric for metric, of in by_metric(comparison).items() if any(each.harmed for each in of)}
    for of, name in sorted((main, *others), key=lambda table: harmed.isdisjoint(table[0])):
        if others and not title:
            blocks.append(Heading(name))
        if not first and of is not main[0]:
            folded += _tables(index, of, f"{name}: {title}", file)
            continue
        tables = _tables(index, of, name, file)
        blocks += [Fold(f"Rows of {counted(len(of), 'other metric')}", tuple(tables))] if len(of) > 1 else _open(tables)
        pictures = [each for metric in of for each in figures.of_metric(comparison, metric, first=first)]
        # The first metric is the one that the comparison is about.
        is_open = of is main[0] and not _calm(index, of)
        drawn += pictures if is_open or not pictures else [Fold(f"Pictures of {name}", tuple(pictures))]
    # Below the tables of several metrics, pictures need a title of their own.
    blocks += [Heading("Pictures")] if drawn and others and not title else []
    blocks += drawn
    what = "every comparison with all its numbers" + (f" ({title})" if title else "")
    blocks.append(Attachment(file, json.comparison_table(comparison).encode(), "text/csv", what))
    return _Shown(blocks, folded)


def _calm(index: Index, metrics: list[int]) -> bool:
    """Return whether nothing of some metrics changed, so that pictures would only repeat that."""
    rows = [row for metric in metrics for each in by_metric(index.comparison)[metric] for row in each.rows]
    return tally(index, rows).keys() <= _CALM


def _open(tables: list[Block]) -> list[Block]:
    """Return the rows of a metric open, and its tests over all variants folded: the rows say which variant differs."""
    rows, *tests = tables
    return [rows, Fold("Tests over all variants together", tuple(tests))] if tests else [rows]


def _name(comparison: Comparison, metric: int) -> str:
    return _native.printable(comparison.observations.metrics[metric].name)


def _tables(index: Index, metrics: list[int], name: str, file: str) -> list[Block]:
    """Write every row of some metrics in one table, and below it the tests over all variants."""
    comparison = index.comparison
    one = by_metric(comparison)[metrics[0]]
    # Those of several metrics stand level by level.
    sections = one if len(metrics) == 1 else [each for each in comparison.sections() if each.metric in metrics]
    rows = [row for each in sections for row in each.rows]
    groups = {each.group for each in sections}
    level = _native.printable(comparison.arrangement.groups[sections[0].group]) if len(groups) == 1 else ""
    table = row_table(index, rows, f"{name}, {level}" if level else name, file)
    said = [f"Verdicts: {answer_words(index, rows)}.", *(_means(index, sections) if len(metrics) == 1 else [])]
    said += [_TYPICAL] if any(_off_medians(index.fields(row)) for row in rows) else []
    tests = [*_omnibus(index, metrics, sections)]
    return [replace(table, notes=(*said, *table.notes)), *tests]


def _off_medians(fields: dict[str, Any]) -> bool:
    """Return whether the change of a row is not what its medians would make it."""
    old, new, change = fields["baseline_centre"], fields["contender_centre"], fields["change"]
    # What is left can be too little to tell the change from -1.
    if fields["scale"] != "ratio" or change is None or change <= -1 or not old or not new:
        return False
    return abs(math.log(new / old) - math.log1p(change)) > _OFF


def _means(index: Index, sections: list[Rows]) -> list[str]:
    """Write the geometric mean of each group and pair, and how the changes of single values spread."""
    said = []
    for each in sections:
        of = index.place_words(each.rows[0])
        if each.summary.get("rows", 0) > 1 and mean_words(each.summary):
            said.append(f"Geometric mean{of}: {mean_words(each.summary)}.")
        if each.summary["quantiles"] is not None:
            spread = ", ".join(f"{at} {change}" for at, change in quantile_words(each.summary))
            said.append(f"Quantiles of the changes{of}: {spread}.")
    return said


def _omnibus(index: Index, metrics: list[int], sections: list[Rows]) -> list[Table]:
    """Write the tests over all variants, with columns of metrics and levels if there are several."""
    comparison = index.comparison
    tests = omnibus_tests(comparison, dict.fromkeys(each.place for each in sections))
    if not tests:
        return []
    groups = {each.group for each in sections}
    body = []
    for test in tests:
        level = _native.printable(comparison.arrangement.groups[test["group_number"]])
        names = ([_native.printable(test["metric"])] if len(metrics) > 1 else []) + ([level] if len(groups) > 1 else [])
        body.append([_native.printable(test["benchmark"]), *names, *omnibus_cells(test)])
    names = (["metric"] if len(metrics) > 1 else []) + (["level"] if len(groups) > 1 else [])
    first = "benchmark" if len(metrics) > 1 else _name(comparison, metrics[0])
    title = f"All {len(comparison.labels)} variants together"
    return [text_table(title, [[first, *names, *OMNIBUS_HEADS], *body], left=2 + len(names))]


# So many tables at most; a matrix of more variants would not fit a page.
MOST_TABLES: Final = 6
MOST_VARIANTS: Final = 12
LEAST_VARIANTS: Final = 3
_NOTE: Final = (
    "A cell is the typical change of the variant at its left against the one above it, with its corrected p; pale "
    "cells have no clear change. The strongest colours are double and half. All these pairs make one family, so that a "
    "verdict here may differ from that in other tables."
)


def matrices(comparison: Comparison) -> list[Table]:
    """Write a table for each benchmark and group of the first metric; none if there are too many."""
    index = Index(comparison, 0)
    metric, first = next(iter(by_metric(comparison).items()))
    rows = [row for each in first for row in each.rows]
    of: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        fields = index.fields(row)
        of.setdefault((fields["benchmark"], fields["group"]), []).append(row)
    if len(of) > MOST_TABLES:
        return []
    name = comparison.observations.metrics[metric].name
    several = len({benchmark for benchmark, _ in of}) > 1
    tables = []
    for (benchmark, group), found in of.items():
        words = ", ".join(_native.printable(word) for word in (benchmark if several else "", name, group) if word)
        tables.append(_matrix(index, found, f"Each variant against each: {words}"))
    # All are read alike.
    return [*tables[:-1], *(replace(table, notes=(_NOTE,)) for table in tables[-1:])]


def _matrix(index: Index, rows: list[int], title: str) -> Table:
    pairs = {(index.fields(row)["baseline"], index.fields(row)["contender"]): row for row in rows}
    labels = [label for label in index.comparison.labels if any(label in pair for pair in pairs)]
    body = []
    for place, contender in enumerate(labels[1:], 1):
        cells = [Cell(_native.printable(contender))]
        for baseline in labels[:-1]:
            row = pairs.get((baseline, contender)) if baseline in labels[:place] else None
            cells.append(_matrix_cell(index, row) if row is not None else Cell(""))
        body.append(tuple(cells))
    columns = (Column("against"), *(Column(_native.printable(label), numeric=True) for label in labels[:-1]))
    return Table(title, columns, tuple(body))


def _matrix_cell(index: Index, row: int) -> Cell:
    fields = index.fields(row)
    text, p = (shown(word) for word in index.weighing.cells(row, ("brief", "p")))
    heat = round(heatmap.tone(fields, index.rule(fields["metric"]).better), 3)
    return Cell(text, fields["change"], TONES[fields["verdict"]], heat=heat, below=p)


_LEAD: Final = (
    "Values are paired by {word}, and each {word} is the same work in both builds. The median change is that of the "
    "changes of single {word}s; a ratio of sums would be that of the few most expensive ones."
)
# Rows that are shown, the others folded.
_MOST: Final = 2


def blocks_section(material: Material) -> Section | None:
    """Show the blocks that changed most, if that was asked for or some of them are struck by an event."""
    made: list[Block] = []
    for question in material.questions:
        comparison = question.comparison
        if not (comparison.blocks or has_events(comparison.observations)):
            continue
        tables = [each for found in comparison.changed_blocks() for each in _changed_blocks(comparison, found)]
        if tables and not made:
            made.append(Prose((_LEAD.format(word=words.word_of(comparison)),)))
        made += tables[:_MOST]
        made += [Fold("The other metrics and benchmarks", tuple(tables[_MOST:]))] if tables[_MOST:] else []
    return Section("blocks", "What changed most", tuple(made)) if made else None


def _changed_blocks(comparison: Comparison, found: ChangedBlocks) -> list[Table]:
    word, of = words.word_of(comparison), comparison.observations.native
    title, sides = words.title_of(comparison, found), words.sides_of(comparison, found)
    numbers = tuple(Column(side, numeric=True) for side in sides)

    def amounts(baseline: float, contender: float) -> tuple[Cell, ...]:
        texts = words.amounts(of, found.metric, baseline, contender)
        return tuple(Cell(text, key) for text, key in zip(texts, (baseline, contender), strict=True))

    parts = tuple(
        (
            Cell(part.words),
            Cell(f"{part.blocks:,}", part.blocks),
            *amounts(part.baseline, part.contender),
            Cell(_native.percent(part.change), part.change),
        )
        for part in found.parts
    )
    most = tuple(
        (
            Cell(_native.printable(each.block)),
            *amounts(each.baseline, each.contender),
            Cell(_native.percent(each.change), each.change),
            *([Cell("yes" if each.struck else "")] if found.event else []),
        )
        for each in found.most
    )
    columns = (Column(f"{word}s"), Column("number", numeric=True), *numbers, Column("median change", numeric=True))
    event = (Column(found.event),) if found.event else ()
    return [
        *([Table(f"{title}: all {word}s", columns, parts)] if len(parts) > 1 else []),
        Table(
            f"{title}: the {word}s that changed most, of {found.parts[0].blocks:,}",
            (Column(word), *numbers, Column("change", numeric=True), *event),
            most,
        ),
    ]
