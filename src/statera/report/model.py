"""What a report says, apart from how it looks: sections of blocks, in plain values without markup.

Every text is plain: what a stranger wrote has been made printable, and nothing in it is HTML, Markdown or typst. The
writers escape for their output and lay out; none of them computes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime

    from markdown_it.token import Token

    from statera.plots.picture import Picture

Tone = Literal["", "worse", "better", "changed", "equivalent", "inconclusive", "missing", "doubtful", "unfit"]


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
    """A list of sentences; where ``findings`` they are what the report wants read first."""

    items: tuple[Item, ...]
    findings: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A title inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as written; ``key`` sorts it where the text would sort wrongly, None sorts last."""

    text: str
    key: float | None = None
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, and whether its cells are numbers, set at the right and sorted by their keys."""

    name: str
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns.

    Attributes:
        title: what the rows are; also the table's name for screen readers.
        notes: sentences below it.
        total: how many rows there are, of which ``rows`` are the first; said where they are not all.
        full: the name of the attachment that holds all of them, empty where none does.

    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    total: int = 0
    full: str = ""

    @property
    def hidden(self) -> int:
        """How many rows there are beyond those that stand here."""
        return max(self.total - len(self.rows), 0)

    def without_empty(self) -> Table:
        """Return the table without columns that say nothing; one without rows keeps them all."""
        if not self.rows:
            return self
        keep = [place for place in range(len(self.columns)) if any(row[place].text for row in self.rows)]
        columns = tuple(self.columns[place] for place in keep)
        rows = tuple(tuple(row[place] for place in keep) for row in self.rows)
        return Table(self.title, columns, rows, self.notes, self.total, self.full)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture and what it shows."""

    picture: Picture
    caption: str


@dataclass(frozen=True, slots=True)
class Beside:
    """Pictures that belong together, beside each other where there is room."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Text as typed: a command, a document."""

    text: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """Prose of the analysts, its inline values filled in: as Markdown, and taken apart."""

    source: str
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with the report."""

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
        title: of the whole; subtitle: what was compared, in a line; byline: by what it was made.
        date: of the results, which a PDF states as its own; None where it is not known.

    """

    title: str
    subtitle: str
    byline: str
    sections: tuple[Section, ...] = field(default=())
    date: datetime | None = None

    @property
    def attachments(self) -> list[Attachment]:
        """The files that go with it, in order."""
        return [block for section in self.sections for block in section.blocks if isinstance(block, Attachment)]

    @property
    def figures(self) -> list[Figure]:
        """The pictures, in order; a writer numbers them by their places here."""
        found: list[Figure] = []
        for section in self.sections:
            for block in section.blocks:
                if isinstance(block, Beside):
                    found += block.figures
                elif isinstance(block, Figure):
                    found.append(block)
        return found
