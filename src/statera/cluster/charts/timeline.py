"""Charts of courses over slots: means of stretches, the spread of hosts around them, and single blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from statera.cluster.charts import layout, wording
from statera.cluster.charts import scale as scales
from statera.cluster.charts.layers import DASHES, flat
from statera.output.plots import frame
from statera.output.plots.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statera.cluster.charts.courses import Course
    from statera.cluster.charts.scale import Scale
    from statera.cluster.charts.shares import Floats
    from statera.cluster.metrics import Metric

_HEIGHT = 180
_NEAR: Final = 0.75  # times the axis's length: how much the ends of bands may extend it
_MOST_EPOCHS: Final = 14  # beginnings of so many epochs are marked at most


def draw(
    metric: Metric,
    labels: Sequence[str],
    over_slots: Sequence[Course],
    means: Mapping[int, float],
    *,
    epoch_length: int | None,
    width: int,
) -> Picture:
    """Draw the courses of the runs that have values of a metric; there must be at least one.

    Args:
        metric: the metric to draw.
        labels: the labels of all runs.
        over_slots: the courses, with the same stretches.
        means: for the index of each run the mean of all its samples.
        epoch_length: in slots, if it is known and the same for all runs.
        width: the width of the picture in pixels.

    """
    scale = _scale(metric, over_slots)
    ends = _slots(over_slots)
    epochs = _epochs(ends, epoch_length)
    drawn = [_line(course, scale) for course in over_slots]
    bands = [_band(course, scale) for course in over_slots if len(course.low)]
    beyond = [row for course in over_slots for row in _beyond(course, scale)]
    points = [_points(course, scale) for course in over_slots if len(course.points[0])]
    title = f"{metric.title} ({metric.key}) over slots"
    remarks = wording.remarks_of_course(labels, over_slots, scale, epochs=len(epochs))
    entries = [(each.place, wording.course_entry(scale, labels[each.place], means[each.place])) for each in over_slots]
    picture = Picture(
        kind="timeline",
        title=title,
        alt=wording.alt_of_course(metric, scale, labels, over_slots, means),
        spec={},
        marks={
            "lines": len(drawn),
            "stretches": sum(len(course.at) for course in over_slots),
            "bands": len(bands),
            "points": sum(len(row["x"]) for row in points),
            "beyond": len(beyond),
            "epochs": len(epochs),
        },
        remarks=tuple(remarks),
    )
    said = [metric.meaning.rstrip("."), *remarks]

    def panel(inner: int) -> dict[str, Any]:
        layers = _layers(metric, scale, ends, inner, (drawn, bands, points, beyond, epochs))
        return {"height": _HEIGHT, "layer": layers}

    return layout.at_width(picture, said, entries, panel, width)


def _scale(metric: Metric, over_slots: Sequence[Course]) -> Scale:
    """Choose an axis that holds nearly all bands, and all means and blocks except a few that lie far out."""
    seen = np.concatenate([part for each in over_slots for part in (each.mean, each.points[1])])
    bands = np.concatenate([part for each in over_slots for part in (each.low, each.high)])
    low, high = (float(end) for end in np.nanquantile(np.concatenate([seen, bands]), [0.01, 0.99]))
    least, largest = float(np.nanmin(seen)), float(np.nanmax(seen))
    if len(bands):
        room = _NEAR * (max(high, largest) - min(low, least))
        reach = float(np.nanmin(bands)), float(np.nanmax(bands))
        low, high = reach[0] if low - reach[0] < room else low, reach[1] if reach[1] - high < room else high
    return scales.of_course(metric, (low, high), (least, largest))


def _slots(over_slots: Sequence[Course]) -> tuple[int, int]:
    first = min(int(course.at[0]) for course in over_slots)
    return first, max(int(course.at[-1]) + course.width for course in over_slots)


def _epochs(ends: tuple[int, int], length: int | None) -> list[dict[str, int]]:
    if length is None or (ends[1] - ends[0]) / length > _MOST_EPOCHS:
        return []
    return [{"x": slot} for slot in range(-(-ends[0] // length) * length, ends[1], length) if slot > ends[0]]


def _middle(course: Course) -> list[float]:
    """Return the middle of each stretch."""
    return [float(slot) + course.width / 2 for slot in course.at]


def _short(values: Floats, scale: Scale) -> list[float | None]:
    """Return values in the axis's unit; None, for a gap in the line, if there is no value."""
    return [None if np.isnan(value) else scale.at(float(value)) for value in values]


