"""The content of a report without its layout: sections of blocks, as plain values without markup.

Every text is plain: untrusted text is printable, and no text is HTML, Markdown or typst. Writers escape it for their
output and lay it out; they compute nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from markdown_it.token import Token

    from statera.output.plots.picture import Picture

B = TypeVar("B")
Tone = Literal[
    "", "worse", "better", "changed", "differs", "equivalent", "inconclusive", "missing", "doubtful", "unfit"
]


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs; ``plain`` is false if they explain drawings and links of tables, which plain tables do not have."""

    paragraphs: tuple[str, ...]
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence of a list; ``tone`` colours its mark, ``link`` is the anchor of what it is about."""

    text: str
    tone: Tone = ""
    link: str = ""


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
class Interval:
    """A change and its interval as a drawing: places from 0 (left) to 1 (right) of an axis that all rows share."""

    # low, middle, high: the ends of the interval and the change; without an interval all are equal
    low: float
    middle: float
    high: float
    zero: float  # the place of no change
    # cut_low, cut_high: whether the end lies beyond the axis, where an arrow is drawn
    cut_low: bool = False
    cut_high: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    text: str  # the cell as written; empty beside an interval that is only drawn
    key: float | None = None  # sorts the cell if the text would sort wrongly; None sorts last
    tone: Tone = ""  # colours the cell
    interval: Interval | None = None  # drawn in the cell beside the text
    heat: float | None = None  # colours the background, from -1 (best) over 0 to 1 (worst); None without a background
    link: str = ""  # the anchor that the text leads to
    chip: bool = False  # whether the text is a verdict, drawn as a chip in its tone
    means: str = ""  # what the text means in words, if it is a sign; empty otherwise
    below: str = ""  # a second line, smaller than the first; empty without one


@dataclass(frozen=True, slots=True)
class Column:
    """A column."""

    name: str  # its heading
    numeric: bool = False  # whether its cells are numbers, which are aligned right and sorted by their keys
    minor: bool = False  # whether it is left out on a phone
    # whether it often says the same in all rows, so that a narrow page says it once, below the table
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring rows of a table that can be folded: their title, a word on them, and their number."""

    title: str
    said: str
    rows: int


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns."""

    title: str  # the title, also the table's name for screen readers
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()  # sentences below the table
    total: int = 0  # the number of all rows, of which ``rows`` are the first; writers state it if rows are missing
    full: str = ""  # the name of the attachment with all rows, empty if there is none
    anchors: tuple[str, ...] = ()  # the anchor of each row, empty if rows have none
    groups: tuple[Group, ...] = ()  # the groups of neighbouring rows, in order; empty if rows are not grouped
    # a sentence below the table on the intervals that are drawn in its cells; plain tables have neither
    drawn: str = ""

    @property
    def below(self) -> tuple[str, ...]:
        """The sentences below a table whose cells have drawings."""
        return (*self.notes, *([self.drawn] if self.drawn else []))

    def cut(self, shown: int) -> str:
        """Say how many rows are shown if only so many are, and where the others are; empty if all are shown."""
        total = max(self.total, len(self.rows))
        if shown >= total:
            return ""
        which, where = ("the most important", f"; {self.full} has all of them") if self.full else ("the first", "")
        return f"{shown:,} of {total:,} rows are shown, {which}{where}."

    def without_empty(self) -> Table:
        """Return the table without empty columns; a table without rows keeps all columns."""
        if not self.rows:
            return self
        return self.with_columns(
            [place for place in range(len(self.columns)) if any(row[place].text for row in self.rows)]
        )

    def with_columns(self, places: Sequence[int]) -> Table:
        """Return the table with the columns at these places only."""
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        return replace(self, columns=tuple(self.columns[place] for place in places), rows=rows)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture and its caption; ``link`` is the anchor of the row that the picture is about, empty if it has none."""

    picture: Picture
    caption: str
    link: str = ""

    @property
    def below(self) -> str:
        """What stands below the picture: nothing that it shows itself as its title."""
        return "" if self.caption.rstrip(".") == self.picture.title else self.caption


@dataclass(frozen=True, slots=True)
class Beside:
    """Pictures that belong together, placed side by side if there is room."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the banner's bar: how many benchmarks have a verdict."""

    words: str
    count: int
    tone: Tone


@dataclass(frozen=True, slots=True)
class Lead:
    """A row of the banner's forest: a benchmark, its values, its change as written and drawn, and its anchor."""

    name: str
    text: str
    tone: Tone
    interval: Interval | None
    link: str
    values: str = ""


