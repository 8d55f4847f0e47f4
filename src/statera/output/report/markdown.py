"""The report as Markdown for a pull request: within GitHub's limit, with pictures and full tables as files."""

from __future__ import annotations

import functools
import os
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from statera import _native
from statera.output.report import pdf
from statera.output.report.drawn import drawing
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
    Table,
    says_again,
)
from statera.output.report.notes import without_html
from statera.output.views import comment
from statera.output.views.comment import LongNames
from statera.output.views.names import shortened
from statera.support.files import outputs
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statera.output.report.model import Block, Cell, Column, Document, Section

# Numbers of rows per table, tried in this order until the report fits.
_ROWS: Final = (200, 80, 40, 20, 10, 5, 2)
_OPEN: Final = ("summary", "results")
# Dots of a bitmap for each pixel of a page.
_SCALE: Final = 2.0
# What the next section's title and its excuse take.
_LEAST_ROOM: Final = 1000
# The width of a comment in pixels, and of one of two pictures side by side.
_WIDEST: Final = 780
_HALF: Final = 380
# Rows of results with these tones are never folded.
_OPEN_ROWS: Final = ("worse", "missing", "changed", "differs", "unfit", "doubtful")
# So many findings are open.
_OPEN_FINDINGS: Final = 8
# What has the names that do not fit.
_ALL: Final = "the attached tables"
_MOST_ALT: Final = 500
# If there are many pictures, tables have priority.
_MOST_ALT_OF_MANY: Final = 100


class File(NamedTuple):
    """A picture or an attachment beside the report: its address, and the width of a picture in pixels of a page."""

    address: str
    width: int = 0


def write(document: Document, path: str, *, base: str = "") -> list[str]:
    """Write the report, and its pictures and attachments to a folder beside it.

    ``base`` is the address below which the files of the folder will stand; the report links them beside it if empty.
    """
    folder = folder_of(path)
    names = _write_files(document, folder)
    prefix = f"{base.rstrip('/')}/" if base else f"{quote(os.fsencode(folder.name))}/"
    outputs.write(path, report(document, {block: File(prefix + name, width) for block, (name, width) in names.items()}))
    return [path, *(str(folder / name) for name, _ in names.values())]


def folder_of(path: str) -> Path:
    """Return the folder of a report's pictures and attachments."""
    bare = Path(path).with_suffix("")
    return bare.with_name(f"{bare.name}-files")


def _write_files(document: Document, folder: Path) -> dict[int, File]:
    """Write pictures and attachments; return the file of each, below the folder, by its identity."""
    names = {}
    if document.figures or document.attachments:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise outputs.failure(folder, error) from None
    for number, figure in enumerate(document.figures, 1):
        name, made = f"figure-{number:02}-{figure.picture.kind}.png", drawing(figure.picture).png(_SCALE)
        outputs.write(folder / name, made)
        # The head of a PNG has the width of its bitmap.
        names[id(figure)] = File(name, round(int.from_bytes(made[16:20], "big") / _SCALE))
    for attachment in document.attachments:
        names[id(attachment)] = File(attachment.name)
        outputs.write(folder / attachment.name, attachment.content)
    return names


def report(document: Document, links: dict[int, File] | None = None) -> str:
    """Write the text, with tables cut as far as the limit requires; ``links`` as in ``write``."""
    every = list(_names(document))
    for rows in _ROWS:
        names = LongNames(every)
        body = "".join(_section(section, _Blocks(rows, links or {}, names)) for section in document.sections)
        made = _head(document) + body
        if comment.size(made) <= comment.MOST:
            return made + names.fold(comment.MOST - comment.size(made), _ALL)
    return _cut(document, _Blocks(_ROWS[-1], links or {}, LongNames(every)))


def _names(document: Document) -> Iterator[str]:
    """Yield the names of benchmarks: other names, such as paths, share no beginning with them."""
    for block in document.blocks:
        if isinstance(block, Table) and block.columns[0].name == "benchmark":
            yield from (row[0].text for row in block.rows)


