"""A suite against one baseline: absolute values at the left, changes against the baseline at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera import _native
from statera.output.plots import effects as rows_of
from statera.output.plots import frame
from statera.output.plots.axes import ValueAxis, cut, cut_words, linear_after_all
from statera.output.plots.changes import ELSEWHERE, Axis, elsewhere, elsewhere_legend
from statera.output.plots.frame import GLYPH, Options
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.output.views.texts import mean_parts
from statera.support.wording import NOTHING, counted
from statera.support.wording import shown as shown_as

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Source

MOST = 60  # default number of rows
_SHARE, _ABOVE = 0.3, 0.9  # the most of the width for names beside and above bars
_GAP = 0.7  # bars' heights between benchmarks
_BETWEEN = 36  # pixels between values and changes
_BAR = 12  # height of a bar in pixels
_LABEL = 40  # pixels per tick label
_SIDES = (("baseline_centre", "baseline_low", "baseline_high"), ("contender_centre", "contender_low", "contender_high"))


class _Bar(NamedTuple):
    """The bar of a variant of a benchmark in a group; the baseline's bar has no effect."""

    variant: int
    effect: Effect | None
    centre: float | None
    low: float | None
    high: float | None


def draw(source: Source, options: Options) -> Picture:
    """Draw one group of bars per benchmark, with one bar per variant."""
    comparison, samples = frame.compared(source), samples_of(source)
    found, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    base = found[0].base
    against = [effect for effect in found if effect.base == base]
    # Who asks for ten benchmarks gets ten, however many builds each has.
    shown, left_out = rows_of.limited(comparison, against, options.most, whole=options.most != MOST)
    entries = _entries(shown)
    metric = frame.name(samples.metrics[shown[0].metric].name)
    spec, beyond, intervals = _spec(comparison, samples, entries, shown, options)
    means = _means(comparison, samples, against)
    single = [f"{words}, geometric mean of {of}" for words, of in means] if len(means) == 1 else []
    one = single[0] if single else rows_of.versus(samples, against)
    title = f"{metric}: {one}"
    baseline = frame.name(samples.labels[base])
    others = len(found) - len(against)
    between = [f"{counted(others, 'change')} against other variants left out"] if others else []
    said = [*beyond, *between, *left_out, *one_sided]
    together = [f"Geometric means: {'; '.join(' of '.join(mean) for mean in means)}"] if len(means) > 1 else []
    below = [f"Values, and changes against {baseline}{'; lines are intervals' if intervals else ''}"]
    return Picture(
        kind="suite",
        title=title,
        alt=f"{title}; changes against {baseline}. {rows_of.told(comparison, shown)}.",
        spec={"title": rows_of.title(title, [*below, *said, *together], options.width), **spec},
        marks={"benchmarks": len(entries), "bars": sum(len(bars) for _, bars in entries), "changes": len(shown)},
        remarks=tuple(said),
    )


def _means(comparison: Comparison, samples: Samples, found: list[Effect]) -> list[tuple[str, str]]:
    """Return the geometric means of the contenders, written as in the tables, and what each is of."""
    keys = dict.fromkeys((effect.group, effect.base, effect.contender) for effect in found)
    said = []
    for summary in comparison.weighing.summaries():
        key = summary["group"], summary["baseline"], summary["contender"]
        if key in keys and summary["metric"] == found[0].metric and summary.get("rows", 0) > 1:
            group = f" at {frame.name(samples.groups[key[0]])}" if len({each[0] for each in keys}) > 1 else ""
            named = f"{frame.name(samples.labels[key[2]])}{group} {mean_parts(summary)[0]}"
            said.append((named, counted(summary["rows"], "ratio")))
    return said


def _entries(shown: list[Effect]) -> list[tuple[Effect, list[_Bar]]]:
    """Collect the bars of each benchmark and group, the baseline's first."""
    of: dict[tuple[int, int], list[Effect]] = {}
    for effect in shown:
        of.setdefault((effect.benchmark, effect.group), []).append(effect)
    entries = []
    for rows in of.values():
        bars = [_bar(rows[0].base, None, rows[0], 0), *(_bar(row.contender, row, row, 1) for row in rows)]
        entries.append((rows[0], bars))
    return entries


def _bar(variant: int, effect: Effect | None, row: Effect, side: int) -> _Bar:
    return _Bar(variant, effect, *(row.fields[name] for name in _SIDES[side]))


