"""A picture as an SVG inside a page: small, without addresses or scripts, in colours that follow the page's theme.

The converter writes the SVG, and its texts come from strangers. Only the elements and attributes listed here pass.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from statera.output import svg
from statera.output.plots import ahead, theme
from statera.output.plots.inks import inks
from statera.output.plots.inline_shapes import merged, simplify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.output.plots.picture import Picture

_ELEMENTS: Final = frozenset(
    {"g", "path", "line", "rect", "circle", "text", "tspan", "defs", "clipPath", "linearGradient", "stop"}
)
# These attributes are inherited: what all parts of a group share is written once, on the group.
_INHERITED: Final = (
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap"),
    *("text-anchor", "font-family", "font-size", "font-weight", "font-style"),
)
_NUMBERS: Final = frozenset(
    {"d", "transform", "x", "y", "dy", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height"}
)
_OWN: Final = ("id", "clip-path", "opacity", "offset", "stop-color", "gradientUnits", "fill-rule")
_ATTRIBUTES: Final = frozenset({*_INHERITED, *_NUMBERS, *_OWN})
# The page says these once.
_USUAL: Final = {"opacity": "1", "stroke-width": "1", "font-family": theme.SANS, "font-weight": "normal"}
_LONG_NUMBER: Final = re.compile(r"-?\d*\.\d\d+(?:e-?\d+)?|-?\d+e-\d+")
_IDENTIFIER: Final = re.compile(r' id="([\w-]+)"')
_REFERENCE: Final = re.compile(r"url\(#([\w-]+)\)")
_NOWHERE: Final = frozenset({"", "M0,0h0v0h0Z"})


class Drawing(NamedTuple):
    """A picture as an SVG inside a page.

    Attributes:
        svg: the element.
        width, height: its size in pixels.
        follows: whether all its colours follow the theme; those of a continuous scale do not.

    """

    svg: str
    width: float
    height: float
    follows: bool


def drawing(picture: Picture, name: str) -> Drawing:
    """Draw a picture for a page; ``name`` begins its identifiers, so that they are unique in the page."""
    drawn = ahead.svg(picture)
    # Vega counts on from drawing to drawing; the same picture has the same identifiers.
    names = {each: f"{name}-{number}" for number, each in enumerate(dict.fromkeys(_IDENTIFIER.findall(drawn)))}
    root = ET.fromstring(drawn)  # noqa: S314 - the converter writes no document type, and so no entities
    inner = [made for child in root if (made := _kept(child, names)) is not None]
    width, height = (float(root.get(side, "0")) for side in ("width", "height"))
    title, desc = f"{name}-title", f"{name}-desc"
    whole = svg.element(
        "svg",
        svg.element("title", picture.title, id=title),
        svg.element("desc", picture.alt, id=desc),
        *map(_written, inner),
        xmlns=svg.NAMESPACE,
        role="img",
        aria_labelledby=f"{title} {desc}",
        width=width,
        height=height,
        viewBox=f"0 0 {width:g} {height:g}",
    )
    return Drawing(whole, width, height, _follows(inner))


def _kept(element: ET.Element, names: dict[str, str]) -> ET.Element | None:
    """Return an element with what may stand in a page; None if nothing of it would be seen."""
    tag = element.tag.removeprefix(f"{{{svg.NAMESPACE}}}")
    if tag not in _ELEMENTS or element.get("display") == "none" or element.get("d") in _NOWHERE:
        return None
    if element.get("class") == "background" and not {"fill", "stroke"} & set(element.keys()):
        return None
    made = ET.Element(tag, _attributes(element, names))
    made.text = element.text if tag in {"text", "tspan"} else None
    made.extend(each for child in element if (each := _kept(child, names)) is not None)
    for child in made:
        child.tail = None
    if tag == "g":
        return _grouped(made)
    simplify(made)
    return made


def _attributes(element: ET.Element, names: dict[str, str]) -> dict[str, str]:
    found = {}
    for key, value in element.items():
        if key not in _ATTRIBUTES or _USUAL.get(key) == value:
            continue
        if key in _NUMBERS:
            value = _LONG_NUMBER.sub(_rounded, value)  # noqa: PLW2901 - the same value, shorter
        elif key == "id":
            value = names[value]  # noqa: PLW2901
        elif "url(" in value:
            value = _REFERENCE.sub(lambda found: f"url(#{names[found[1]]})", value)  # noqa: PLW2901
        if key != "transform" or value != "translate(0,0)":
            found[key] = value
    return found


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0").replace("-0.0", "0")


def _grouped(group: ET.Element) -> ET.Element | None:
    """Move what all parts of a group share to the group; a group that says nothing gives way to its only part."""
    if not len(group):
        return None
    merged(group)
    for key in _INHERITED:
        values = {child.get(key) for child in group}
        if len(values) == 1 and None not in values and group.get(key) is None:
            group.set(key, values.pop() or "")
            for child in group:
                del child.attrib[key]
    if len(group) == 1 and not (set(group.keys()) & set(group[0].keys()) - set(_INHERITED)):
        (only,) = group
        if not {"clip-path", "opacity"} & set(group.keys()):
            only.attrib = {**group.attrib, **only.attrib}
            return only
    return group


def _follows(elements: list[ET.Element]) -> bool:
    """Tell whether all colours are of the theme."""
    known = {*inks().pairs, "none", "transparent", None}
    within = (each for element in elements for each in element.iter())
    return all(each.get("fill") in known and each.get("stroke") in known for each in within)


def _written(element: ET.Element) -> svg.Element:
    # Quotes of a text need no escape, and pages have many of them.
    text = [svg.Element(escape(element.text, quote=False))] if element.text else []
    return svg.element(element.tag, *text, *map(_written, element), **element.attrib)


def shapes(pictures: Iterable[Picture]) -> dict[str, Any]:
    """Return what a page needs to draw pictures again: their specifications, also those for narrow screens.

    Each row of data stands once in ``rows``, because both specifications of a picture have the same; the
    specifications have the numbers of rows.
    """
    rows: dict[str, int] = {}
    forms = [{"wide": picture.spec, "narrow": picture.narrow} for picture in pictures]
    numbered = [{form: _numbered(spec, rows) for form, spec in each.items() if spec} for each in forms]
    return {"pictures": numbered, "rows": [json.loads(row) for row in rows]}


def _numbered(value: Any, rows: dict[str, int]) -> Any:  # noqa: ANN401 - a tree of JSON
    if isinstance(value, list):
        return [_numbered(each, rows) for each in value]
    if not isinstance(value, dict):
        return value
    held = value.get("values")
    if isinstance(held, list) and held and isinstance(held[0], dict):
        others = {key: _numbered(each, rows) for key, each in value.items() if key != "values"}
        return {**others, "rows": [rows.setdefault(json.dumps(row, allow_nan=False), len(rows)) for row in held]}
    return {key: _numbered(each, rows) for key, each in value.items()}
