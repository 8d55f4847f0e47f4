"""A comment in a pull request: what its parts share, so that together they never exceed what GitHub takes.

The characters of a comment are one ``Room``. Folded parts take what is left, as far as it goes. Long names are short in
tables, so that numbers stay in view, and whole in a list.
"""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import ASKING, GAINS, LOSSES
from statera.output.views.names import shortened
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Final

MOST: Final = 65_000
"""GitHub refuses comments above 65,536 characters; the rest is for what a workflow adds."""
ROWS: Final = 20
"""So many benchmarks have a row."""

MARKS: Final = {
    "worse": "🔴",
    "unfit": "🔴",
    "missing": "🟠",
    "doubtful": "🟠",
    "changed": "🟣",
    "better": "🟢",
    "differs": "⚪",
    "equivalent": "⚪",
    "inconclusive": "⚪",
}
"""The mark of each tone. A mark only repeats what the words beside it say."""

NO_BREAK: Final = "\u00a0"
"""A space at which no line ends."""


class Room:
    """The characters that are left for the parts that are not written yet."""

    def __init__(self, most: int = MOST) -> None:
        self.left = most

    def take(self, text: str) -> str:
        """Use the room of a text, and return the text."""
        self.left -= size(text)
        return text


def size(text: str) -> int:
    """Count characters as UTF-16 does, which no way of counting characters exceeds."""
    return len(text) + sum(character > "\uffff" for character in text)


def within(lines: Iterable[str], room: int) -> list[str]:
    """Return the first lines, as many as fit."""
    kept = []
    for line in lines:
        room -= size(line)
        if room < 0:
            break
        kept.append(line)
    return kept


def brief(text: str, most: int = 60) -> str:
    """Make a text of any length printable and short."""
    return _native.shortened(_native.printable(text), most)


def name(text: str, most: int = 60, *, in_table: bool = False) -> str:
    """Write a name of any length as a code span."""
    return _native.code_span(brief(text, most), in_table=in_table)


def amount(text: str) -> str:
    """Write numbers with units for the cell of a table; a line ends only after an arrow, or before a half-width."""
    made = _native.markdown_text(text).replace(" ", NO_BREAK)
    return made.replace(f"→{NO_BREAK}", "→ ").replace(f"{NO_BREAK}±", " ±")


# The most characters of a sentence.
_LONGEST: Final = 600


def items(lines: Iterable[str]) -> list[str]:
    """Write each sentence as an item of a list, the middle of a very long one left out."""
    return [f"- {_native.markdown_text(brief(line.strip(), _LONGEST))}\n" for line in lines]


def fold(title: str, said: str, body: str) -> str:
    """Write a part that the reader opens; its title and a few words on it always show."""
    words = f": {_native.markdown_html(said)}" if said else ""
    return f"\n<details><summary><b>{_native.markdown_html(title)}</b>{words}</summary>\n\n{body}\n</details>\n"


def mark(counts: Mapping[str, int], lacking: int = 0) -> str:
    """Return the mark of an answer: something is worse, something asks for a look, or most of it is decided.

    That ``lacking`` benchmarks lack metrics asks for a look, too.
    """
    if any(counts.get(verdict) for verdict in LOSSES):
        return MARKS["worse"]
    if lacking or any(counts.get(verdict) for verdict in ASKING):
        return MARKS["missing"]
    decided = sum(counts.get(verdict, 0) for verdict in (*GAINS, "equivalent"))
    return MARKS["better"] if 2 * decided >= sum(counts.values()) > 0 else MARKS["inconclusive"]


# No line of a table is shorter, so that more rows than this allows need not be written to see whether they fit.
_LEAST_LINE: Final = 40
# A fold is cut only if so many characters of it remain; otherwise it is left out.
_LEAST_FOLD: Final = 1_500
_HEADING: Final = 2
SAID: Final = 200
"""At most so many characters say what does not fit; a comment keeps them free."""


class Fold(NamedTuple):
    """A folded part."""

    title: str  # its title
    said: str  # a few words that show while it is folded
    rows: int  # the number of its rows; 0 if it is left out as a whole where it does not fit
    lines: Callable[[int], list[str]]  # writes its first rows as the lines of a table, two lines of heading first
    before: str = ""  # what stands above its table


def folds_with_rows(folds: list[Fold], room: Room) -> Iterator[str]:
    """Write the folds that have rows, as many rows as fit, and the number of the others."""
    folds = [fold for fold in folds if fold.rows]
    left_out = 0
    for place, fold in enumerate(folds, 1):
        # The folds that follow keep room for their first rows.
        kept = min(room.left // 2, (len(folds) - place) * _LEAST_FOLD)
        made, rows = _written(fold, room.left - kept)
        yield room.take(made)
        left_out += fold.rows - rows
    if left_out:
        more = counted(left_out, "more row does", "more rows do")
        yield f"\n{more} not fit a comment; `-f csv` has them all.\n"


def whole_folds(folds: Iterable[Fold], room: Room) -> Iterator[str]:
    """Write folds that are not cut, up to the first that does not fit."""
    for fold in folds:
        made, _ = _written(fold, room.left)
        yield room.take(made) or "\nMore tables do not fit a comment; `-f json` has them all.\n"
        if not made:
            return


def _written(part: Fold, room: int) -> tuple[str, int]:
    """Write a fold with the rows that fit; return it and their number."""
    room -= size(fold(part.title, part.said, part.before))
    if room < min(_LEAST_FOLD, part.rows * _LEAST_LINE):
        return "", 0
    lines = part.lines(room // _LEAST_LINE)
    kept = within(lines, room)
    if len(kept) < len(lines) and (not part.rows or len(kept) <= _HEADING):
        return "", 0
    return fold(part.title, part.said, part.before + "".join(kept)), min(part.rows, len(kept) - _HEADING)


LONGEST: Final = 44
"""Columns of a name in a table; with the numbers of its row it fits the width of a """

_WHOLE: Final = 200


class LongNames:
    """The short forms of names, and which of them were written."""

    def __init__(self, names: Iterable[str]) -> None:
        self._forms = shortened((brief(name, _WHOLE) for name in names), LONGEST)
        self._written: dict[str, str] = {}

    def short(self, name: str) -> str:
        """Return the form of a name for a table, printable."""
        name = brief(name, _WHOLE)
        if name in self._forms:
            self._written[name] = self._forms[name]
        return self._forms.get(name, name)

    def span(self, name: str) -> str:
        """Write the form of a name as a code span for a table."""
        return _native.code_span(self.short(name), in_table=True)

    def fold(self, room: int, left: str) -> str:
        """Write the whole names of all forms that were written, as many as fit; ``left`` has the others."""
        lines = [_item(*each) for each in self._written.items()]
        kept = within(lines, room - size(_list([], len(lines), left)))
        return _list(kept, len(lines) - len(kept), left) if kept else ""


def _item(name: str, short: str) -> str:
    return f"- {_native.code_span(short)} is {_native.code_span(name)}\n"


def _list(lines: list[str], more: int, left: str) -> str:
    others = f"- and {counted(more, 'more name')} in {left}\n" if more else ""
    return fold("Whole names", "", "".join([*lines, others])) if lines or more else ""
