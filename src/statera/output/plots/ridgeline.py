"""Ridgelines: the densities of all variants, one above another, with medians and the values themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.output.plots import axes, curves, frame
from statera.output.plots.frame import Options, tidy
from statera.output.plots.sheet import Sheet

if TYPE_CHECKING:
    from statera.output.plots.axes import ValueAxis
    from statera.output.plots.picture import Picture
    from statera.output.plots.raw_values import Floats, Samples, Series, Source

_STEP = 40  # pixels between ridges
_RISE = 1.5  # height of the highest ridge, in steps
_RUG = 300  # the most values under a ridge
_UNEVEN = 4.0  # from this quotient of the highest and the lowest peak, each ridge has its own scale
_SHOWN = "Densities (Gaussian kernel); lines are medians, ticks the values"
_OWN = "ridge heights are not comparable"


class _Ridge(NamedTuple):
    series: Series
    values: Floats  # the values that the axis can hold, in its unit
    curve: curves.Curve | None


class _Rows(NamedTuple):
    """The data rows of a panel."""

    names: list[dict[str, Any]]
    area: list[dict[str, Any]]
    medians: list[dict[str, Any]]
    rugs: list[dict[str, Any]]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per benchmark and group; the panels of a benchmark share their axis."""
    sheet = Sheet(source, options, named_rows=True)
    samples, shown, width = sheet.samples, sheet.shown, sheet.width
    scales = axes.value_axes(samples, shown, options)
    ridges = {panel: [_ridge(samples, s, scales[panel.benchmark]) for s in panel.series] for panel in shown}
    reached = {
        benchmark: axis.reaching(r.curve for p in shown if p.benchmark == benchmark for r in ridges[p])
        for benchmark, axis in scales.items()
    }
    specs = []
    for panel in shown:
        spec = _panel(samples, ridges[panel], reached[panel.benchmark], sheet.label, width)
        specs.append(sheet.titled(spec, panel))
    uneven = [_OWN] if any(_uneven(found) for found in ridges.values()) else []
    every = [ridge for found in ridges.values() for ridge in found]
    unseen = curves.unseen((ridge.curve, ridge.values) for ridge in every)
    remarks = [
        *uneven,
        *unseen,
        *curves.thinning((len(ridge.values) for ridge in every), _RUG),
        *axes.lost(samples, shown, scales),
    ]
    marks = {"panels": len(shown), "ridges": len(every), "values": sum(len(ridge.values) for ridge in every)}
    return sheet.picture("ridgeline", "Distribution", specs, marks, read=[_SHOWN], remarks=remarks)


def _ridge(samples: Samples, series: Series, axis: ValueAxis) -> _Ridge:
    values = axis.held(samples, series)
    return _Ridge(series, values, axis.density(values))


def _uneven(ridges: list[_Ridge]) -> bool:
    peaks = [max(ridge.curve.height) for ridge in ridges if ridge.curve]
    return bool(peaks) and max(peaks) > _UNEVEN * min(peaks)


def _panel(
    samples: Samples, ridges: list[_Ridge], axis: ValueAxis, label: dict[int, str], width: int
) -> dict[str, Any]:
    top_peak = max((max(ridge.curve.height) for ridge in ridges if ridge.curve), default=1.0)
    uneven = _uneven(ridges)
    names, area, medians, rugs = rows = _Rows([], [], [], [])
    for row, ridge in enumerate(ridges):
        base = len(ridges) - 1 - row
        stands = {"base": base, "place": ridge.series.variant}
        facts = {**frame.facts(samples, ridge.series), **stands}
        names.append({**facts, "label": label[ridge.series.variant]})
        if ridge.curve:
            scale = _RISE / (max(ridge.curve.height) if uneven else top_peak)
            points = zip(ridge.curve.at, ridge.curve.height, strict=True)
            inside = [(at, height) for at, height in points if axis.low <= at <= axis.high]
            area += [
                {**stands, "value": axis.unit.short(at, 5), "top": tidy(base + height * scale, 5)}
                for at, height in inside
            ]
        if len(ridge.values):
            (median,) = curves.quantiles(ridge.values, 0.5)
            medians.append({**facts, "value": axis.unit.short(median), "top": base + (0.75 if ridge.curve else 0.5)})
        kept = sorted(ridge.values.tolist())
        rugs += [{**stands, "value": axis.unit.short(kept[at])} for at in curves.thinned(len(kept), _RUG)]
    layers = _layers(rows, axis.encoding(), frame.variant_colour(samples), len(ridges) - 1 + _RISE)
    height = int(_STEP * (len(ridges) - 1 + _RISE + 0.4))
    return {"width": width, "height": height, "layer": frame.filled(layers)}


def _layers(rows: _Rows, x: dict[str, Any], colour: dict[str, Any], highest: float) -> list[dict[str, Any]]:
    names, area, medians, rugs = rows
    stands: dict[str, Any] = {"scale": {"domain": [-0.3, highest + 0.1], "nice": False}, "axis": None}
    y = {"field": "base", "type": "quantitative", **stands}
    top = {"field": "top", "type": "quantitative", **stands}
    common: dict[str, Any] = {"color": colour, "tooltip": frame.FACTS}
    return [
        frame.layer(names, {"type": "rule", "style": "guide", "opacity": 0.5}, y=y),
        frame.layer(
            area,
            {"type": "area", "fillOpacity": 0.55, "line": {"strokeWidth": 1.5}},
            names,
            x=x,
            y={**top, "stack": None},
            y2={"field": "base"},
            **common,
        ),
        frame.layer(medians, {"type": "rule", "strokeWidth": 2}, x=x, y=y, y2={"field": "top"}, **common),
        frame.layer(
            rugs,
            {"type": "tick", "orient": "vertical", "size": 7, "thickness": 1, "opacity": 0.6, "yOffset": 6},
            x=x,
            y=y,
            color=common["color"],
        ),
        frame.layer(
            names,
            {"type": "text", "style": "name", "align": "right", "baseline": "middle", "dy": -4},
            x={"value": -8},
            y=y,
            text={"field": "label"},
            tooltip=frame.FACTS,
        ),
    ]
