"""The report as one self-contained HTML file: text, tables, pictures, the full data."""

from __future__ import annotations

import base64
import gzip
import json
import re
from html import escape
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.output import svg
from statera.output.plots import theme
from statera.output.plots.inline import drawing, shapes
from statera.output.plots.picture import script_bundle, script_data, script_hash
from statera.output.plots.theme import inks
from statera.output.report.model import Banner, Card, Heading, Table, says_again
from statera.output.report.notes import parser
from statera.output.views.comment import NO_BREAK
from statera.output.views.names import BREAKABLE, pieces, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jinja2 import Environment
    from markupsafe import Markup

    from statera.output.plots.inline import Drawing
    from statera.output.report.model import (
        Analysis,
        Attachment,
        Cell,
        Column,
        Document,
        Figure,
        Flame,
        FlameFrame,
        Group,
        Interval,
        Share,
    )

_FOLDER: Final = Path(__file__).parent / "templates"
# In the order of the page; later scripts use functions of earlier ones.
_STYLES: Final = ("page", "banner", "tables", "pictures", "cards", "flame", "values", "narrow", "print")
_SCRIPTS: Final = (
    "start", "folds", "tables", "rows", "contents", "theme", "pictures", "picture_tools", "values", "flame",
)  # fmt: skip


# Two values with their units: 238.0 ns → 279.6 ns.
_VALUES: Final = re.compile(r"(\d) (\w{1,4}) → ([\d.,]+) (\w{1,4})\b")
# Longer words may break.
_WHOLE: Final = 36
# Columns of a name in lists.
_LISTED_NAME: Final = 64


class _Entry(NamedTuple):
    """An entry of the table of contents."""

    anchor: str
    title: str
    inner: list[tuple[str, str]]


def page(document: Document) -> str:
    """Write the report as HTML."""
    from markupsafe import Markup

    figures = document.figures
    library = vega() if figures else None
    style = (
        f"{theme_style()}{shade_rules()}{flame_rules()}{column_rules(_most_columns(document))}{_joined(_STYLES, 'css')}"
    )
    script = f'"use strict";\n(() => {{\n{_joined(_SCRIPTS, "js")}}})();\n'
    anchors = {id(block): f"part-{number}" for number, block in enumerate(document.every(Heading), 1)}
    functions = _functions(document)
    own = {
        "figures": _shapes(figures),
        "samples": _samples(document),
        "themes": script_data(themes()) if figures else "",
        "library": library.packed if library else "",
        "style": style,
        "script": script,
    }
    template = _environment().get_template("report.html.j2")
    return template.render(
        document=document,
        banner=next(iter(document.every(Banner)), None),
        contents=_contents(document, anchors),
        anchors=anchors,
        id=id,
        **{name: _marked(function, Markup) for name, function in functions.items()},
        link=link,
        analysis=_analysis,
        **{name: Markup(safe) for name, safe in own.items()},  # noqa: S704 - of this package, or base64
        policy=_policy(style, [script_hash(script), *([library.hash] if library else [])]),
    )


