"""Tables of a page. They have most of its elements, so they are written without the template."""

from __future__ import annotations

import re
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.output.report.html.intervals import interval
from statera.output.report.writers import hidden_words
from statera.output.views.apart import BREAKABLE, pieces, shortened
from statera.output.views.comment import NO_BREAK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.output.report.model import Cell, Column, Group, Table

# Tables with more rows than these can be searched.
_SEARCHED: Final = 12
# Texts with more characters wrap.
_LONG: Final = 20
# Shades of a background on each side of neutral.
_SHADES: Final = 10
# Columns of a name beside numbers, and of a heading.
_NAME: Final = 48
_HEAD: Final = 26
_CUT: Final = re.compile(r"…(?=\w)")


def table(block: Table, *, titled: bool = True) -> str:
    """Write a table with its title, search and notes; screen readers alone hear a title that a heading says."""
    title = text(block.title)
    search = _search(title, len(block.rows)) if len(block.rows) > _SEARCHED else ""
    notes = [*([cut] if (cut := hidden_words(block, len(block.rows))) else []), *block.below]
    limits = [' class="limit"'] if cut else []
    below = "".join(f"<p{limit}>{text(each)}</p>" for each, limit in zip_longest(notes, limits, fillvalue=""))
    if below:
        below = f'<div class="notes">{below}</div>'
    kind = " minors" if any(column.minor for column in block.columns) else ""
    kind_of_title = "title" if titled else "unseen"
    of_columns = _attribute(_columns(block))
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


def text(value: str) -> str:
    """Write text of strangers: printable, and escaped for elements and attributes."""
    return escape(_native.printable(value))


def broken(value: str) -> str:
    """Write text of strangers for an element: the lines of long words end at separators."""
    if len(value) <= BREAKABLE:
        return text(value)
    made = " ".join("<wbr>".join(map(text, pieces(word))) for word in value.split(" "))
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
    return shortened((_native.printable(row[0].text) for row in block.rows), _NAME) if block.anchors else {}


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
        f'<span class="said">{text(group.said)}</span></th></tr></tbody>\n'
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
    if cell.link:
        said = f'<a href="#{escape(cell.link)}">{said}</a>'
    if cell.chip:
        said = f"<span class=chip>{said}</span>"
    if cell.means:
        said = f'<span role=img title="{text(cell.means)}">{said}</span>'
    if cell.interval is not None:
        said = f"<span class=change>{said}</span>{interval(cell.interval)}" if said else interval(cell.interval)
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


def shades() -> str:
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


def _columns(block: Table) -> str:
    """Return the classes of a table that say which of its columns are numeric or minor, each after a space."""
    numeric = (f" n{place}" for place, column in enumerate(block.columns, 1) if column.numeric)
    minor = (f" m{place}" for place, column in enumerate(block.columns, 1) if column.minor)
    return "".join((*numeric, *minor))


def columns(most: int) -> str:
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
