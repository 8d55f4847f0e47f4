"""The normality atlas: histogram, density and normal Q-Q plot of every benchmark, with its test, page by page.

If runs have several values, it shows the medians of the runs beside the averages of the runs; else the values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera.output.plots import curves, frame, raw_values
from statera.output.plots.axes import linear_unit, whole_ticks
from statera.output.plots.frame import Options, tidy
from statera.output.plots.histogram import edges_of
from statera.output.plots.picture import NARROW_BELOW, Picture
from statera.output.plots.qq import INSIDE, Quantiles
from statera.output.plots.raw_values import samples as samples_of
from statera.output.views.inspection import p_value
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from statera.output.plots.axes import Unit
    from statera.output.plots.raw_values import Floats, Samples, Series, Shape, Source

_HEIGHT = 92
_COUNTS, _SIDE, _BETWEEN = 22, 40, 8  # pixels for the numbers left of a histogram and of a Q-Q plot, and between them
_LEAST_WIDTH = 60
_CURVE = 48  # points of a density
_POINTS, _ENDS = 120, 20  # points of a Q-Q plot, of which this many at either end are always drawn
_ROOM = 0.07
_HEADROOM = 1.13  # leaves room for the label of the highest count
_COUNT_TICKS = 3
_Rows = list[dict[str, Any]]
_WIDE = 560  # pixels from which two samples are drawn side by side
_PAGE = 10  # samples per page of paper
_TOLD = 4
_THINNED = f"Q-Q plots of more than {_POINTS} values have {_POINTS} points, and all near the ends"
_LETTER = 10  # pixels per character in a line of numbers, which is narrower than words
_SHOWN = (
    "Bars count, curves are densities. In the Q-Q plots normal samples lie along the line, and "
    f"{INSIDE} of them stay wholly inside the band"
)


class _Drawn(NamedTuple):
    """A sample in the unit of its axis: the data rows of its two panels."""

    bars: _Rows
    curve: _Rows
    quantiles: Quantiles


class _Scales(NamedTuple):
    """The axes that medians and averages of the same runs share, for comparison side by side."""

    title: str
    values: tuple[float, float]
    quantiles: tuple[float, float]
    highest: float


def draw(source: Source, options: Options) -> Picture:
    """Draw the samples of the benchmarks that matter most, or of the named ones, in one picture."""
    shown, said = frame.panels(source, samples_of(source), options)
    order = {series: place for place, series in enumerate(each for panel in shown for each in panel.series)}
    found = [each for each in raw_values.shapes(source, shown[0].metric) if each.series in order]
    found.sort(key=lambda each: order[each.series])
    if not found:
        raise Stop("nothing-to-draw", "the averages are drawn beside the medians of the same runs")
    if options.log:
        said = [*said, "the axes stay linear: what is tested are the values themselves"]
    return _page(source, found, options.width, said)


def pages(source: Source, metric: int, benchmarks: Collection[int], width: int = 720) -> list[Picture]:
    """Draw the samples of benchmarks in the order of the files, one picture per page.

    Samples without a test, because they are too small or constant, are left out: they have no shape to judge.
    """
    found = [
        each for each in raw_values.shapes(source, metric) if each.series.benchmark in benchmarks and each.p is not None
    ]
    found.sort(key=lambda each: (each.series.benchmark, each.series.group, each.series.variant))
    count = -(-len(found) // _PAGE)
    # Fill pages evenly, and keep the two samples of a benchmark together.
    size = -(-len(found) // (2 * count)) * 2 if count else _PAGE
    parts = [found[start : start + size] for start in range(0, len(found), size)]
    return [_redrawable(source, part, width, _ends(source, part) if count > 1 else "") for part in parts]


def _redrawable(source: Source, shapes: list[Shape], width: int, of: str) -> Picture:
    def at_width(pixels: int) -> Picture:
        return _page(source, shapes, pixels, [], of)

    return replace(at_width(width), redrawn=at_width if width >= NARROW_BELOW else None)


def told(shape: Shape, alpha: float) -> str:
    """Describe a sample and the result of its test: ``medians of 31 runs: W 0.9825, p 0.878``."""
    count = f"{len(shape.values):,}"
    what = f"{count} {shape.of}" if shape.of == raw_values.VALUES else shape.of.replace("the runs", f"{count} runs")
    if shape.statistic is None or shape.p is None:
        return f"{what}: no test"
    fails = ", not normal" if shape.p < alpha else ""
    return f"{what}: {shape.letter} {shape.statistic:.5g}, p {p_value(shape.p)}{fails}"


def _ends(source: Source, shapes: list[Shape]) -> str:
    """Write the first and the last name of a page, as dictionaries do."""
    names = source.observations.benchmarks
    ends = dict.fromkeys(frame.name(names[shapes[place].series.benchmark]) for place in (0, -1))
    return f": {' to '.join(ends)}"


def _page(source: Source, shapes: list[Shape], width: int, said: list[str], of: str = "") -> Picture:
    samples = samples_of(source)
    columns = 2 if width >= _WIDE and len(shapes) > 1 else 1
    alpha = source.policy.alpha
    title = f"Normality atlas of {_metric(samples, shapes)}{of}"
    thinned = any(len(each.values) > _POINTS for each in shapes)
    inner = frame.inner_width(Options(width), columns, 0)
    names, cut = frame.for_panels((_name(samples, each) for each in shapes), inner)
    said = [*([_THINNED] if thinned else []), *cut, *said]
    named = dict(zip((each.series for each in shapes), names, strict=True))
    specs = _specs(source, samples, shapes, named, inner)
    return Picture(
        kind="atlas",
        title=title,
        alt=_alt(samples, shapes, title, alpha),
        spec={"title": frame.title(title, [_SHOWN, *said], width), **frame.concat(specs, columns)},
        marks={"samples": len(shapes), "values": sum(len(each.values) for each in shapes)},
        remarks=tuple(said),
    )


def _specs(
    source: Source, samples: Samples, shapes: list[Shape], names: dict[Series, str], width: int
) -> list[dict[str, Any]]:
    """Draw each sample; medians and averages of the same runs share their axes."""
    found: dict[Series, list[Shape]] = {}
    for shape in shapes:
        found.setdefault(shape.series, []).append(shape)
    return [spec for series, each in found.items() for spec in _beside(source, samples, each, names[series], width)]


def _beside(source: Source, samples: Samples, shapes: list[Shape], name: str, width: int) -> list[dict[str, Any]]:
    metric = shapes[0].series.metric
    unit = linear_unit(samples, metric, np.concatenate([each.values for each in shapes]))
    seed = source.policy.seed
    drawn = [_drawn(unit.own(each.values), unit, _colour(samples, each), seed) for each in shapes]
    axes = _scales(drawn, unit.title(_metric(samples, shapes)))
    specs = []
    for shape, one in zip(shapes, drawn, strict=True):
        narrow = ", density narrower than a pixel" if curves.narrower(one.curve, shape.values) else ""
        below = frame.wrapped(f"{told(shape, source.policy.alpha)}{narrow}", width, _LETTER)
        title = {**frame.panel_title(name, width), "subtitle": below, "offset": 4}
        specs.append({"title": title, **_panels(one, axes, frame.variant_colour(samples), width)})
    return specs


def _metric(samples: Samples, shapes: list[Shape]) -> str:
    """Name what is drawn: the metric, and that of the averages beside it if they are another one."""
    name = samples.metrics[shapes[0].series.metric].name
    both = name == raw_values.MEDIAN and any(each.of == raw_values.AVERAGES for each in shapes)
    return f"{name} and {raw_values.AVERAGE}" if both else frame.name(name)


def _colour(samples: Samples, shape: Shape) -> int:
    """Return the colour: that of the variant; with a single variant, one for medians and one for averages."""
    if len(samples.labels) > 1:
        return shape.series.variant
    return 2 if shape.of == raw_values.AVERAGES else 1


def _name(samples: Samples, shape: Shape) -> str:
    series = shape.series
    parts = [samples.benchmarks[series.benchmark], samples.groups[series.group]]
    if len(samples.labels) > 1:
        parts.append(samples.labels[series.variant])
    return " · ".join(frame.whole(part) for part in parts if part)


def _alt(samples: Samples, shapes: list[Shape], title: str, alpha: float) -> str:
    said = [f"{frame.name(_name(samples, each), 100)}, {told(each, alpha)}" for each in shapes[:_TOLD]]
    return f"{title}. {listed(said, _TOLD, between='; ', last='; and ', total=len(shapes))}."


def _drawn(values: Floats, unit: Unit, place: int, seed: int) -> _Drawn:
    """Return the data rows of values, given in the unit of their axis; ``place`` is the index of their colour."""
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
    return _Drawn(bars, curve, Quantiles.of(np.sort(values), unit, place, seed, most=_POINTS, ends=_ENDS))


def _scales(found: Iterable[_Drawn], title: str) -> _Scales:
    """Choose axes that hold all samples."""
    held = list(found)
    values = [row[key] for one in held for row in (*one.bars, *one.curve) for key in ("value", "end") if key in row]
    rows = [row for one in held for part in one.quantiles for row in part]
    quantiles = [row[key] for row in rows for key in ("value", "top") if key in row]
    counts = [row.get("count", row.get("height", 0)) for one in held for row in (*one.bars, *one.curve)]
    ends = curves.span(np.array(quantiles), log=False, room=_ROOM)
    return _Scales(title, (min(values), max(values)), ends, max(counts) * _HEADROOM)


def _panels(one: _Drawn, axes: _Scales, colour: dict[str, Any], width: int) -> dict[str, Any]:
    """Place the two panels of a sample side by side within a width in pixels."""
    half = max((width - _COUNTS - _SIDE - _BETWEEN) // 2, _LEAST_WIDTH)
    return {"hconcat": [_histogram(one, axes, colour, half), _qq(one, axes, colour, half)], "spacing": _BETWEEN}


def _histogram(one: _Drawn, axes: _Scales, colour: dict[str, Any], width: int) -> dict[str, Any]:
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
    return {"width": width, "height": _HEIGHT, "layer": frame.filled(layers)}


def _qq(one: _Drawn, axes: _Scales, colour: dict[str, Any], width: int) -> dict[str, Any]:
    y = _values_axis(*axes.quantiles, title=None, **_at_side(_SIDE))
    reach = max(2.2, max(abs(row["z"]) for row in one.quantiles.points) * 1.06)
    tooltip = [{"field": "value", "title": "value", "format": frame.NUMBER}]
    layers = one.quantiles.layers(reach, y, 14, color=colour, tooltip=tooltip)
    return {"width": width, "height": _HEIGHT, "layer": layers}


def _values_axis(low: float, high: float, *, title: str | None, **more: Any) -> dict[str, Any]:
    shown = frame.values_axis("value", title or "", low, high, log=False)
    return {**shown, "axis": {**shown["axis"], "title": title, "tickCount": 4, **more}}


def _at_side(pixels: int) -> dict[str, Any]:
    # A number at the upper end would move this panel's title above that of its neighbour.
    return {"minExtent": pixels - 4, "maxExtent": pixels - 4, "labelBound": True}