def _cut(document: Document, write: _Blocks) -> str:
    """Leave out all blocks from the first that does not fit, and state that."""
    parts = [_head(document)]
    room = comment.MOST - comment.size(parts[0])
    for section in document.sections:
        blocks: list[Block] = []
        for block in section.blocks:
            made = _section(section.with_blocks((*blocks, block)), write)
            if comment.size(made) > room - 200:
                blocks.append(Prose(("The rest of this section does not fit. The HTML report has all of it.",)))
                break
            blocks.append(block)
        parts.append(_section(section.with_blocks(tuple(blocks)), write))
        room -= comment.size(parts[-1])
        if room < _LEAST_ROOM:
            parts.append("\nMore does not fit. The HTML report has all of it.\n")
            break
    return "".join([*parts, write.names.fold(room - 200, _ALL)])


def _head(document: Document) -> str:
    subtitle = f"**{_native.markdown_text(document.subtitle)}**\n\n" if document.subtitle else ""
    return f"# {_native.markdown_text(document.title)}\n\n{subtitle}{_native.markdown_text(document.byline)}\n"


def _section(section: Section, blocks: _Blocks) -> str:
    pairs = zip((None, *section.blocks), section.blocks, strict=False)
    body = "".join(blocks.below(before, block) for before, block in pairs)
    if section.key in _OPEN or any(isinstance(block, Analysis) for block in section.blocks):
        return f"\n## {_native.markdown_text(section.title)}\n{body}"
    cards = sum(isinstance(block, Card) for block in section.blocks)
    return comment.fold(section.title, f"{cards:,} with pictures" if cards else "", body)


