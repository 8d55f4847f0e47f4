"""Shared functions of the writers, and the choice of a writer."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from statera.errors import Stop
from statera.files import outputs
from statera.report import glyphs
from statera.report.model import Banner, Card, Fold, Heading, Item, Items, Prose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from statera.plots.picture import Picture
    from statera.report.model import Block, Document, Table

# The ending of its file selects the kind of a report.
KINDS: Final = {".html": "html", ".htm": "html", ".pdf": "pdf", ".md": "markdown", ".markdown": "markdown"}


def kind_of(path: str) -> str:
    """Return the kind of a report from the ending of its file."""
    ending = path[path.rfind(".") :].lower() if "." in path.rpartition("/")[2] else ""
    if ending not in KINDS:
        raise Stop("bad-option", f"-o {path}: a report ends in .html, .pdf or .md")
    return KINDS[ending]


def check(path: str, inputs: Sequence[str] = ()) -> None:
    """Refuse a report that cannot be written, before the work; ``inputs`` as in ``outputs.check``.

    Raises:
        Stop: the report is refused; the text gives the reason.

    """
    outputs.check(path, inputs)
    if kind_of(path) == "markdown":
        from statera.report.markdown import folder_of  # noqa: PLC0415 - only what is asked for

        outputs.check_folder(folder_of(path), inputs)


def write(document: Document, path: str, kind: str = "") -> list[str]:
    """Write a report, and return the names of all written files; the ending selects the kind by default.

    Raises:
        Stop: the file cannot be written, or a package that the kind needs is not installed.

    """
    try:
        return _WRITERS[kind or kind_of(path)](document, path)
    except OSError as error:
        # An error in the folder in which a PDF is typeset.
        raise outputs.failure(error.filename or path, error) from None
    except ModuleNotFoundError as error:
        raise _missing(error) from None


def page(document: Document) -> str:
    """Return a report as HTML.

    Raises:
        Stop: a package that it needs is not installed.

    """
    try:
        from statera.report import html  # noqa: PLC0415 - only what is asked for

        return html.text(document)
    except ModuleNotFoundError as error:
        raise _missing(error) from None


def _missing(error: ModuleNotFoundError) -> Stop:
    return Stop("missing-package", f"reports need the package {error.name}; run: pip install 'statera[report]'")


def _html(document: Document, path: str) -> list[str]:
    from statera.report import html  # noqa: PLC0415 - only what is asked for

    outputs.write(path, html.text(document))
    return [path]


def _pdf(document: Document, path: str) -> list[str]:
    from statera.report import pdf  # noqa: PLC0415

    outputs.write(path, pdf.content(document))
    return [path]


def _markdown(document: Document, path: str) -> list[str]:
    from statera.report import markdown  # noqa: PLC0415

    return markdown.write(document, path)


_WRITERS: Final[Mapping[str, Callable[[Document, str], list[str]]]] = {
    "html": _html,
    "pdf": _pdf,
    "markdown": _markdown,
}


def drawable(picture: Picture) -> Picture:
    """Return a picture whose texts the available fonts can show."""
    return dataclasses.replace(picture, spec=glyphs.shown_in(picture.spec))


def plain(blocks: Iterable[Block]) -> Iterator[Block]:
    """Write banners, cards and folds as headings, lists, pictures and tables, for an output that draws none of them."""
    for block in blocks:
        if isinstance(block, Banner):
            leads = tuple(Item(f"{lead.name}: {lead.text}", lead.tone) for lead in block.leads)
            yield Prose((f"{block.line}.", *_shares(block)))
            if leads:
                yield Items(leads, findings=True)
        elif isinstance(block, Card):
            yield Heading(block.title)
            yield Prose(tuple(words for words in (block.said, block.reading) if words))
            yield from block.figures
            yield from (block.table,) if block.table else ()
        elif isinstance(block, Fold):
            yield Heading(block.title)
            yield from plain(block.blocks)
        else:
            yield block


def _shares(banner: Banner) -> tuple[str, ...]:
    words = ", ".join(f"{share.count:,} {share.words}" for share in banner.shares)
    return (f"{words}.",) if words else ()


def hidden_words(table: Table, shown: int, *, attached: bool = True) -> str:
    """Describe how many rows of a table are shown, and where the others are; empty if all are shown."""
    total = max(table.total, len(table.rows))
    if shown >= total:
        return ""
    which = "the first" if not table.full else "the most important"
    where = f"; {table.full} has all of them" if table.full and attached else ""
    return f"{shown:,} of {total:,} rows are shown, {which}{where}."
