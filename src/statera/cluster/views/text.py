"""A comparison of runs as plain text and Markdown, and as the common CSV and JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statera import _native
from statera.cluster.compare import document
from statera.cluster.views.compared import Look, manifest, notes, tables
from statera.cluster.views.fitting import fitted, shortened
from statera.views import csv
from statera.views import json as document_of
from statera.views.columns import aligned
from statera.views.columns import markdown as markdown_table
from statera.views.terminal import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.compare import ClusterComparison
    from statera.cluster.views.compared import Table

_LONGEST = 120
_BOLD = ("\x1b[1m", "\x1b[0m")
_NUMBER = re.compile(r"[\[±<+-]*\d[\d.,]*(e[+-]?\d+)?%?(, [+-]?\d[\d.,]*(e[+-]?\d+)?\])?")


def compared(
    comparison: ClusterComparison,
    kind: str,
    look: Look,
    *,
    width: int | None = None,
    colour: bool = False,
    raw: bool = False,
) -> str:
    """Write a comparison as ``kind``: terminal, markdown, csv or json."""
    if kind == "csv":
        return comma(comparison, look, raw=raw)
    if kind == "json":
        return json(comparison, look)
    if kind == "markdown":
        return markdown(comparison, look)
    return terminal(comparison, look, width=width, colour=colour)


def terminal(
    comparison: ClusterComparison, look: Look | None = None, *, width: int | None = None, colour: bool = False
) -> str:
    """Write a comparison as plain text for terminals."""
    parts = [plain(shortened(manifest(comparison), width), colour=colour)]
    for number, _ in enumerate(comparison.pairs):
        parts += [plain(fitted(table, width), colour=colour) for table in tables(comparison, number, look)]
    parts.append("".join(f"{folded(_native.printable(note), width)}\n" for note in notes(comparison)))
    return "\n".join(parts)


def plain(table: Table, *, colour: bool = False) -> str:
    """Write a table in aligned columns below its title; numbers are right-aligned, words left-aligned."""
    rows = [[_native.shortened(_native.printable(cell), _LONGEST) for cell in row] for row in table.rows]
    columns = [_padded(column) if _is_prose(column[1:]) else column for column in zip(*rows, strict=True)]
    body = aligned([list(row) for row in zip(*columns, strict=True)], bold=_BOLD if colour else ("", ""))
    return f"{_native.printable(table.title)}\n{body}"


def _is_prose(cells: Sequence[str]) -> bool:
    """Check whether a column holds words, not only numbers and intervals."""
    return any(cell not in {"", "-"} and not _NUMBER.fullmatch(cell) for cell in cells)


def _padded(column: Sequence[str]) -> Sequence[str]:
    """Pad words on the right, which aligns them on the left."""
    longest = max(map(len, column))
    return [cell.ljust(longest) for cell in column]


def markdown(comparison: ClusterComparison, look: Look | None = None) -> str:
    """Write a comparison as Markdown."""
    found = [manifest(comparison)]
    for number, _ in enumerate(comparison.pairs):
        found += tables(comparison, number, look)
    parts = [f"{in_markdown(table)}\n" for table in found]
    return "".join([*parts, *(f"- {_native.markdown_text(note)}\n" for note in notes(comparison))])


def in_markdown(table: Table) -> str:
    """Write a table as Markdown below its title; numbers are right-aligned, words left-aligned."""
    words = [number for number, column in enumerate(zip(*table.rows, strict=True)) if _is_prose(column[1:])]
    return f"### {_native.markdown_text(table.title)}\n\n{markdown_table(_escaped(table.rows), words)}"


def _escaped(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[_native.markdown_text(cell) for cell in row] for row in rows]


def comma(comparison: ClusterComparison, look: Look | None = None, *, raw: bool = False) -> str:
    """Write the rows as CSV, with numbers in full precision."""
    look = look or Look()
    compared = comparison.comparison
    return "" if compared is None else csv.text(compared, look.of_rows, changed=look.changed, raw=raw)


def json(comparison: ClusterComparison, look: Look | None = None) -> str:
    """Write the common JSON document with the additional keys of a cluster, with numbers in full precision."""
    look = look or Look()
    compared = comparison.comparison
    if compared is None:
        return ""
    return document_of.text(compared, look.of_rows, changed=look.changed, more=document(comparison))
