"""Histograms with densities: the variants of a benchmark are stacked on one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera.output.plots import axes, curves, frame
from statera.output.plots.frame import Options, tidy
from statera.output.plots.sheet import Sheet

if TYPE_CHECKING:
    from statera.output.plots.axes import ValueAxis
    from statera.output.plots.picture import Picture
    from statera.output.plots.raw_values import Floats, Samples, Series, Source

_HEIGHT = 78
_FEWEST_BINS, _MOST_BINS = 5, 60
_SHOWN = "Bars count values, curves are densities; solid lines are medians, dashed ones means"


class _Drawn(NamedTuple):
    """A series on its axis; ``bins`` are (low end, high end, count) triples."""

    series: Series
    values: Floats
    bins: list[tuple[float, float, int]]
    curve: list[tuple[float, float]]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per benchmark and group, with one histogram per variant, all with the same bins and axes."""
    sheet = Sheet(source, options)
    samples, shown, width = sheet.samples, sheet.shown, sheet.width
    scales = axes.value_axes(samples, shown, options)
    specs, every, smoothed = [], [], []
    for benchmark, panels in frame.by_benchmark(shown).items():
        axis = scales[benchmark]
        held = {series: axis.held(samples, series) for panel in panels for series in panel.series}
        smooth = {series: axis.density(values) for series, values in held.items()}
        smoothed += [(smooth[series], values) for series, values in held.items()]
        edges = edges_of(list(held.values()), list(smooth.values()), log=axis.log)
        axis = axis.reaching(smooth.values(), edges[0], edges[-1])
        for panel in panels:
            drawn = [_drawn(series, held[series], smooth[series], edges, log=axis.log) for series in panel.series]
            spec = frame.stacked([_unit(samples, each, drawn, axis, width) for each in drawn])
            specs.append(sheet.titled(spec, panel))
            every += drawn
    marks = {
        "panels": len(shown),
        "histograms": len(every),
        "bars": sum(1 for each in every for _, _, count in each.bins if count),
        "values": sum(count for each in every for _, _, count in each.bins),
    }
    remarks = [*curves.unseen(smoothed), *axes.lost(samples, shown, scales)]
    return sheet.picture("histogram", "Histogram", specs, marks, read=[_SHOWN], remarks=remarks)


def edges_of(samples: list[Floats], smooth: list[curves.Curve | None], *, log: bool) -> list[float]:
    """Divide the axis, on its scale, into bins twice as wide as the narrowest bandwidth of the variants."""
    values = np.concatenate([np.log10(each) if log else each for each in samples])
    low, high = float(values.min()), float(values.max())
    widths = [curve.bandwidth for curve in smooth if curve and curve.bandwidth > 0]
    # Without any spread inside the variants, bars have their least width.
    step = 2 * min(widths) if widths else (high - low) / _MOST_BINS or abs(low) * 0.004 or 0.04
    count = int(np.clip(np.ceil((high - low) / step), _FEWEST_BINS if widths else 1, _MOST_BINS))
    step = (high - low) / count or step
    # The extreme values are in the middle of bars, not at their edges.
    found = low + step * (np.arange(count + 2) - 0.5)
    edges: list[float] = (curves.power(found) if log else found).tolist()
    return edges


def _drawn(series: Series, values: Floats, curve: curves.Curve | None, edges: list[float], *, log: bool) -> _Drawn:
    # The ends were computed as powers of ten: rounding must not exclude a value.
    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), bins=edges)
    bins = list(zip(edges[:-1], edges[1:], counts.tolist(), strict=True))
    if curve is None:
        return _Drawn(series, values, bins, [])
    one = (np.log10(edges[-1]) - np.log10(edges[0]) if log else edges[-1] - edges[0]) / len(bins)
    heights = (np.asarray(curve.height) * one * len(values)).tolist()
    return _Drawn(series, values, bins, list(zip(curve.at, heights, strict=True)))


def _unit(samples: Samples, one: _Drawn, all_of_panel: list[_Drawn], axis: ValueAxis, width: int) -> dict[str, Any]:
    facts = frame.facts(samples, one.series)
    highest = max(
        max([count for _, _, count in each.bins] + [height for _, height in each.curve], default=1)
        for each in all_of_panel
    )
    last = one is all_of_panel[-1]
    x = axis.encoding() if last else axis.encoding(title=None, labels=False, ticks=False)
    y = {
        "type": "quantitative",
        "scale": {"domain": [0, tidy(highest * 1.15)], "nice": False},
        "axis": {"title": None, "values": axes.whole_ticks(highest), "format": ",d", **frame.AT_SIDE},
    }
    short, place = axis.unit.short, one.series.variant
    bars = [{"place": place, "value": short(a), "end": short(b), "count": n} for a, b, n in one.bins if n]
    inside = [(at, height) for at, height in one.curve if axis.low <= at <= axis.high]
    layers = [
        frame.layer(
            bars,
            {"type": "rect", "opacity": 0.55, "style": "halo", "strokeWidth": 0.5},
            [facts],
            x=x,
            x2={"field": "end"},
            y={"field": "count", **y},
            y2={"datum": 0},
            color=frame.variant_colour(samples),
            tooltip=[*frame.FACTS, {"field": "count", "title": "in this bar"}],
        ),
        frame.layer(
            [{"place": place, "value": short(at, 5), "height": tidy(height, 5)} for at, height in inside],
            {"type": "line", "strokeWidth": 1.5},
            x=x,
            y={"field": "height", **y},
            color=frame.variant_colour(samples),
        ),
        *_centres(one.values, axis, x),
    ]
    words = frame.series_title(samples, one.series, f"mean {frame.mean_amount(samples, one.series)}")
    return {
        "title": frame.small_title([words], width),
        "width": width,
        "height": _HEIGHT,
        "layer": frame.filled(layers),
    }


def _centres(values: Floats, axis: ValueAxis, x: dict[str, Any]) -> list[dict[str, Any]]:
    if not len(values):
        return []
    (median,) = curves.quantiles(values, 0.5)
    return [
        frame.layer([{"value": axis.unit.short(median)}], {"type": "rule", "style": "zero"}, x=x),
        frame.layer([{"value": axis.unit.short(curves.mean(values))}], {"type": "rule", "style": "dashed"}, x=x),
    ]
