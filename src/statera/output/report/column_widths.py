"""How wide the columns of a table on paper are, and how large its type is, by its longest texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.output.report.model import Table

# A page holds about fifty rows, the worst first. Nobody reads more pages of one table; the attachment has all rows.
MOST_ROWS: Final = 100
_LONG: Final = 24
_SHORT: Final = 14
# Longer headings are shortened.
HEAD: Final = 24
# Characters of a row that fit on a line, and in small type.
_WIDE, _SMALL = 95, 125
SMALLEST: Final = 7.2
# Characters that the drawing of an interval takes, and the most that a column gets of what is left.
_DRAWN: Final = 17
_MOST_SHARE: Final = 60


def size(longest: Sequence[int]) -> float:
    """Return the size of a table's type, in points."""
    if _WIDE < sum(longest) <= _SMALL or len(longest) > 8:  # noqa: PLR2004 - many columns
        return SMALLEST
    return 8.6 if len(longest) <= 6 else 8.0  # noqa: PLR2004 - few columns


def widths(table: Table, longest: Sequence[int]) -> list[int]:
    """Assign each column a share of the page by its longest text; 0 for its natural width."""
    if sum(longest) <= _SMALL:
        return [0] * len(longest)
    # Numbers, drawings and short names stay on one line; columns of words share the remaining width.
    with_drawing = drawn(table)
    shares = [
        0 if place in with_drawing or length <= (_LONG if column.numeric else _SHORT) else min(length, _MOST_SHARE)
        for place, (column, length) in enumerate(zip(table.columns, longest, strict=True))
    ]
    # The name of a row is read first: it has the fewest lines.
    shares[0] = round(shares[0] * 1.6)
    return shares if any(shares) else [min(length, _MOST_SHARE) for length in longest]


def halves(heading: str) -> list[str]:
    """Break a heading at the space nearest to its middle."""
    spaces = [place for place, letter in enumerate(heading) if letter == " "]
    if not spaces:
        return [heading]
    middle = min(spaces, key=lambda place: abs(2 * place - len(heading)))
    return [heading[:middle], heading[middle + 1 :]]


def lengths(table: Table) -> list[int]:
    """Return the length of each column's longest text; a drawing takes the place of letters."""
    rows, with_drawing = table.rows[:MOST_ROWS], drawn(table)
    return [
        max(
            [
                min(len(column.name), HEAD),
                *(len(row[place].text) + (_DRAWN if place in with_drawing else 0) for row in rows),
            ]
        )
        for place, column in enumerate(table.columns)
    ]


def drawn(table: Table) -> set[int]:
    """Return the columns in which intervals are drawn."""
    return {place for row in table.rows[:MOST_ROWS] for place, cell in enumerate(row) if cell.interval}
