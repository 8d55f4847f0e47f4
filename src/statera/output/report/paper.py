"""Where pictures and tables stand on a page: their sizes, what shares a row, and what is left to the HTML page."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.output.report.drawn import Drawing, drawing
from statera.output.report.model import Figure, Table, held
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.output.report.model import Cell, Fold

# An A4 page, in millimetres, and what of it holds text, in points.
MARGINS: Final = {"x": 18, "top": 22, "bottom": 19}
_POINT: Final = 72 / 25.4
WIDTH: Final = (210 - 2 * MARGINS["x"]) * _POINT
HEIGHT: Final = (297 - MARGINS["top"] - MARGINS["bottom"]) * _POINT
# A picture of 720 units has the width of the page, a narrower one less, so that text has the same size in all.
FULL: Final = WIDTH / 720
LEAST_TEXT: Final = 6.0
GUTTER: Final = 14.0
_CAPTION: Final = 40
# The space below a picture of a card.
_BELOW: Final = 10
# What the edge of a card takes of the width.
_CARD: Final = 12.0
# A piece of a picture that moves to the next page leaves at most this part of a page empty.
_STAYS: Final = 0.24
# The width of a letter of a table for its size, and the space between columns.
_LETTER, _BETWEEN = 0.46, 9.2
_BETWEEN_SMALL: Final = 7.2
# Letters are counted as if all were wide: so much more fits on a line.
_MORE: Final = 1.12
# Higher tables do not share a row.
_MOST_SIDE: Final = 40
# Narrow tables from so many rows on are set in two columns.
_HALVED: Final = 16
# A fold with more than this is left to the HTML page.
_MOST_LINES, _MOST_FIGURES = 60, 1


class Placed(NamedTuple):
    """A picture on a page: its width and height, and the heights between which it may be cut, all in points."""

    figure: Figure
    drawing: Drawing
    width: float
    height: float

    @property
    def pieces(self) -> list[dict[str, float]]:
        """The pieces of a picture that flows over pages."""
        scale = self.width / self.drawing.width
        ends = [0.0, *(cut * scale for cut in self.drawing.cuts), self.height]
        return [{"top": round(top, 2), "height": round(bottom - top, 2)} for top, bottom in pairwise(ends)]

    @property
    def flows(self) -> bool:
        """Whether it is cut between pages: a high one whose pieces are low, and one that no page holds."""
        if not self.drawing.cuts:
            return False
        low = max(piece["height"] for piece in self.pieces[1:]) <= HEIGHT * _STAYS * 1.05
        return self.height + _CAPTION > HEIGHT * (0.55 if low else 0.98)


class PictureRow(NamedTuple):
    """Pictures side by side."""

    placed: tuple[Placed, ...]

    @property
    def flows(self) -> bool:
        """Whether it is one picture that is cut between pages."""
        return len(self.placed) == 1 and self.placed[0].flows


def picture_rows(figures: Sequence[Figure]) -> list[PictureRow]:
    """Place pictures, as many side by side as keep their text readable."""
    found: list[PictureRow] = []
    held: list[tuple[Figure, Drawing]] = []
    for figure in figures:
        drawn = drawing(figure.picture)
        if held and not _fits([*(each for _, each in held), drawn]):
            found.append(_picture_row(held))
            held = []
        held.append((figure, drawn))
    return [*found, _picture_row(held)] if held else found


def picture_columns(figures: Sequence[Figure]) -> list[list[Placed]]:
    """Place pictures in two columns, each below the shorter one; empty if their text could not be read."""
    width = (WIDTH - _CARD - GUTTER) / 2
    made: list[list[Placed]] = [[], []]
    for figure in figures:
        drawn = drawing(figure.picture)
        scale = min(FULL, width / drawn.width)
        if scale < _least(drawn):
            return []
        shorter = min(made, key=height_of)
        shorter.append(Placed(figure, drawn, drawn.width * scale, drawn.height * scale))
    return made


def height_of(column: Sequence[Placed]) -> float:
    """Return the height of a column of pictures."""
    return sum(each.height + _BELOW for each in column)


def _fits(drawings: list[Drawing]) -> bool:
    room = (WIDTH - GUTTER * (len(drawings) - 1)) / sum(each.width for each in drawings)
    return room >= max(_least(each) for each in drawings)


def _least(drawn: Drawing) -> float:
    """Return the scale at which the smallest text of a picture can just be read."""
    return LEAST_TEXT / drawn.smallest if drawn.smallest else 0.0


def _picture_row(held: list[tuple[Figure, Drawing]]) -> PictureRow:
    drawings = [each for _, each in held]
    room = (WIDTH - GUTTER * (len(held) - 1)) / sum(each.width for each in drawings)
    scale = min(FULL, room)
    if len(held) == 1:
        scale = _single(drawings[0], scale)
    return PictureRow(tuple(Placed(figure, each, each.width * scale, each.height * scale) for figure, each in held))


def _single(drawn: Drawing, scale: float) -> float:
    """Shrink a picture that is slightly higher than a page, or than half a page, as far as its text stays readable."""
    for most in (HEIGHT * 0.46 - _CAPTION, HEIGHT * 0.98 - _CAPTION):
        wanted = most / drawn.height
        if _least(drawn) <= wanted < scale and not (drawn.cuts and most > HEIGHT / 2):
            return wanted
    # A piece that moves to the next page leaves no more than its height empty.
    pieces = [below - above for above, below in pairwise([*drawn.cuts, drawn.height])]
    return max(min([scale, *(HEIGHT * _STAYS / piece for piece in pieces)]), min(scale, _least(drawn)))


def narrow(table: Table, longest: Sequence[int], size: float) -> bool:
    """Return whether two such tables fit side by side in type of a size."""
    width = sum(longest) * _LETTER * size + len(longest) * _BETWEEN
    return not table.groups and width < (WIDTH - GUTTER) / 2 and len(table.rows) <= _MOST_SIDE


def halved(table: Table) -> bool:
    """Return whether a table is so long and narrow that it takes two columns."""
    longest = column_lengths(table)
    fits = narrow(table, longest, type_size(longest))
    return fits and not table.drawn and len(table.rows) >= _HALVED


def bulk(fold: Fold) -> str:
    """Say what is left to the HTML page of a fold that would fill pages; empty if paper shows it."""
    tables, figures = held(Table, fold), held(Figure, fold)
    lines = sum(len(table.rows) + 3 for table in tables)
    if fold.on_paper or (lines <= _MOST_LINES and len(figures) <= _MOST_FIGURES):
        return ""
    return " and ".join(counted(len(of), noun) for of, noun in ((tables, "table"), (figures, "picture")) if of)


# A page holds about fifty rows, the worst first. Nobody reads more pages of one table; the attachment has all rows.
MOST_ROWS: Final = 100
_LONG: Final = 24
_SHORT: Final = 16
# Longer headings are shortened.
HEAD: Final = 24
# Characters of a row that fit on a line, and in small type.
_WIDE, _SMALL = 95, 125
SMALLEST: Final = 7.2
# Fewer columns have large type, and more have small type.
_FEW, _MANY = 6, 8
# Characters that the drawing of an interval takes, and the most that a column gets of what is left.
_DRAWN: Final = 17
_MOST_SHARE: Final = 60


def type_size(longest: Sequence[int]) -> float:
    """Return the size of a table's type, in points."""
    if _WIDE < sum(longest) <= _SMALL or len(longest) > _MANY:
        return SMALLEST
    return 8.6 if len(longest) <= _FEW else 8.0


