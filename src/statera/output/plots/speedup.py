"""Speed-up by percentile: how much less a variant takes than the baseline at each level of the distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.output.plots import changes, frame
from statera.output.plots import effects as rows_of
from statera.output.plots.changes import directed
from statera.output.plots.frame import Options, tidy
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.distribution import SpeedUp
    from statera.output.plots.raw_values import Samples, Source

_DECILES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
MOST = 8  # default number of panels
_ENDS = 20  # with so many values of a variant, the least and the largest are drawn as well
_HEIGHT = 170
_FILL_A_PAGE = 3  # up to so many panels stand in one column
_SHAPES = ("circle", "triangle-up", "square", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")


class _Curve(NamedTuple):
    """Speed-ups with the panel and the line that show them; ``place`` is the index of the line's colour."""

    panel: str
    line: str
    place: int
    up: SpeedUp


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per variant, with one line per level of the other factor; benchmarks have separate panels."""
    comparison, samples = frame.compared(source), samples_of(source)
    found, left_out = _chosen(comparison, samples, options)
    metric = samples.metrics[found[0].baseline.metric]
    # Without a better direction, more is a change above 0.
    word, higher = found[0].read_as(metric.better)[0], metric.better != "lower"
    found = [each._replace(at=each.read_as(metric.better)[1]) for each in found]
    curves = _curves(comparison, samples, found, options.facet)
    panels = list(dict.fromkeys(curve.panel for curve in curves))
    if len(panels) > options.most:
        left_out = [f"{options.most} of {len(panels)} panels", *left_out]
        panels = panels[: options.most]
    curves = [curve for curve in curves if curve.panel in panels]
    columns = 1 if options.width < frame.NARROW or len(panels) <= _FILL_A_PAGE else 2
    width = frame.inner_width(options, columns, 62)
    names, cut = frame.for_panels(panels, width)
    axis = directed(word, metric, vertical=True, reverse=not higher)
    specs, points, said, stray = [], 0, [], []
    for panel, short in zip(panels, names, strict=True):
        here = [curve for curve in curves if curve.panel == panel]
        rows = [row for curve in here for row in _points(curve)]
        endless = [row for curve in here for row in _endless(samples, curve)]
        points += len(rows)
        stray += endless
        extremes = _extremes(rows, endless, several=len({curve.line for curve in here}) > 1)
        said.append(f"{panel or 'All'}: {extremes}")
        drawn = _layers(rows, endless, axis, word, higher=higher)
        title_of = rows_of.panel_title(short, extremes, width)
        specs.append({"title": title_of, "width": width, "height": _HEIGHT, "layer": drawn})
    left_out = [*cut, *left_out]
    lost = sum(value is not None for curve in curves for value in curve.up.at) - points
    left_out += changes.undrawable(lost)
    title = f"{word.capitalize()} of {frame.name(metric.name)} by percentile"
    bases = {curve.up.baseline.variant for curve in curves}
    against = frame.name(samples.labels[min(bases)]) if len(bases) == 1 else "each other"
    lines = dict.fromkeys((curve.place, curve.line) for curve in curves)
    below = [f"Against {against}; above 0 the variant is {'higher' if higher else 'faster'}", *left_out]
    # A single line needs no legend.
    body = rows_of.side_by_side(specs, columns)
    if len(lines) > 1 or stray:
        no_ratio = f"no ratio: {stray[0]['written']}" if stray else ""
        legend = frame.legend_of(sorted(lines), options.width - 24, elsewhere=no_ratio, left=50)
        body = {"vconcat": [legend, body], "spacing": 8}
    return Picture(
        kind="speedup",
        title=title,
        alt=f"{title}, against {against}. {'; '.join(frame.name(each, 200) for each in said[:6])}.",
        spec={"title": rows_of.title(title, below, options.width), **body},
        marks={"panels": len(panels), "lines": len(curves), "points": points, "endless": len(stray)},
        remarks=tuple(left_out),
    )


def _chosen(comparison: Comparison, samples: Samples, options: Options) -> tuple[list[SpeedUp], list[str]]:
    """Return the speed-ups of the benchmarks that matter most, in order of importance."""
    every, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    benchmarks = {effect.benchmark for effect in every}
    kept, said = rows_of.limited(comparison, every, options.most * max(len(every) // len(benchmarks), 1))
    order = {samples.benchmarks[effect.benchmark]: place for place, effect in reversed(list(enumerate(kept)))}
    held = {(effect.group, effect.metric) for effect in kept}
    counts = [series.stop - series.start for series in samples.series if series.metric == kept[0].metric]
    levels = (0.0, *_DECILES, 1.0) if min(counts) >= _ENDS else _DECILES
    found = [
        each
        for each in comparison.distribution(levels).speed_ups
        if (each.baseline.group, each.baseline.metric) in held and each.baseline.benchmark in order
    ]
    return sorted(found, key=lambda each: order[each.baseline.benchmark]), [*one_sided, *said]


def _curves(comparison: Comparison, samples: Samples, found: list[SpeedUp], facet: str = "") -> list[_Curve]:
    """Assign speed-ups to panels and lines: readers compare lines; panels separate everything else.

    Variants of two factors (``SplitUMElem/9.6.2``): one panel per level of the last factor. Groups: one line per group,
    one panel per variant. Otherwise variants are the lines. ``facet`` names another factor for the panels.

    Raises ``Stop`` if no factor of the variants or groups has this name.
    """
    by = comparison.arrangement.by
    factors = comparison.arrangement.factors
    if facet and facet not in {*by, *factors}:
        known = listed([*dict.fromkeys((*by, *factors))]) or "none"
        raise Stop("bad-option", f"--facet {facet}: panels are the levels of a factor of --by or --within ({known})")
    parts = frame.crossed(samples.labels, by)
    groups = len({each.baseline.group for each in found}) > 1
    several = len({each.baseline.benchmark for each in found}) > 1
    across = by.index(facet) if facet in by else -1

    def others(variant: int) -> str:
        levels = [*parts[variant]]
        del levels[across]
        return "/".join(levels)

    lines: dict[str, int] = {}
    if parts:
        lines = {name: place for place, name in enumerate(dict.fromkeys(map(others, range(len(parts)))))}
    curves = []
    for up in found:
        contender, group = samples.labels[up.contender.variant], samples.groups[up.baseline.group]
        if parts:
            line, variant = others(up.contender.variant), up.contender.variant
            panel, place = [f"{by[across]}: {parts[variant][across]}", group], lines[line]
        elif groups and facet in factors:
            line, panel, place = contender, [group], up.contender.variant
        elif groups:
            line, panel, place = group, [contender], up.baseline.group
        else:
            line, panel, place = contender, [], up.contender.variant
        name = [up.baseline.benchmark, *panel] if several else panel
        curves.append(_Curve(frame.whole(" · ".join(word for word in name if word)), frame.whole(line), place, up))
    order = list(dict.fromkeys(curve.panel for curve in curves))
    return sorted(curves, key=lambda curve: (order.index(curve.panel), curve.place))


def _points(curve: _Curve) -> list[dict[str, Any]]:
    return [
        {
            "place": curve.place,
            "line": curve.line,
            "level": round(100 * level),
            "value": tidy(value),
            "written": _native.percent(value),
        }
        for level, value in zip(_levels_of(curve), curve.up.at, strict=True)
        if value is not None and changes.drawable(value)
    ]


def _endless(samples: Samples, curve: _Curve) -> list[dict[str, Any]]:
    """Return the levels at which the baseline is 0: the variant is at 0 as well, or there is no ratio."""
    at = _levels_of(curve)
    rows = []
    for level, value, old, new in zip(at, curve.up.at, curve.up.baseline.at, curve.up.contender.at, strict=False):
        if value is None:
            ends = [frame.amount(samples, curve.up.baseline.metric, each) for each in (old, new)]
            row = {"place": curve.place, "line": curve.line, "level": round(100 * level)}
            rows.append({**row, "more": new > old, "same": new == old, "written": f"from {ends[0]} to {ends[1]}"})
    return rows


def _levels_of(curve: _Curve) -> tuple[float, ...]:
    return (0.0, *_DECILES, 1.0) if len(curve.up.at) > len(_DECILES) else _DECILES


def _extremes(rows: list[dict[str, Any]], endless: list[dict[str, Any]], *, several: bool) -> str:
    """Describe where a panel's speed-up is smallest and where it is largest."""
    if not rows:
        return f"no ratio: {endless[0]['written']}" if endless else "no speed-up that an axis can show"

    def words(row: dict[str, Any]) -> str:
        whose = f" ({frame.name(row['line'], 30)})" if several else ""
        return f"{row['written']} at {row['level']}%{whose}"

    least, most = (pick(rows, key=lambda row: row["value"]) for pick in (min, max))
    return f"from {words(least)} to {words(most)}"


