"""The report as PDF: typst lays out a JSON document in which every text is plain text."""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from statera import _native, stages
from statera.plots import theme
from statera.plots.picture import VERSION
from statera.report import glyphs
from statera.report.model import Analysis, Attachment, Beside, Code, Figure, Heading, Items, Prose, Table
from statera.report.notes import nodes
from statera.report.writers import drawable, hidden_words, plain

if TYPE_CHECKING:
    from statera.report.model import Block, Document

_TEMPLATE: Final = Path(__file__).parent / "templates/report.typ"
# A page holds about fifty rows: nobody reads more pages of one table; the attachment has all rows.
MOST_ROWS: Final = 250
# A word that is longer than a column may break after so many characters.
_BREAK: Final = 18
_LONG: Final = 24
_SHORT: Final = 14
# Characters of a row that fit on a line, and in small type.
_WIDE, _SMALL = 95, 125
_RUNNING: Final = 70
_NAME: Final = 100


def content(document: Document) -> bytes:
    """Typeset the report."""
    import typst  # noqa: PLC0415 - an extra

    with tempfile.TemporaryDirectory(prefix="statera-") as name:
        folder = Path(name)
        data = _document(document, folder)
        (folder / "document.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        shutil.copy(_TEMPLATE, folder / "report.typ")
        stages.enter("typesetting")
        # With fonts of the system, pages would differ between machines.
        compiler = typst.Compiler(root=folder, ignore_system_fonts=True)
        made = compiler.compile(input=folder / "report.typ", format="pdf", timestamp=document.date)
    return cast("bytes", made)


def _document(document: Document, folder: Path) -> dict[str, Any]:
    """Return the document for typst, and write its pictures and attachments to the folder."""
    numbers = {id(figure): number for number, figure in enumerate(document.figures, 1)}
    blocks = _Blocks(folder, numbers)
    sections = [
        {"title": _shown(section.title), "blocks": [blocks.data(block) for block in plain(section.blocks)]}
        for section in document.sections
    ]
    running = f"{document.title}: {document.subtitle}"
    return {
        "title": _shown(document.title),
        "subtitle": _shown(document.subtitle),
        "running": _shown(running if len(running) <= _RUNNING else f"{running[:_RUNNING]}…"),
        "byline": _shown(document.byline),
        "dated": document.date is not None,
        "theme": theme.typst_values(),
        "sections": sections,
    }


def _shown(text: str) -> str:
    """Make text printable with the available fonts, and allow breaks in long words."""
    return " ".join(_broken(word) for word in glyphs.shown(text).split(" "))


def _fitting(text: str) -> str:
    """Shorten a name that would fill many lines of a column in its middle; the attachment has the full name."""
    return text if " " in text else _native.shortened(text, _NAME)


def _broken(word: str) -> str:
    if len(word) <= _LONG:
        return word
    # A zero-width space allows a line break.
    return "\u200b".join(word[start : start + _BREAK] for start in range(0, len(word), _BREAK))


class _Blocks:
    """Converts blocks for typst, and writes pictures and attachments to a folder."""

    def __init__(self, folder: Path, numbers: dict[int, int]) -> None:
        self._folder = folder
        self._numbers = numbers

    @functools.singledispatchmethod
    def data(self, block: Block) -> dict[str, Any]:
        """Convert a block for typst."""
        raise TypeError(block)

    @data.register
    def _(self, block: Prose) -> dict[str, Any]:
        return {"kind": "prose", "paragraphs": [_shown(paragraph) for paragraph in block.paragraphs]}

    @data.register
    def _(self, block: Items) -> dict[str, Any]:
        items = [{"text": _shown(item.text), "tone": item.tone} for item in block.items]
        return {"kind": "items", "findings": block.findings, "items": items}

    @data.register
    def _(self, block: Heading) -> dict[str, Any]:
        return {"kind": "heading", "text": _shown(block.text)}

    @data.register
    def _(self, block: Code) -> dict[str, Any]:
        return {"kind": "code", "text": "\n".join(_shown(line) for line in block.text.split("\n"))}

    @data.register
    def _(self, block: Analysis) -> dict[str, Any]:
        return {"kind": "analysis", "nodes": _each_text(nodes(block.tokens))}

    @data.register
    def _(self, block: Attachment) -> dict[str, Any]:
        (self._folder / block.name).write_bytes(block.content)
        plain = {"name": block.name, "file": block.name, "media-type": block.media_type}
        return {"kind": "attachment", "what": _shown(block.what), **plain}

    @data.register
    def _(self, block: Figure) -> dict[str, Any]:
        number = self._numbers[id(block)]
        name = f"figure-{number}.pdf"
        (self._folder / name).write_bytes(_drawn(block))
        words = {"caption": _shown(block.caption), "alt": _shown(block.picture.alt)}
        return {"kind": "figure", "file": name, "number": number, **words}

    @data.register
    def _(self, block: Beside) -> dict[str, Any]:
        return {"kind": "beside", "figures": [self.data(figure) for figure in block.figures]}

    @data.register
    def _(self, block: Table) -> dict[str, Any]:
        rows = block.rows[:MOST_ROWS]
        said = [hidden_words(block, len(rows)), *block.notes]
        return {
            "kind": "table",
            "title": _shown(block.title),
            "columns": [{"name": _shown(column.name), "numeric": column.numeric} for column in block.columns],
            "widths": _widths(block),
            "small": _WIDE < sum(_lengths(block)) <= _SMALL,
            "rows": [[{"text": _shown(_fitting(cell.text)), "tone": cell.tone} for cell in row] for row in rows],
            "notes": [_shown(note) for note in said if note],
        }


def _drawn(figure: Figure) -> bytes:
    """Draw a picture as PDF, which embeds the fonts that were used for measuring text."""
    import vl_convert  # noqa: PLC0415 - an extra

    spec = drawable(figure.picture).themed("light")
    made: bytes = vl_convert.vegalite_to_pdf(spec, vl_version=VERSION, allowed_base_urls=[])
    return made


def _widths(table: Table) -> list[int]:
    """Assign each column a share of the page by its longest text; 0 for its natural width."""
    longest = _lengths(table)
    if sum(longest) <= _SMALL:
        return [0] * len(longest)
    # Numbers and short names stay on one line; columns of words share the remaining width.
    shares = [
        0 if length <= (_LONG if column.numeric else _SHORT) else min(length, 60)
        for column, length in zip(table.columns, longest, strict=True)
    ]
    return shares if any(shares) else [min(length, 60) for length in longest]


def _lengths(table: Table) -> list[int]:
    """Return the length of each column's longest text."""
    return [
        max([len(column.name), *(len(row[place].text) for row in table.rows[:MOST_ROWS])])
        for place, column in enumerate(table.columns)
    ]


def _each_text(value: Any) -> Any:  # noqa: ANN401 - a tree of JSON
    if isinstance(value, dict):
        return {key: _shown(each) if key == "text" else _each_text(each) for key, each in value.items()}
    return [_each_text(each) for each in value] if isinstance(value, list) else value
