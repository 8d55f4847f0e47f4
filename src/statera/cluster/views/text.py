"""A comparison of runs as plain text and Markdown, and as the common CSV and JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statera import _native
from statera.cluster.compare import document
from statera.cluster.views.compared import Look, against, changes, differing, findings, manifest, notes, tables
from statera.cluster.views.fitting import fitted, shortened
from statera.comparison.codes import LOSSES, OF
from statera.output.views import csv
from statera.output.views import json as document_of
from statera.output.views.columns import aligned
from statera.output.views.columns import markdown as markdown_table
from statera.output.views.terminal import folded

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
    """Write a comparison as plain text for terminals: the answer, what changed, all tables, the manifest, notes."""
    look = look or Look()
    several = len(comparison.pairs) > 1
    parts = [headline(comparison, width=width, colour=colour)]
    for number, _ in enumerate(comparison.pairs):
        parts += _pair(comparison, number, look, several=several, width=width, colour=colour)
    parts.append(plain(shortened(manifest(comparison), width), colour=colour))
    parts.append(prose(notes(comparison), width))
    return "\n".join(part for part in parts if part)


def _pair(
    comparison: ClusterComparison, number: int, look: Look, *, several: bool, width: int | None, colour: bool
) -> list[str]:
    """Write a pair of variants: what changed, what is open, and the tables."""
    bold, end = _BOLD if colour else ("", "")
    parts = [f"{bold}{folded(_native.printable(against(comparison, number)), width)}{end}\n"] if several else []
    first = changes(comparison, number) if look.whole else None
    if first is not None and first.rows:
        parts.append(plain(fitted(first, width), colour=colour))
    parts.append(prose(findings(comparison, number), width))
    return parts + [plain(fitted(table, width), colour=colour) for table in tables(comparison, number, look)]


def headline(comparison: ClusterComparison, *, width: int | None, colour: bool) -> str:
    """Write the answer, what is compared, and in what else the runs differ."""
    answer = comparison.answer
    bad = not answer.counts.keys().isdisjoint(LOSSES)
    bold, end = (OF["worse"].ansi if bad else _BOLD[0], _BOLD[1]) if colour else ("", "")
    pairs = [against(comparison, number) for number, _ in enumerate(comparison.pairs)]
    lines = [*(pairs if len(pairs) == 1 else []), *differing(comparison)]
    return f"{bold}{folded(_native.printable(answer.line), width)}{end}\n{prose(lines, width)}"


def prose(lines: Sequence[str], width: int | None) -> str:
    """Write sentences, each folded into the width."""
    return "".join(f"{folded(_native.printable(line), width)}\n" for line in lines)


def plain(table: Table, *, colour: bool = False) -> str:
    """Write a table in aligned columns below its title; numbers are right-aligned, words left-aligned."""
    rows = [[_native.shortened(_native.printable(cell), _LONGEST) for cell in row] for row in table.rows]
    columns = [_padded(column) if _is_prose(column[1:]) else column for column in zip(*rows, strict=True)]
    body = aligned([list(row) for row in zip(*columns, strict=True)], bold=_BOLD if colour else ("", ""))
    if colour and table.verdicts:
        head, *lines = body.splitlines(keepends=True)
        body = head + "".join(map(_coloured, lines, table.verdicts))
    return f"{_native.printable(table.title)}\n{body}"


def _coloured(line: str, verdict: str) -> str:
    begin = OF[verdict].ansi if verdict in OF else ""
    return f"{begin}{line.rstrip()}\x1b[0m\n" if begin else line


def _is_prose(cells: Sequence[str]) -> bool:
    """Check whether a column holds words, not only numbers and intervals."""
    return any(cell not in {"", "-"} and not _NUMBER.fullmatch(cell) for cell in cells)


def _padded(column: Sequence[str]) -> Sequence[str]:
    """Pad words on the right, which aligns them on the left."""
    longest = max(map(len, column))
    return [cell.ljust(longest) for cell in column]


def markdown(comparison: ClusterComparison, look: Look | None = None) -> str:
    """Write a comparison as Markdown, in the order of the terminal."""
    look = look or Look()
    parts = [f"**{_native.markdown_text(comparison.answer.line)}**\n\n", listed(differing(comparison))]
    for number, _ in enumerate(comparison.pairs):
        if len(comparison.pairs) > 1:
            parts.append(f"## {_native.markdown_text(against(comparison, number))}\n\n")
        first = changes(comparison, number)
        if look.whole and first.rows:
            parts.append(f"{in_markdown(first)}\n")
        parts.append(listed(findings(comparison, number)))
        parts += [f"{in_markdown(table)}\n" for table in tables(comparison, number, look)]
    return "".join([*parts, f"{in_markdown(manifest(comparison))}\n", listed(notes(comparison))])


def listed(lines: Sequence[str]) -> str:
    """Write sentences as a list of Markdown."""
    return "".join(f"- {_native.markdown_text(line)}\n" for line in lines) + ("\n" if lines else "")


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
