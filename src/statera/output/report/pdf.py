"""The report as PDF: typst lays out a JSON document of plain texts, with pictures and attachments as files."""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from statera import _native
from statera.output.plots import theme
from statera.output.report import glyphs, paper
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.output.report.model import Block, Cell, Document, Interval

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
_LONG: Final = 24
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
        "margins": paper.MARGINS,
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
        """Convert a block; a table has no title that the heading above says; prose stays with a card or code."""
        if isinstance(block, Table) and says_again(before, block):
            block = replace(block, title="")
        data = self._halved(block) if isinstance(block, Table) and paper.halved(block) else self.data(block)
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
        bulk = paper.bulk(block)
        if not bulk:
            return {"kind": "fold", "title": on_paper(block.title), "blocks": self.all(block.blocks)}
        left = f"{block.title.rstrip('.:')}: {bulk}, which the HTML report shows."
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
        parts = paper.column_parts(block, paper.column_lengths(block))
        if len(parts) > 1:
            return {"kind": "group", "blocks": [self._table(each) for each in _divided(block, parts)]}
        return self._table(block)

    def _table(self, block: Table) -> Data:
        rows = block.rows[: paper.MOST_ROWS]
        longest = paper.column_lengths(block)
        anchors = [
            *block.anchors[: paper.MOST_ROWS],
            *[""] * (len(rows) - len(block.anchors[: paper.MOST_ROWS])),
        ]
        names = shortened((row[0].text for row in rows if " " not in row[0].text), _ROW)
        narrow = paper.narrow(block, longest, paper.type_size(longest))
        return {
            "kind": "table",
            "title": on_paper(block.title),
            "columns": _headings(block, longest),
            "widths": [0] * len(longest) if narrow else paper.column_shares(block, longest),
            "size": paper.type_size(longest),
            "drawn": sorted(paper.drawn_columns(block)),
            "narrow": narrow,
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
        placed = paper.picture_columns(card.figures)
        if not any(placed):
            return []
        made = [[self._picture(each, numbered=False) for each in column] for column in placed]
        table = [self.data(card.table)] if card.table else []
        if card.table and paper.narrow(card.table, paper.column_lengths(card.table), paper.SMALLEST):
            table[0] |= {"size": paper.SMALLEST, "narrow": True}
            shorter = min(range(2), key=lambda place: paper.height_of(placed[place]))
            made[shorter] += table
            table = []
        return [{"kind": "columns", "columns": made, "gutter": paper.GUTTER}, *table]

    def _rows(self, card: Card) -> list[Data]:
        return [*self._figures(card.figures), *([self.data(card.table)] if card.table else [])]

    def _figures(self, figures: Sequence[Figure]) -> list[Data]:
        return [self._row(row) for row in paper.picture_rows(figures)]

    def _row(self, row: paper.PictureRow) -> Data:
        made = [self._picture(placed) for placed in row.placed]
        if row.flows:
            made[0]["pieces"] = row.placed[0].pieces
        return {"kind": "figures", "figures": made, "gutter": paper.GUTTER}

    def _picture(self, placed: paper.Placed, *, numbered: bool = True) -> Data:
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
        rows = part.rows[: paper.MOST_ROWS]
        yield replace(part, title="" if place else table.title, rows=rows, notes=(), drawn="", total=0)
    yield replace(last, title="")


def _notes(table: Table) -> list[str]:
    """Return the sentences below a table."""
    said = [table.cut(min(len(table.rows), paper.MOST_ROWS)), *table.below]
    return [on_paper(note) for note in said if note]


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
            found += block.anchors[: min(paper.MOST_ROWS, len(block.rows))]
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
        longest = paper.column_lengths(block) if isinstance(block, Table) else []
        if not isinstance(block, Table) or not paper.narrow(block, longest, paper.type_size(longest)):
            break
        found.append(block)
    return found


def _interval(interval: Interval | None) -> Data | None:
    """Return an interval with the keys of typst."""
    return {key.replace("_", "-"): value for key, value in asdict(interval).items()} if interval else None


def _headings(table: Table, longest: Sequence[int]) -> list[Data]:
    """Return the headings; where a heading alone makes a column wide, and columns are many, it stands in two lines."""
    made = []
    short = shortened((column.name for column in table.columns), paper.HEAD)
    for column, length in zip(table.columns, longest, strict=True):
        lined = paper.type_size(longest) == paper.SMALLEST and length == len(column.name)
        lines = paper.heading_lines(column.name) if lined else [short.get(column.name, column.name)]
        made.append({"name": "\n".join(map(on_paper, lines)), "numeric": column.numeric})
    return made


def _each_text(value: object) -> object:
    if isinstance(value, dict):
        return {key: on_paper(each) if key == "text" else _each_text(each) for key, each in value.items()}
    return [_each_text(each) for each in value] if isinstance(value, list) else value
