"""Shift functions: the difference of two variants at each level of the distribution, with simultaneous bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from statera import _native
from statera.output.plots import changes, frame
from statera.output.plots import effects as rows_of
from statera.output.plots.axes import Unit, linear_unit
from statera.output.plots.changes import directed
from statera.output.plots.frame import Options, tidy
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.comparison.results.distribution import ShiftPoint
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Source

MOST = 8  # default number of panels
_HEIGHT = 170
_FILL_A_PAGE = 2  # up to so many panels stand in one column
_TOOLTIP = [{"field": key, "title": key} for key in ("level", "baseline", "contender", "change", "band")]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per benchmark, contender and group: the change at each level, with the simultaneous band."""
    comparison, samples = frame.compared(source), samples_of(source)
    every, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    shifts = comparison.distribution().shifts
    held = [effect for effect in every if effect.row in shifts]
    if not held:
        raise Stop("nothing-to-draw", "a shift function needs several values in both builds, and no benchmark has them")
    shown, left_out = rows_of.limited(comparison, held, options.most)
    columns = 1 if options.width < frame.NARROW or len(shown) <= _FILL_A_PAGE else 2
    width = frame.inner_width(options, columns, 70)
    names, cut = frame.for_panels((_name(samples, effect, shown) for effect in shown), width)
    colour = frame.variant_colour(samples)
    change = directed("change", samples.metrics[shown[0].metric], vertical=True)
    specs, told, points, thin, lost = [], [], 0, 0, 0
    for effect, short in zip(shown, names, strict=True):
        unit = _unit(samples, effect, shifts[effect.row])
        rows = _rows(samples, effect, shifts[effect.row], unit)
        lost += len(shifts[effect.row]) - len(rows)
        seen = _seen(rows)
        name = _name(samples, effect, shown)
        told.append(f"{name}: {seen}" if name else seen)
        points += len(rows)
        thin += sum(not row["supported"] for row in rows)
        encoded = _encoded(effect, rows, unit.title(change), colour)
        specs.append(_panel(rows, encoded, rows_of.panel_title(short, seen, width), width))
    title = f"Shift of {frame.name(samples.metrics[shown[0].metric].name)}: {rows_of.versus(samples, shown)}"
    level = f"{comparison.policy.level} %"
    below = [f"Change at each percentile (Harrell-Davis); the {level} bands are for all percentiles at once"]
    said = ["hollow points have too few values for a band"] if thin else []
    few = len({effect.benchmark for effect in every} - {effect.benchmark for effect in held})
    said += [f"{counted(few, 'benchmark')} without a shift function left out"] if few else []
    said += [*changes.undrawable(lost), *cut, *left_out, *one_sided]
    return Picture(
        kind="shift",
        title=title,
        alt=f"{title}. {'; '.join(frame.name(each, 200) for each in told[:6])}.",
        spec={"title": rows_of.title(title, [*below, *said], options.width), **rows_of.side_by_side(specs, columns)},
        marks={"panels": len(shown), "points": points, "bands": points - thin},
        remarks=tuple(said),
    )


def _name(samples: Samples, effect: Effect, shown: list[Effect]) -> str:
    words = [samples.benchmarks[effect.benchmark]] if len({each.benchmark for each in shown}) > 1 else []
    place = rows_of.place_name(samples, effect, shown)
    return frame.whole(" · ".join([*words, *([place] if place else [])]))


def _unit(samples: Samples, effect: Effect, points: list[ShiftPoint]) -> Unit:
    """Choose the unit of differences; the unit of ratios is 1."""
    if effect.fields["scale"] == "ratio":
        return Unit(1.0, "")
    ends = [end for point in points for end in (point.change, point.low, point.high) if end is not None]
    return linear_unit(samples, effect.metric, np.array([0.0, *filter(changes.drawable, ends)]))


def _rows(samples: Samples, effect: Effect, points: list[ShiftPoint], unit: Unit) -> list[dict[str, Any]]:
    ratio = effect.fields["scale"] == "ratio"
    metric = effect.metric

    def words(value: float) -> str:
        return _native.percent(value) if ratio else _native.amount(samples.native, metric, value, value)

    rows = []
    for point in filter(lambda point: changes.drawable(point.change), points):
        row: dict[str, Any] = {
            "place": effect.contender,
            "level": tidy(100 * point.level),
            "value": tidy(unit.own(point.change)),
            "supported": _banded(point),
            "baseline": frame.amount(samples, metric, point.baseline),
            "contender": frame.amount(samples, metric, point.contender),
            "change": words(point.change),
            "band": "too few values",
        }
        if row["supported"] and point.low is not None and point.high is not None:
            row |= {"low": tidy(unit.own(point.low)), "high": tidy(unit.own(point.high))}
            ends = (words(point.low), words(point.high)) if not ratio else _native.percent_ends(point.low, point.high)
            row["band"] = f"[{', '.join(ends)}]"
        rows.append(row)
    return rows


def _banded(point: ShiftPoint) -> bool:
    ends = (point.low, point.high)
    return point.supported and all(end is not None and changes.drawable(end) for end in ends)


def _seen(rows: list[dict[str, Any]]) -> str:
    """Describe the levels at which the band excludes no change."""
    held = [row for row in rows if row["supported"]]
    if not held:
        return "too few values for a band"
    above, below = (_runs(held, key) for key in (lambda row: row["low"] > 0, lambda row: row["high"] < 0))
    parts = [f"{word} at {runs}" for word, runs in (("lower", below), ("higher", above)) if runs]
    return " and ".join(parts) if parts else "no difference shown at any percentile"


def _runs(rows: list[dict[str, Any]], fits: Callable[[dict[str, Any]], bool]) -> str:
    """Write the percentiles that fit, neighbours as a range: ``5%, 60% to 90%``."""
    runs: list[list[str]] = [[]]
    for row in rows:
        if fits(row):
            runs[-1].append(f"{row['level']:g}%")
        elif runs[-1]:
            runs.append([])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else run[0] for run in runs if run)


def _encoded(effect: Effect, rows: list[dict[str, Any]], title: str, colour: dict[str, Any]) -> dict[str, Any]:
    ends = [row[key] for row in rows for key in ("value", "low", "high") if key in row]
    x = {
        "field": "level",
        "type": "quantitative",
        "scale": {"domain": [0, 100], "nice": False},
        "axis": {"title": "percentile", "values": [5, 20, 40, 60, 80, 95], "grid": False},
    }
    return {"x": x, "y": changes.level_axis(ends, title, percent=effect.fields["scale"] == "ratio"), "color": colour}


def _panel(rows: list[dict[str, Any]], encoded: dict[str, Any], title: dict[str, Any], width: int) -> dict[str, Any]:
    banded = [row for row in rows if row["supported"]]
    thin = [row for row in rows if not row["supported"]]
    point = {"type": "point", "size": 55, "opacity": 1}
    band = {"type": "area", "fillOpacity": 0.25}
    area = {**encoded, "y": {**encoded["y"], "field": "low"}, "y2": {"field": "high"}}
    layers = [
        frame.layer([{}], {"type": "rule", "style": "zero"}, y={"datum": 0, "type": "quantitative"}),
        frame.layer(banded, band, **area),
        frame.layer(rows, {"type": "line", "strokeWidth": 1.5}, **encoded),
        frame.layer(banded, {**point, "filled": True}, **encoded, tooltip=_TOOLTIP),
        frame.layer(thin, {**point, "filled": False, "strokeWidth": 1.5}, **encoded, tooltip=_TOOLTIP),
    ]
    return {"title": title, "width": width, "height": _HEIGHT, "layer": frame.filled(layers)}
