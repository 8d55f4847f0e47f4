"""A report as JSON for the typst templates: texts that the fonts can show, pictures and attachments as files."""

from __future__ import annotations

import functools
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.output.plots import theme
from statera.output.report import column_widths, glyphs, paper
from statera.output.report.model import (
    Analysis,
    Attachment,
    Banner,
    Beside,
    Card,
    Code,
    Figure,
    Fold,
    Heading,
    Items,
    Prose,
    Section,
    Table,
)
from statera.output.report.notes import nodes
from statera.output.report.writers import caption_of, hidden_words, says_again
from statera.output.views.apart import pieces, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.output.report.model import Block, Cell, Document, Interval

# A word that is longer than a column may break after so many characters.
_BREAK: Final = 18
_LONG: Final = 24
_RUNNING: Final = 70
_NAME: Final = 100
_LEAD: Final = 90
_ROW: Final = 72

Data = dict[str, Any]


def document(document: Document, folder: Path) -> Data:
    """Return the document for typst, and write its pictures and attachments to the folder."""
    blocks = _Blocks(document, folder)
    first, sections = _first(document)
    running = f"{document.title}: {document.subtitle}"
    return {
        "title": shown(document.title),
        "subtitle": shown(document.subtitle),
        "running": shown(running if len(running) <= _RUNNING else f"{running[:_RUNNING]}…"),
        "byline": shown(document.byline),
        "dated": document.date is not None,
        "theme": {**theme.typst_values(), "diverging": list(theme.LIGHT.diverging)},
        "margins": paper.MARGINS,
        "first": blocks.all(first),
        "sections": [{"title": shown(section.title), "blocks": blocks.all(section.blocks)} for section in sections],
    }


def _first(document: Document) -> tuple[Sequence[Block], list[Section]]:
    """Return the banner, which stands above the contents, and the sections without it."""
    sections = list(document.sections)
    first = sections[0].blocks[:1] if sections else ()
    if not first or not isinstance(first[0], Banner):
        return (), sections
    rest = sections[0].blocks[1:]
    return first, [*([sections[0].with_blocks(rest)] if rest else []), *sections[1:]]


def shown(text: str) -> str:
    """Make text printable with the available fonts, and allow breaks in long words."""
    return " ".join(_broken(word) for word in glyphs.shown(text).split(" "))


def _fitting(text: str) -> str:
    """Shorten a name that would fill many lines of a column in its middle; the attachment has the full name."""
    return text if " " in text else _native.shortened(text, _NAME)


