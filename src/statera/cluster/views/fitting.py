"""Tables of a comparison for narrow terminals: they lose columns, but never rows or verdicts."""

from __future__ import annotations

import textwrap
from typing import Final

from statera import _native
from statera.cluster.views.compared import Table

# Columns of ``compared.heading`` in the order in which they are dropped: n, Δ, the interval, the means.
_MISSED_LEAST: Final = ((2, 4), (5,), (7,), (1, 3))
_GAP: Final = 2
_HEADING: Final = 16
# The widths into which verdicts are wrapped: the second before the interval would be dropped.
_VERDICT: Final = 28
_NARROW_VERDICT: Final = 14
_INTERVAL: Final = (7,)
_LEAST: Final = 12


def fitted(table: Table, width: int | None) -> Table:
    """Fit a table of changes into the width: wrap long verdicts, then drop columns, then shorten titles."""
    rows = table.rows
    if width is None or _width(rows) <= width:
        return table
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


def shortened(table: Table, width: int | None) -> Table:
    """Fit a table of facts, one column a run, into the width: shorten long cells."""
    if width is None or _width(table.rows) <= width:
        return table
    columns = len(table.rows[0]) - 1
    room = (width - _width(table.rows, [0])) // max(1, columns) - _GAP
    return Table(table.title, [[row[0], *(_cut(cell, room) for cell in row[1:])] for row in table.rows])


def _width(rows: list[list[str]], columns: list[int] | None = None) -> int:
    chosen = range(len(rows[0])) if columns is None else columns
    widths = [max(len(_native.printable(row[column])) for row in rows) for column in chosen]
    return sum(widths) + _GAP * max(0, len(widths) - 1)


def _continued(row: list[str], room: int) -> list[list[str]]:
    """Split a row with a long verdict into lines."""
    first, *others = textwrap.wrap(_native.printable(row[-1]), room, break_long_words=False) or [""]
    return [[*row[:-1], first], *([*[""] * (len(row) - 1), other] for other in others)]


def _cut(cell: str, room: int) -> str:
    return _native.shortened(_native.printable(cell), max(_LEAST, room))
