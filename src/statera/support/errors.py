"""Two kinds of errors: a Problem is a value, and the work goes on; a Stop is an exception that ends the command."""

from __future__ import annotations

from os import fspath

from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import sentence

if TYPE_CHECKING:
    from os import PathLike


def unreadable(path: str | PathLike[str], error: OSError) -> str:
    """Say why a path that somebody named cannot be read: what is not there, in the words of every command."""
    missing = isinstance(error, FileNotFoundError)
    return f"{fspath(path)}: {'there is no such file or folder' if missing else error.strerror or error}"


class Problem(NamedTuple):
    """Something that was left out.

    Attributes:
        code: the kind of problem, as ``statera explain`` accepts it.
        source: the path of the file, as the user would write it.
        line: the line, counted from 1; 0 for the whole file.
        what: a description of the problem.
        hint: how to fix it; may be empty.
    """

    code: str
    source: str
    line: int
    what: str
    hint: str

    def __str__(self) -> str:
        """Write ``file:line: what [code]. Hint``."""
        place = f"{self.source}:{self.line}" if self.line else self.source
        hint = f". {sentence(self.hint)}" if self.hint else ""
        # A question about a table has lines of its own; a problem in a list is one line.
        what = "; ".join(line.strip() for line in self.what.split("\n")).replace(":; ", ": ")
        return f"{place}: {what} [{self.code}]{hint}"


class StateraError(Exception):
    """The command cannot continue. The text says why, and what to do.

    Attributes:
        code: the kind of failure, as ``statera explain`` accepts it.
        typed: the text with the options of the command line, where the library's has parameters.
    """

    def __init__(self, code: str, message: str) -> None:
        from statera._native import for_terminal  # noqa: PLC0415 - only where something is wrong

        # The message may quote untrusted input, even bytes that are not text; its line breaks are our own.
        super().__init__(for_terminal(message))
        self.code = code
        self.typed = str(self)


# As programs that use the library name it; tracebacks show this name.
StateraError.__module__ = "statera"
Stop = StateraError
"""The name of the error inside of statera."""