def _most_columns(document: Document) -> int:
    return max((len(table.columns) for table in document.every(Table)), default=0)


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
    again |= {id(card.table) for card in document.every(Card) if card.table}
    return {
        "kind": lambda block: type(block).__name__,
        "broken": broken,
        "table": lambda block: table(block, titled=id(block) not in again),
        "interval": interval,
        "ticks": ticks,
        "bar": bar,
        "flame": lambda block: flame_graph(block, escaped),
        "drawing": lambda figure: _drawing(figure, numbers[id(figure)]),
        "number": lambda figure: numbers[id(figure)],
        "row_of": lambda card: rows.get(card.anchor, ""),
        "whole": whole,
        "sentence": sentence,
        "short": lambda leads: shortened((_native.printable(lead.name) for lead in leads), _LISTED_NAME),
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
    return drawing(figure.picture, f"figure-{number}")


def _shapes(figures: list[Figure]) -> str:
    """Write what scripts need to draw the pictures again."""
    return packed_json(shapes(figure.picture for figure in figures)) if figures else ""


def _samples(document: Document) -> str:
    found = {each.anchor: {"unit": each.unit, "sides": each.sides} for each in document.samples}
    return packed_json(found) if found else ""


def whole(line: str) -> str:
    """Write a line that does not break inside of words with a hyphen, such as the names of benchmarks."""
    words = _native.printable(line).split(" ")
    return " ".join(
        f'<span class="whole">{escaped(word)}</span>' if "-" in word and len(word) < _WHOLE else broken(word)
        for word in words
    )


def sentence(words: str) -> str:
    """Write a sentence that does not break before a p-value, or between a value and its unit."""
    kept = _VALUES.sub("\\1\u00a0\\2 → \\3\u00a0\\4", broken(words))
    return kept.replace("(p &lt;", "(p\u00a0&lt;").replace("(p = ", "(p\u00a0=\u00a0")


def _rows_of_cards(document: Document) -> dict[str, str]:
    """Return for each anchor of a card that of the row that leads to it."""
    found: dict[str, str] = {}
    for table in document.every(Table):
        # Tables without addresses have no anchors at all.
        for anchor, row in zip(table.anchors, table.rows, strict=False):
            found |= {cell.link: anchor for cell in row if cell.link}
    return found


def _contents(document: Document, anchors: dict[int, str]) -> list[_Entry]:
    entries = []
    for section in document.sections:
        inner = [(anchors[id(block)], block.text) for block in section.blocks if isinstance(block, Heading)]
        inner += [(block.anchor, block.title) for block in section.blocks if isinstance(block, Card)]
        short = shortened((title for _, title in inner), _LISTED_NAME)
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
    from markupsafe import Markup

    made = parser()
    return Markup(made.renderer.render(list(block.tokens), made.options, {}))  # noqa: S704 - written with html off


def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

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


class Library(NamedTuple):
    """Vega, Vega-Lite and Vega-Embed as one script: compressed, and the hash by which a policy allows it."""

    packed: str
    hash: str


def vega() -> Library:
    """Return the libraries of interactive pictures."""
    script = script_bundle()
    return Library(packed(script.encode()), script_hash(script))


def themes() -> dict[str, Any]:
    """Return the Vega-Lite configuration of each theme."""
    return {mode: theme.vega_config(mode) for mode in theme.MODES}


def theme_style() -> str:
    """Return the colours and fonts of the themes as CSS, with those of the pictures, and of paper."""
    light, dark = (f"{theme.page_variables(mode)} {inks().variables(mode)}" for mode in theme.MODES)
    return (
        f"{theme.page_style(light, dark)}"
        f"@media print {{ :root, :root[data-theme] {{ color-scheme: light; {light} }} }}\n"
        # A picture with colours of a continuous scale keeps those of the light theme.
        f".still.fixed {{ {light} }}\n"
        f"{inks().rules('.still')}"
    )


# Larger attachments are compressed.
_PLAIN: Final = 50_000
# Higher levels take three times as long for two per cent.
_LEVEL: Final = 6


class Link(NamedTuple):
    """The link that downloads an attachment."""

    name: str
    url: str
    size: str


def packed(content: bytes) -> str:
    """Compress bytes and write them as text; the same bytes become the same text."""
    return base64.b64encode(_compressed(content)).decode()


def packed_json(value: object) -> str:
    """Write a value as compressed JSON."""
    return packed(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())


def link(attachment: Attachment) -> Link:
    """Write an attachment as a data URL."""
    content, name, kind = attachment.content, attachment.name, attachment.media_type
    if len(content) > _PLAIN:
        content, name, kind = _compressed(content), f"{name}.gz", "application/gzip"
    data = base64.b64encode(content).decode()
    size = f"{len(attachment.content) / 1e3:,.1f} kB"
    return Link(name, f"data:{kind};base64,{data}", size)


def _compressed(content: bytes) -> bytes:
    # A timestamp of compression would make every report different.
    return gzip.compress(content, _LEVEL, mtime=0)


# Tables with more rows than these can be searched.
_SEARCHED: Final = 12
# Texts with more characters wrap.
_LONG: Final = 20
# Shades of a background on each side of neutral.
_SHADES: Final = 10
# Columns of a name beside numbers, and of a heading.
_ROW_NAME: Final = 48
_HEAD: Final = 26
_CUT: Final = re.compile(r"…(?=\w)")


def table(block: Table, *, titled: bool = True) -> str:
    """Write a table with its title, search and notes; screen readers alone hear a title that a heading says."""
    title = escaped(block.title)
    search = _search(title, len(block.rows)) if len(block.rows) > _SEARCHED else ""
    notes = [*([cut] if (cut := block.cut(len(block.rows))) else []), *block.below]
    limits = [' class="limit"'] if cut else []
    below = "".join(f"<p{limit}>{escaped(each)}</p>" for each, limit in zip_longest(notes, limits, fillvalue=""))
    if below:
        below = f'<div class="notes">{below}</div>'
    kind = " minors" if any(column.minor for column in block.columns) else ""
    kind_of_title = "title" if titled else "unseen"
    of_columns = _attribute(_column_classes(block))
    # Some columns are named by variants; only the words of a text's heading wrap.
    named = (_native.printable(each.name) for each in block.columns if each.numeric or " " not in each.name)
    heads = shortened(named, _HEAD)
    names = _names(block)
    return (
        f'<figure class="table{kind}" role="group" aria-label="{title}">\n'
        f'<figcaption><span class="{kind_of_title}">{broken(block.title)}</span>{search}</figcaption>\n'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">\n<table{of_columns}>\n'
        f"<thead><tr>{''.join(_head(column, heads) for column in block.columns)}</tr></thead>\n"
        f"{''.join(_bodies(block, names))}</table>\n</div>\n"
        f"{below}</figure>\n"
    )


def escaped(value: str) -> str:
    """Write text of strangers: printable, and escaped for elements and attributes."""
    return escape(_native.printable(value))


def broken(value: str) -> str:
    """Write text of strangers for an element: the lines of long words end at separators."""
    if len(value) <= BREAKABLE:
        return escaped(value)
    made = " ".join("<wbr>".join(map(escaped, pieces(word))) for word in value.split(" "))
    # What a cut left belongs to its sign.
    return _CUT.sub("…\u2060", made)


def _search(title: str, rows: int) -> str:
    return (
        f'<label class="search"><span class="unseen">Search in {title}</span><input type="search" '
        f'placeholder="Search {rows:,} rows" autocomplete="off" spellcheck="false"></label>'
        '<output class="found"></output>'
    )


def _names(block: Table) -> dict[str, str]:
    """Return the short forms of the names of results, which stand beside numbers."""
    return shortened((_native.printable(row[0].text) for row in block.rows), _ROW_NAME) if block.anchors else {}


def _head(column: Column, short: dict[str, str]) -> str:
    whole = _native.printable(column.name)
    title = f' title="{escape(whole)}"' if whole in short else ""
    return f'<th scope="col"{_attribute(_classes(column))}{title}>{escape(short.get(whole, whole))}</th>'


def _bodies(block: Table, names: dict[str, str]) -> Iterator[str]:
    rows = list(_rows(block, names))
    if not block.groups:
        yield f"<tbody>\n{''.join(rows)}</tbody>\n"
        return
    start = 0
    for group in block.groups:
        yield _group(group, len(block.columns))
        yield f"<tbody>\n{''.join(rows[start : start + group.rows])}</tbody>\n"
        start += group.rows


def _group(group: Group, columns: int) -> str:
    return (
        f'<tbody class="group"><tr><th scope="rowgroup" colspan="{columns}">'
        f'<span class="name">{broken(group.title)}</span>'
        f'<span class="said">{escaped(group.said)}</span></th></tr></tbody>\n'
    )


def _rows(block: Table, names: dict[str, str]) -> Iterator[str]:
    for place, row in enumerate(block.rows):
        anchor = block.anchors[place] if block.anchors else ""
        first, *others = zip(row, block.columns, strict=True)
        cells = [_cell(*first, names), *(_cell(*pair) for pair in others)]
        name = f' id="{escape(anchor)}"' if anchor else ""
        yield f"<tr{name}>{''.join(cells)}</tr>\n"


def _cell(cell: Cell, column: Column, names: dict[str, str] | None = None) -> str:
    """Write a cell; ``names`` has the short forms of the first cell of a row, which names it."""
    whole = _native.printable(cell.text)
    short = names.get(whole, whole) if names else whole
    said, classes = broken(short), ""
    if short != whole:
        said = f'<span class=short title="{escape(whole)}">{said}</span>'
    said = _dressed(cell, said)
    if cell.interval is not None:
        classes += " drawn"
    if not column.numeric and len(cell.text) > _LONG:
        classes += " long"
    if cell.tone:
        classes += f" {cell.tone}"
    if cell.heat is not None:
        classes += f" {_heat(cell.heat)}"
    if NO_BREAK in cell.text:
        classes += " parts"
    start = "th scope=row" if names is not None else "td"
    # The next cell ends this one: a page of 1,000 benchmarks is smaller by 100 kB.
    return f"<{start}{_attribute(classes)}{_key(cell)}>{said}"


def _dressed(cell: Cell, said: str) -> str:
    """Add to the text of a cell its link, its marks, its second line and its drawing."""
    if cell.link:
        said = f'<a href="#{escape(cell.link)}">{said}</a>'
    if cell.chip:
        said = f"<span class=chip>{said}</span>"
    if cell.means:
        said = f'<span role=img title="{escaped(cell.means)}">{said}</span>'
    if cell.below:
        said += f"<br><small>{broken(_native.printable(cell.below))}</small>"
    if cell.interval is not None:
        said = f"<span class=change>{said}</span>{interval(cell.interval)}" if said else interval(cell.interval)
    return said


def _key(cell: Cell) -> str:
    """Write the number that sorts a cell; a text that is this number needs none."""
    if cell.key is None:
        return ""
    key = f"{cell.key:.6g}"
    return "" if key == cell.text else f" data-key={key}"


def _heat(heat: float) -> str:
    """Return the class of a background: a page without inline styles has one for each shade."""
    shade = round(min(abs(heat), 1.0) * _SHADES)
    return "heat" if not shade else f"heat {'hot' if heat > 0 else 'cold'}-{shade}"


def shade_rules() -> str:
    """Return the CSS rules of the backgrounds."""
    sides = (("hot", "worse"), ("cold", "better"))
    return "".join(
        f".{side}-{shade} {{ background: color-mix(in srgb, var(--verdict-{verdict}) {shade * 4.5:g}%, "
        "var(--background)); }\n"
        for side, verdict in sides
        for shade in range(1, _SHADES + 1)
    )


def _classes(column: Column) -> str:
    """Return the classes of a column's heading, each after a space."""
    return (" number" if column.numeric else "") + (" minor" if column.minor else "")


def _column_classes(block: Table) -> str:
    """Return the classes of a table that say which of its columns are numeric or minor, each after a space."""
    numeric = (f" n{place}" for place, column in enumerate(block.columns, 1) if column.numeric)
    minor = (f" m{place}" for place, column in enumerate(block.columns, 1) if column.minor)
    return "".join((*numeric, *minor))


def column_rules(most: int) -> str:
    """Return the CSS rules of numeric and minor columns; cells without classes of their own make a page small."""
    body = "tbody:not(.group) > tr:not(.detail) >"
    places = range(1, most + 1)
    numeric = ",\n".join(f".n{place} {body} :nth-child({place})" for place in places)
    minor = ",\n".join(f".m{place} {body} :nth-child({place})" for place in places)
    return (
        f"{numeric} {{ text-align: right; white-space: nowrap; }}\n"
        f"@media (max-width: 40rem) {{ {minor} {{ display: none; }}\n"
        ".minors tbody:not(.group) > tr:not(.detail) > td.parts { white-space: normal; overflow-wrap: normal; } }\n"
    )


def _attribute(classes: str) -> str:
    return f' class="{classes[1:]}"' if classes else ""


# The least part of the bar, in per cent.
_LEAST_PART: Final = 0.7
# The head of an arrow, from its tip.
_LEFT: Final = '<path d="M4 -4L0 0L4 4"/>'
_RIGHT: Final = '<path d="M-4 -4L0 0L-4 4"/>'


def interval(drawn: Interval) -> str:
    """Draw a change with its interval; its text stands beside it, so it is hidden from screen readers.

    Places are shares of the width, and CSS has all other sizes: a page may have thousands of these.
    """
    low, middle, high = (_share(place) for place in (drawn.low, drawn.middle, drawn.high))
    parts = [f"<rect class=zero x={_share(drawn.zero)} />"]
    if drawn.high > drawn.low:
        parts.append(f"<rect x={low} width={_share(drawn.high - drawn.low)} />")
    if drawn.cut_low:
        parts.append(f"<svg x={low} y=50%>{_LEFT}</svg>")
    if drawn.cut_high:
        parts.append(f"<svg x={high} y=50%>{_RIGHT}</svg>")
    # A change beyond the axis has an arrow and no dot.
    if not (drawn.cut_low and drawn.middle <= drawn.low) and not (drawn.cut_high and drawn.middle >= drawn.high):
        parts.append(f"<circle cx={middle} />")
    return f"<svg class=interval aria-hidden=true>{''.join(parts)}</svg>"


def ticks(found: Sequence[tuple[float, str]]) -> str:
    """Draw the changes at places of the axis, above the intervals."""
    parts = (f"<text x={_share(place)} y=80%>{escape(label)}</text>" for place, label in found)
    return f"<svg class=interval aria-hidden=true>{''.join(parts)}</svg>"


def _share(place: float) -> str:
    return f"{round(100 * place, 1):g}%"


def bar(shares: Sequence[Share]) -> str:
    """Draw how many benchmarks have which verdict; the list below it states the numbers."""
    total = sum(share.count for share in shares)
    # The smallest part is still seen between the gaps.
    least = [max(100 * share.count / total, _LEAST_PART) for share in shares]
    parts, start = [], 0.0
    for share, wanted in zip(shares, least, strict=True):
        width = 100 * wanted / sum(least)
        parts.append(f'<rect class="{share.tone}" x="{start:.3f}" width="{width:.3f}" height="1"/>')
        start += width
    drawn = "".join(parts)
    return f'<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'


_ROW: Final = 19
_SIZE: Final = 11.0
# Texts are cut for a drawing of this width; on narrower pages their ends are hidden.
_WIDTH: Final = 1000
_AROUND: Final = 8
# Narrower texts say nothing.
_LEAST: Final = 22
_SHADES_OF_FLAMES: Final = 5
_PERCENT: Final = 11


def flame_graph(block: Flame, escaped: Callable[[str], str]) -> str:
    """Draw a flame graph, a line of text and its caption; the heading above has its title."""
    height = _ROW * (1 + max((each.depth for each in block.frames), default=0))
    frames = "".join(_frame(each, first=place == 0) for place, each in enumerate(block.frames))
    title = escaped(block.title)
    return (
        f'<figure class="flame">\n'
        f'<svg width="100%" height="{height}" role="group" aria-label="{title}">{frames}</svg>\n'
        f'<p class="told" role="status">&#160;</p>\n'
        f'<p class="legend"><span class="down"></span>fell<span class="same"></span>unchanged'
        f'<span class="up"></span>gained</p>\n'
        f"<figcaption>{escaped(block.caption)}</figcaption></figure>\n"
    )


def _frame(frame: FlameFrame, *, first: bool) -> str:
    kind = "frame"
    if shade := round(abs(frame.heat) * _SHADES_OF_FLAMES):
        kind += f" {'up' if frame.heat > 0 else 'down'}-{shade}"
    said = f"{frame.name}: {frame.said}"
    most = frame.width * _WIDTH - _AROUND
    name = svg.cut(frame.name, most, _SIZE) if most >= _LEAST else ""
    inner = [svg.element("title", said), svg.element("rect", width="100%", height=_ROW - 1)]
    inner += [svg.element("text", name, x=4, y=13)] if name else []
    place = {"x": f"{100 * frame.left:.4g}%", "width": f"{100 * frame.width:.4g}%", "y": str(frame.depth * _ROW)}
    return svg.element(
        "svg", *inner, class_=kind, **place, height=_ROW, tabindex=0 if first else -1, role="img", aria_label=said
    )


def flame_rules() -> str:
    """Return the rules of the shades."""
    return "".join(
        f".flame .{side}-{shade} rect, .flame .legend .{side} {{ --shade: color-mix(in srgb, var(--verdict-{verdict}) "
        f"{shade * _PERCENT}%, var(--background)); }}\n"
        for side, verdict in (("up", "worse"), ("down", "better"))
        for shade in range(1, _SHADES_OF_FLAMES + 1)
    )
