"""What goes wrong: a Problem is a value and the work goes on; a Stop ends the command."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """Something that was left out.

    Attributes:
        code: the kind, as ``statera explain`` takes it.
        source: the file as the user would write it.
        line: the line, counted from 1; 0 where the whole file is meant.
        what: what is wrong, in words.
        hint: how to mend it; may be empty.

    """

    code: str
    source: str
    line: int
    what: str
    hint: str

    def __str__(self) -> str:
        """Write ``file:line: what (code); hint``."""
        place = f"{self.source}:{self.line}" if self.line else self.source
        hint = f"; {self.hint}" if self.hint else ""
        return f"{place}: {self.what} [{self.code}]{hint}"


class Stop(Exception):  # noqa: N818 - it is no error of the program but the end of the command
    """The command cannot go on. Its text says why and what to do."""

    def __init__(self, code: str, message: str) -> None:
        from statera._native import for_terminal  # noqa: PLC0415 - only where something is wrong

        # It may name what a stranger wrote, also bytes that are no text; its lines are its own.
        super().__init__(for_terminal(message))
        self.code = code