@dataclass(frozen=True, slots=True)
class Banner:
    """The answer, which every report begins with."""

    line: str  # the answer in one line
    shares: tuple[Share, ...]  # how many benchmarks have which verdict
    leads: tuple[Lead, ...]  # the rows that matter most, the worst first
    places: str  # what the places of the intervals mean, such as "slower to the right"
    total: int = 0  # the number of all rows that matter, of which ``leads`` are the first; 0 if these are all
    best: int = 0  # how many of ``leads`` are the last rows instead, which improved most
    ticks: tuple[tuple[float, str], ...] = ()

    @property
    def axis(self) -> str:
        """What stands below the rows: how many of them are shown, and what the places of the intervals mean."""
        return "; ".join(words for words in (self.shown(len(self.leads)), self.places) if words)

    def shown(self, count: int) -> str:
        """State which of the rows are shown, if only so many are; empty if all are."""
        total = max(self.total, len(self.leads))
        if self.best and count == len(self.leads):
            return f"the {count - self.best} worst and the {self.best} best of {total:,}"
        return f"the first {count:,} of {total:,}" if 0 < count < total else ""


@dataclass(frozen=True, slots=True)
class Card:
    """A benchmark that is worse, with its pictures and what other metrics of it say."""

    anchor: str  # its address
    title: str  # the benchmark
    said: str  # its change, interval and values, in a line
    tone: Tone  # of its verdict
    reading: str  # what the other metrics together mean; empty if there are none
    figures: tuple[Figure, ...]  # pictures of both sides
    table: Table | None  # the other metrics of the benchmark; None if there are none


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that are folded until the reader opens them."""

    title: str  # what is folded
    blocks: tuple[Block, ...]  # what it holds
    on_paper: bool = False  # whether paper shows the blocks open even where they fill pages
    # whether the banner draws what the blocks say; Markdown, which draws none, shows them open
    drawn_above: bool = False


@dataclass(frozen=True, slots=True)
class FlameFrame:
    """A frame of a flame graph."""

    # left, width: its place, as shares of the whole width
    left: float
    width: float
    depth: int  # its row, from 0 at the top
    name: str  # of its function
    said: str  # its costs in a sentence
    heat: float  # from -1 (fell most) over 0 (unchanged, or noise) to 1 (gained most)


@dataclass(frozen=True, slots=True)
class Flame:
    """A flame graph of what differs between two profiles; only pages draw it."""

    title: str  # what it is about
    caption: str  # how it is read
    frames: tuple[FlameFrame, ...]  # the frames, each after the one that called it


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


Block = Prose | Items | Heading | Table | Figure | Beside | Banner | Card | Fold | Flame | Code | Analysis | Attachment


@dataclass(frozen=True, slots=True)
class Sampled:
    """The values of a row, which a reader of the page can look at and leave out one by one."""

    anchor: str  # of the row
    unit: str  # of the values, such as ``ms``; empty for numbers without one
    # the label and the values of both variants, in the order of measurement
    sides: tuple[tuple[str, tuple[float, ...]], ...]


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
    """The report."""

    title: str  # the title of the report
    subtitle: str  # the subject in a line
    byline: str  # the version that made it
    sections: tuple[Section, ...] = field(default=())
    date: datetime | None = None  # the date of the results, which becomes the date of a PDF; None if it is not known
    samples: tuple[Sampled, ...] = ()  # the values of rows, the most important first; only pages with scripts show them

    @property
    def blocks(self) -> Iterator[Block]:
        """All blocks in order, those inside of folds and cards too, each after the one that contains it."""
        return (block for section in self.sections for each in section.blocks for block in within(each))

    def every(self, kind: type[B]) -> list[B]:
        """Return the blocks of a kind, in order."""
        return [block for block in self.blocks if isinstance(block, kind)]

    @property
    def attachments(self) -> list[Attachment]:
        """The attached files, in order."""
        return self.every(Attachment)

    @property
    def figures(self) -> list[Figure]:
        """The pictures, in order; writers number them in this order."""
        return self.every(Figure)


def held(kind: type[B], block: Block) -> list[B]:
    """Return the blocks of a kind inside of a block."""
    return [inner for inner in within(block) if isinstance(inner, kind)]


def says_again(before: Block | None, block: Block) -> bool:
    """Return whether a table's title says no more than the heading above it."""
    return isinstance(before, Heading) and isinstance(block, Table) and before.text == block.title


def within(block: Block) -> Iterator[Block]:
    """Return a block and all blocks inside of it."""
    yield block
    inner: tuple[Block, ...] = ()
    if isinstance(block, Fold):
        inner = block.blocks
    elif isinstance(block, Beside):
        inner = block.figures
    elif isinstance(block, Card):
        inner = (*block.figures, *([block.table] if block.table else []))
    for each in inner:
        yield from within(each)
