"""Tables of texts: in aligned columns or as Markdown, and fitted into narrow terminals.

Tables lose columns in a narrow terminal, but never rows or verdicts.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.comparison.codes import OF
from statera.output.views.tables import aligned
from statera.output.views.tables import markdown as markdown_table
from statera.output.views.texts import folded

if TYPE_CHECKING:
    from collections.abc import Sequence


class Table(NamedTuple):
    """A table of texts."""

    title: str  # the title above the table
    rows: list[list[str]]  # the rows of cells, the heading first
    verdicts: tuple[str, ...] = ()  # the verdict of each row below the heading; empty if rows have none


Block = Table | list[str] | str
"""A part of a text: a table, sentences, or a heading."""
_LONGEST = 120
BOLD = ("\x1b[1m", "\x1b[0m")
_NUMBER = re.compile(r"[\[±<+−-]*\d[\d.,]*(e[+−-]?\d+)?%?(, [+−-]?\d[\d.,]*(e[+−-]?\d+)?\])?")


def plain(block: Block, width: int | None = None, *, colour: bool = False) -> str:
    """Write a block as text: a table below its title, sentences folded into the width, or a heading."""
    if isinstance(block, Table):
        return _plain_table(_fitted(block, width), colour=colour)
    bold, end = BOLD if colour and isinstance(block, str) else ("", "")
    lines = [block] if isinstance(block, str) else block
    return "".join(f"{bold}{folded(_native.printable(line), width)}{end}\n" for line in lines)


def _plain_table(table: Table, *, colour: bool) -> str:
    """Write a table in aligned columns below its title; numbers are right-aligned, words left-aligned."""
    rows = [[_native.shortened(_native.printable(cell), _LONGEST) for cell in row] for row in table.rows]
    columns: list[Sequence[str]] = []
    for column in zip(*rows, strict=True):
        # Words that are padded on the right are aligned on the left.
        longest = max(map(len, column)) if _is_prose(column[1:]) else 0
        columns.append([cell.ljust(longest) for cell in column])
    body = aligned([list(row) for row in zip(*columns, strict=True)], bold=BOLD if colour else ("", ""))
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


def in_markdown(block: Block) -> str:
    """Write a block as Markdown with an empty line below: a table below its title, a list of sentences, a heading."""
    if isinstance(block, str):
        return f"## {_native.markdown_text(block)}\n\n"
    if not isinstance(block, Table):
        return "".join(f"- {_native.markdown_text(line)}\n" for line in block) + ("\n" if block else "")
    words = [number for number, column in enumerate(zip(*block.rows, strict=True)) if _is_prose(column[1:])]
    rows = [[_native.markdown_text(cell) for cell in row] for row in block.rows]
    return f"### {_native.markdown_text(block.title)}\n\n{markdown_table(rows, words)}\n"


# Columns of a table of changes in the order in which they are dropped: n, Δ, the interval, the means.
_MISSED_LEAST: Final = ((2, 4), (5,), (7,), (1, 3))
_GAP: Final = 2
_HEADING: Final = 16
# The widths into which verdicts are wrapped: the second before the interval would be dropped.
_VERDICT: Final = 28
_NARROW_VERDICT: Final = 17
_INTERVAL: Final = (7,)
_LEAST_CELL: Final = 12


def _fitted(table: Table, width: int | None) -> Table:
    """Fit a table into the width: one of changes loses columns, in others long cells are shortened."""
    if width is None or _width(table.rows) <= width:
        return table
    if table.verdicts:
        return _fitted_changes(table, width)
    room = (width - _width(table.rows, [0])) // max(1, len(table.rows[0]) - 1) - _GAP
    return Table(table.title, [[row[0], *(_cut(cell, room) for cell in row[1:])] for row in table.rows])


def _fitted_changes(table: Table, width: int) -> Table:
    """Fit a table of changes into the width: wrap long verdicts, then drop columns, then shorten titles."""
    rows = table.rows
    heading = [_native.shortened(_native.printable(cell), _HEADING) for cell in rows[0]]
    rows, verdicts = _wrapped(table, heading, _VERDICT)
    kept = list(range(len(heading)))
    for columns in _MISSED_LEAST:
        if _width(rows, kept) <= width:
            break
        if columns == _INTERVAL:
            rows, verdicts = _wrapped(table, heading, _NARROW_VERDICT)
            if _width(rows, kept) <= width:
                break
        kept = [column for column in kept if column not in columns]
    room = width - _width(rows, kept[1:]) - _GAP
    cells = [[_cut(row[0], room), *(row[column] for column in kept[1:])] for row in rows]
    return Table(table.title, cells, verdicts)


def _wrapped(table: Table, heading: list[str], room: int) -> tuple[list[list[str]], tuple[str, ...]]:
    """Split rows with long verdicts into lines; return the lines below the heading, and the verdict of each."""
    lines = [_continued(row, room) for row in table.rows[1:]]
    verdicts = tuple(verdict for verdict, row in zip(table.verdicts, lines, strict=False) for _ in row)
    return [heading, *(line for row in lines for line in row)], verdicts


def _width(rows: list[list[str]], columns: list[int] | None = None) -> int:
    chosen = range(len(rows[0])) if columns is None else columns
    widths = [max(len(_native.printable(row[column])) for row in rows) for column in chosen]
    return sum(widths) + _GAP * max(0, len(widths) - 1)


def _continued(row: list[str], room: int) -> list[list[str]]:
    """Split a row with a long verdict into lines."""
    first, *others = textwrap.wrap(_native.printable(row[-1]), room, break_long_words=False) or [""]
    return [[*row[:-1], first], *([*[""] * (len(row) - 1), other] for other in others)]


def _cut(cell: str, room: int) -> str:
    return _native.shortened(_native.printable(cell), max(_LEAST_CELL, room))
