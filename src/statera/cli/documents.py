"""Options of the verbs that write HTML, PDF and Markdown documents, and what a document states about itself."""

from __future__ import annotations

import os
import shlex
import sys

from statera.comparison.pairing.variants import split_label
from statera.output.report import writers
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.names import as_text
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def check(options: argparse.Namespace) -> None:
    """Refuse impossible options before anything is read."""
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
    read = [split_label(word)[1] for word in (*inputs, options.notes) if word is not None]
    for path in options.output:
        writers.check(path, read)


def command() -> str:
    """Return the command as it was typed."""
    return " ".join(["statera", *map(_typed, sys.argv[1:])])


def _typed(word: str) -> str:
    r"""Write a word as a shell takes it; one with a byte that is not UTF-8 as $'\xFF'."""
    shown = as_text(word)
    if shown == word:
        return shlex.quote(word)
    return "$'" + as_text(word.replace("\\", r"\\").replace("'", r"\'")) + "'"