def _line(course: Course, scale: Scale) -> dict[str, Any]:
    return {"place": course.place, "x": _middle(course), "y": _short(course.mean, scale)}


def _band(course: Course, scale: Scale) -> dict[str, Any]:
    low, high = _short(course.low, scale), _short(course.high, scale)
    return {"place": course.place, "x": _middle(course), "y": low, "y2": high}


def _points(course: Course, scale: Scale) -> dict[str, Any]:
    slots, values = course.points
    return {"place": course.place, "x": [int(slot) for slot in slots], "y": _short(values, scale)}


def _beyond(course: Course, scale: Scale) -> list[dict[str, Any]]:
    """Return a mark at the edge for each mean that lies beyond the axis."""
    rows = []
    middle = _middle(course)
    for row in np.flatnonzero(course.beyond(scale)):
        value = scale.at(float(course.mean[row]))
        edge, turn = (scale.high, 0) if value > scale.high else (scale.low, 180)
        edge = scale.short(edge)
        rows.append({"place": course.place, "x": middle[row], "y": edge, "turn": turn, "value": value})
    return rows


def _ticks(ends: tuple[int, int], width: int) -> list[int]:
    """Choose the slots to label: round numbers, as many as fit."""
    room = max(width / ((len(f"{ends[1]:,}") + 2) * frame.GLYPH), 1)
    steps = (step * 10**power for power in range(18) for step in (1, 2, 5))
    step = next(step for step in steps if (ends[1] - ends[0]) / step <= room)
    return list(range(-(-ends[0] // step) * step, ends[1] + 1, step))


def _layers(
    metric: Metric, scale: Scale, ends: tuple[int, int], width: int, rows: tuple[list[dict[str, Any]], ...]
) -> list[dict[str, Any]]:
    drawn, bands, points, beyond, epochs = rows
    slot = {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": list(ends), "nice": False},
        "axis": {"title": "slot", "format": ",d", "values": _ticks(ends, width), "grid": False},
    }
    value = scale.encoding("y", "", minExtent=frame.SIDE - 6, titlePadding=4)
    value["axis"]["title"] = scale.unit or metric.title
    at = {"x": slot, "y": value, "color": frame.variant_colour()}
    told = [
        {"field": "x", "title": "slot", "format": ",d"},
        {"field": "y", "title": metric.title, "format": frame.NUMBER},
    ]
    further = {"field": "value", "title": metric.title, "format": frame.NUMBER}
    faint = {"type": "point", "filled": True, "size": 10, "opacity": 1, "fillOpacity": 0.45}
    edge = {"type": "point", "filled": True, "shape": "triangle", "size": 36, "opacity": 1}
    turned = {"angle": {"field": "turn", "type": "quantitative", "scale": None}}
    layers = [
        flat(epochs, {"type": "rule", "style": "dashed"}, x=slot),
        flat(bands, {"type": "area", "opacity": 1, "fillOpacity": 0.22}, **at, y2={"field": "y2"}),
        flat(points, faint, **at, tooltip=told),
        flat(drawn, {"type": "line", "strokeWidth": 1.5}, **at, strokeDash=DASHES, tooltip=told),
        flat(_alone(drawn), {"type": "point", "filled": True, "size": 12, "opacity": 1}, **at, tooltip=told),
        flat(beyond, edge, **at, **turned, tooltip=[told[0], further]),
    ]
    return frame.filled(layers)


def _alone(drawn: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the single stretches between two gaps, which a line cannot show."""
    rows = []
    for row in drawn:
        values = [None, *row["y"], None]
        lone = [
            k for k in range(len(row["y"])) if values[k] is None and values[k + 2] is None and row["y"][k] is not None
        ]
        rows += [{"place": row["place"], "x": row["x"][k], "y": row["y"][k]} for k in lone]
    return rows
