"""Empirical distribution functions: for each value the share of values up to it, all variants on one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.output.plots import axes, curves, frame
from statera.output.plots.frame import Options, Panel, tidy
from statera.output.plots.sheet import Sheet
from statera.output.plots.theme import COLOURS

if TYPE_CHECKING:
    from statera.output.plots.axes import ValueAxis
    from statera.output.plots.picture import Picture
    from statera.output.plots.raw_values import Samples, Series, Source

_HEIGHT = 170
_STEPS = 500  # the most steps of a curve
_SHOWN = "The share of values up to each value; where a curve lies further left, values are smaller"


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per benchmark and group, with one curve per variant."""
    sheet = Sheet(source, options)
    samples, shown, width = sheet.samples, sheet.shown, sheet.width
    scales = axes.value_axes(samples, shown, options)
    specs = []
    for panel in shown:
        spec = _panel(samples, panel, scales[panel.benchmark], width)
        specs.append(sheet.titled(spec, panel))
    largest = max(series.stop - series.start for panel in shown for series in panel.series)
    thinned = [f"curves of more than {_STEPS} values have {_STEPS} steps"] if largest > _STEPS else []
    held = [scales[panel.benchmark].held(samples, series) for panel in shown for series in panel.series]
    marks = {"panels": len(shown), "curves": len(held), "values": sum(len(values) for values in held)}
    remarks = [*thinned, *axes.lost(samples, shown, scales)]
    return sheet.picture("ecdf", "Cumulative distribution", specs, marks, read=[_SHOWN], remarks=remarks, legend=True)


def _panel(samples: Samples, panel: Panel, axis: ValueAxis, width: int) -> dict[str, Any]:
    known = [frame.facts(samples, series) for series in panel.series]
    rows = [row for series in panel.series for row in _steps(samples, series, axis)]
    share = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "nice": False},
        "axis": {
            "title": None,
            "values": [0, 0.25, 0.5, 0.75, 1],
            "format": ".0%",
            **frame.AT_SIDE,
            "labelBound": False,
        },
    }
    tooltip = [
        *frame.FACTS,
        {"field": "value", "title": "value on the axis", "format": frame.NUMBER},
        {"field": "share", "title": "values up to it", "format": ".1%"},
    ]
    mark = {"type": "line", "interpolate": "step-after", "strokeWidth": 1.75}
    # Dashes appear only if colours are used again, so that simple pictures stay simple.
    dash = {"strokeDash": frame.variant_dash()} if max(series.variant for series in panel.series) >= COLOURS else {}
    encoding = {**dash, "x": axis.encoding(), "y": share, "color": frame.variant_colour(samples), "tooltip": tooltip}
    return {"width": width, "height": _HEIGHT, "layer": [frame.layer(rows, mark, known, **encoding)]}


def _steps(samples: Samples, series: Series, axis: ValueAxis) -> list[dict[str, Any]]:
    """Return one row per value, with the share up to it; the curve is 0 before the first and 1 after the last."""
    values = sorted(axis.held(samples, series).tolist())
    place = {"place": series.variant}
    kept = curves.thinned(len(values), _STEPS)
    inside = [{**place, "value": axis.unit.short(values[at]), "share": tidy((at + 1) / len(values))} for at in kept]
    if not inside:
        return []
    first, last = (
        {**place, "value": axis.unit.short(axis.low), "share": 0},
        {**place, "value": axis.unit.short(axis.high), "share": 1},
    )
    return [first, *inside, last]
