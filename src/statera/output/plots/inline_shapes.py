"""The shapes of a picture inside a page, in fewer letters: the same lines and circles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOVED: Final = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")
# Vega draws a circle as two arcs around the origin.
_CIRCLE: Final = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0Z?")
_POLYGON: Final = re.compile(r"M-?[\d.]+,-?[\d.]+([ML]-?[\d.]+,-?[\d.]+)+Z?")
_CORNER: Final = re.compile(r"([ML])(-?[\d.]+),(-?[\d.]+)")
_LINES: Final = re.compile(r"(M[-\d.,]+[vhl][-\d.,]+)+")


def simplify(element: Element) -> None:
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


def _opacity(element: Element) -> None:
    painted = {part for part in ("fill", "stroke") if element.get(part, "none") not in {"none", "transparent"}}
    if element.tag != "g" and "opacity" in element.keys() and len(painted) == 1:  # noqa: SIM118 - of an element
        (part,) = painted
        if element.get(f"{part}-opacity") is None:
            element.set(f"{part}-opacity", element.attrib.pop("opacity"))


def merged(group: Element) -> None:
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
