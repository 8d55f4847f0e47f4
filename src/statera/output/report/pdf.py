"""The report as PDF: typst lays out a JSON document of plain texts, with pictures and attachments as files."""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from statera import _native
from statera.output.plots import theme
from statera.output.report import drawn
from statera.output.report.drawn import Drawing, drawing
from statera.output.report.model import (
    Analysis,
    Attachment,
    Banner,
    Beside,
    Card,
    Code,
    Figure,
    Flame,
    Fold,
    Heading,
    Items,
    Prose,
    Section,
    Table,
    held,
    says_again,
)
from statera.output.report.notes import nodes
from statera.output.views.names import pieces, shortened
from statera.support import stages
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.output.report.model import Block, Cell, Document, Interval

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
    found = []
    for place, column in enumerate(table.columns):
        drawing = _DRAWN if place in with_drawing else 0
        found.append(max([min(len(column.name), HEAD), *(_length(row[place]) + drawing for row in rows)]))
    return found


def _length(cell: Cell) -> int:
    return max(len(cell.text), len(cell.below))


def drawn_columns(table: Table) -> set[int]:
    """Return the columns in which intervals are drawn."""
    return {place for row in table.rows[:MOST_ROWS] for place, cell in enumerate(row) if cell.interval}


_TEMPLATES: Final = Path(__file__).parent / "templates"


def content(document: Document) -> bytes:
    """Typeset the report."""
    import typst

    with tempfile.TemporaryDirectory(prefix="statera-") as name:
        folder = Path(name)
        data = typst_data(document, folder)
        for template in _TEMPLATES.glob("*.typ"):
            shutil.copy(template, folder / template.name)
        stages.enter("typesetting")

        def typeset(*, dense: bool) -> tuple[bytes, Data]:
            (folder / "document.json").write_text(json.dumps({**data, "dense": dense}, ensure_ascii=False), "utf-8")
            # With fonts of the system, pages would differ between machines.
            compiler = typst.Compiler(input=folder / "report.typ", root=folder, ignore_system_fonts=True)
            made = cast("bytes", compiler.compile(format="pdf", timestamp=document.date))
            return made, json.loads(compiler.query("<last>", field="value", one=True))

        made, last = typeset(dense=False)
        if last["page"] > 1 and last["filled"] < _FILLED:
            closer, end = typeset(dense=True)
            made = closer if end["page"] < last["page"] else made
    return made


# A word that is longer than a column may break after so many characters.
_BREAK: Final = 18
_LONG_WORD: Final = 24
_RUNNING: Final = 70
_NAME: Final = 100
_LEAD: Final = 90
_ROW: Final = 72

# A last page of which less is filled is worth lines that are closer together, if they do without it.
_FILLED: Final = 0.3

Data = dict[str, Any]


def typst_data(document: Document, folder: Path) -> Data:
    """Return the document for typst, and write its pictures and attachments to the folder."""
    blocks = _Blocks(document, folder)
    first, sections = _parts(document)
    running = f"{document.title}: {document.subtitle}"
    return {
        "title": on_paper(document.title),
        "subtitle": on_paper(document.subtitle),
        "running": on_paper(running if len(running) <= _RUNNING else f"{running[:_RUNNING]}…"),
        "byline": on_paper(document.byline),
        "dated": document.date is not None,
        "theme": {**theme.typst_values(), "diverging": list(theme.LIGHT.diverging)},
        "margins": MARGINS,
        "first": blocks.all(first),
        "sections": [{"title": on_paper(section.title), "blocks": blocks.all(section.blocks)} for section in sections],
    }


def _parts(document: Document) -> tuple[Sequence[Block], list[Section]]:
    """Return the banner, which stands above the contents, and the sections without it."""
    sections = list(document.sections)
    first = sections[0].blocks[:1] if sections else ()
    if not first or not isinstance(first[0], Banner):
        return (), sections
    rest = sections[0].blocks[1:]
    return first, [*([sections[0].with_blocks(rest)] if rest else []), *sections[1:]]


def on_paper(text: str) -> str:
    """Make text printable with the available fonts, and allow breaks in long words."""
    return " ".join(_broken(word) for word in drawn.shown(text).split(" "))


