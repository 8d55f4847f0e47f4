"""Cumulative distributions: for each value the share of samples up to it, runs on one axis, with the spread of hosts.

A metric of few different values is drawn with all of them, as steps. Of others a curve goes through the quantiles of
``shares.LEVELS``. The band is the hosts' own: at each share the range of their quantiles, on steps at each value the
range of their shares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
_FEWEST_HOSTS = 3  # that have a spread
_COARSE = shares.LEVELS[::2]  # levels of the thin curves of repeats
_SHARE: dict[str, Any] = {
    "type": "quantitative",
    "scale": {"domain": [0, 1], "nice": False},
    "axis": {
        "title": "share of samples",
        "values": [0, 0.25, 0.5, 0.75, 1],
        "format": ".0%",
        **frame.AT_SIDE,
        "labelBound": False,
    },
}


def draw(metric: Metric, labels: Sequence[str], samples: Sequence[Sampled], width: int) -> Picture:
    """Draw the distributions of the runs that have samples of a metric, of which there must be one."""
    scale = scales.chosen(metric, [_ends(each.values) for each in samples])
    stepped = all(len(shares.different(each.values)) <= shares.MOST_STEPS for each in samples)
    inner = width - frame.SIDE - 40
    bands = [_band(each, scale, stepped=stepped) for each in samples if len(each.hosts) >= _FEWEST_HOSTS]
    thin = [row for each in samples for row in _thin(each, scale, stepped=stepped)]
    curves = [_curve(each.place, each.values, scale, shares.LEVELS, stepped=stepped) for each in samples]
    panel = {
        "width": inner,
        "height": _HEIGHT,
        "layer": _layers(metric, scale, bands, thin, curves, stepped=stepped),
    }
    entries = [(each.place, words.entry(metric, scale, labels[each.place], each)) for each in samples]
    title = f"{metric.title} ({metric.key})"
    remarks = words.remarks(labels, samples, scale, banded=bool(bands), stepped=stepped)
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
    return scales.Ends(float(values[0]), float(low), float(median), float(high), float(values[-1]))


def _curve(place: int, ordered: Floats, scale: Scale, levels: Floats, *, stepped: bool) -> dict[str, Any]:
    if stepped:
        values = shares.different(ordered)
        at = [scale.low, *(scale.at(value) for value in values), scale.high]
        up = [0.0, *shares.up_to(ordered, values), 1.0]
        return _row(place, at, up)
    found = shares.quantiles(ordered, levels)
    kept = _seen(found, found, scale)
    return _row(place, [scale.at(value) for value in found[kept]], levels[kept])


def _thin(sampled: Sampled, scale: Scale, *, stepped: bool) -> list[dict[str, Any]]:
    rows = [_curve(sampled.place, each, scale, _COARSE, stepped=stepped) for each in sampled.repeats]
    return [{**row, "of": number} for number, row in enumerate(rows)]


def _band(sampled: Sampled, scale: Scale, *, stepped: bool) -> dict[str, Any]:
    if stepped:
        values = shares.different(sampled.values)
        low, high = shares.spread(np.stack([shares.up_to(host, values) for host in sampled.hosts], axis=1))
        at = [scale.low, *(scale.at(value) for value in values), scale.high]
        return {"place": sampled.place, "x": _short(at), "y": _short([0, *low, 1]), "y2": _short([0, *high, 1])}
    low, high = shares.spread(np.stack([shares.quantiles(host) for host in sampled.hosts], axis=1))
    kept = _seen(low, high, scale)
    ends = (_short([scale.at(value) for value in end[kept]]) for end in (low, high))
    return dict(zip(("place", "y", "x", "x2"), (sampled.place, _short(shares.LEVELS[kept]), *ends), strict=True))


def _seen(low: Floats, high: Floats, scale: Scale) -> slice:
    """Choose the places that lie on the axis, and one more on either side, so that lines reach its ends."""
    inside = np.flatnonzero((high / scale.factor >= scale.low) & (low / scale.factor <= scale.high))
    if not len(inside):
        return slice(0, len(low))
    return slice(max(int(inside[0]) - 1, 0), int(inside[-1]) + 2)


def _row(place: int, at: Sequence[float], up: Sequence[float] | Floats) -> dict[str, Any]:
    return {"place": place, "x": _short(at), "y": _short(up)}


def _short(values: Sequence[float] | Floats) -> list[float]:
    return [tidy(float(value), 5) for value in values]


def _layers(
    metric: Metric,
    scale: Scale,
    bands: Sequence[dict[str, Any]],
    thin: Sequence[dict[str, Any]],
    curves: Sequence[dict[str, Any]],
    *,
    stepped: bool,
) -> list[dict[str, Any]]:
    at = {"x": scale.encoding("x", metric.title), "y": {"field": "y", **_SHARE}, "color": frame.variant_colour()}
    along = {"order": {"field": "y", "type": "quantitative"}}
    steps = {"interpolate": "step-after"} if stepped else {}
    line = {"type": "line", "clip": True, **steps}
    area = {"type": "area", "clip": True, "opacity": 0.22, **(steps or {"orient": "horizontal"})}
    across = {"y2": {"field": "y2"}} if stepped else {"x2": {"field": "x2"}}
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
