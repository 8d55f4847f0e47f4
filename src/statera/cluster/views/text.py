"""Tables of cells as plain text, Markdown and CSV."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statera import _native
from statera.cluster.compare import document
from statera.cluster.views.compared import manifest, notes, tables
from statera.cluster.views.fitting import fitted, shortened
from statera.files import csv_json
from statera.views.columns import aligned
from statera.views.columns import markdown as markdown_table
from statera.views.terminal import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.compare import ClusterComparison
    from statera.cluster.views.compared import Table

_LONGEST = 120
_BOLD = ("\x1b[1m", "\x1b[0m")
_NUMBER = re.compile(r"[\[±<+-]*\d[\d.,]*(e[+-]?\d+)?%?(, [+-]?\d[\d.,]*(e[+-]?\d+)?\])?")


def terminal(comparison: ClusterComparison, *, width: int | None = None, colour: bool = False) -> str:
    """Write a comparison for terminals and for reading as plain text."""
    parts = [plain(shortened(manifest(comparison), width), colour=colour)]
    for number, _ in enumerate(comparison.variants[1:]):
        parts += [plain(fitted(table, width), colour=colour) for table in tables(comparison, number)]
    parts.append("".join(f"{folded(_native.printable(note), width)}\n" for note in notes(comparison)))
    return "\n".join(parts)


def plain(table: Table, *, colour: bool = False) -> str:
    """Write a table in aligned columns, its title above; numbers at the right, words at the left."""
    rows = [[_native.shortened(_native.printable(cell), _LONGEST) for cell in row] for row in table.rows]
    columns = [_padded(column) if _is_prose(column[1:]) else column for column in zip(*rows, strict=True)]
    body = aligned([list(row) for row in zip(*columns, strict=True)], bold=_BOLD if colour else ("", ""))
    return f"{_native.printable(table.title)}\n{body}"


def _is_prose(cells: Sequence[str]) -> bool:
    """Tell a column with words in it from one of numbers and intervals."""
    return any(cell not in {"", "-"} and not _NUMBER.fullmatch(cell) for cell in cells)


def _padded(column: Sequence[str]) -> Sequence[str]:
    """Pad words at the right, so that they stand at the left of their column."""
    longest = max(map(len, column))
    return [cell.ljust(longest) for cell in column]


def markdown(comparison: ClusterComparison) -> str:
    """Write a comparison as Markdown."""
    found = [manifest(comparison)]
    for number, _ in enumerate(comparison.variants[1:]):
        found += tables(comparison, number)
    parts = [f"{in_markdown(table)}\n" for table in found]
    return "".join([*parts, *(f"- {_native.markdown_text(note)}\n" for note in notes(comparison))])


def in_markdown(table: Table) -> str:
    """Write a table as Markdown, its title as a heading; numbers at the right, words at the left."""
    words = [number for number, column in enumerate(zip(*table.rows, strict=True)) if _is_prose(column[1:])]
    return f"### {_native.markdown_text(table.title)}\n\n{markdown_table(_escaped(table.rows), words)}"


def _escaped(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[_native.markdown_text(cell) for cell in row] for row in rows]


_CSV = (
    "table", "key", "title", "unit", "baseline", "run", "base", "base_n", "mean", "n", "delta", "delta_percent", "low",
    "high", "p", "p_corrected", "samples_are", "base_samples", "samples", "verdict",
)  # fmt: skip


def comma(comparison: ClusterComparison, *, raw: bool = False) -> str:
    """Write one line a metric and contender, every number in full."""
    return csv_json.comma_separated([_CSV, *_lines(comparison)], raw=raw)


def _lines(comparison: ClusterComparison) -> Iterator[tuple[object, ...]]:
    base, *others = comparison.variants
    for row in comparison.rows:
        for other, cell in zip(others, row.cells, strict=True):
            weighed = cell.weighed
            yield (
                row.metric.section, row.metric.key, row.metric.title, row.metric.unit, base.label, other.label,
                row.base.mean, row.base.n, cell.side.mean, cell.side.n, cell.delta, cell.delta_percent, weighed.low,
                weighed.high, weighed.p, cell.p_corrected, weighed.unit, *weighed.samples, cell.words,
            )  # fmt: skip


def json(comparison: ClusterComparison) -> str:
    """Write everything, every number in full."""
    return csv_json.document(document(comparison))