def _fitting(text: str) -> str:
    """Shorten a name that would fill many lines of a column in its middle; the attachment has the full name."""
    return text if " " in text else _native.shortened(text, _NAME)


def _broken(word: str) -> str:
    if len(word) <= _LONG_WORD:
        return word
    # A zero-width space allows a line break: after a separator, and within what is still long.
    parts = (part[start : start + _BREAK] for part in pieces(word) for start in range(0, len(part), _BREAK))
    return "\u200b".join(parts)


class _Blocks:
    """Converts blocks for typst, and writes pictures and attachments to a folder."""

    def __init__(self, document: Document, folder: Path) -> None:
        self._folder = folder
        self._pictures = self._figure = 0
        # What paper leaves out cannot be linked to, and an address leads to one place.
        self._anchors: set[str] = set()
        self._targets = set(_anchors(document))

    def all(self, blocks: Sequence[Block]) -> list[Data]:
        """Convert blocks; pictures and narrow tables that follow each other share the width of the page."""
        made: list[Data] = []
        place = 0
        while place < len(blocks):
            before = blocks[place - 1] if place else None
            figures = _run(blocks, place, Figure)
            tables = _narrow(blocks, place)
            if figures:
                made += self._figures(figures)
                place += len(figures)
            elif len(tables) > 1:
                made.append(
                    {"kind": "tables", "title": "", "tables": [self.data(table) for table in tables], "notes": []}
                )
                place += len(tables)
            else:
                after = blocks[place + 1] if place + 1 < len(blocks) else None
                made.append(self._between(before, blocks[place], after))
                place += 1
        return made

    def _between(self, before: Block | None, block: Block, after: Block | None) -> Data:
        """Convert a block; a table has no title that the heading above says; prose stays with a card or code."""
        if isinstance(block, Table) and says_again(before, block):
            block = replace(block, title="")
        data = self._halved(block) if isinstance(block, Table) and halved(block) else self.data(block)
        if isinstance(block, Prose):
            data["sticky"] = isinstance(after, Card | Code)
        return data

    @functools.singledispatchmethod
    def data(self, block: Block) -> Data:
        """Convert a block for typst."""
        raise TypeError(block)

    @data.register
    def _(self, block: Prose) -> Data:
        paragraphs = [on_paper(paragraph) for paragraph in block.paragraphs]
        return {"kind": "prose", "paragraphs": paragraphs, "sticky": False}

    @data.register
    def _(self, block: Items) -> Data:
        items = [{"text": on_paper(item.text), "tone": item.tone} for item in block.items]
        return {"kind": "items", "findings": block.findings, "items": items}

    @data.register
    def _(self, block: Heading) -> Data:
        return {"kind": "heading", "text": on_paper(block.text)}

    @data.register
    def _(self, block: Code) -> Data:
        return {"kind": "code", "text": "\n".join(on_paper(line) for line in block.text.split("\n"))}

    @data.register
    def _(self, block: Analysis) -> Data:
        return {"kind": "analysis", "nodes": _each_text(nodes(block.tokens))}

    @data.register
    def _(self, block: Attachment) -> Data:
        (self._folder / block.name).write_bytes(block.content)
        plain = {"name": block.name, "file": block.name, "media-type": block.media_type}
        return {"kind": "attachment", "what": on_paper(block.what), **plain}

    @data.register
    def _(self, block: Beside) -> Data:
        return {"kind": "group", "blocks": self._figures(block.figures)}

    @data.register
    def _(self, block: Banner) -> Data:
        names = shortened((lead.name for lead in block.leads), _LEAD)
        return {
            "kind": "banner",
            "line": on_paper(block.line),
            "axis": on_paper(block.axis),
            "shares": [
                {"words": on_paper(share.words), "count": share.count, "number": f"{share.count:,}", "tone": share.tone}
                for share in block.shares
                if share.count
            ],
            "leads": [
                {
                    "name": on_paper(names.get(lead.name, lead.name)),
                    "text": on_paper(lead.text),
                    "tone": lead.tone,
                    "interval": _interval(lead.interval),
                    "link": self._link(lead.link),
                }
                for lead in block.leads
            ],
        }

    @data.register
    def _(self, block: Card) -> Data:
        words = {"title": on_paper(block.title), "said": on_paper(block.said), "reading": on_paper(block.reading)}
        inner = self._columns(block) or self._rows(block)
        return {"kind": "card", "anchor": self._anchor(block.anchor), "tone": block.tone, **words, "blocks": inner}

    @data.register
    def _(self, block: Fold) -> Data:
        much = bulk(block)
        if not much:
            return {"kind": "fold", "title": on_paper(block.title), "blocks": self.all(block.blocks)}
        left = f"{block.title.rstrip('.:')}: {much}, which the HTML report shows."
        attached = [self.data(each) for each in held(Attachment, block)]
        return {
            "kind": "group",
            "blocks": [{"kind": "prose", "paragraphs": [on_paper(left)], "sticky": False}, *attached],
        }

    @data.register
    def _(self, block: Flame) -> Data:
        return {"kind": "prose", "paragraphs": [on_paper(f"{block.title}: the HTML report draws it.")], "sticky": False}

    @data.register
    def _(self, block: Table) -> Data:
        parts = column_parts(block, column_lengths(block))
        if len(parts) > 1:
            return {"kind": "group", "blocks": [self._table(each) for each in _divided(block, parts)]}
        return self._table(block)

    def _table(self, block: Table) -> Data:
        rows = block.rows[:MOST_ROWS]
        longest = column_lengths(block)
        anchors = [
            *block.anchors[:MOST_ROWS],
            *[""] * (len(rows) - len(block.anchors[:MOST_ROWS])),
        ]
        names = shortened((row[0].text for row in rows if " " not in row[0].text), _ROW)
        is_narrow = narrow(block, longest, type_size(longest))
        return {
            "kind": "table",
            "title": on_paper(block.title),
            "columns": _headings(block, longest),
            "widths": [0] * len(longest) if is_narrow else column_shares(block, longest),
            "size": type_size(longest),
            "drawn": sorted(drawn_columns(block)),
            "narrow": is_narrow,
            "groups": [
                {"title": on_paper(group.title), "said": on_paper(group.said), "rows": group.rows}
                for group in block.groups
            ],
            "rows": [
                [self._cell(row[0], names.get(row[0].text, ""), anchor), *map(self._cell, row[1:])]
                for row, anchor in zip(rows, anchors, strict=True)
            ],
            "notes": _notes(block),
        }

    def _halved(self, block: Table) -> Data:
        """Set a long, narrow table in two columns, with its title above and its notes below both."""
        middle = (len(block.rows) + 1) // 2
        halves = [
            self.data(replace(block, title="", rows=block.rows[part], anchors=block.anchors[part], notes=(), total=0))
            for part in (slice(middle), slice(middle, None))
        ]
        return {"kind": "tables", "title": on_paper(block.title), "tables": halves, "notes": _notes(block)}

    def _cell(self, cell: Cell, name: str = "", anchor: str = "") -> Data:
        return {
            "text": on_paper(name or _fitting(cell.text)),
            "below": on_paper(cell.below),
            "tone": cell.tone,
            "chip": cell.chip,
            "heat": cell.heat,
            "interval": _interval(cell.interval),
            "link": self._link(cell.link),
            "anchor": self._anchor(anchor) if anchor else "",
        }

    def _columns(self, card: Card) -> list[Data]:
        """Set the pictures of a card in two columns, and its table below the shorter one if it is narrow."""
        placed = picture_columns(card.figures)
        if not any(placed):
            return []
        made = [[self._picture(each, numbered=False) for each in column] for column in placed]
        table = [self.data(card.table)] if card.table else []
        if card.table and narrow(card.table, column_lengths(card.table), SMALLEST):
            table[0] |= {"size": SMALLEST, "narrow": True}
            shorter = min(range(2), key=lambda place: height_of(placed[place]))
            made[shorter] += table
            table = []
        return [{"kind": "columns", "columns": made, "gutter": GUTTER}, *table]

    def _rows(self, card: Card) -> list[Data]:
        return [*self._figures(card.figures), *([self.data(card.table)] if card.table else [])]

    def _figures(self, figures: Sequence[Figure]) -> list[Data]:
        return [self._row(row) for row in picture_rows(figures)]

    def _row(self, row: PictureRow) -> Data:
        made = [self._picture(placed) for placed in row.placed]
        if row.flows:
            made[0]["pieces"] = row.placed[0].pieces
        return {"kind": "figures", "figures": made, "gutter": GUTTER}

    def _picture(self, placed: Placed, *, numbered: bool = True) -> Data:
        """Convert a picture; those of a card have no number, because the card names them."""
        picture = placed.figure.picture
        self._pictures += 1
        self._figure += numbered
        name = f"figure-{self._pictures}.pdf"
        (self._folder / name).write_bytes(placed.drawing.pdf())
        words = {"caption": on_paper(placed.figure.below), "alt": on_paper(picture.alt)}
        size = {"width": round(placed.width, 2), "height": round(placed.height, 2), "pieces": []}
        return {"kind": "picture", "file": name, "number": self._figure if numbered else 0, **size, **words}

    def _anchor(self, name: str) -> str:
        """Return the address if it is the first of its name."""
        if name in self._anchors:
            return ""
        self._anchors.add(name)
        return name

    def _link(self, name: str) -> str:
        return name if name in self._targets else ""


