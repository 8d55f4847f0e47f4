"""The choice of a writer by the name of a file."""

from __future__ import annotations

import functools
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from statera.output.plots import ahead
from statera.output.report import card, html, markdown, pdf
from statera.support.errors import Stop
from statera.support.extras import advice
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from statera.output.report.model import Document

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
        raise Stop("bad-option", f"-o {path}: a report writes {names}. statera plot draws other pictures")
    if ending not in KINDS:
        raise Stop("bad-option", f"-o {path}: a report ends in .html, .pdf or .md, or is named card.svg or badge.svg")
    return KINDS[ending]


def is_answer(path: str) -> bool:
    """Tell whether the name of a file is that of a picture of the answer, a card or a badge."""
    return _PICTURES.search(path.rpartition("/")[2]) is not None


def check(path: str, inputs: Sequence[str] = ()) -> None:
    """Refuse a report that cannot be written, before the work; ``inputs`` as in ``outputs.check``.

    Raises ``Stop``, whose text gives the reason.
    """
    outputs.check(path, inputs)
    if kind_of(path) == "markdown":
        outputs.check_folder(markdown.folder_of(path), inputs)


@contextmanager
def announced(kinds: Iterable[str], *, early: bool = True) -> Iterator[None]:
    """Announce the kinds of the reports that are made and written in this context, which draw each picture once.

    With ``early``, which takes a process, pictures are drawn while the document is made.
    """
    if _DRAWN.isdisjoint(kinds):
        yield
        return
    with ahead.kept(early=early):
        yield


def write(document: Document, path: str, kind: str = "", *, picture_base: str = "") -> list[str]:
    """Write a report, and return the names of all written files; by default the ending of the file selects the kind.

    ``picture_base`` is the address below which a Markdown report finds its pictures, instead of beside it.

    Raises ``Stop`` if the file cannot be written, or a package that the kind needs is not installed.
    """
    kind = kind or kind_of(path)
    try:
        if kind == "markdown":
            return markdown.write(document, path, base=checked_base(picture_base) if picture_base else "")
        outputs.write(path, _CONTENTS[kind](document))
    except OSError as error:
        # An error in the folder in which a PDF is typeset.
        raise outputs.failure(error.filename or path, error) from None
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    return [path]


def checked_base(url: str) -> str:
    """Return the address of pictures as a link can hold it. Raises ``Stop`` if it is not an address of the web."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise Stop("bad-option", f"--picture-base {url}: write an address that begins with https:// or http://")
    # Parentheses and spaces would end the link.
    return quote(url, safe=":/?#[]@!$&'*+,;=%~")


def page(document: Document) -> str:
    """Return a report as HTML. Raises ``Stop`` if a package that it needs is not installed."""
    try:
        return html.page(document)
    except ModuleNotFoundError as error:
        raise _missing(error) from None


def _missing(error: ModuleNotFoundError) -> Stop:
    return Stop("missing-package", f"reports need the package {error.name}. {advice('report')}")


_CONTENTS: Final[Mapping[str, Callable[[Document], str | bytes]]] = {
    "html": html.page,
    "pdf": pdf.content,
    "badge": card.badge,
    "card": card.card,
    "card-light": functools.partial(card.card, scheme="light"),
    "card-dark": functools.partial(card.card, scheme="dark"),
}
