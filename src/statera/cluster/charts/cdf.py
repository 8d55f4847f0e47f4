"""Cumulative distributions: for each value the share of samples up to it, runs on one axis, with the spread of hosts.

A run of few different values is drawn with all of them, as steps. For other runs the curve connects the quantiles of
``shares.LEVELS`` and the corners at values that many samples share. The band shows the hosts: at each share the range
of their quantiles; on steps, at each value the range of their shares.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from statera.cluster.charts import layout, lines, shares, wording
from statera.cluster.charts import scale as scales
from statera.output.plots import frame
from statera.output.plots.frame import tidy
from statera.output.plots.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.charts.gathering import Sampled
    from statera.cluster.charts.lines import Rows
    from statera.cluster.charts.scale import Scale
    from statera.cluster.charts.shares import Floats
    from statera.cluster.metrics import Metric

_HEIGHT = 180
_FEW = 20  # so few different values are all shown, however far they lie
_HIGH = 0.9  # if the least value has this share or more, the axis of shares begins above 0


def draw(metric: Metric, labels: Sequence[str], samples: Sequence[Sampled], width: int) -> Picture:
    """Draw the distributions of the runs that have samples of a metric; there must be at least one."""
    scale = scales.chosen(metric, [_ends(each.values) for each in samples])
    floor = _floor(samples)
    few = [floor > 0 or len(shares.different(each.values)) <= shares.MOST_STEPS for each in samples]
    rows = (
        lines.steps([each for each, stepped in zip(samples, few, strict=True) if stepped], scale, floor),
        lines.through_quantiles([each for each, stepped in zip(samples, few, strict=True) if not stepped], scale),
    )
    layers = _layers(metric, scale, floor, rows)
    entries = [(each.place, wording.entry(scale, labels[each.place], each)) for each in samples]
    title = f"{metric.title} ({metric.key})"
    remarks = wording.remarks(labels, samples, scale)
    if floor:
        remarks.append(f"the axis of shares begins at {100 * floor:g} %")
    picture = Picture(
        kind="cdf",
        title=title,
        alt=wording.alt_of_cdf(metric, scale, labels, samples),
        spec={},
        marks={
            "curves": sum(len(each.curves) for each in rows),
            "bands": sum(len(each.bands) for each in rows),
            "repeats": sum(len(each.thin) for each in rows),
            "samples": sum(len(each.values) for each in samples),
        },
        remarks=tuple(remarks),
    )
    said = [metric.meaning.rstrip("."), *remarks]
    return layout.at_width(picture, said, entries, lambda _: {"height": _HEIGHT, "layer": layers}, width)


def _ends(values: Floats) -> scales.Ends:
    low, median, high = (float(each) for each in shares.quantiles(values, np.array([0.005, 0.5, 0.995])))
    return scales.Ends(float(values[0]), low, median, high, float(values[-1]), len(shares.different(values)) <= _FEW)


def _floor(samples: Sequence[Sampled]) -> float:
    """Choose where the axis of shares begins: at 0, or just below the share of a least value that most samples have."""
    least = min(float(each.values[0]) for each in samples)
    lowest = min(float(shares.up_to(each.values, np.array([least]))[0]) for each in samples)
    if lowest < _HIGH or lowest == 1:
        return 0.0
    digits = math.floor(-math.log10(1 - lowest))
    return round(1 - 10.0**-digits, digits)


def _layers(metric: Metric, scale: Scale, floor: float, rows: Sequence[Rows]) -> list[dict[str, Any]]:
    share = {"field": "y", **_share_axis(floor)}
    at = {"x": scale.encoding("x", metric.title), "y": share, "color": frame.variant_colour()}
    told = [
        {"field": "x", "title": metric.title, "format": frame.NUMBER},
        {"field": "y", "title": "share of samples", "format": ".4~%"},
    ]
    # Later layers lie in front: all bands are behind all curves.
    every = zip(*(each.layers(at, told) for each in rows), strict=True)
    return frame.filled(layer for alike in every for layer in alike)


def _share_axis(floor: float) -> dict[str, Any]:
    ticks = [tidy(floor + (1 - floor) * quarter / 4, 12) for quarter in range(5)]
    shown = {"title": "share of samples", "values": ticks, "format": ".8~%", "minExtent": frame.SIDE - 6}
    return {"type": "quantitative", "scale": {"domain": [floor, 1], "nice": False}, "axis": shown}
