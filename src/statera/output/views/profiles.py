"""Differences of profiles as text and for programs: which functions moved most, and what a reader must know of them."""

from __future__ import annotations

from statera import _native
from statera.comparison.profiles import NOT_JUDGED
from statera.output.views import PLAIN, tables
from statera.output.views.texts import folded
from statera.support.files import csv_json
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    from statera.comparison.profiles import Difference, Moved
    from statera.output.views import Layout

_NAME: Final = 60
_LONGEST: Final = 100
NOISE: Final = "noise"
"""What stands where a difference may come from counting samples."""


def heads(found: Difference) -> list[str]:
    """Return the headings of the columns of ``cells``."""
    return ["function", "of the whole", "self", "total", *([] if found.exact else ["counting"])]


def cells(found: Difference, moved: Moved) -> list[str]:
    """Return the cells of a function: its gain as a part of the baseline's whole, its costs, whether it is noise."""
    last = [] if moved.p is None else [NOISE if moved.is_noise else _native.p_equals(moved.p)]
    part = _native.percent(found.part(moved.gain))
    return [moved.name, part, *(f"{old:,} → {new:,}" for old, new in (moved.own, moved.total)), *last]


def facts(found: Difference) -> str:
    """Write what was profiled, and how."""
    unit, (base, variant) = found.base.unit, found.whole
    change = _native.percent(found.part(variant - base))
    how = {each.how for each in (found.base, found.variant) if each.how}
    by = f" ({', '.join(sorted(how))})" if how else ""
    return f"{base:,} → {variant:,} {unit}{by}, {change}"


def said(found: Difference) -> list[str]:
    """Write what a reader must know: remarks, and what the columns mean."""
    lines = [*found.remarks]
    if any(each.is_noise for each in found.moved):
        lines.append(
            f"{NOISE}: the difference is not larger than that of counting samples (exact test of two counts, Holm)"
        )
    if not (found.base.stacks and found.variant.stacks):
        lines.append("stacks follow from the graph of calls: what a function cost is spread over its callers")
    return lines


def page(found: Sequence[Difference], layout: Layout = PLAIN) -> str:
    """Write the differences for a terminal."""
    parts = [_section(each, layout) for each in found]
    return "\n".join([*parts, f"{folded(f'{NOT_JUDGED}.', layout.width)}\n"])


def _section(found: Difference, layout: Layout) -> str:
    name = f"{found.benchmark}: " if found.benchmark else ""
    begin = folded(f"{name}{found.base.label} → {found.variant.label}   {facts(found)}", layout.width)
    below = "".join(f"  {folded(line, layout.width)}\n" for line in said(found))
    if not found.moved:
        return f"{begin}\n\nNo function moved.\n{below}"
    most = _NAME if layout.width is None else max(layout.width - 60, 20)
    rows = [
        heads(found),
        *([_native.shortened(_native.printable(first), most), *rest] for first, *rest in _rows(found)),
    ]
    title = f"{found.title}, in {found.base.unit}"
    return f"{begin}\n\n{title}\n{tables.aligned(rows, bold=layout.bold)}{below}"


def _rows(found: Difference) -> list[list[str]]:
    return [cells(found, each) for each in found.moved]


def markdown(found: Sequence[Difference]) -> str:
    """Write the differences for a pull request."""
    return f"{NOT_JUDGED}.\n\n" + "\n".join(map(_markdown, found))


def _markdown(found: Difference) -> str:
    text = _native.markdown_text
    name = f"{found.benchmark}: " if found.benchmark else ""
    begin = f"**{text(f'{name}{found.base.label} → {found.variant.label}')}** {text(facts(found))}\n"
    rows = [
        [text(head) for head in heads(found)],
        *(
            [_native.code_span(_native.shortened(_native.printable(first), _LONGEST)), *map(text, rest)]
            for first, *rest in _rows(found)
        ),
    ]
    below = "".join(f"{text(line)}  \n" for line in said(found))
    return f"{begin}\n{tables.markdown(rows, [0]) if rows[1:] else 'No function moved.'}\n{below}"


def objects(found: Sequence[Difference]) -> list[dict[str, Any]]:
    """Return the differences as values of JSON."""
    return [_object(each) for each in found]


def _object(found: Difference) -> dict[str, Any]:
    return {
        "benchmark": found.benchmark,
        "baseline": found.base.label,
        "contender": found.variant.label,
        "unit": found.base.unit,
        "exact": found.exact,
        "whole": [*found.whole],
        "remarks": found.remarks,
        "functions": [
            {
                "name": each.name,
                "part": found.part(each.gain),
                "self": [*each.own],
                "total": [*each.total],
                "p_corrected": each.p,
            }
            for each in found.moved
        ],
    }


def document(found: Sequence[Difference]) -> str:
    """Write the differences as a document of their own."""
    return csv_json.document({"schema": "statera.profiles/1", "judged": False, "profiles": objects(found)})
