"""Changes over the values of the baseline: whether benchmarks of small or of large values changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera import _native
from statera.comparison.codes import JUDGED
from statera.output.plots import changes, curves, frame
from statera.output.plots import effects as rows_of
from statera.output.plots.axes import ValueAxis, linear_after_all
from statera.output.plots.changes import Axis, elsewhere_legend
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.output.views.names import apart
from statera.support.wording import counted, form

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.frame import Options
    from statera.output.plots.raw_values import Samples, Source

MOST = 6  # default number of panels
_HEIGHT, _ALONE = 240, 330  # pixels of a panel's height: of one among several, and of a single one
_SIDE = 74  # pixels of the axis of changes
_LABEL = 48  # pixels per tick label
_ROOM = 0.04  # free room at the ends of the axis of values
_NAMED = 6  # the most points with names
_MANY = 60  # from so many points on, they are small
_HALVES = 8  # from so many ratios on, the halves of the benchmarks are compared


class _Panel(NamedTuple):
    """The rows of a contender against a baseline in a group."""

    name: str
    rows: list[Effect]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per contender and group, with one point per benchmark and its interval."""
    comparison, samples = frame.compared(source), samples_of(source)
    every, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    found = [effect for effect in every if effect.fields["baseline_centre"] is not None]
    panels, said = _panels(samples, found or every, options)
    held = [effect for panel in panels for effect in panel.rows]
    columns = 1 if options.width < frame.NARROW or len(panels) == 1 else 2
    width = frame.inner_width(options, columns, _SIDE)
    axis, values = Axis.of(comparison, samples, held), _values(samples, held, options)
    names, cut = frame.for_panels((panel.name for panel in panels), width)
    height = _ALONE if len(panels) == 1 else _HEIGHT
    specs, told, beyond = [], [], False
    for panel, short in zip(panels, names, strict=True):
        rows = [_row(comparison, effect, axis, values) for effect in panel.rows]
        beyond = beyond or any(row["before"] or row["after"] for row in rows)
        seen = _seen(comparison, panel.rows)
        told.append(f"{panel.name}: {seen}" if panel.name else seen)
        layers = _layers(rows, axis, values, samples.labels[panel.rows[0].base], (width, height))
        above = rows_of.panel_title(short, seen, width)
        specs.append({"title": above, "width": width, "height": height, "layer": layers})
    zeros = sum(not values.holds(effect.fields["baseline_centre"]) for effect in held)
    said = [*_at_end(zeros), *linear_after_all([values]), *cut, *said, *one_sided]
    said += ["arrows extend beyond the picture"] if beyond else []
    title = rows_of.finding(comparison, samples, held)
    metric = frame.name(samples.metrics[held[0].metric].name)
    below = f"Change of {metric} of {rows_of.versus(samples, held)}, over the values of the baseline"
    below += "; lines are intervals" if any(effect.fields["change_low"] is not None for effect in held) else ""
    hollow = elsewhere_legend(comparison, samples, held, axis)
    side = changes.worse_side(axis.metric.better, vertical=True)
    legend = changes.legend(rows_of.words(comparison, held), hollow, side, options.width - 24, _SIDE - 8)
    return Picture(
        kind="scatter",
        title=title,
        alt=f"{title}; {below[:1].lower()}{below[1:]}. {'; '.join(frame.name(each, 300) for each in told)}. "
        f"{rows_of.told(comparison, rows_of.limited(comparison, held, len(held))[0])}.",
        spec={
            "title": rows_of.title(title, [below, *said], options.width),
            "vconcat": [legend, rows_of.side_by_side(specs, columns)],
            "spacing": 8,
        },
        marks={"panels": len(panels), "points": len(held)},
        remarks=tuple(said),
    )


def _panels(samples: Samples, found: list[Effect], options: Options) -> tuple[list[_Panel], list[str]]:
    of: dict[tuple[int, int, int], list[Effect]] = {}
    for effect in found:
        of.setdefault((effect.group, effect.base, effect.contender), []).append(effect)
    every = [_Panel(rows_of.place_name(samples, rows[0], found), rows) for rows in of.values()]
    said = [f"{options.most} of {len(every)} panels"] if len(every) > options.most else []
    return every[: options.most], said


def _values(samples: Samples, found: list[Effect], options: Options) -> ValueAxis:
    """Choose the axis of the baseline's values, which all panels share; it is logarithmic if it can be."""
    values = np.array([effect.fields["baseline_centre"] for effect in found], dtype=float)
    log = options.log
    if log is None and (values >= 0).all() and (values > 0).any():
        log = curves.wants_log(values[values > 0], None)
    return ValueAxis.of(samples, found[0].metric, values, log=log, room=_ROOM)


def _at_end(zeros: int) -> list[str]:
    words = f"{form(zeros, 'stands', 'stand')} at the left end: the axis is logarithmic"
    return [f"{counted(zeros, 'baseline')} of zero or below {words}"] if zeros else []


