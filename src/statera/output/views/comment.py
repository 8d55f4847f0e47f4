"""A comment in a pull request: what its parts share, so that together they never exceed what GitHub takes."""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import ASKING, GAINS, LOSSES
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final

MOST: Final = 65_000
"""GitHub refuses comments above 65,536 characters; the rest is for what a workflow adds."""

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


def items(lines: Iterable[str], most: int = 600) -> list[str]:
    """Write each sentence as an item of a list, the middle of a very long one left out."""
    return [f"- {_native.markdown_text(brief(line.strip(), most))}\n" for line in lines]


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
