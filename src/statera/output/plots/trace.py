"""Traces: values over the order of measurement, with runs, warm-up and the levels between changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from statera import _native, stats
from statera.comparison.results.inspection import Inspection
from statera.comparison.weighing.weigh import inspect
from statera.output.plots import axes, curves, frame
from statera.output.plots.axes import Unit, ValueAxis
from statera.output.plots.sheet import Sheet
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from statera.output.plots.frame import Options, Panel
    from statera.output.plots.picture import Picture
    from statera.output.plots.raw_values import Floats, Samples, Series, Source

_HEIGHT = 84
_POINTS = 1_500  # the most points of a trace
_MOST_RUNS = 60  # beginnings of more runs are not marked
_TICKS = 10  # the most ticks of the order
_LEAST_RUN = 8  # least number of values of a run for a search for levels, as in inspection
_SHOWN = "Values in the order of measurement; dashed lines across are medians"
_FAR = 4.0  # variants that together span so many times the widest of them have axes of their own
_OWN = "each trace has its own scale"
_RUNS = "thin lines down are beginnings of runs"
_LINEAR = "levels and warm-ups are drawn on linear axes alone"
_LEVELS = "thick lines are levels, grey areas warm-ups, where inspection finds them"
_Key = tuple[int, int, int, int]


class _Stretch(NamedTuple):
    """A run, or all values if runs are unknown: rows ``start`` to ``stop``."""

    start: int
    stop: int


class _Drawn(NamedTuple):
    points: list[dict[str, Any]]
    starts: list[dict[str, Any]]
    levels: list[dict[str, Any]]
    warm: list[dict[str, Any]]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per benchmark and group, with one trace per variant; the traces share the order.

    They share the values too, unless the variants lie so far apart that each trace would be flat.
    """
    sheet = Sheet(source, options)
    samples, shown, width = sheet.samples, sheet.shown, sheet.width
    scales = _scales(samples, shown, options)
    found = _defects(source)
    drawn, specs = [], []
    for panel in shown:
        spec, traces = _panel(samples, panel, scales, width, found)
        specs.append(sheet.titled(spec, panel))
        drawn += traces
    marks = {
        "panels": len(shown),
        "traces": len(drawn),
        "points": sum(len(each.points) for each in drawn),
        "runs": sum(len(each.starts) for each in drawn),
        "levels": sum(len(each.levels) for each in drawn),
        "warm_ups": sum(len(each.warm) for each in drawn),
    }
    own = len(set(scales.values())) > len({series.benchmark for series in scales})
    what = [_SHOWN, *([_OWN] if own else []), *([_RUNS] if marks["runs"] else [])]
    what += [_LEVELS] if marks["levels"] or marks["warm_ups"] else []
    thinned = curves.thinning((series.stop - series.start for panel in shown for series in panel.series), _POINTS)
    defective = [(axis.log, found.get(series[:4])) for series, axis in scales.items()]
    unsteady = [log and at is not None and (at.warming or at.unsteady) for log, at in defective]
    remarks = [*thinned, *([_LINEAR] if any(unsteady) else []), *axes.lost_of(samples, [*scales.items()])]
    told = _told(samples, shown, found)
    return sheet.picture("trace", "Trace", specs, marks, read=["; ".join(what)], remarks=remarks, told=told)


def _scales(samples: Samples, shown: list[Panel], options: Options) -> dict[Series, ValueAxis]:
    """Return the axis of each trace: that of its benchmark, or one of its own where the variants lie far apart."""
    shared = axes.value_axes(samples, shown, options)
    return {
        series: ValueAxis.of(samples, panel.metric, samples.values(series), log=options.log)
        if _far_apart([samples.values(each) for each in panel.series])
        else shared[panel.benchmark]
        for panel in shown
        for series in panel.series
    }


def _far_apart(every: list[Floats]) -> bool:
    """Return whether samples together span much more than the widest of them: in ratios, if all are above zero."""
    held = [np.log(values) for values in every] if min(values.min() for values in every) > 0 else every
    ends = [(float(values.min()), float(values.max())) for values in held]
    whole = max(high for _, high in ends) - min(low for low, _ in ends)
    return whole > _FAR * max(high - low for low, high in ends)