def _layers(
    rows: list[dict[str, Any]], endless: list[dict[str, Any]], axis: str, word: str, *, higher: bool
) -> list[dict[str, Any]]:
    x = {
        "field": "level",
        "type": "quantitative",
        "scale": {"domain": [-2, 102], "nice": False},
        "axis": {"title": "percentile", "values": list(range(0, 101, 10)), "grid": False},
    }
    y = changes.level_axis((row["value"] for row in rows), axis, percent=True)
    low, high = y["scale"]["domain"]
    # More than a baseline of 0 is an endless loss of speed, and an endless gain of a metric of which more is better.
    less, more = (low, high) if higher else (high, low)
    stray = [{**row, "value": 0 if row["same"] else more if row["more"] else less} for row in endless]
    colour = frame.variant_colour()
    shape = {
        "field": "place",
        "type": "nominal",
        "scale": {"domain": list(range(8)), "range": list(_SHAPES)},
        "legend": None,
    }
    tooltip = [{"field": "line", "title": "variant"}, {"field": "level", "title": "%"}]
    tooltip.append({"field": "written", "title": word})
    zero = frame.layer([{}], {"type": "rule", "style": "zero"}, y={"datum": 0, "type": "quantitative"})
    points = {"type": "point", "filled": True, "size": 58, "opacity": 1}
    layers = [
        frame.layer(rows, {"type": "line", "strokeWidth": 1.5}, x=x, y=y, color=colour),
        frame.layer(rows, points, x=x, y=y, color=colour, shape=shape, tooltip=tooltip),
        frame.layer(stray, frame.hollow(), x=x, y=y, color=colour, tooltip=tooltip),
    ]
    return [zero, *frame.filled(layers)]
