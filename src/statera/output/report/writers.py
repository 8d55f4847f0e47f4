"""Shared functions of the writers, and the choice of a writer."""

from __future__ import annotations

import dataclasses
import functools
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from statera.output.report import glyphs
from statera.output.report.model import Heading, Table
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from statera.output.plots.picture import Picture
    from statera.output.report.card.colours import Scheme
    from statera.output.report.model import Block, Document, Figure

# The ending of its file selects the kind of a report.
KINDS: Final = {".html": "html", ".htm": "html", ".pdf": "pdf", ".md": "markdown", ".markdown": "markdown"}
# The kinds that have pictures.
_DRAWN: Final = frozenset({"html", "pdf", "markdown"})

# An SVG is a picture of the answer; the end of its name says which.
_PICTURES: Final = re.compile(r"(?:^|[-_.])(?P<kind>badge|card(?:-light|-dark)?)\.svg$", re.IGNORECASE)


def kind_of(path: str) -> str:
    """Return the kind of a report from the ending of its file."""
    name = path.rpartition("/")[2]
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if picture := _PICTURES.search(name):
        return picture["kind"].lower()
    if ending == ".svg":
        names = "card.svg, card-light.svg, card-dark.svg or badge.svg"
        raise Stop("bad-option", f"-o {path}: a report writes {names}; statera plot draws other pictures")
    if ending not in KINDS:
        raise Stop("bad-option", f"-o {path}: a report ends in .html, .pdf or .md, or is named card.svg or badge.svg")
    return KINDS[ending]


def is_answer(path: str) -> bool:
    """Tell whether the name of a file is that of a picture of the answer, a card or a badge."""
    return _PICTURES.search(path.rpartition("/")[2]) is not None


def check(path: str, inputs: Sequence[str] = ()) -> None:
    """Refuse a report that cannot be written, before the work; ``inputs`` as in ``outputs.check``.

    Raises:
        Stop: the report is refused; the text gives the reason.

    """
    outputs.check(path, inputs)
    if kind_of(path) == "markdown":
        from statera.output.report.markdown import folder_of  # noqa: PLC0415 - only what is asked for

        outputs.check_folder(folder_of(path), inputs)


@contextmanager
def announced(kinds: Iterable[str], *, early: bool = True) -> Iterator[None]:
    """Announce the kinds of the reports that are made and written in this context, which draw each picture once.

    With ``early``, which takes a process, pictures are drawn while the document is made.
    """
    if _DRAWN.isdisjoint(kinds):
        yield
        return
    from statera.output.plots import ahead  # noqa: PLC0415 - only what is asked for

    with ahead.kept(early=early):
        yield


def write(document: Document, path: str, kind: str = "", *, picture_base: str = "") -> list[str]:
    """Write a report, and return the names of all written files.

    Args:
        document: the report.
        path: where to write it.
        kind: its kind; by default the ending of the file selects it.
        picture_base: the address below which a Markdown report finds its pictures, instead of beside it.

    Raises:
        Stop: the file cannot be written, or a package that the kind needs is not installed.

    """
    kind = kind or kind_of(path)
    try:
        if kind == "markdown":
            from statera.output.report import markdown  # noqa: PLC0415 - only what is asked for

            return markdown.write(document, path, base=picture_base)
        return _WRITERS[kind](document, path)
    except OSError as error:
        # An error in the folder in which a PDF is typeset.
        raise outputs.failure(error.filename or path, error) from None
    except ModuleNotFoundError as error:
        raise _missing(error) from None


def checked_base(url: str) -> str:
    """Return the address of pictures as a link can hold it.

    Raises:
        Stop: it is not an address of the web.

    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise Stop("bad-option", f"--picture-base {url}: write an address that begins with https:// or http://")
    # Parentheses and spaces would end the link.
    return quote(url, safe=":/?#[]@!$&'*+,;=%~")


def page(document: Document) -> str:
    """Return a report as HTML.

    Raises:
        Stop: a package that it needs is not installed.

    """
    try:
        from statera.output.report import html  # noqa: PLC0415 - only what is asked for

        return html.text(document)
    except ModuleNotFoundError as error:
        raise _missing(error) from None


def _missing(error: ModuleNotFoundError) -> Stop:
    return Stop("missing-package", f"reports need the package {error.name}; run: pip install 'statera[report]'")


def _html(document: Document, path: str) -> list[str]:
    from statera.output.report import html  # noqa: PLC0415 - only what is asked for

    outputs.write(path, html.text(document))
    return [path]


def _pdf(document: Document, path: str) -> list[str]:
    from statera.output.report import pdf  # noqa: PLC0415

    outputs.write(path, pdf.content(document))
    return [path]


def _card(document: Document, path: str, scheme: Scheme = "auto") -> list[str]:
    from statera.output.report.card import card  # noqa: PLC0415

    outputs.write(path, card.text(document, scheme))
    return [path]


def _badge(document: Document, path: str) -> list[str]:
    from statera.output.report.card import badge  # noqa: PLC0415

    outputs.write(path, badge.text(document))
    return [path]


_WRITERS: Final[Mapping[str, Callable[[Document, str], list[str]]]] = {
    "html": _html,
    "pdf": _pdf,
    "badge": _badge,
    "card": _card,
    "card-light": functools.partial(_card, scheme="light"),
    "card-dark": functools.partial(_card, scheme="dark"),
}


def drawable(picture: Picture) -> Picture:
    """Return a picture whose texts the available fonts can show."""
    return dataclasses.replace(picture, spec=glyphs.shown_in(picture.spec))


def says_again(before: Block | None, block: Block) -> bool:
    """Return whether a table's title says no more than the heading above it."""
    return isinstance(before, Heading) and isinstance(block, Table) and before.text == block.title


def caption_of(figure: Figure) -> str:
    """Return what stands below a picture: nothing that it shows itself as its title."""
    return "" if figure.caption.rstrip(".") == figure.picture.title else figure.caption


def hidden_words(table: Table, shown: int, *, attached: bool = True) -> str:
    """Describe how many rows of a table are shown, and where the others are; empty if all are shown."""
    total = max(table.total, len(table.rows))
    if shown >= total:
        return ""
    which = "the first" if not table.full else "the most important"
    where = f"; {table.full} has all of them" if table.full and attached else ""
    return f"{shown:,} of {total:,} rows are shown, {which}{where}."