def _divided(table: Table, parts: Sequence[Sequence[int]]) -> Iterator[Table]:
    """Yield a table for each part of the columns: the first has the title, the last what stands below."""
    *others, last = (table.with_columns(part) for part in parts)
    for place, part in enumerate(others):
        rows = part.rows[:MOST_ROWS]
        yield replace(part, title="" if place else table.title, rows=rows, notes=(), drawn="", total=0)
    yield replace(last, title="")


def _notes(table: Table) -> list[str]:
    """Return the sentences below a table."""
    said = [table.cut(min(len(table.rows), MOST_ROWS)), *table.below]
    return [on_paper(note) for note in said if note]


def _anchors(document: Document) -> list[str]:
    """Return the addresses that paper has."""
    sections, found = list(document.sections), []
    waiting: list[Block] = [block for section in sections for block in section.blocks]
    while waiting:
        block = waiting.pop()
        if isinstance(block, Fold) and not bulk(block):
            waiting += block.blocks
        elif isinstance(block, Card):
            found.append(block.anchor)
            waiting += [block.table] if block.table else []
        elif isinstance(block, Table):
            found += block.anchors[: min(MOST_ROWS, len(block.rows))]
    return [name for name in found if name]


def _run(blocks: Sequence[Block], start: int, kind: type[Figure]) -> list[Figure]:
    found = []
    for block in blocks[start:]:
        if not isinstance(block, kind):
            break
        found.append(block)
    return found