def _drawn(samples: Samples, series: Series, axis: ValueAxis, defect: _Defect | None) -> _Drawn:
    values = axis.unit.own(samples.values(series))
    held = [at for at in curves.thinned(len(values), _POINTS) if not axis.log or values[at] > 0]
    points = [{"place": series.variant, "order": at + 1, "value": axis.unit.short(float(values[at]))} for at in held]
    stretches = _stretches(samples, series)
    marked = 1 < len(stretches) <= _MOST_RUNS and len(stretches) < len(values)
    starts = [{"order": each.start + 0.5} for each in stretches[1:]] if marked else []
    if defect is None or not (defect.warming or defect.unsteady):
        return _Drawn(points, starts, [], [])
    levels, warm = [], []
    for each in stretches:
        if each.stop - each.start >= _LEAST_RUN and not axis.log:
            levels += _levels(values[each.start : each.stop].tolist(), each.start, series.variant, axis.unit)
            warm += _warm(values[each.start : each.stop].tolist(), each.start) if defect.warming else []
    return _Drawn(points, starts, levels if len(levels) > 1 else [], warm)


def _stretches(samples: Samples, series: Series) -> list[_Stretch]:
    """Divide a series into its runs, in order."""
    runs = samples.column("run", series)
    count = len(runs)
    starts = [0, *(np.flatnonzero(runs[1:] != runs[:-1]) + 1).tolist()]
    apart = len(starts) == count
    if apart or bool((runs < 0).any()):
        return [_Stretch(0, count)]
    return [_Stretch(start, stop) for start, stop in zip(starts, [*starts[1:], count], strict=True)]


def _levels(values: list[float], start: int, place: int, unit: Unit) -> list[dict[str, Any]]:
    found = stats.segments(values)
    begins = [0, *found.starts]
    ends = [*found.starts, len(values)]
    return [
        {"place": place, "from": start + a + 0.5, "to": start + b + 0.5, "value": unit.short(mean)}
        for a, b, mean in zip(begins, ends, found.means, strict=True)
    ]


def _warm(values: list[float], start: int) -> list[dict[str, Any]]:
    found = stats.warm_up(values)
    return [{"from": start + 0.5, "to": start + found.estimate + 0.5}] if found.estimate else []


def _panel(
    samples: Samples, panel: Panel, scales: dict[Series, ValueAxis], width: int, found: dict[_Key, _Defect]
) -> tuple[dict[str, Any], list[_Drawn]]:
    traces = [_drawn(samples, series, scales[series], found.get(series[:4])) for series in panel.series]
    longest = max(series.stop - series.start for series in panel.series)
    specs = []
    for series, drawn in zip(panel.series, traces, strict=True):
        last = series is panel.series[-1]
        defect = found.get(series[:4])
        words = frame.series_title(samples, series, *(defect.words if defect else ()))
        layers = _layers(samples, series, drawn, scales[series], _order_axis(longest, last=last))
        shown = frame.filled(layers)
        title = frame.small_title([words], width)
        specs.append({"title": title, "width": width, "height": _HEIGHT, "layer": shown})
    return frame.stacked(specs), traces


def _order_axis(longest: int, *, last: bool) -> dict[str, Any]:
    ticks = [1, *axes.whole_ticks(longest, _TICKS)[1:]] if longest > _TICKS else [*range(1, longest + 1)]
    shown = {"title": "order of measurement", "format": ",d", "values": ticks}
    return {
        "type": "quantitative",
        "scale": {"domain": [0.5, longest + 0.5], "nice": False},
        "axis": shown if last else {**shown, "title": None, "labels": False, "ticks": False},
    }