def _seen(comparison: Comparison, found: list[Effect]) -> str:
    """Describe whether benchmarks of small or of large values changed."""
    ratios = sorted(
        (effect.fields["baseline_centre"], effect.fields["change"])
        for effect in found
        if effect.fields["scale"] == "ratio"
    )
    if len(ratios) < _HALVES:
        return rows_of.tally(comparison, found)
    half = len(ratios) // 2
    parts = (ratios[:half], ratios[-half:])
    small, large = (_native.percent(curves.quantiles(np.array([each[1] for each in part]), 0.5)[0]) for part in parts)
    return f"median change of the half with small values {small}, of the half with large values {large}"


def _row(comparison: Comparison, effect: Effect, axis: Axis, values: ValueAxis) -> dict[str, Any]:
    centre = effect.fields["baseline_centre"]
    at = values.place(centre) if values.holds(centre) else values.inside(centre)
    told = rows_of.written(comparison, effect)
    return {**told, **axis.place(effect), "at": at, "size": abs(rows_of.harm_of(comparison, effect))}


def _layers(
    rows: list[dict[str, Any]], axis: Axis, values: ValueAxis, baseline: str, size: tuple[int, int]
) -> list[dict[str, Any]]:
    side = f"{frame.name(baseline, 30)}: {values.title}"
    x = values._replace(title=side).encoding("at", most=max(size[0] // _LABEL, 2))
    y = axis.encoding(pixels=size[1], vertical=True)
    marks = changes.marks(changes.worse_side(axis.metric.better, vertical=True))
    tooltip = rows_of.TOOLTIP
    many = len(rows) > _MANY
    spans = [row for row in rows if "low" in row and "high" in row]
    dot = {"type": "point", "filled": True, "size": 36 if many else 60, "opacity": 0.9}
    line = {"type": "rule", "strokeWidth": 1 if many else 1.75, "opacity": 0.45 if many else 0.8}
    band = axis.band()
    shaded = [{"value": band[0], "end": band[1]}] if band else []
    across = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    layers = [
        frame.layer(shaded, {"type": "rect", "style": "band"}, y=y, y2={"field": "end"}),
        frame.layer([{"value": axis.none}], {"type": "rule", "style": "zero"}, y=y),
        frame.layer(spans, line, x=x, **across, color=marks["color"]),
        *_arrows(rows, axis, x, y, marks["color"]),
        # The judged rows are drawn last, on top of the others.
        frame.layer(sorted(rows, key=_loudness), dot, x=x, y=y, **marks, tooltip=tooltip),
        *_names(_named(rows, axis, values, size), {"x": x, "y": y}),
    ]
    return frame.filled(layers)


def _loudness(row: dict[str, Any]) -> bool:
    return row["verdict"] in JUDGED


def _arrows(
    rows: list[dict[str, Any]], axis: Axis, x: dict[str, Any], y: dict[str, Any], colour: dict[str, Any]
) -> list[dict[str, Any]]:
    """Draw arrows at the ends of the axis for what lies beyond them."""
    found = []
    for key, end, angle in (("before", axis.low, 180), ("after", axis.high, 0)):
        held = [{**row, "value": end} for row in rows if row[key]]
        mark = {"type": "point", "shape": "triangle-up", "angle": angle, "size": 40, "filled": True, "opacity": 1}
        found.append(frame.layer(held, mark, x=x, y=y, color=colour))
    return found


def _named(
    rows: list[dict[str, Any]], axis: Axis, values: ValueAxis, size: tuple[int, int]
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Choose the judged points with the largest changes, and places for their names."""
    judged = sorted((row for row in rows if _loudness(row)), key=lambda row: -row["size"])[:_NAMED]
    every = [row["benchmark"] for row in rows]
    short = dict(zip(every, apart(every, min(28, int(size[0] / frame.GLYPH / 2))).names, strict=True))
    named = [{**row, "label": f"{short[row['benchmark']]} {row['change']}"} for row in judged]

    def spots(row: dict[str, Any]) -> list[tuple[float, float]]:
        """Return the place of a point, and places along its interval."""
        across, up = values.share(row["at"]) * size[0], axis.share(row["value"])
        ends = [axis.share(row[key]) for key in ("low", "high") if key in row]
        along = [up, *(up + (end - up) * part for end in ends for part in (0.34, 0.67, 1.0))]
        return [(across, (1 - each) * size[1]) for each in along]

    return rows_of.placed(named, [spots(row)[0] for row in named], [spot for row in rows for spot in spots(row)], *size)


def _names(
    found: list[tuple[dict[str, Any], list[dict[str, Any]]]], at: dict[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    label = {"text": {"field": "label"}, "tooltip": rows_of.TOOLTIP}
    return [frame.layer(held, mark, **at, **label) for mark, held in found]