def _narrow(blocks: Sequence[Block], start: int) -> list[Table]:
    """Return up to two tables from a place on that fit side by side."""
    found: list[Table] = []
    for block in blocks[start : start + 2]:
        longest = column_lengths(block) if isinstance(block, Table) else []
        if not isinstance(block, Table) or not narrow(block, longest, type_size(longest)):
            break
        found.append(block)
    return found


def _interval(interval: Interval | None) -> Data | None:
    """Return an interval with the keys of typst."""
    return {key.replace("_", "-"): value for key, value in asdict(interval).items()} if interval else None


def _headings(table: Table, longest: Sequence[int]) -> list[Data]:
    """Return the headings; where a heading alone makes a column wide, and columns are many, it stands in two lines."""
    made = []
    short = shortened((column.name for column in table.columns), HEAD)
    for column, length in zip(table.columns, longest, strict=True):
        lined = type_size(longest) == SMALLEST and length == len(column.name)
        lines = heading_lines(column.name) if lined else [short.get(column.name, column.name)]
        made.append({"name": "\n".join(map(on_paper, lines)), "numeric": column.numeric})
    return made


def _each_text(value: object) -> object:
    if isinstance(value, dict):
        return {key: on_paper(each) if key == "text" else _each_text(each) for key, each in value.items()}
    return [_each_text(each) for each in value] if isinstance(value, list) else value
