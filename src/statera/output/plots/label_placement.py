"""Placement of names beside points: a name never covers a point or another name; without free room it is omitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera import _native
from statera.output.plots.frame import GLYPH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Point = tuple[float, float]

_HEIGHT = 12  # pixels per line of text
# Possible positions of a name: the offset of its left end, in parts of its width, and of its upper end.
_SIDES: dict[str, tuple[Callable[[float], float], int]] = {
    "right": (lambda _: 7.0, -6),
    "left": (lambda wide: -7.0 - wide, -6),
    "above": (lambda wide: -wide / 2, -19),
    "below": (lambda wide: -wide / 2, 7),
}
_MARKS: dict[str, dict[str, Any]] = {
    "right": {"align": "left", "dx": 7, "baseline": "middle"},
    "left": {"align": "right", "dx": -7, "baseline": "middle"},
    "above": {"align": "center", "dy": -7, "baseline": "bottom"},
    "below": {"align": "center", "dy": 7, "baseline": "top"},
}


def placed(
    named: Sequence[dict[str, Any]],
    spots: Sequence[Point],
    points: Sequence[Point],
    width: int,
    height: int,
    *,
    beyond: int = 0,
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Place names beside points; return the text marks with the rows of each.

    Args:
        named: rows with a ``label``, the most important first.
        spots: the positions of these rows, in pixels from the upper left corner.
        points: the positions of all points.
        width: the width of the panel in pixels.
        height: the height of the panel.
        beyond: the pixels by which names may extend beyond the right edge of the panel.

    """
    taken: list[tuple[float, float, float, float]] = []
    found: dict[str, list[dict[str, Any]]] = {}
    for row, (across, down) in zip(named, spots, strict=True):
        wide = _native.columns(row["label"]) * (GLYPH - 0.4)
        # Try positions away from the diagonal first.
        first = "left" if across < height - down else "right"
        for side in (first, *(side for side in _SIDES if side != first)):
            left, top = _SIDES[side]
            box = across + left(wide), down + top, across + left(wide) + wide, down + top + _HEIGHT
            inside = box[0] >= 0 and box[2] <= width + beyond and box[1] >= 0 and box[3] <= height
            free = not any(box[0] - 3 < a < box[2] + 3 and box[1] - 3 < b < box[3] + 3 for a, b in points)
            if inside and free and all(_apart(box, other) for other in taken):
                taken.append(box)
                found.setdefault(side, []).append(row)
                break
    return [({"type": "text", "style": "remark", **_MARKS[side]}, rows) for side, rows in found.items()]


def _apart(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