class _Blocks:
    """Writes blocks: the first ``rows`` rows of a table, and files as links."""

    def __init__(self, rows: int, links: dict[int, File], names: LongNames) -> None:
        self._rows = rows
        self._links = links
        self.names = names

    def below(self, before: Block | None, block: Block) -> str:
        """Write a block below another; a table has no title that the heading above it already says."""
        return self.text(replace(block, title="") if isinstance(block, Table) and says_again(before, block) else block)

    @functools.singledispatchmethod
    def text(self, block: Block) -> str:
        """Write a block."""
        raise TypeError(block)

    @text.register
    def _(self, block: Prose) -> str:
        if not block.plain:
            return ""
        return "".join(f"\n{_native.markdown_text(paragraph)}\n" for paragraph in block.paragraphs)

    @text.register
    def _(self, block: Items) -> str:
        def mark(tone: str) -> str:
            return f"{comment.MARKS[tone]} " if block.findings and tone in comment.MARKS else ""

        lines = [f"- {mark(item.tone)}{_native.markdown_text(item.text)}\n" for item in block.items]
        most = _OPEN_FINDINGS if block.findings else len(lines)
        more = comment.fold(counted(len(lines[most:]), "more finding"), "", f"\n{''.join(lines[most:])}")
        return "\n" + "".join(lines[:most]) + (more if lines[most:] else "")

    @text.register
    def _(self, block: Heading) -> str:
        return f"\n### {_native.markdown_text(block.text)}\n"

    @text.register
    def _(self, block: Code) -> str:
        lines = "\n".join(f"    {_native.printable(line)}" for line in block.text.split("\n"))
        return f"\n{lines}\n"

    @text.register
    def _(self, block: Analysis) -> str:
        return f"\n{without_html(block.source).strip()}\n"

    @text.register
    def _(self, block: Figure) -> str:
        return self._figure(block, _MOST_ALT)

    def _figure(self, block: Figure, most: int) -> str:
        said = f"\n_{_native.markdown_text(block.below)}_\n" if block.below else ""
        image = self._image(block, most)
        return f"\n{image}\n{said}" if image else ""

    def _figures(self, figures: Iterable[Figure]) -> str:
        """Write pictures so narrow that two stand side by side."""
        images = [image for figure in figures if (image := self._image(figure, _MOST_ALT_OF_MANY, _HALF))]
        return "\n{}\n".format("\n".join(images)) if images else ""

    def _image(self, block: Figure, most: int, widest: int = _WIDEST) -> str:
        """Write a picture in its own width: Markdown's image would be as wide as its bitmap."""
        file = self._links.get(id(block))
        if not file:
            return ""
        alt = block.picture.alt if len(block.picture.alt) <= most else f"{block.picture.alt[:most]}…"
        words = escape(_native.printable(alt))
        return f'<img src="{escape(file.address)}" width="{min(file.width, widest)}" alt="{words}">'

    @text.register
    def _(self, block: Beside) -> str:
        return self._figures(block.figures)

    @text.register
    def _(self, block: Attachment) -> str:
        file = self._links.get(id(block))
        if not file:
            return ""
        return f"\n[{_native.markdown_text(block.name)}]({file.address}): {_native.markdown_text(block.what)}\n"

    @text.register
    def _(self, block: Banner) -> str:
        tone = block.shares[0].tone if block.shares else ""
        mark = f"{comment.MARKS[tone]} " if tone in comment.MARKS else ""
        shares = " · ".join(f"{share.count:,} {share.words}" for share in block.shares)
        counts = f"\n{_native.markdown_text(shares)}\n" if shares else ""
        return f"\n**{mark}{_native.markdown_text(block.line)}**\n{counts}"

    @text.register
    def _(self, block: Card) -> str:
        mark = f"{comment.MARKS[block.tone]} " if block.tone in comment.MARKS else ""
        said = "".join(f"\n{_native.markdown_text(words)}\n" for words in (block.said, block.reading) if words)
        figures = self._figures(block.figures)
        table = self.text(block.table) if block.table else ""
        return f"\n### {mark}{_native.markdown_text(block.title)}\n{said}{table}{figures}"

    @text.register
    def _(self, block: Flame) -> str:
        return f"\n{_native.markdown_text(block.title)}: the HTML report draws it.\n"

    @text.register
    def _(self, block: Fold) -> str:
        inner = "".join(self.text(each) for each in block.blocks)
        return inner if block.drawn_above else comment.fold(block.title, "", inner)

    @text.register
    def _(self, block: Table) -> str:
        if not block.anchors:
            return self._table(block, block.title)
        # Of results, rows that ask for action are open.
        open_rows = tuple(row for row in block.rows if _is_open(row))
        if len(open_rows) == len(block.rows):
            return self._table(block, block.title)
        others = max(block.total, len(block.rows)) - len(open_rows)
        first = replace(block, rows=open_rows, total=0, notes=())
        rest = replace(block, rows=tuple(row for row in block.rows if not _is_open(row)), total=others)
        made = self._table(first.without_empty(), block.title) if open_rows else ""
        title = block.title or "Results"
        folded = self._table(rest.without_empty())
        return made + comment.fold(title, counted(others, "other row" if open_rows else "row"), folded)

    def _table(self, block: Table, title: str = "") -> str:
        """Write the first rows of a table."""
        block, once = _said_once(block) if block.anchors else (block, [])
        short = shortened((column.name for column in block.columns), pdf.HEAD)
        heads = (short.get(column.name, column.name) for column in block.columns)
        head = " | ".join(_native.markdown_text(name) or " " for name in heads)
        rule = " | ".join("---:" if column.numeric else "---" for column in block.columns)
        lines = (" | ".join(map(self._cell, row, block.columns)) for row in block.rows[: self._rows])
        body = "".join(f"| {line} |\n" for line in lines)
        said = [note for note in (block.cut(min(self._rows, len(block.rows))), *once, *block.notes) if note]
        notes = "".join(f"\n{_native.markdown_text(note)}\n" for note in said)
        above = f"\n**{_native.markdown_text(title)}**\n" if title else ""
        return f"{above}\n| {head} |\n| {rule} |\n{body}{notes}"

    def _cell(self, cell: Cell, column: Column) -> str:
        text = comment.amount(cell.text) if column.numeric else _native.markdown_text(self.names.short(cell.text))
        return "<br>".join(part for part in (text, _native.markdown_text(cell.below)) if part) or " "


def _said_once(block: Table) -> tuple[Table, list[str]]:
    """Leave out columns that say the same in all rows, and say it in a sentence: a page is narrow."""
    same = {
        place: block.rows[0][place].text
        for place, column in enumerate(block.columns)
        if column.repeats and len({row[place].text for row in block.rows}) == 1
    }
    kept = [place for place in range(len(block.columns)) if place not in same]
    said = listed(f"{block.columns[place].name} {text}" for place, text in same.items())
    return block.with_columns(kept), [f"In all rows: {said}."] if said else []


def _is_open(row: Sequence[Cell]) -> bool:
    return any(cell.chip and cell.tone in _OPEN_ROWS for cell in row)
