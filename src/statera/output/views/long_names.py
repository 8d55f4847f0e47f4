"""Long names in Markdown: short in tables, so that numbers stay in view, and whole in a folded list."""

from __future__ import annotations

from statera import _native
from statera.output.views import comment
from statera.output.views.apart import shortened
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

MOST: Final = 44
"""Columns of a name in a table; with the numbers of its row it fits the width of a comment."""

_LONGEST: Final = 200
_PART: Final = 3


class LongNames:
    """The short forms of names, and which of them were written."""

    def __init__(self, names: Iterable[str]) -> None:
        self._forms = shortened((comment.brief(name, _LONGEST) for name in names), MOST)
        self._written: dict[str, str] = {}

    def short(self, name: str) -> str:
        """Return the form of a name for a table, printable."""
        name = comment.brief(name, _LONGEST)
        if name in self._forms:
            self._written[name] = self._forms[name]
        return self._forms.get(name, name)

    def span(self, name: str) -> str:
        """Write the form of a name as a code span for a table."""
        return _native.code_span(self.short(name), in_table=True)

    def within(self, line: str, name: str) -> str:
        """Write the form of a name for the first time that a line of a table has the name in a code span."""
        # A fence depends on the backticks within it.
        if "`" in name:
            return line
        return line.replace(name.replace("|", "\\|"), self.short(name).replace("|", "\\|"), 1)

    def room(self, room: int) -> int:
        """Return how much of a room to keep for the whole names: what all of them need, or a part of it."""
        return min(room // _PART, comment.size(_fold([_line(*each) for each in self._forms.items()], 0, "")))

    def fold(self, room: int, left: str) -> str:
        """Write the whole names of all forms that were written, as many as fit; ``left`` has the others."""
        lines = [_line(*each) for each in self._written.items()]
        kept = comment.within(lines, room - comment.size(_fold([], len(lines), left)))
        return _fold(kept, len(lines) - len(kept), left) if kept else ""


def _line(name: str, short: str) -> str:
    return f"- {_native.code_span(short)} is {_native.code_span(name)}\n"


def _fold(lines: list[str], more: int, left: str) -> str:
    others = f"- and {counted(more, 'more name')} in {left}\n" if more else ""
    return comment.fold("Whole names", "", "".join([*lines, others])) if lines or more else ""
