"""Options of the verbs that write HTML, PDF and Markdown documents, and what a document states about itself."""

from __future__ import annotations

import os
import sys

from statera.support.errors import Stop
from statera.support.files.names import as_text
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def add(parser: argparse.ArgumentParser, section: str) -> argparse._ArgumentGroup:
    """Declare files, title and notes; the help names ``section`` as a place for notes."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help="write to this file, .html, .pdf or .md, or the answer to card.svg or badge.svg (repeatable)",
    )
    group.add_argument(
        "--picture-base",
        default="",
        metavar="URL",
        help="let a Markdown report link its pictures and files below this address instead of beside it",
    )
    group.add_argument("--title", default="", metavar="TEXT", help="title of the report")
    group.add_argument(
        "--notes",
        metavar="FILE",
        help=f"Markdown file with your own text; the headings '# summary', '# {section}' … place it in the "
        "report's sections",
    )
    return group


def check(options: argparse.Namespace) -> None:
    """Refuse impossible options before anything is read."""
    from statera.output.report import writers  # noqa: PLC0415
    from statera.support.files import outputs  # noqa: PLC0415 - --help does without

    if not options.output:
        raise Stop("bad-option", "name the report with -o: report.html, report.pdf or report.md")
    places: set[str] = set()
    for path in options.output:
        outputs.refuse_scheme(path)
        writers.kind_of(path)
        place = os.path.realpath(path)
        if place in places:
            raise Stop("bad-option", f"-o {path}: is named twice")
        places.add(place)
    if options.picture_base:
        if "markdown" not in map(writers.kind_of, options.output):
            raise Stop("bad-option", "--picture-base: only a Markdown report (-o report.md) links its pictures")
        writers.checked_base(options.picture_base)


def check_places(options: argparse.Namespace, inputs: Iterable[str | None]) -> None:
    """Refuse files that cannot be written or are inputs, before anything is read; ``inputs`` are arguments as typed."""
    from statera.comparison.pairing.variants import split_label  # noqa: PLC0415 - --help does without
    from statera.output.report import writers  # noqa: PLC0415

    read = [split_label(word)[1] for word in (*inputs, options.notes) if word is not None]
    for path in options.output:
        writers.check(path, read)


def command() -> str:
    """Return the command as it was typed."""
    return " ".join(["statera", *map(_typed, sys.argv[1:])])


def _typed(word: str) -> str:
    r"""Write a word as a shell takes it; one with a byte that is not UTF-8 as $'\xFF'."""
    import shlex  # noqa: PLC0415 - --help does without

    shown = as_text(word)
    if shown == word:
        return shlex.quote(word)
    return "$'" + as_text(word.replace("\\", r"\\").replace("'", r"\'")) + "'"
