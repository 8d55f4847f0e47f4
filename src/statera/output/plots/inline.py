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
from statera.output.plots.theme import inks

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
_MOVED: Final = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")
# Vega draws a circle as two arcs around the origin.
_CIRCLE: Final = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0Z?")
_POLYGON: Final = re.compile(r"M-?[\d.]+,-?[\d.]+([ML]-?[\d.]+,-?[\d.]+)+Z?")
_CORNER: Final = re.compile(r"([ML])(-?[\d.]+),(-?[\d.]+)")
_LINES: Final = re.compile(r"(M[-\d.,]+[vhl][-\d.,]+)+")


class Drawing(NamedTuple):
    """A picture as an SVG inside a page."""

    svg: str  # the element
    # width, height: its size in pixels
    width: float
    height: float
    follows: bool  # whether all its colours follow the theme; those of a continuous scale do not


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
    _simplify(made)
    return made


def _attributes(element: ET.Element, names: dict[str, str]) -> dict[str, str]:
    found = {}
    for key, value in element.items():
        if key in _ATTRIBUTES and _USUAL.get(key) != value:
            found[key] = _attribute(key, value, names)
    if found.get("transform") == "translate(0,0)":
        del found["transform"]
    return found


def _attribute(key: str, value: str, names: dict[str, str]) -> str:
    if key in _NUMBERS:
        return _LONG_NUMBER.sub(_rounded, value)
    return names[value] if key == "id" else _REFERENCE.sub(lambda found: f"url(#{names[found[1]]})", value)


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0").replace("-0.0", "0")


def _grouped(group: ET.Element) -> ET.Element | None:
    """Move what all parts of a group share to the group; a group that says nothing gives way to its only part."""
    if not len(group):
        return None
    _merge_lines(group)
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


def _simplify(element: ET.Element) -> None:
    """Write a line as a path, a circle as a circle, and opacity as a property that a group can hold for its parts."""
    _opacity(element)
    moved = _MOVED.fullmatch(element.get("transform", "translate(0,0)"))
    if not moved:
        return
    if element.tag == "line":
        across, down = element.attrib.pop("x2", "0"), element.attrib.pop("y2", "0")
        step = f"v{down}" if across == "0" else f"h{across}" if down == "0" else f"l{across},{down}"
        element.set("d", f"M{moved[1]},{moved[2]}{step}")
        element.tag = "path"
        element.attrib.pop("transform", None)
    elif element.tag == "path" and _POLYGON.fullmatch(element.get("d", "")):
        element.set("d", _relative(element.get("d", ""), float(moved[1]), float(moved[2])))
        element.attrib.pop("transform", None)
    elif element.tag == "path" and (circle := _CIRCLE.fullmatch(element.get("d", ""))):
        element.tag = "circle"
        del element.attrib["d"]
        element.attrib.pop("transform", None)
        element.attrib |= {"cx": moved[1], "cy": moved[2], "r": circle[1]}


def _relative(path: str, right: float, down: float) -> str:
    """Move a polygon, and write its corners as steps from one to the next, which are short."""
    made, (x, y) = [], (0.0, 0.0)
    for command, across, along in _CORNER.findall(path):
        to_x, to_y = float(across) + right, float(along) + down
        if command == "M":
            made.append(f"M{_short(to_x)},{_short(to_y)}")
        else:
            step_x, step_y = _short(to_x - x), _short(to_y - y)
            made.append(f"h{step_x}" if step_y == "0" else f"v{step_y}" if step_x == "0" else f"l{step_x},{step_y}")
        x, y = round(to_x, 1), round(to_y, 1)
    return "".join(made).replace(",-", "-") + ("Z" if path.endswith("Z") else "")


def _short(number: float) -> str:
    return f"{round(number, 1):g}" if round(number, 1) else "0"


def _opacity(element: ET.Element) -> None:
    painted = {part for part in ("fill", "stroke") if element.get(part, "none") not in {"none", "transparent"}}
    if element.tag != "g" and element.get("opacity") is not None and len(painted) == 1:
        (part,) = painted
        if element.get(f"{part}-opacity") is None:
            element.set(f"{part}-opacity", element.attrib.pop("opacity"))


def _merge_lines(group: ET.Element) -> None:
    """Join neighbouring lines of a group that look the same into one path; opaque ones look as they did."""
    before = None
    for part in list(group):
        style = {key: value for key, value in part.attrib.items() if key != "d"}
        lines = part.tag == "path" and _LINES.fullmatch(part.get("d", "")) is not None
        if lines and before is not None and style == before[1] and "stroke-opacity" not in style:
            before[0].set("d", before[0].get("d", "") + part.get("d", ""))
            group.remove(part)
        else:
            before = (part, style) if lines else None
