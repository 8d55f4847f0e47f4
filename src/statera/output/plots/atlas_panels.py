"""The two panels of a sample in the normality atlas: a histogram with its density, and a normal Q-Q plot."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.output.plots import curves, frame
from statera.output.plots.axes import whole_ticks
from statera.output.plots.frame import tidy
from statera.output.plots.histogram import edges_of
from statera.output.plots.qq import expected

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.output.plots.raw_values import Floats
    from statera.output.plots.units import Unit

HEIGHT = 92
_COUNTS, _SIDE, _BETWEEN = 22, 40, 8  # pixels for the numbers left of a histogram and of a Q-Q plot, and between them
_LEAST_WIDTH = 60
_CURVE = 48  # points of a density
POINTS, _ENDS = 120, 20  # points of a Q-Q plot, of which this many at either end are always drawn
_ROOM = 0.07
_HEADROOM = 1.13  # leaves room for the label of the highest count
_COUNT_TICKS = 3
_Rows = list[dict[str, Any]]


class Drawn(NamedTuple):
    """A sample in the unit of its axis: the data rows of its two panels."""

    bars: _Rows
    curve: _Rows
    points: _Rows
    line: _Rows
    band: _Rows


class Scales(NamedTuple):
    """The axes that medians and averages of the same runs share, for comparison side by side."""

    title: str
    values: tuple[float, float]
    quantiles: tuple[float, float]
    highest: float


def drawn(values: Floats, unit: Unit, place: int, seed: int) -> Drawn:
    """Return the data rows of values, given in the unit of their axis; ``place`` is the index of their colour."""
    import numpy as np  # noqa: PLC0415 - optional

    found = curves.density(values, log=False)
    edges = edges_of([values], [found], log=False)
    counts = np.histogram(np.clip(values, edges[0], edges[-1]), bins=edges)[0].tolist()
    ends = zip(edges[:-1], edges[1:], counts, strict=True)
    short = unit.short
    bars = [{"place": place, "value": short(a), "end": short(b), "count": count} for a, b, count in ends if count]
    curve: _Rows = []
    if found is not None:
        area = (edges[-1] - edges[0]) / len(counts) * len(values)
        low, high = found.ends()
        kept = [at for at in range(len(found.at)) if low <= found.at[at] <= high]
        for at in (kept[place] for place in curves.thinned(len(kept), _CURVE)):
            curve.append({"place": place, "value": short(found.at[at], 5), "height": tidy(found.height[at] * area, 4)})
    ordered = np.sort(values)
    count = len(ordered)
    z = [NormalDist().inv_cdf((at + 0.5) / count) for at in range(count)]
    shown = sorted({*curves.thinned(count, POINTS), *range(min(_ENDS, count)), *range(max(count - _ENDS, 0), count)})
    points = [{"place": place, "z": tidy(z[at], 5), "value": short(float(ordered[at]))} for at in shown]
    line, band = expected(ordered, z, seed, unit, log=False)
    return Drawn(bars, curve, points, line, band)


def scales(found: Iterable[Drawn], title: str) -> Scales:
    """Choose axes that hold all samples."""
    import numpy as np  # noqa: PLC0415 - optional

    held = list(found)
    values = [row[key] for one in held for row in (*one.bars, *one.curve) for key in ("value", "end") if key in row]
    quantiles = [
        row[key]
        for one in held
        for row in (*one.points, *one.line, *one.band)
        for key in ("value", "top")
        if key in row
    ]
    counts = [row.get("count", row.get("height", 0)) for one in held for row in (*one.bars, *one.curve)]
    ends = curves.span(np.array(quantiles), log=False, room=_ROOM)
    return Scales(title, (min(values), max(values)), ends, max(counts) * _HEADROOM)


def spec(one: Drawn, axes: Scales, colour: dict[str, Any], width: int) -> dict[str, Any]:
    """Place the two panels of a sample side by side within a width in pixels."""
    half = max((width - _COUNTS - _SIDE - _BETWEEN) // 2, _LEAST_WIDTH)
    return {"hconcat": [_histogram(one, axes, colour, half), _qq(one, axes, colour, half)], "spacing": _BETWEEN}


def _histogram(one: Drawn, axes: Scales, colour: dict[str, Any], width: int) -> dict[str, Any]:
    x = _values_axis(*axes.values, title=axes.title)
    y = {
        "type": "quantitative",
        "scale": {"domain": [0, tidy(axes.highest)], "nice": False},
        "axis": {"title": None, "values": whole_ticks(axes.highest, _COUNT_TICKS), "format": ",d", **_at_side(_COUNTS)},
    }
    rectangle = {"type": "rect", "opacity": 0.55, "style": "halo", "strokeWidth": 0.5}
    tooltip = [{"field": "count", "title": "in this bar"}]
    to = {"x2": {"field": "end"}, "y2": {"datum": 0}}
    layers = [
        frame.layer(one.bars, rectangle, x=x, y={"field": "count", **y}, color=colour, tooltip=tooltip, **to),
        frame.layer(one.curve, {"type": "line", "strokeWidth": 1.5}, x=x, y={"field": "height", **y}, color=colour),
    ]
    return _layered(layers, width)


def _qq(one: Drawn, axes: Scales, colour: dict[str, Any], width: int) -> dict[str, Any]:
    y = _values_axis(*axes.quantiles, title=None, **_at_side(_SIDE))
    reach = tidy(max(2.2, max(abs(row["z"]) for row in one.points) * 1.06))
    x = {
        "field": "z",
        "type": "quantitative",
        "scale": {"domain": [-reach, reach], "nice": False},
        "axis": {"title": "standard deviations", "format": frame.NUMBER, "values": [-3, -2, -1, 0, 1, 2, 3]},
    }
    tooltip = [{"field": "value", "title": "value", "format": frame.NUMBER}]
    dot = {"type": "point", "filled": True, "size": 14, "opacity": 0.85}
    layers = [
        frame.layer(one.band, {"type": "area", "style": "band", "clip": True}, x=x, y=y, y2={"field": "top"}),
        frame.layer(one.line, {"type": "line", "style": "dashed", "clip": True}, x=x, y=y),
        frame.layer(one.points, dot, x=x, y=y, color=colour, tooltip=tooltip),
    ]
    return _layered(layers, width)


def _layered(layers: list[dict[str, Any]], width: int) -> dict[str, Any]:
    return {"width": width, "height": HEIGHT, "layer": frame.filled(layers)}


def _values_axis(low: float, high: float, *, title: str | None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as given
    shown = frame.values_axis("value", title or "", low, high, log=False)
    return {**shown, "axis": {**shown["axis"], "title": title, "tickCount": 4, **more}}


def _at_side(pixels: int) -> dict[str, Any]:
    # A number at the upper end would move this panel's title above that of its neighbour.
    return {"minExtent": pixels - 4, "maxExtent": pixels - 4, "labelBound": True}
