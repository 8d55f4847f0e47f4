"""Small tables as aligned text or Markdown. The compiled part writes the tables of rows."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def aligned(rows: Sequence[Sequence[str]], *, left: int = 1, bold: tuple[str, str] = ("", "")) -> str:
    """Write rows, the heading first, in columns; the first ``left`` columns are aligned left, the others right.

    Args:
        rows: the heading and the rows, all of one length.
        left: the number of columns that are aligned left.
        bold: texts to write before and after the heading.

    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines[0] = f"{bold[0]}{lines[0]}{bold[1]}"
    return "\n".join(lines) + "\n"


def markdown(rows: Sequence[Sequence[str]], words: Collection[int] = ()) -> str:
    """Write rows, the heading first, as a Markdown table; cells are not escaped.

    Args:
        rows: the heading and the rows, all of one length.
        words: the numbers of further columns, besides the first, that are aligned left; the others are aligned right.

    """
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    sides = ("---" if column == 0 or column in words else "---:" for column in range(len(rows[0])))
    lines.insert(1, f"| {' | '.join(sides)} |")
    return "\n".join(lines) + "\n"
