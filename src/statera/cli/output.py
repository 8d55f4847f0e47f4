"""Where and how a verb writes its result, by its options; and the functions that write."""

from __future__ import annotations

import os
import sys

from statera._native import for_terminal
from statera.cli import streams
from statera.cli.options import DOCUMENTS, FORMATS
from statera.comparison.pairing.variants import split_label
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

__all__ = ["DOCUMENTS", "FORMATS"]

_ENDINGS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".csv": "csv",
    ".json": "json",
    ".txt": "terminal",
    "": "terminal",
}
_DOCUMENT_ENDINGS = {".html": "html", ".htm": "html", ".pdf": "pdf"}
# What writes the files that tables are not written to.
_OTHER_VERBS = {
    **dict.fromkeys(_DOCUMENT_ENDINGS, "report"),
    ".svg": "plot forest",
    ".png": "plot forest",
    ".parquet": "convert",
}


def order(options: argparse.Namespace, kind: str) -> str:
    """Return the order of the rows: worst first for people, and as in the files for programs, if none was named."""
    return options.sort or ("file" if kind in {"csv", "json"} else "worst")


def folder(word: str) -> str:
    """Return the name of a folder to write into; refuse a URL and an empty name."""
    from statera.support.files import outputs  # noqa: PLC0415 - most results go to standard output

    outputs.refuse_scheme(word)
    if not word:
        raise Stop("bad-option", "-o takes the name of a folder, not an empty text. Write . for the current folder")
    return word


def check(path: str | None, inputs: Iterable[str | None] = ()) -> None:
    """Refuse a file that cannot be written or is an input, before any work; ``inputs`` are arguments as typed."""
    if path is not None:
        from statera.support.files import outputs  # noqa: PLC0415 - as above

        outputs.check(path, [split_label(word)[1] for word in inputs if word is not None])


def kind(options: argparse.Namespace, *, documents: bool = False) -> str:
    """Return the format, from its name or the file extension; refuse an impossible one before anything is read."""
    width = getattr(options, "width", None)
    if width is not None and width < 1:
        raise Stop("bad-option", f"--width takes a number of columns, at least 1, not {width}")
    found = _kind(options, documents=documents)
    if options.raw_csv and found != "csv":
        raise Stop("bad-option", f"--raw-csv only changes CSV, and the output is {found}. Add -f csv")
    if found != "terminal":
        _refuse(width is not None, "--width sets the width of the terminal's table", found)
        _refuse(getattr(options, "colour", None) == "always", "--colour always colours the terminal's table", found)
    return found


def _refuse(given: bool, what: str, kind: str) -> None:  # noqa: FBT001 - whether the option was given
    """Refuse an option that does nothing for an output."""
    if given:
        raise Stop("bad-option", f"{what}, and the output is {kind}. Leave it out")


def _kind(options: argparse.Namespace, *, documents: bool) -> str:
    if options.output_format:
        return str(options.output_format)
    ending = os.path.splitext(options.output or "")[1].lower()
    endings = {**_ENDINGS, **_DOCUMENT_ENDINGS} if documents else _ENDINGS
    if ending not in endings:
        known = ", ".join(ending for ending in endings if ending)
        verb = _other_verb(options.output, ending, of_clusters=documents)
        advice = f"Run statera {verb} … -o {options.output}" if verb else "Name the format with -f"
        raise Stop("bad-option", f"-o {options.output}: no output format has this extension ({known}). {advice}")
    return endings[ending]


def _other_verb(path: str, ending: str, *, of_clusters: bool) -> str | None:
    """Return the verb that writes a file that tables are not written to, if there is one."""
    from statera.output.report.writers import is_answer  # noqa: PLC0415 - only to refuse a file

    if is_answer(path):
        return "cluster report" if of_clusters else "report"
    return None if of_clusters else _OTHER_VERBS.get(ending)


def width_and_colour(options: argparse.Namespace) -> tuple[int | None, bool]:
    """Return the width of the terminal (None: unlimited) and whether to use colour."""
    to_terminal = options.output is None and sys.stdout.isatty()
    colour = options.colour == "always" or (
        options.colour == "auto" and to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    return options.width or (_columns() if to_terminal else None), colour


def height(options: argparse.Namespace) -> int:
    """Return the number of lines of the terminal; 0 where the output goes elsewhere."""
    if options.output is not None or not sys.stdout.isatty():
        return 0
    try:
        return int(os.environ.get("LINES", "")) or os.get_terminal_size().lines
    except ValueError:
        return os.get_terminal_size().lines


def terminal() -> tuple[int | None, bool]:
    """Return width and colour of standard output, for verbs that have no options for them."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return _columns() if sys.stdout.isatty() else None, colour


def _columns() -> int | None:
    try:
        return int(os.environ.get("COLUMNS", "")) or None
    except ValueError:
        return os.get_terminal_size().columns


def write(text: str, path: str | None, kind: str = "terminal") -> None:
    """Write to a file, or to standard output where there is none.

    What is meant for programs keeps every character of a name; where a terminal shows it, none of them acts there.
    """
    if path is not None:
        from statera.support.files import outputs  # noqa: PLC0415 - as above

        outputs.write(path, text)
        return
    if kind != "terminal" and sys.stdout.isatty():
        text = for_terminal(text)
    streams.write(text)
