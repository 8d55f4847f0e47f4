"""Cumulative distributions: for each value the share of samples up to it, runs on one axis, with the spread of hosts.

A run of few different values is drawn with all of them, as steps. For other runs the curve connects the quantiles of
``LEVELS``, and the corners at values that many samples share. The band shows the hosts: at each share the range
of their quantiles; on steps, at each value the range of their shares.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera.cluster.charts import scale as scales
from statera.cluster.charts import sorted_samples
from statera.cluster.charts.panel import DASHES, SHORT_LABEL, at_width, banded_hosts, flat
from statera.output.plots import frame
from statera.output.plots.frame import tidy
from statera.output.plots.picture import Picture
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from statera.cluster.charts.scale import Scale
    from statera.cluster.charts.sorted_samples import Floats, MetricSamples
    from statera.cluster.metrics import Metric


Row = dict[str, Any]
_IN_ORDER: Row = {"order": {"field": "y", "type": "quantitative"}}  # values may be equal, and shares rise
# The opacity of the ink alone: that of a whole shape takes an image of its own.
_AREA: Row = {"type": "area", "opacity": 1, "fillOpacity": 0.22}
_LINE: Row = {"type": "line"}


class Rows(NamedTuple):
    """The rows of runs that are drawn in the same way: each holds lists of coordinates."""

    bands: list[Row]  # bands of hosts; on steps from share ``y`` to ``y2``, else from value ``x`` to ``x2``
    thin: list[Row]  # thin curves of repeats
    curves: list[Row]  # curves of runs
    stepped: bool  # whether the curves are steps

    def layers(self, at: Row, told: Sequence[Row]) -> Iterator[Row]:
        """Return a layer for each kind, the bands first; ``at`` holds the axes, ``told`` the tooltip."""
        how = {"interpolate": "step-after"} if self.stepped else {}
        side = {"y2": {"field": "y2"}} if self.stepped else {"x2": {"field": "x2"}}
        area = {**_AREA, **(how or {"orient": "horizontal"})}
        thin = {**_LINE, **how, "strokeWidth": 0.75, "strokeOpacity": 0.7}
        yield flat(self.bands, area, **at, **side)
        yield flat(self.thin, thin, **at, **_IN_ORDER, detail={"field": "of"})
        yield flat(self.curves, {**_LINE, **how, "strokeWidth": 2}, **at, **_IN_ORDER, strokeDash=DASHES, tooltip=told)


def _step_rows(samples: Sequence[MetricSamples], scale: Scale, floor: float) -> Rows:
    """Return the steps of runs: all values if they are few, else a selection from the share ``floor`` on."""

    def curve(sampled: MetricSamples, ordered: Floats) -> Row:
        values = sorted_samples.told(ordered, floor)
        return _steps(sampled.place, values, scale, y=sorted_samples.up_to(ordered, values))

    def band(sampled: MetricSamples) -> Row:
        values = sorted_samples.told(sampled.values, floor)
        low, high = sorted_samples.spread(
            np.stack([sorted_samples.up_to(host, values) for host in sampled.hosts], axis=1)
        )
        return _steps(sampled.place, values, scale, y=low, y2=high)

    return _rows_of(samples, curve, band, stepped=True)


def _quantile_rows(samples: Sequence[MetricSamples], scale: Scale) -> Rows:
    """Return the curves of runs through their quantiles."""

    def curve(sampled: MetricSamples, ordered: Floats) -> Row:
        at, up = sorted_samples.curve(ordered)
        kept = _seen(at, at, scale)
        return {"place": sampled.place, "x": _values(at[kept], scale), "y": _shares(up[kept])}

    def band(sampled: MetricSamples) -> Row:
        low, high = sorted_samples.spread(np.stack([sorted_samples.quantiles(host) for host in sampled.hosts], axis=1))
        kept = _seen(low, high, scale)
        ends = {"x": _values(low[kept], scale), "x2": _values(high[kept], scale)}
        return {"place": sampled.place, "y": _shares(sorted_samples.LEVELS[kept]), **ends}

    return _rows_of(samples, curve, band, stepped=False)


def _rows_of(
    samples: Sequence[MetricSamples],
    curve: Callable[[MetricSamples, Floats], Row],
    band: Callable[[MetricSamples], Row],
    *,
    stepped: bool,
) -> Rows:
    return Rows(
        [band(each) for each in samples if each.banded],
        [{**curve(each, part), "of": of} for each in samples for of, part in enumerate(each.repeats)],
        [curve(each, each.values) for each in samples],
        stepped,
    )


def _steps(place: int, values: Floats, scale: Scale, **up: Floats) -> Row:
    """Return steps: the share is 0 before the first value, and constant from the last value on."""
    at = _values(values, scale)
    at = [scale.short(scale.low), *at, max(scale.short(scale.high), at[-1])]
    return {"place": place, "x": at} | {name: [0.0, *_shares(each), tidy(float(each[-1]))] for name, each in up.items()}


def _seen(low: Floats, high: Floats, scale: Scale) -> slice:
    """Choose the points that lie on the axis, and one more on either side, so that lines reach its ends."""
    inside = np.flatnonzero((high / scale.factor >= scale.low) & (low / scale.factor <= scale.high))
    return slice(max(int(inside[0]) - 1, 0), int(inside[-1]) + 2) if len(inside) else slice(0, len(low))


def _values(values: Floats, scale: Scale) -> list[float]:
    return [scale.at(float(value)) for value in values]


def _shares(values: Floats) -> list[float]:
    return [tidy(float(value), 9) for value in values]


_FEW = 20  # so few different values are all shown, however far they lie
_HIGH = 0.9  # if the least value has this share or more, the axis of shares begins above 0


def draw(metric: Metric, labels: Sequence[str], samples: Sequence[MetricSamples], width: int) -> Picture:
    """Draw the distributions of the runs that have samples of a metric; there must be at least one."""
    scale = scales.chosen(metric, [_ends(each.values) for each in samples])
    floor = _floor(samples)
    few = [floor > 0 or len(sorted_samples.different(each.values)) <= sorted_samples.MOST_STEPS for each in samples]
    rows = (
        _step_rows([each for each, stepped in zip(samples, few, strict=True) if stepped], scale, floor),
        _quantile_rows([each for each, stepped in zip(samples, few, strict=True) if not stepped], scale),
    )
    layers = _layers(metric, scale, floor, rows)
    names = [frame.name(label, SHORT_LABEL) for label in labels]
    entries = [
        (each.place, f"{names[each.place]}: median {_median(scale, each)}, n {len(each.values):,}") for each in samples
    ]
    told = "; ".join(_told(scale, labels[each.place], each) for each in samples)
    remarks = _remarks(labels, samples, scale)
    if floor:
        remarks.append(f"the axis of shares begins at {100 * floor:g} %")
    picture = Picture(
        kind="cdf",
        title=f"{metric.title} ({metric.key})",
        alt=f"Cumulative distribution of {metric.title}. {told}.",
        spec={},
        marks={
            "curves": sum(len(each.curves) for each in rows),
            "bands": sum(len(each.bands) for each in rows),
            "repeats": sum(len(each.thin) for each in rows),
            "samples": sum(len(each.values) for each in samples),
        },
        remarks=tuple(remarks),
    )
    return at_width(picture, metric.meaning, entries, lambda _: layers, width)


def _ends(values: Floats) -> scales.Ends:
    low, median, high = (float(each) for each in sorted_samples.quantiles(values, np.array([0.005, 0.5, 0.995])))
    return scales.Ends(
        float(values[0]), low, median, high, float(values[-1]), len(sorted_samples.different(values)) <= _FEW
    )


def _floor(samples: Sequence[MetricSamples]) -> float:
    """Choose where the axis of shares begins: at 0, or just below the share of a least value that most samples have."""
    least = min(float(each.values[0]) for each in samples)
    lowest = min(float(sorted_samples.up_to(each.values, np.array([least]))[0]) for each in samples)
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


def _remarks(labels: Sequence[str], samples: Sequence[MetricSamples], scale: Scale) -> list[str]:
    """Describe what the picture shows beside the curves, and what it leaves out."""
    said = []
    counts = {labels[each.place]: len(each.hosts) for each in samples if each.banded}
    if counts:
        said.append(f"bands hold {banded_hosts(counts)}")
    if any(each.repeats for each in samples):
        said.append("thin curves are single repeats")
    said += [f"{end} lie outside: {text}" for end, text in _outside(labels, samples, scale)]
    absent = [frame.name(label) for place, label in enumerate(labels) if place not in {each.place for each in samples}]
    if absent:
        said.append(f"no samples of {', '.join(absent)}")
    return said


def _outside(labels: Sequence[str], samples: Sequence[MetricSamples], scale: Scale) -> list[tuple[str, str]]:
    found = []
    for cut, what, end, place in (
        (scale.cut[0], "the lowest 0.5 %", "least value", 0),
        (scale.cut[1], "the highest 0.5 %", "largest value", -1),
    ):
        if cut:
            each = (f"{scale.quantity(float(s.values[place]))} of {frame.name(labels[s.place])}" for s in samples)
            found.append((what, f"{end} {', '.join(each)}"))
    return found


def _told(scale: Scale, label: str, sampled: MetricSamples) -> str:
    """Write the numbers of a run for the alternative text: medians, numbers of samples, spread of hosts."""
    largest = scale.quantity(float(sampled.values[-1]))
    parts = [f"{frame.name(label)}: median {_median(scale, sampled)}", f"largest {largest}"]
    parts.append(counted(len(sampled.values), "sample"))
    if len(sampled.hosts) > 1:
        medians = [float(sorted_samples.quantiles(host, _HALF)[0]) for host in sampled.hosts]
        parts.append(f"medians of {len(medians)} hosts {scale.between(min(medians), max(medians))}")
    return ", ".join(parts)


_HALF = np.array([0.5])


def _median(scale: Scale, sampled: MetricSamples) -> str:
    return scale.quantity(float(sorted_samples.quantiles(sampled.values, _HALF)[0]))
