"""Cumulative distributions: for each value the share of samples up to it, runs on one axis, with the spread of hosts.

A metric of few different values is drawn with all of them, as steps. Of others a curve goes through the quantiles of
``shares.LEVELS`` and through the corners at values that many samples have. The band is the hosts' own: at each share
the range of their quantiles, on steps at each value the range of their shares.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera.cluster.charts import scale as scales
from statera.cluster.charts import shares, words
from statera.cluster.charts.layers import DASHES, flat
from statera.plots import frame
from statera.plots.frame import tidy
from statera.plots.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.charts.gathering import Sampled
    from statera.cluster.charts.scale import Scale
    from statera.cluster.charts.shares import Floats
    from statera.cluster.metrics import Metric

_HEIGHT = 200
_FEW = 20  # different values, of which all are shown however far they lie
_HIGH = 0.9  # share of the least value from which on the axis of shares begins higher than 0


class _Form(NamedTuple):
    """How curves are drawn: as steps or through quantiles, and where the axis of shares begins."""

    stepped: bool
    floor: float


def draw(metric: Metric, labels: Sequence[str], samples: Sequence[Sampled], width: int) -> Picture:
    """Draw the distributions of the runs that have samples of a metric, of which there must be one."""
    scale = scales.chosen(metric, [_ends(each.values) for each in samples])
    inner = width - frame.SIDE - 40
    form = _form(samples)
    bands = [_band(each, scale, form) for each in samples if each.banded]
    thin = [row for each in samples for row in _thin(each, scale, form)]
    curves = [_curve(each, each.values, scale, form) for each in samples]
    panel = {
        "width": inner,
        "height": _HEIGHT,
        "layer": _layers(metric, scale, form, (bands, thin, curves)),
    }
    entries = [(each.place, words.entry(metric, scale, labels[each.place], each)) for each in samples]
    title = f"{metric.title} ({metric.key})"
    remarks = words.remarks(labels, samples, scale, stepped=form.stepped)
    if form.floor:
        remarks.append(f"the axis of shares begins at {100 * form.floor:g} %")
    return Picture(
        kind="cdf",
        title=title,
        alt=words.alt_of_cdf(metric, scale, labels, samples),
        spec={
            "title": frame.title(title, [metric.meaning.rstrip("."), *remarks], width - frame.SIDE),
            "vconcat": [frame.legend_of(entries, inner, dashes=DASHES), panel],
            "spacing": 8,
        },
        marks={
            "curves": len(curves),
            "bands": len(bands),
            "repeats": len(thin),
            "samples": sum(len(each.values) for each in samples),
        },
        remarks=tuple(remarks),
    )


def _ends(values: Floats) -> scales.Ends:
    low, median, high = shares.quantiles(values, np.array([0.005, 0.5, 0.995]))
    return scales.Ends(
        float(values[0]),
        float(low),
        float(median),
        float(high),
        float(values[-1]),
        len(shares.different(values)) <= _FEW,
    )


def _form(samples: Sequence[Sampled]) -> _Form:
    floor = _floor(samples)
    few = all(len(shares.different(each.values)) <= shares.MOST_STEPS for each in samples)
    return _Form(stepped=few or floor > 0, floor=floor)


def _floor(samples: Sequence[Sampled]) -> float:
    """Choose where the axis of shares begins: at 0, or just below the share of a least value that nearly all have."""
    least = min(float(each.values[0]) for each in samples)
    lowest = min(float(shares.up_to(each.values, np.array([least]))[0]) for each in samples)
    if lowest < _HIGH or lowest == 1:
        return 0.0
    digits = math.floor(-math.log10(1 - lowest))
    return round(1 - 10.0**-digits, digits)


def _share_axis(floor: float) -> dict[str, Any]:
    ticks = [tidy(floor + (1 - floor) * quarter / 4, 12) for quarter in range(5)]
    shown = {"title": "share of samples", "values": ticks, "format": ".8~%", "minExtent": frame.SIDE - 6}
    return {"type": "quantitative", "scale": {"domain": [floor, 1], "nice": False}, "axis": shown}


def _curve(sampled: Sampled, ordered: Floats, scale: Scale, form: _Form) -> dict[str, Any]:
    """Give the curve of all samples of a run, or of one of its repeats."""
    if form.stepped:
        values = shares.told(ordered, form.floor)
        return _steps(sampled.place, values, scale, y=shares.up_to(ordered, values))
    at, up = shares.curve(ordered)
    kept = _seen(at, at, scale)
    return {"place": sampled.place, "x": _short(at[kept], scale), "y": _shares(up[kept])}


def _thin(sampled: Sampled, scale: Scale, form: _Form) -> list[dict[str, Any]]:
    return [{**_curve(sampled, each, scale, form), "of": number} for number, each in enumerate(sampled.repeats)]


def _band(sampled: Sampled, scale: Scale, form: _Form) -> dict[str, Any]:
    if form.stepped:
        values = shares.told(sampled.values, form.floor)
        low, high = shares.spread(np.stack([shares.up_to(host, values) for host in sampled.hosts], axis=1))
        return _steps(sampled.place, values, scale, y=low, y2=high)
    low, high = shares.spread(np.stack([shares.quantiles(host) for host in sampled.hosts], axis=1))
    kept = _seen(low, high, scale)
    ends = {"x": _short(low[kept], scale), "x2": _short(high[kept], scale)}
    return {"place": sampled.place, "y": _shares(shares.LEVELS[kept]), **ends}


def _steps(place: int, values: Floats, scale: Scale, **up: Floats) -> dict[str, Any]:
    """Give steps: before the first value the share is 0, from the last on it stays."""
    at = [tidy(scale.low), *_short(values, scale), tidy(max(scale.high, scale.at(values[-1])))]
    return {"place": place, "x": at} | {name: [0.0, *_shares(each), tidy(each[-1])] for name, each in up.items()}


def _seen(low: Floats, high: Floats, scale: Scale) -> slice:
    """Choose the places that lie on the axis, and one more on either side, so that lines reach its ends."""
    inside = np.flatnonzero((high / scale.factor >= scale.low) & (low / scale.factor <= scale.high))
    if not len(inside):
        return slice(0, len(low))
    return slice(max(int(inside[0]) - 1, 0), int(inside[-1]) + 2)


def _short(values: Floats, scale: Scale) -> list[float]:
    return [tidy(scale.at(float(value)), 6) for value in values]


def _shares(values: Floats) -> list[float]:
    return [tidy(float(value), 9) for value in values]


def _layers(metric: Metric, scale: Scale, form: _Form, rows: tuple[list[dict[str, Any]], ...]) -> list[dict[str, Any]]:
    bands, thin, curves = rows
    share = {"field": "y", **_share_axis(form.floor)}
    at = {"x": scale.encoding("x", metric.title), "y": share, "color": frame.variant_colour()}
    along = {"order": {"field": "y", "type": "quantitative"}}
    steps = {"interpolate": "step-after"} if form.stepped else {}
    line = {"type": "line", "clip": True, **steps}
    area = {"type": "area", "clip": True, "opacity": 0.22, **(steps or {"orient": "horizontal"})}
    across = {"y2": {"field": "y2"}} if form.stepped else {"x2": {"field": "x2"}}
    told = [
        {"field": "x", "title": metric.title, "format": frame.NUMBER},
        {"field": "y", "title": "share of samples", "format": ".2%"},
    ]
    drawn = [
        flat(bands, area, **at, **across),
        flat(thin, {**line, "strokeWidth": 0.75, "opacity": 0.7}, **at, **along, detail={"field": "of"}),
        flat(curves, {**line, "strokeWidth": 2}, **at, **along, strokeDash=DASHES, tooltip=told),
    ]
    return [layer for layer in drawn if layer["data"]["values"]]