def _broken(word: str) -> str:
    if len(word) <= _LONG:
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
        """Convert a block; a table has no title that the heading above it already says; prose stays with a card."""
        data = self._halved(block) if isinstance(block, Table) and paper.halved(block) else self.data(block)
        if says_again(before, block):
            data["title"] = ""
        if isinstance(block, Prose):
            data["sticky"] = isinstance(after, Card)
        return data

    @functools.singledispatchmethod
    def data(self, block: Block) -> Data:
        """Convert a block for typst."""
        raise TypeError(block)

    @data.register
    def _(self, block: Prose) -> Data:
        paragraphs = [shown(paragraph) for paragraph in block.paragraphs]
        return {"kind": "prose", "paragraphs": paragraphs, "sticky": False}

    @data.register
    def _(self, block: Items) -> Data:
        items = [{"text": shown(item.text), "tone": item.tone} for item in block.items]
        return {"kind": "items", "findings": block.findings, "items": items}

    @data.register
    def _(self, block: Heading) -> Data:
        return {"kind": "heading", "text": shown(block.text)}

    @data.register
    def _(self, block: Code) -> Data:
        return {"kind": "code", "text": "\n".join(shown(line) for line in block.text.split("\n"))}

    @data.register
    def _(self, block: Analysis) -> Data:
        return {"kind": "analysis", "nodes": _each_text(nodes(block.tokens))}

    @data.register
    def _(self, block: Attachment) -> Data:
        (self._folder / block.name).write_bytes(block.content)
        plain = {"name": block.name, "file": block.name, "media-type": block.media_type}
        return {"kind": "attachment", "what": shown(block.what), **plain}

    @data.register
    def _(self, block: Beside) -> Data:
        return {"kind": "group", "blocks": self._figures(block.figures, floats=False)}

    @data.register
    def _(self, block: Banner) -> Data:
        names = shortened((lead.name for lead in block.leads), _LEAD)
        return {
            "kind": "banner",
            "line": shown(block.line),
            "axis": shown(block.axis),
            "shares": [
                {"words": shown(share.words), "count": share.count, "number": f"{share.count:,}", "tone": share.tone}
                for share in block.shares
                if share.count
            ],
            "leads": [
                {
                    "name": shown(names.get(lead.name, lead.name)),
                    "text": shown(lead.text),
                    "tone": lead.tone,
                    "interval": _interval(lead.interval),
                    "link": self._link(lead.link),
                }
                for lead in block.leads
            ],
        }

    @data.register
    def _(self, block: Card) -> Data:
        words = {"title": shown(block.title), "said": shown(block.said), "reading": shown(block.reading)}
        inner = self._columns(block) or self._rows(block)
        return {"kind": "card", "anchor": self._anchor(block.anchor), "tone": block.tone, **words, "blocks": inner}

    @data.register
    def _(self, block: Fold) -> Data:
        bulk = paper.bulk(block)
        if not bulk:
            return {"kind": "fold", "title": shown(block.title), "blocks": self.all(block.blocks)}
        left = f"{block.title.rstrip('.:')}: {bulk}, which the HTML report shows."
        attached = [self.data(each) for each in paper.attachments(block)]
        return {"kind": "group", "blocks": [{"kind": "prose", "paragraphs": [shown(left)], "sticky": False}, *attached]}

    @data.register
    def _(self, block: Table) -> Data:
        rows = block.rows[: column_widths.MOST_ROWS]
        longest = column_widths.lengths(block)
        anchors = [
            *block.anchors[: column_widths.MOST_ROWS],
            *[""] * (len(rows) - len(block.anchors[: column_widths.MOST_ROWS])),
        ]
        names = shortened((row[0].text for row in rows if " " not in row[0].text), _ROW)
        narrow = paper.narrow(block, longest, column_widths.size(longest))
        return {
            "kind": "table",
            "title": shown(block.title),
            "columns": _columns(block, longest),
            "widths": [0] * len(longest) if narrow else column_widths.widths(block, longest),
            "size": column_widths.size(longest),
            "drawn": sorted(column_widths.drawn(block)),
            "narrow": narrow,
            "groups": [
                {"title": shown(group.title), "said": shown(group.said), "rows": group.rows} for group in block.groups
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
        return {"kind": "tables", "title": shown(block.title), "tables": halves, "notes": _notes(block)}

    def _cell(self, cell: Cell, name: str = "", anchor: str = "") -> Data:
        return {
            "text": shown(name or _fitting(cell.text)),
            "tone": cell.tone,
            "chip": cell.chip,
            "heat": cell.heat,
            "interval": _interval(cell.interval),
            "link": self._link(cell.link),
            "anchor": self._anchor(anchor) if anchor else "",
        }

    def _columns(self, card: Card) -> list[Data]:
        """Set the pictures of a card in two columns, and its table below the shorter one if it is narrow."""
        placed = paper.columns(card.figures)
        if not any(placed):
            return []
        made = [[self._picture(each, numbered=False) for each in column] for column in placed]
        table = [self.data(card.table)] if card.table else []
        if card.table and paper.narrow(card.table, column_widths.lengths(card.table), column_widths.SMALLEST):
            table[0] |= {"size": column_widths.SMALLEST, "narrow": True}
            shorter = min(range(2), key=lambda place: paper.height_of(placed[place]))
            made[shorter] += table
            table = []
        return [{"kind": "columns", "columns": made, "gutter": paper.GUTTER}, *table]

    def _rows(self, card: Card) -> list[Data]:
        return [*self._figures(card.figures, floats=False), *([self.data(card.table)] if card.table else [])]

    def _figures(self, figures: Sequence[Figure], *, floats: bool = True) -> list[Data]:
        # A picture that moves to where it fits would stand between the pieces of one that flows.
        rows = sorted(paper.rows(figures), key=lambda row: not row.flows) if floats else paper.rows(figures)
        return [self._row(row, floats=floats and row.floats) for row in rows]

    def _row(self, row: paper.Row, *, floats: bool) -> Data:
        made = [self._picture(placed) for placed in row.placed]
        if row.flows:
            made[0]["pieces"] = row.placed[0].pieces
        return {"kind": "figures", "figures": made, "float": floats, "gutter": paper.GUTTER}

    def _picture(self, placed: paper.Placed, *, numbered: bool = True) -> Data:
        """Convert a picture; those of a card have no number, because the card names them."""
        picture = placed.figure.picture
        self._pictures += 1
        self._figure += numbered
        name = f"figure-{self._pictures}.pdf"
        (self._folder / name).write_bytes(placed.drawing.pdf())
        words = {"caption": shown(caption_of(placed.figure)), "alt": shown(picture.alt)}
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


def _notes(table: Table) -> list[str]:
    """Return the sentences below a table."""
    said = [hidden_words(table, min(len(table.rows), column_widths.MOST_ROWS)), *table.below]
    return [shown(note) for note in said if note]


def _anchors(document: Document) -> list[str]:
    """Return the addresses that paper has."""
    sections, found = list(document.sections), []
    waiting: list[Block] = [block for section in sections for block in section.blocks]
    while waiting:
        block = waiting.pop()
        if isinstance(block, Fold) and not paper.bulk(block):
            waiting += block.blocks
        elif isinstance(block, Card):
            found.append(block.anchor)
            waiting += [block.table] if block.table else []
        elif isinstance(block, Table):
            found += block.anchors[: min(column_widths.MOST_ROWS, len(block.rows))]
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
        longest = column_widths.lengths(block) if isinstance(block, Table) else []
        if not isinstance(block, Table) or not paper.narrow(block, longest, column_widths.size(longest)):
            break
        found.append(block)
    return found


def _interval(interval: Interval | None) -> Data | None:
    """Return an interval with the keys of typst."""
    return {key.replace("_", "-"): value for key, value in asdict(interval).items()} if interval else None


def _columns(table: Table, longest: Sequence[int]) -> list[Data]:
    """Return the headings; where a heading alone makes a column wide, and columns are many, it stands in two lines."""
    made = []
    short = shortened((column.name for column in table.columns), column_widths.HEAD)
    for column, length in zip(table.columns, longest, strict=True):
        lined = column_widths.size(longest) == column_widths.SMALLEST and length == len(column.name)
        lines = column_widths.halves(column.name) if lined else [short.get(column.name, column.name)]
        made.append({"name": "\n".join(map(shown, lines)), "numeric": column.numeric})
    return made


def _each_text(value: Any) -> Any:  # noqa: ANN401 - a tree of JSON
    if isinstance(value, dict):
        return {key: shown(each) if key == "text" else _each_text(each) for key, each in value.items()}
    return [_each_text(each) for each in value] if isinstance(value, list) else value
