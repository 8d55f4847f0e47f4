"""The matrix of variants: each against each other, with the change and the verdict in a cell."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.codes import CHANGES
from statera.output.report import figures
from statera.output.report.model import Cell, Column, Table
from statera.output.report.sections.index import Index
from statera.output.report.sections.rows import TONES
from statera.support.wording import shown

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison

# So many tables at most; a matrix of more variants would not fit a page.
MOST_TABLES: Final = 6
MOST_VARIANTS: Final = 12
LEAST_VARIANTS: Final = 3
# The change of the strongest colour is the largest of the judged ones, but at least this.
_LEAST: Final = math.log(1.02)
_NOTE: Final = (
    "A cell is the typical change of the variant at its left against the one above it; in parentheses if it is not "
    "shown to differ. All these pairs make one family, so that a verdict here may differ from that in other tables."
)


def matrices(comparison: Comparison) -> list[Table]:
    """Write a table for each benchmark and group of the first metric; none if there are too many."""
    index = Index(comparison, 0)
    metric = figures.metrics(comparison)[0]
    rows = [row for section in comparison.sections() if section.metric == metric for row in section.rows]
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
        tables.append(_table(index, found, f"Each variant against each: {words}"))
    # All are read alike.
    return [*tables[:-1], *(replace(table, notes=(_NOTE,)) for table in tables[-1:])]


def _table(index: Index, rows: list[int], title: str) -> Table:
    pairs = {(index.fields(row)["baseline"], index.fields(row)["contender"]): row for row in rows}
    labels = [label for label in index.comparison.labels if any(label in pair for pair in pairs)]
    sizes = [abs(size) for row in rows if index.fields(row)["verdict"] in CHANGES and (size := _size(index, row))]
    limit = max([*sizes, _LEAST])
    body = []
    for place, contender in enumerate(labels[1:], 1):
        cells = [Cell(_native.printable(contender))]
        for baseline in labels[:-1]:
            row = pairs.get((baseline, contender)) if baseline in labels[:place] else None
            cells.append(_cell(index, row, limit) if row is not None else Cell(""))
        body.append(tuple(cells))
    columns = (Column("against"), *(Column(_native.printable(label), numeric=True) for label in labels[:-1]))
    return Table(title, columns, tuple(body))


def _cell(index: Index, row: int, limit: float) -> Cell:
    fields = index.fields(row)
    text, size = shown(index.weighing.cell(row, "change")), _size(index, row)
    if fields["verdict"] not in CHANGES:
        return Cell(f"({text})", fields["change"], heat=0.0)
    return Cell(text, fields["change"], TONES[fields["verdict"]], heat=round(max(-1.0, min(1.0, size / limit)), 3))


def _size(index: Index, row: int) -> float:
    """Return the size of a change as a logarithm of cost; 0 if it is not a ratio."""
    fields = index.fields(row)
    change = fields["change"]
    if fields["scale"] != "ratio" or change is None or not -1 < change < math.inf:
        return 0.0
    turn = -1 if index.rule(fields["metric"]).better == "higher" else 1
    return turn * math.log1p(change)