def _spec(
    comparison: Comparison,
    samples: Samples,
    entries: list[tuple[Effect, list[_Bar]]],
    shown: list[Effect],
    options: Options,
) -> tuple[dict[str, Any], list[str], int]:
    groups = len({effect.group for effect in shown}) > 1
    words = [
        " · ".join([samples.benchmarks[row.benchmark], *([samples.groups[row.group]] if groups else [])])
        for row, _ in entries
    ]
    above = frame.above(words, options, _SHARE)
    names, beside, common = frame.fitting(words, options.width * (_ABOVE if above else _SHARE))
    beside = 0 if above else beside
    axis = Axis.of(comparison, samples, shown)
    cells = {effect.row: _written(comparison, samples, effect, axis) for effect in shown}
    right = int(max(_native.columns(text) for text in cells.values()) * GLYPH) + 12
    each = max((options.width - beside - right - 24 - _BETWEEN) // 2, 70)
    values = _Values.of(samples, entries, options)
    rows = _rows(samples, entries, words, axis=axis, values=values, cells=cells, gap=_GAP + above)
    labels = _labels(entries, names, words, _GAP + above, above=above)
    lines = max(row["base"] for row in rows) + 1
    y = {
        "field": "base",
        "type": "quantitative",
        "axis": None,
        # The first row is at the top.
        "scale": {"domain": [lines - 0.2, -0.8 - above], "nice": False},
    }
    height, colour = int((lines + above) * _BAR), frame.variant_colour(samples)
    left = {
        "width": each,
        "height": height,
        "layer": frame.filled([*values.layers(rows, y, each, colour), *_names(labels, y, above=above)]),
    }
    normal = {"width": each, "height": height, "layer": frame.filled(_changes(rows, y, axis, each, colour))}
    entries_of = [(variant, samples.labels[variant]) for variant in sorted({row["place"] for row in rows})]
    hollow = elsewhere_legend(comparison, samples, shown, axis)
    legend = frame.legend_of(entries_of, options.width - 24, samples=samples, elsewhere=hollow, left=beside)
    said = [*_at_end(values.lost), *cut_words(values.cut), *linear_after_all([values.axis]), *common]
    said += ["arrows extend beyond the picture"] if any(row.get("before") or row.get("after") for row in rows) else []
    spec = {"vconcat": [legend, {"hconcat": [left, normal], "spacing": _BETWEEN, "bounds": "flush"}], "spacing": 8}
    return spec, said, sum("least" in row or "low" in row for row in rows)


def _written(comparison: Comparison, samples: Samples, effect: Effect, axis: Axis) -> str:
    """Write the change of a row: ``+12%``, or ``from 0 to 12`` if it has no ratio."""
    if axis.at(effect, "change") is None:
        return elsewhere(comparison, samples, effect, axis)
    return shown_as(comparison.weighing.cell(effect.row, "change"))


def _at_end(zeros: int) -> list[str]:
    """Say where values stand that a logarithmic axis cannot hold."""
    return [f"{counted(zeros, 'value')} of zero or below at the left end: the axis is logarithmic"] if zeros else []


class _Values(NamedTuple):
    """The axis of absolute values: bars from zero on a linear axis, points on a logarithmic one."""

    axis: ValueAxis
    lost: int
    cut: int

    @classmethod
    def of(cls, samples: Samples, entries: list[tuple[Effect, list[_Bar]]], options: Options) -> _Values:
        bars = [bar for _, bars in entries for bar in bars]
        centres = np.array([bar.centre for bar in bars if bar.centre is not None])
        ends = [value for bar in bars for value in bar[3:] if value is not None]
        axis = ValueAxis.of(samples, entries[0][0].metric, centres, log=options.log, also=ends, zero=True)
        lows = [bar.low for bar in bars if bar.low is not None and bar.centre is not None and axis.holds(bar.centre)]
        return cls(axis, int((centres <= 0).sum()) if axis.log else 0, cut(axis, lows))

    def place(self, bar: _Bar) -> dict[str, float]:
        """Return the coordinates of a bar; empty if the axis cannot hold it."""
        if bar.centre is None or not self.axis.holds(bar.centre):
            return {}
        named = zip(("centre", "least", "most"), bar[2:], strict=True)
        return {key: self.axis.inside(value) for key, value in named if value is not None}

    def layers(
        self, rows: list[dict[str, Any]], y: dict[str, Any], pixels: int, colour: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Draw bars or points, with intervals where they exist; zeros stand at the left end of a logarithmic axis."""
        x = self.axis.encoding("centre", most=pixels // _LABEL)
        drawn = [row for row in rows if "centre" in row]
        spans = [row for row in drawn if "least" in row and "most" in row]
        line = {"type": "rule", "style": "zero", "strokeWidth": 1.5}
        tooltip = rows_of.TOOLTIP[:4]
        whiskers = frame.layer(spans, line, x={**x, "field": "least"}, x2={"field": "most"}, y=y)
        if self.axis.log:
            dots = {"type": "point", "filled": True, "size": 50, "opacity": 1}
            guide = {"type": "rule", "style": "guide", "opacity": 0.35}
            x2 = {"datum": self.axis.unit.short(self.axis.low)}
            zeros = [{**row, "centre": x2["datum"]} for row in rows if row["unheld"]]
            return [
                frame.layer(drawn, guide, x=x, x2=x2, y=y),
                frame.layer(zeros, frame.hollow(), x=x, y=y, color=colour, tooltip=tooltip),
                whiskers,
                frame.layer(drawn, dots, x=x, y=y, color=colour, tooltip=tooltip),
            ]
        return [_bars(drawn, y, x=x, x2={"datum": 0}, color=colour, tooltip=tooltip), whiskers]


def _bars(rows: list[dict[str, Any]], y: dict[str, Any], **encoding: Any) -> dict[str, Any]:
    ends = {"y": {**y, "field": "top"}, "y2": {"field": "bottom"}}
    return frame.layer(rows, {"type": "rect"}, **ends, **encoding)


def _rows(
    samples: Samples,
    entries: list[tuple[Effect, list[_Bar]]],
    words: list[str],
    *,
    axis: Axis,
    values: _Values,
    cells: dict[int, str],
    gap: float,
) -> list[dict[str, Any]]:
    rows, base = [], 0.0
    for (_, bars), word in zip(entries, words, strict=True):
        baseline = cells_of(samples, bars[0])
        for bar in bars:
            row: dict[str, Any] = {"base": base, "top": base - 0.42, "bottom": base + 0.42, "place": bar.variant}
            row["unheld"] = bar.centre is not None and not values.axis.holds(bar.centre)
            row |= {"benchmark": frame.whole(word), "variant": frame.whole(samples.labels[bar.variant])}
            row |= {"baseline": baseline, "contender": cells_of(samples, bar), **values.place(bar)}
            if bar.effect is not None:
                row |= {"change": cells[bar.effect.row], "end": axis.high, "start": axis.low, **axis.place(bar.effect)}
            rows.append(row)
            base += 1
        base += gap
    return rows


def _labels(
    entries: list[tuple[Effect, list[_Bar]]], names: list[str], words: list[str], gap: float, *, above: bool
) -> list[dict[str, Any]]:
    """Return the names of the benchmarks, beside the middle of their bars or above the first."""
    labels, base = [], 0.0
    for (_, bars), name, word in zip(entries, names, words, strict=True):
        at = base - 1 if above else base + (len(bars) - 1) / 2
        labels.append({"base": at, "label": name, "whole": frame.whole(word)})
        base += len(bars) + gap
    return labels


def cells_of(samples: Samples, bar: _Bar) -> str:
    """Write the centre of a bar."""
    metric = bar.effect.metric if bar.effect else frame.first_metric(samples, Options())
    return NOTHING if bar.centre is None else frame.amount(samples, metric, bar.centre)


def _names(labels: list[dict[str, Any]], y: dict[str, Any], *, above: bool) -> list[dict[str, Any]]:
    mark = {"type": "text", "style": "name", "align": "left" if above else "right", "baseline": "middle"}
    tooltip = [{"field": "whole", "title": "name"}]
    return [frame.layer(labels, mark, x={"value": 0 if above else -8}, y=y, text={"field": "label"}, tooltip=tooltip)]


def _changes(
    rows: list[dict[str, Any]], y: dict[str, Any], axis: Axis, width: int, colour: dict[str, Any]
) -> list[dict[str, Any]]:
    drawn = [row for row in rows if "value" in row and row["shape"] != ELSEWHERE]
    stray = [row for row in rows if row.get("shape") == ELSEWHERE]
    spans = [row for row in drawn if "low" in row and "high" in row]
    x = axis.encoding(pixels=width)
    band = axis.band()
    shaded = [{"value": band[0], "to": band[1]}] if band else []
    line = {"type": "rule", "style": "zero", "strokeWidth": 1.5}
    words = {"type": "text", "style": "remark", "align": "left", "baseline": "middle"}
    beyond = {"type": "point", "shape": "triangle-up", "size": 40, "filled": True, "opacity": 1, "style": "neutral"}
    return [
        frame.layer(shaded, {"type": "rect", "style": "band"}, x=x, x2={"field": "to"}),
        _bars(drawn, y, x=x, x2={"datum": axis.none}, color=colour, tooltip=rows_of.TOOLTIP[:5]),
        frame.layer(spans, line, x={**x, "field": "low"}, x2={"field": "high"}, y=y),
        frame.layer([{"value": axis.none}], {"type": "rule", "style": "zero"}, x=x),
        frame.layer(stray, frame.hollow(), x=x, y=y, color=colour, tooltip=rows_of.TOOLTIP[:5]),
        frame.layer([r for r in drawn if r["before"]], {**beyond, "angle": -90}, x={**x, "field": "start"}, y=y),
        frame.layer([r for r in drawn if r["after"]], {**beyond, "angle": 90}, x={**x, "field": "end"}, y=y),
        frame.layer(
            [row for row in rows if "change" in row], words, x={"value": width + 8}, y=y, text={"field": "change"}
        ),
    ]
