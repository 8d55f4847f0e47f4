"""Which rows of a table a terminal shows, and the footnotes that their marks refer to."""

from __future__ import annotations

from statera.comparison.codes import VERDICTS, WARNINGS, words
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import conjoined, form

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from statera import _native
    from statera.comparison.results.comparison import Comparison, Section
    from statera.comparison.verdicts import Note
    from statera.output.views.terminal import Look

# A screen of rows; a longer table shows so many and all that changed.
_SCREEN: Final = 30
# So few more rows are shown as well: the sentence on them would save no room.
_FEW: Final = 5


def shown_rows(weighing: _native.Weighing, section: Section, look: Look) -> list[int]:
    """Return the rows of a section in the order of the look; of many rows without a change only the first."""
    rows = weighing.order(section.rows, look.sort, look.changed)
    if screen(len(rows), look) == len(rows):
        return rows
    changed = len(weighing.order(rows, look.sort, True))  # noqa: FBT003 - compiled
    return rows[: screen(len(rows), look, changed)]


def screen(count: int, look: Look, least: int = 0) -> int:
    """Return how many of some rows are shown: a screen of them, at least so many, or all if few more."""
    least = max(_SCREEN, least)
    return count if look.sort != "worst" or look.every or count <= least + _FEW else least


def hidden_line(comparison: Comparison, section: Section, rows: list[int], look: Look) -> str:
    """State how many rows are not shown, by verdict, and what shows them; empty if all are shown."""
    hidden = set(section.rows).difference(rows)
    if not hidden:
        return ""
    counts = [(code, len(hidden & comparison.of_verdict(code))) for code in VERDICTS]
    said = conjoined([f"{count:,} {words(code)}" for code, count in counts if count])
    how = "" if look.changed else "; --all-rows shows them"
    return f"not shown: {said} {form(len(hidden), 'row')}{how}\n"


class Footing(NamedTuple):
    """The footnotes of the rows that a text shows.

    Attributes:
        marks: for each warning the number of its footnote, 0 for a warning without a mark.
        notes: all notes; only those have a number that a shown row refers to.

    """

    marks: list[int]
    notes: list[Note]


def footing(weighing: _native.Weighing, notes: list[Note], rows: Iterable[int]) -> Footing:
    """Return the footnotes of some rows, numbered; a note that no mark of these rows refers to has no number."""
    occurs = {code for code, count in weighing.warning_counts(list(rows)) if count}
    marked = [note for note in notes if note.number and note.code in occurs]
    numbers = {note.code: place for place, note in enumerate(marked, 1)}
    numbered = [note._replace(number=numbers[note.code]) for note in marked]
    others = [note._replace(number=0) for note in notes if note not in marked]
    return Footing([numbers.get(code, 0) for code in WARNINGS], numbered + others)
