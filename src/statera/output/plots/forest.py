"""Forest plot: the typical change of every benchmark with its interval, from the worst to the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.output.plots import changes, frame
from statera.output.plots import effects as rows_of
from statera.output.plots.changes import Axis, elsewhere, elsewhere_legend
from statera.output.plots.frame import GLYPH, Options
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.output.views.names import apart

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Source

MOST = 40  # default number of rows
_SHARE = 0.32  # the most of the width for names
_STEP = 19  # pixels between rows
_BOLD = 7.4  # pixels per bold character
_TALL = 24  # with so many rows, the axis is at the top, where reading begins
_WIDE = 640  # pixels from which intervals are also written as text


class _Line(NamedTuple):
    """A line of the picture: a row, or the heading of a benchmark with several rows."""

    label: str
    effect: Effect | None


def draw(source: Source, options: Options) -> Picture:
    """Draw one row per benchmark, contender and group; several rows of a benchmark are listed below its name."""
    comparison, samples = frame.compared(source), samples_of(source)
    every = rows_of.effects(comparison, samples, options)
    found, one_sided = rows_of.two_sided(every)
    shown, left_out = rows_of.limited(comparison, found, options.most)
    axis = Axis.of(comparison, samples, shown)
    spec, cut = _spec(comparison, samples, shown, axis, options)
    said = [*cut, *left_out, *one_sided]
    metric = frame.name(samples.metrics[shown[0].metric].name)
    title = rows_of.finding(comparison, samples, found)
    group = {effect.group for effect in found}
    where = f", {frame.name(samples.groups[min(group)])}" if len(group) == 1 and samples.groups[min(group)] else ""
    band = f"; the margin of {_native.percent(axis.margin).lstrip('+')} is shaded" if axis.margin else ""
    below = f"{metric} of {rows_of.versus(samples, found)}{where}; lines are {_level(comparison)} intervals{band}"
    intervals = sum(effect.fields["change_low"] is not None for effect in shown)
    below = below if intervals else f"{metric} of {rows_of.versus(samples, found)}{where}{band}"
    return Picture(
        kind="forest",
        title=title,
        alt=f"{title}; {metric} of {rows_of.versus(samples, found)}{where}. {rows_of.told(comparison, shown)}.",
        spec={"title": rows_of.title(title, [below, *said], options.width), **spec},
        marks={"rows": len(shown), "intervals": intervals},
        remarks=tuple(said),
    )


def _level(comparison: Comparison) -> str:
    return f"{comparison.policy.level} %"


def _lines(samples: Samples, shown: list[Effect], options: Options) -> list[_Line]:
    """Return headings and rows: several rows of a benchmark are listed below a heading, a single one has none.

    In a narrow picture single rows have headings as well if their names would be cut beside them.
    """
    of: dict[int, list[Effect]] = {}
    for effect in shown:
        of.setdefault(effect.benchmark, []).append(effect)
    names = {benchmark: frame.whole(samples.benchmarks[benchmark]) for benchmark in of}
    single = all(len(rows) == 1 for rows in of.values()) and not frame.above(names.values(), options, _SHARE)
    headed = len(of) > 1 and not single
    lines = []
    for benchmark, rows in of.items():
        name = names[benchmark]
        if headed:
            lines.append(_Line(name, None))
        for effect in rows:
            place = rows_of.place_name(samples, effect, shown)
            lines.append(_Line(place if headed else name if single and len(of) > 1 else place or name, effect))
    return lines


def _spec(
    comparison: Comparison, samples: Samples, shown: list[Effect], axis: Axis, options: Options
) -> tuple[dict[str, Any], list[str]]:
    lines = _lines(samples, shown, options)
    heads = [line.label for line in lines if line.effect is None]
    named = {line.effect.row: line.label for line in lines if line.effect is not None}
    names, beside, common = frame.fitting(named.values(), options.width * _SHARE)
    short = dict(zip(named, names, strict=True))
    wide = options.width >= _WIDE
    cells = {effect.row: _written(comparison, samples, effect, axis, wide=wide) for effect in shown}
    right = int(max(_native.columns(text) for text in cells.values()) * GLYPH) + 14
    width = max(options.width - beside - right - 40, 100)
    headings, said, _ = apart(heads, int((beside + width) / _BOLD))
    headed = dict(zip(heads, headings, strict=True))
    texts, points = [], []
    for place, line in enumerate(lines):
        base = len(lines) - 1 - place
        facts: dict[str, Any] = {"base": base, "heading": line.effect is None, "whole": line.label}
        if line.effect is None:
            # A heading takes a line of its own.
            texts.append({**facts, "label": headed[line.label]})
            continue
        facts |= {"label": short[line.effect.row], **rows_of.written(comparison, line.effect)}
        texts.append({**facts, "written": cells[line.effect.row]})
        points.append({**facts, **axis.place(line.effect), "least": axis.low, "most": axis.high})
    y = {
        "field": "base",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [-0.7, len(lines) - 0.3], "nice": False},
    }
    layers = [*_behind(axis, texts, y), *_marks(points, axis, y, len(lines), width), *_texts(texts, y, beside, width)]
    cut = [*common, *said]
    if any(point["before"] or point["after"] for point in points):
        cut.append("arrows extend beyond the picture")
    height = max(len(lines), 2) * _STEP
    hollow = elsewhere_legend(comparison, samples, shown, axis)
    legend = changes.legend(rows_of.words(comparison, shown), hollow, _worse(axis), options.width - 24, beside)
    body = {"width": width, "height": height, "layer": frame.filled(layers)}
    return {"vconcat": [legend, body], "spacing": 6}, cut


def _worse(axis: Axis) -> changes.Side:
    return changes.worse_side(axis.metric.better)


def _written(comparison: Comparison, samples: Samples, effect: Effect, axis: Axis, *, wide: bool) -> str:
    if axis.at(effect, "change") is None:
        return elsewhere(comparison, samples, effect, axis)
    return rows_of.change(comparison, effect, interval=wide)


def _behind(axis: Axis, texts: list[dict[str, Any]], y: dict[str, Any]) -> list[dict[str, Any]]:
    band = axis.band()
    shaded = [{"value": band[0], "end": band[1]}] if band else []
    # Headings interrupt the zero line.
    bases = [text["base"] for text in texts if not text["heading"]]
    steps = [{"value": axis.none, "bottom": base - 0.5, "top": base + 0.5} for base in bases]
    x = {"field": "value", "type": "quantitative"}
    return [
        frame.layer(shaded, {"type": "rect", "style": "band"}, x=x, x2={"field": "end"}),
        frame.layer(steps, {"type": "rule", "style": "zero"}, x=x, y={**y, "field": "bottom"}, y2={"field": "top"}),
    ]


def _marks(points: list[dict[str, Any]], axis: Axis, y: dict[str, Any], lines: int, width: int) -> list[dict[str, Any]]:
    x = axis.encoding(pixels=width, orient="top" if lines > _TALL else "bottom")
    colour = changes.marks(_worse(axis))
    spans = [point for point in points if "low" in point and "high" in point]
    before = [point for point in points if point["before"]]
    after = [point for point in points if point["after"]]
    inner = {"y": y, "color": colour["color"]}

    def arrow(rows: list[dict[str, Any]], field: str, angle: int) -> dict[str, Any]:
        mark = {"type": "point", "shape": "triangle-up", "angle": angle, "size": 45, "filled": True, "opacity": 1}
        return frame.layer(rows, mark, **inner, x={**x, "field": field})

    dot = {"type": "point", "filled": True, "size": 62, "opacity": 1}
    return [
        frame.layer(spans, {"type": "rule", "strokeWidth": 2}, **inner, x={**x, "field": "low"}, x2={"field": "high"}),
        frame.layer(points, dot, x=x, y=y, **colour, tooltip=rows_of.TOOLTIP),
        arrow(before, "least", -90),
        arrow(after, "most", 90),
    ]


def _texts(texts: list[dict[str, Any]], y: dict[str, Any], beside: int, width: int) -> list[dict[str, Any]]:
    heads = [text for text in texts if text["heading"]]
    rows = [text for text in texts if not text["heading"]]
    tooltip = [{"field": "whole", "title": "name"}]

    def layer(values: list[dict[str, Any]], field: str, x: int, **mark: Any) -> dict[str, Any]:
        words = {"type": "text", "baseline": "middle", **mark}
        return frame.layer(values, words, x={"value": x}, y=y, text={"field": field}, tooltip=tooltip)

    return [
        layer(heads, "label", -beside, style="name", fontWeight=600, align="left"),
        layer(rows, "label", -8, style="name", align="right"),
        layer(rows, "written", width + 8, style="remark", align="left"),
    ]