def column_shares(table: Table, longest: Sequence[int]) -> list[int]:
    """Assign each column a share of the page by its longest text; 0 for its natural width."""
    if sum(longest) <= _SMALL:
        return [0] * len(longest)
    # Numbers, drawings and short names stay on one line; columns of words share the remaining width.
    least = _least_lengths(table, longest)
    if least == [*longest]:
        return [0] * len(longest)
    loose = [place for place, length in enumerate(longest) if least[place] < length]
    # The name of a row is read first: it has the fewest lines.
    wanted = [min(longest[place], _MOST_SHARE) * (1 if place else 1.6) for place in loose]
    spare = max(_room(len(longest)) - sum(least), 0) / sum(wanted)
    shares = dict(zip(loose, (round(least[p] + spare * w) for p, w in zip(loose, wanted, strict=True)), strict=True))
    return [shares.get(place, 0) for place in range(len(longest))]


def column_parts(table: Table, longest: Sequence[int]) -> list[list[int]]:
    """Divide the columns of a table that is wider than a page, each part with the first; one part if it fits."""
    least = _least_lengths(table, longest)
    parts = [[0]]
    for place in range(1, len(longest)):
        if len(parts[-1]) > 1 and sum(least[each] for each in (*parts[-1], place)) > _MORE * _room(len(parts[-1]) + 1):
            parts.append([0])
        parts[-1].append(place)
    return parts


def _room(columns: int) -> float:
    """Return the characters of a line in small type, without the space between the columns."""
    return (WIDTH - columns * _BETWEEN_SMALL) / (_LETTER * SMALLEST)


def _least_lengths(table: Table, longest: Sequence[int]) -> list[int]:
    """Return the length of each column that has its longest texts in lines, as far as their words may break."""
    with_drawing = drawn_columns(table)
    found = []
    for place, (column, length) in enumerate(zip(table.columns, longest, strict=True)):
        whole = place in with_drawing or length <= (_LONG if column.numeric or not place else _SHORT)
        texts = (column.name, *(row[place].text for row in table.rows[:MOST_ROWS]))
        words = (len(word) for text in texts for word in text.split())
        found.append(length if whole else min(max((min(word, _LONG) for word in words), default=0), length))
    return found


def heading_lines(heading: str) -> list[str]:
    """Break a heading at the space nearest to its middle."""
    spaces = [place for place, letter in enumerate(heading) if letter == " "]
    if not spaces:
        return [heading]
    middle = min(spaces, key=lambda place: abs(2 * place - len(heading)))
    return [heading[:middle], heading[middle + 1 :]]


def column_lengths(table: Table) -> list[int]:
    """Return the length of each column's longest text; a drawing takes the place of letters."""
    rows, with_drawing = table.rows[:MOST_ROWS], drawn_columns(table)
    return [
        max(
            [
                min(len(column.name), HEAD),
                *(
                    max(len(row[place].text), len(row[place].below)) + (_DRAWN if place in with_drawing else 0)
                    for row in rows
                ),
            ]
        )
        for place, column in enumerate(table.columns)
    ]


def _length(cell: Cell) -> int:
    return max(len(cell.text), len(cell.below))


def drawn_columns(table: Table) -> set[int]:
    """Return the columns in which intervals are drawn."""
    return {place for row in table.rows[:MOST_ROWS] for place, cell in enumerate(row) if cell.interval}
