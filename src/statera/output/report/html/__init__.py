"""The report as one self-contained HTML file: text, tables, pictures, the full data."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.output.plots.page import script_data, script_hash
from statera.output.report import bundle
from statera.output.report.html import intervals, packed, tables
from statera.output.report.model import Banner, Card, Heading, Table
from statera.output.report.writers import says_again
from statera.output.views.apart import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment
    from markupsafe import Markup

    from statera.output.plots.inline import Drawing
    from statera.output.report.model import Analysis, Document, Figure

_FOLDER: Final = Path(__file__).parents[1] / "templates"
# In the order of the page; later scripts use functions of earlier ones.
_STYLES: Final = ("page", "banner", "tables", "pictures", "cards", "values", "narrow", "print")
_SCRIPTS: Final = ("start", "folds", "tables", "rows", "contents", "theme", "pictures", "picture_tools", "values")


# Two values with their units: 238.0 ns → 279.6 ns.
_VALUES: Final = re.compile(r"(\d) (\w{1,4}) → ([\d.,]+) (\w{1,4})\b")
# Longer words may break.
_WHOLE: Final = 36
# Columns of a name in lists.
_NAME: Final = 64


class _Entry(NamedTuple):
    """An entry of the table of contents."""

    anchor: str
    title: str
    inner: list[tuple[str, str]]


def text(document: Document) -> str:
    """Write the report as HTML."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja

    figures = document.figures
    library = bundle.vega() if figures else None
    style = f"{bundle.style()}{tables.shades()}{tables.columns(_most_columns(document))}{_joined(_STYLES, 'css')}"
    script = f'"use strict";\n(() => {{\n{_joined(_SCRIPTS, "js")}}})();\n'
    banner = next((block for block in document.blocks if isinstance(block, Banner)), None)
    anchors = {id(block): f"part-{number}" for number, block in enumerate(_headings(document), 1)}
    functions = _functions(document)
    template = _environment().get_template("report.html.j2")
    return template.render(
        document=document,
        banner=banner,
        contents=_contents(document, anchors),
        anchors=anchors,
        id=id,
        **{name: _marked(function, Markup) for name, function in functions.items()},
        link=packed.link,
        analysis=_analysis,
        figures=Markup(_shapes(figures)),  # noqa: S704 - base64
        samples=Markup(_samples(document)),  # noqa: S704 - base64
        themes=Markup(script_data(bundle.themes())) if figures else "",  # noqa: S704 - safe in a script
        library=Markup(library.packed) if library else "",  # noqa: S704 - base64
        style=Markup(style),  # noqa: S704 - of this package
        script=Markup(script),  # noqa: S704 - of this package
        policy=_policy(style, [script_hash(script), *([library.hash] if library else [])]),
    )


def _most_columns(document: Document) -> int:
    return max((len(block.columns) for block in document.blocks if isinstance(block, Table)), default=0)


def _functions(document: Document) -> dict[str, Callable[..., object]]:
    """Return what the template calls to write parts of the page."""
    numbers = {id(figure): number for number, figure in enumerate(document.figures, 1)}
    rows = _rows_of_cards(document)
    again = {
        id(block)
        for section in document.sections
        for before, block in pairwise(section.blocks)
        if says_again(before, block)
    }
    # The title of a card says what its table is about.
    again |= {id(block.table) for block in document.blocks if isinstance(block, Card) and block.table}
    return {
        "kind": lambda block: type(block).__name__,
        "broken": tables.broken,
        "table": lambda block: tables.table(block, titled=id(block) not in again),
        "interval": intervals.interval,
        "bar": intervals.bar,
        "drawing": lambda figure: _drawing(figure, numbers[id(figure)]),
        "number": lambda figure: numbers[id(figure)],
        "row_of": lambda card: rows.get(card.anchor, ""),
        "whole": whole,
        "sentence": sentence,
        "short": lambda leads: shortened((_native.printable(lead.name) for lead in leads), _NAME),
    }


def _marked(function: Callable[..., object], markup: type[Markup]) -> Callable[..., object]:
    """Return a function whose texts are HTML."""

    def marked(*given: object) -> object:
        made = function(*given)
        return markup(made) if isinstance(made, str) else made

    return marked


def _joined(names: tuple[str, ...], ending: str) -> str:
    return "".join((_FOLDER / ending / f"{name}.{ending}").read_text(encoding="utf-8") for name in names)


def _drawing(figure: Figure, number: int) -> Drawing:
    from statera.output.plots.inline import drawing  # noqa: PLC0415 - where there are pictures

    return drawing(figure.picture, f"figure-{number}")


def _shapes(figures: list[Figure]) -> str:
    """Write what scripts need to draw the pictures again."""
    from statera.output.plots.inline import shapes  # noqa: PLC0415

    return packed.packed_json(shapes(figure.picture for figure in figures)) if figures else ""


def _samples(document: Document) -> str:
    found = {each.anchor: {"unit": each.unit, "sides": each.sides} for each in document.samples}
    return packed.packed_json(found) if found else ""


def whole(line: str) -> str:
    """Write a line that does not break inside of words with a hyphen, such as the names of benchmarks."""
    words = _native.printable(line).split(" ")
    return " ".join(
        f'<span class="whole">{tables.text(word)}</span>' if "-" in word and len(word) < _WHOLE else tables.broken(word)
        for word in words
    )


def sentence(words: str) -> str:
    """Write a sentence that does not break before a p-value, or between a value and its unit."""
    kept = _VALUES.sub("\\1\u00a0\\2 → \\3\u00a0\\4", tables.broken(words))
    return kept.replace("(p &lt;", "(p\u00a0&lt;").replace("(p = ", "(p\u00a0=\u00a0")


def _rows_of_cards(document: Document) -> dict[str, str]:
    """Return for each anchor of a card that of the row that leads to it."""
    found: dict[str, str] = {}
    for block in document.blocks:
        if isinstance(block, Table) and block.anchors:
            for anchor, row in zip(block.anchors, block.rows, strict=True):
                found |= {cell.link: anchor for cell in row if cell.link}
    return found


def _headings(document: Document) -> list[Heading]:
    return [block for block in document.blocks if isinstance(block, Heading)]


def _contents(document: Document, anchors: dict[int, str]) -> list[_Entry]:
    entries = []
    for section in document.sections:
        inner = [(anchors[id(block)], block.text) for block in section.blocks if isinstance(block, Heading)]
        inner += [(block.anchor, block.title) for block in section.blocks if isinstance(block, Card)]
        short = shortened((title for _, title in inner), _NAME)
        entries.append(
            _Entry(section.key, section.title, [(anchor, short.get(title, title)) for anchor, title in inner])
        )
    return entries


def _policy(style: str, scripts: list[str]) -> str:
    """Write the Content-Security-Policy: only scripts of this file run, and nothing is fetched."""
    parts = (
        "default-src 'none'",
        f"script-src {' '.join(scripts)}",
        f"style-src {script_hash(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(parts)


def _analysis(block: Analysis) -> str:
    """Write the analysts' prose; the parser passes no HTML."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja

    from statera.output.report.notes import parser  # noqa: PLC0415

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
