"""The content of a report without its layout: sections of blocks, as plain values without markup.

Every text is plain: untrusted text is printable, and no text is HTML, Markdown or typst. Writers escape it for their
output and lay it out; they compute nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime

    from markdown_it.token import Token

    from statera.plots.picture import Picture

Tone = Literal[
    "", "worse", "better", "changed", "differs", "equivalent", "inconclusive", "missing", "doubtful", "unfit"
]


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence of a list; ``tone`` colours its mark."""

    text: str
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences; ``findings`` marks the list that should be read first."""

    items: tuple[Item, ...]
    findings: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A title inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as written; ``key`` sorts it if the text would sort wrongly; None sorts last."""

    text: str
    key: float | None = None
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, and whether its cells are numbers, which are aligned right and sorted by their keys."""

    name: str
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns.

    Attributes:
        title: the title, also the table's name for screen readers.
        notes: sentences below the table.
        total: the number of all rows, of which ``rows`` are the first; writers state it if rows are missing.
        full: the name of the attachment with all rows, empty if there is none.

    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    total: int = 0
    full: str = ""

    @property
    def hidden(self) -> int:
        """The number of rows that are not in ``rows``."""
        return max(self.total - len(self.rows), 0)

    def without_empty(self) -> Table:
        """Return the table without empty columns; a table without rows keeps all columns."""
        if not self.rows:
            return self
        keep = [place for place in range(len(self.columns)) if any(row[place].text for row in self.rows)]
        columns = tuple(self.columns[place] for place in keep)
        rows = tuple(tuple(row[place] for place in keep) for row in self.rows)
        return Table(self.title, columns, rows, self.notes, self.total, self.full)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture and its caption."""

    picture: Picture
    caption: str


@dataclass(frozen=True, slots=True)
class Beside:
    """Pictures that belong together, placed side by side if there is room."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Verbatim text: a command, a document."""

    text: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """Prose of the analysts with inline values filled in: as Markdown, and parsed."""

    source: str
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file attached to the report."""

    name: str
    content: bytes
    media_type: str
    what: str


Block = Prose | Items | Heading | Table | Figure | Beside | Code | Analysis | Attachment


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report; ``key`` names it in addresses and in notes."""

    key: str
    title: str
    blocks: tuple[Block, ...]

    def with_blocks(self, blocks: tuple[Block, ...]) -> Section:
        """Return the section with other blocks."""
        return Section(self.key, self.title, blocks)


@dataclass(frozen=True, slots=True)
class Document:
    """The report.

    Attributes:
        title: the title of the report; subtitle: the subject in a line; byline: the version that made it.
        date: the date of the results, which becomes the date of a PDF; None if it is not known.

    """

    title: str
    subtitle: str
    byline: str
    sections: tuple[Section, ...] = field(default=())
    date: datetime | None = None

    @property
    def attachments(self) -> list[Attachment]:
        """The attached files, in order."""
        return [block for section in self.sections for block in section.blocks if isinstance(block, Attachment)]

    @property
    def figures(self) -> list[Figure]:
        """The pictures, in order; writers number them in this order."""
        found: list[Figure] = []
        for section in self.sections:
            for block in section.blocks:
                if isinstance(block, Beside):
                    found += block.figures
                elif isinstance(block, Figure):
                    found.append(block)
        return found