def _layers(
    samples: Samples, series: Series, drawn: _Drawn, axis: ValueAxis, order: dict[str, Any]
) -> list[dict[str, Any]]:
    x = {"field": "order", **order}
    along: dict[str, Any] = {"x": {"field": "from", **order}, "x2": {"field": "to"}}
    y = axis.encoding(most=4, **frame.AT_SIDE, titlePadding=4, titleLimit=_HEIGHT)
    colour = frame.variant_colour(samples)
    (median,) = curves.quantiles(samples.values(series), 0.5)
    middle = axis.unit.own(median)
    tooltip = [
        *frame.FACTS,
        {"field": "order", "title": "measured as number"},
        {"field": "value", "title": "value on the axis", "format": frame.NUMBER},
    ]
    return [
        frame.layer(drawn.warm, {"type": "rect", "style": "band"}, **along),
        frame.layer(drawn.starts, {"type": "rule", "style": "guide", "opacity": 0.6}, x=x),
        frame.layer(
            [{"value": axis.unit.short(middle)}] if middle > 0 or not axis.log else [],
            {"type": "rule", "style": "dashed"},
            y=y,
        ),
        frame.layer(drawn.points, {"type": "line", "strokeWidth": 0.75, "opacity": 0.45}, x=x, y=y, color=colour),
        frame.layer(
            drawn.points,
            {"type": "point", "filled": True, "size": 14, "opacity": 0.9},
            [frame.facts(samples, series)],
            x=x,
            y=y,
            color=colour,
            tooltip=tooltip,
        ),
        frame.layer(drawn.levels, {"type": "rule", "style": "zero", "strokeWidth": 2.5}, **along, y=y),
    ]


def _told(samples: Samples, shown: list[Panel], found: dict[_Key, _Defect]) -> str:
    every = [(panel, series) for panel in shown for series in panel.series]
    said = [(panel, series, found[series[:4]].words) for panel, series in every if found.get(series[:4])]
    told = [
        f"{frame.name(samples.benchmarks[panel.benchmark])}, {frame.name(samples.labels[series.variant])}: "
        + ", ".join(words)
        for panel, series, words in said
        if words
    ]
    if not told:
        return f"{len(every)} traces; inspection finds no drift, warm-up or shift of level"
    first = listed(told, 3, between="; ", last="; and ")
    return f"Of {len(every)} traces {counted(len(told), 'is', 'are')} not steady: {first}"


class _Defect(NamedTuple):
    """A row of an inspection: whether runs warm up or change their level, and the findings about order as text."""

    warming: bool
    unsteady: bool
    words: tuple[str, ...]


_kept: WeakKeyDictionary[Any, dict[_Key, _Defect]] = WeakKeyDictionary()


def _defects(source: Source) -> dict[_Key, _Defect]:
    """Return the findings by the numbers of group, metric, benchmark and variant; a comparison is inspected first."""
    if source not in _kept:
        _kept[source] = _inspect_source(source)
    return _kept[source]


def _inspect_source(source: Source) -> dict[_Key, _Defect]:
    native = source.native if isinstance(source, Inspection) else _inspected(source)
    benchmark = {name: number for number, name in enumerate(source.observations.benchmarks)}
    variant = {label: number for number, label in enumerate(source.labels)}
    found = {}
    for group, metric, rows in native.sections():
        for row in rows:
            fields = native.row_dict(row)
            key = (group, metric, benchmark[fields["benchmark"]], variant[fields["variant"]])
            found[key] = _defect(fields)
    return found


def _inspected(source: Source) -> _native.Inspection:
    arranged = source.arrangement
    return inspect(
        source.observations,
        arranged.assignment,
        source.policy,
        (None, None),
        labels=arranged.labels,
        groups=arranged.groups,
    )


def _defect(fields: dict[str, Any]) -> _Defect:
    codes = set(fields["defects"])
    words = []
    if "drift" in codes and fields["drift_change"] is not None:
        change = _native.percent(fields["drift_change"]) if fields["scale"] == "ratio" else ""
        words.append(f"drift {change}".strip())
    if "warm-up" in codes:
        words.append("warm-up")
    if "unsteady" in codes:
        words.append("changes of level")
    if "autocorrelation" in codes:
        words.append("consecutive values are correlated")
    return _Defect("warm-up" in codes, "unsteady" in codes, tuple(words))
