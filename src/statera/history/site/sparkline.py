"""The course of a series as a small drawing in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.history import words
from statera.history.site.scale import STEPS
from statera.output.svg import Element, element

if TYPE_CHECKING:
    from statera.history.site.courses import Stretch
    from statera.history.site.scale import Scale

WIDTH: Final = 100
HEIGHT: Final = 24
# Each point is the median of as many values as it takes.
_POINTS: Final = 60


def sparkline(stretch: Stretch, scale: Scale, tone: str) -> Element:
    """Draw the values of a stretch, each point the median of a group, and its last change as a line.

    Args:
        stretch: the values.
        scale: the scale of the large chart.
        tone: the class of the last change; empty without one.

    """
    count = len(stretch.values)
    group = -(-count // _POINTS)
    points = []
    for begin in range(0, count, group):
        end = min(begin + group, count)
        across = WIDTH * ((begin + end) / 2) / count
        down = HEIGHT * min(max(scale.step(words.middle(stretch.values[begin:end])), 0), STEPS) / STEPS
        points.append(f"{across:.4g} {down:.3g}")
    if count == 1:
        points = [f"0 {points[0].split()[1]}", f"{WIDTH} {points[0].split()[1]}"]
    parts = [element("path", class_="line", d=f"M{'L'.join(points)}")]
    if len(stretch.levels) > 1:
        place = f"M{WIDTH * stretch.levels[-1].begin / count:.4g} 0v{HEIGHT}"
        parts.insert(0, element("path", class_=f"edge {tone}", d=place))
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "preserveAspectRatio": "none"}
    return element("svg", *parts, class_="spark", **box, aria_hidden="true")
