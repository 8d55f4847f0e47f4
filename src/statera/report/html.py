"""The report as one self-contained HTML file: text, tables, pictures, the full data."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.plots.page import script_data, script_hash
from statera.report import bundle
from statera.report.model import Attachment, Heading
from statera.report.writers import hidden_words

if TYPE_CHECKING:
    from jinja2 import Environment

    from statera.report.model import Analysis, Document

_FOLDER: Final = Path(__file__).parent / "templates"
# Larger attachments are compressed.
_PLAIN: Final = 200_000
# Tables with more rows than these can be searched.
_SEARCHED: Final = 12


class _Entry(NamedTuple):
    """An entry of the table of contents."""

    anchor: str
    title: str
    inner: list[tuple[str, str]]


class _Link(NamedTuple):
    """The link that downloads an attachment."""

    name: str
    url: str
    size: str


def text(document: Document) -> str:
    """Write the report as HTML."""
    style = bundle.style() + (_FOLDER / "report.css").read_text(encoding="utf-8")
    script = (_FOLDER / "report.js").read_text(encoding="utf-8")
    library = bundle.vega() if document.figures else ""
    anchors = {id(block): f"part-{number}" for number, block in enumerate(_headings(document), 1)}
    numbers = {id(figure): number for number, figure in enumerate(document.figures, 1)}
    template = _environment().get_template("report.html.j2")
    return template.render(
        document=document,
        contents=_contents(document, anchors),
        anchors=anchors,
        numbers=numbers,
        kinds=_kinds,
        link=_link,
        id=id,
        hidden=lambda table: hidden_words(table, len(table.rows)),
        searched=lambda table: len(table.rows) > _SEARCHED,
        spec=lambda figure: script_data(figure.picture.spec),
        themes=script_data(bundle.themes()) if document.figures else "",
        analysis=_analysis,
        style=style,
        script=script,
        library=library,
        policy=_policy(style, [script, library]),
    )


def _headings(document: Document) -> list[Heading]:
    return [block for section in document.sections for block in section.blocks if isinstance(block, Heading)]


def _contents(document: Document, anchors: dict[int, str]) -> list[_Entry]:
    entries = []
    for section in document.sections:
        inner = [(anchors[id(block)], block.text) for block in section.blocks if isinstance(block, Heading)]
        entries.append(_Entry(section.key, section.title, inner))
    return entries


def _kinds(block: object) -> str:
    return type(block).__name__


def _link(attachment: Attachment) -> _Link:
    """Write an attachment as a data URL."""
    content, name, kind = attachment.content, attachment.name, attachment.media_type
    if len(content) > _PLAIN:
        # A timestamp of compression would make every report different.
        content, name, kind = gzip.compress(content, 9, mtime=0), f"{name}.gz", "application/gzip"
    data = base64.b64encode(content).decode()
    size = f"{len(attachment.content) / 1e3:,.1f} kB"
    return _Link(name, f"data:{kind};base64,{data}", size)


def _policy(style: str, scripts: list[str]) -> str:
    """Write the Content-Security-Policy: only scripts of this file run, and nothing is fetched."""
    hashes = " ".join(script_hash(script) for script in scripts if script)
    parts = (
        "default-src 'none'",
        f"script-src {hashes}",
        f"style-src {script_hash(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(parts)


def _analysis(block: Analysis) -> str:
    """Write the analysts' prose; the parser passes no HTML."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja

    from statera.report.notes import parser  # noqa: PLC0415

    made = parser()
    return Markup(made.renderer.render(list(block.tokens), made.options, {}))  # noqa: S704 - written with html off


def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - an extra

    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )


def _finalized(value: object) -> object:
    """Make text printable when it is written; text marked as HTML already is."""
    return _native.printable(value) if type(value) is str else value
