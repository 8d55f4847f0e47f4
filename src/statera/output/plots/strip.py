"""Strip plots: every value in the order of measurement, with a box; one row per variant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.output.plots import axes, curves, frame
from statera.output.plots.frame import Options, Panel, tidy
from statera.output.plots.sheet import Sheet

if TYPE_CHECKING:
    from statera.output.plots.axes import ValueAxis
    from statera.output.plots.picture import Picture
    from statera.output.plots.raw_values import Samples, Series, Source

_STEP = 46  # pixels per row
_REACH = 1.5  # whiskers end at the last value within so many interquartile ranges of the box (Tukey 1977)
_POINTS = 1_000  # the most points of a row
# How the picture is read.
SHOWN = (
    "Boxes hold the middle half, lines are medians; from top to bottom of a row the values stand in the order in "
    "which they were measured"
)


class _Rows(NamedTuple):
    names: list[dict[str, Any]]
    boxes: list[dict[str, Any]]
    points: list[dict[str, Any]]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per benchmark and group, with one row per variant."""
    sheet = Sheet(source, options, named_rows=True)
    samples, shown, width = sheet.samples, sheet.shown, sheet.width
    scales = axes.value_axes(samples, shown, options)
    specs, points, boxes = [], 0, 0
    for panel in shown:
        rows = _rows(samples, panel, scales[panel.benchmark], sheet.label)
        spec = _panel(rows, scales[panel.benchmark], frame.variant_colour(samples), width)
        specs.append(sheet.titled(spec, panel))
        points, boxes = points + len(rows.points), boxes + len(rows.boxes)
    thinned = curves.thinning((series.stop - series.start for panel in shown for series in panel.series), _POINTS)
    marks = {"panels": len(shown), "boxes": boxes, "points": points}
    remarks = [*thinned, *axes.lost(samples, shown, scales)]
    return sheet.picture("strip", "Values", specs, marks, read=[SHOWN], remarks=remarks)


def _rows(samples: Samples, panel: Panel, axis: ValueAxis, label: dict[int, str]) -> _Rows:
    rows = _Rows([], [], [])
    for row, series in enumerate(panel.series):
        facts = {"row": row, **frame.facts(samples, series)}
        rows.names.append({**facts, "label": label[series.variant]})
        values = axis.held(samples, series).tolist()
        for at in curves.thinned(len(values), _POINTS):
            slant = at / (len(values) - 1) - 0.5 if len(values) > 1 else 0.0
            where = {"place": series.variant, "stands": tidy(row + 0.62 * slant, 5), "at": at + 1}
            rows.points.append({**where, "value": axis.unit.short(values[at])})
        if len(values) > 1:
            rows.boxes.append({**facts, **_box(samples, series, axis)})
    return rows


def _box(samples: Samples, series: Series, axis: ValueAxis) -> dict[str, float]:
    values = axis.held(samples, series)
    first, middle, third = curves.quantiles(values, 0.25, 0.5, 0.75)
    reach = _REACH * (third - first)
    low, high = values[values >= first - reach].min(), values[values <= third + reach].max()
    named = {"value": middle, "first": first, "third": third, "low": float(low), "high": float(high)}
    return {key: axis.unit.short(number) for key, number in named.items()}


def _panel(rows: _Rows, axis: ValueAxis, colour: dict[str, Any], width: int) -> dict[str, Any]:
    count = len(rows.names)
    stands: dict[str, Any] = {
        "type": "quantitative",
        "scale": {"domain": [count - 0.5, -0.5], "nice": False},
        "axis": None,
    }
    y, x = {"field": "row", **stands}, axis.encoding()
    tooltip = [
        *frame.FACTS,
        {"field": "at", "title": "measured as number"},
        {"field": "value", "title": "value on the axis", "format": frame.NUMBER},
    ]
    layers = [
        frame.layer(rows.boxes, {"type": "rule", "style": "guide"}, x={**x, "field": "low"}, x2={"field": "high"}, y=y),
        frame.layer(
            rows.boxes,
            {"type": "bar", "style": "band", "height": 0.8 * _STEP, "cornerRadius": 2},
            x={**x, "field": "first"},
            x2={"field": "third"},
            y=y,
            tooltip=frame.FACTS,
        ),
        frame.layer(
            rows.points,
            {"type": "point", "filled": True, "size": 16, "opacity": 0.75},
            rows.names,
            x=x,
            y={"field": "stands", **stands},
            color=colour,
            tooltip=tooltip,
        ),
        frame.layer(
            rows.boxes,
            {"type": "tick", "orient": "vertical", "style": "zero", "size": 0.8 * _STEP, "thickness": 2},
            x=x,
            y=y,
        ),
        frame.layer(
            rows.names,
            {"type": "text", "style": "name", "align": "right", "baseline": "middle"},
            x={"value": -8},
            y=y,
            text={"field": "label"},
            tooltip=frame.FACTS,
        ),
    ]
    shown = frame.filled(layers)
    return {"width": width, "height": _STEP * count, "layer": shown}
