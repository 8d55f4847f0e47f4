"""Rows for charts of distributions: curves through quantiles or steps through all values, and bands of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera.cluster.charts import shares
from statera.cluster.charts.layers import DASHES, flat
from statera.output.plots.frame import tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.charts.gathering import Sampled
    from statera.cluster.charts.scale import Scale
    from statera.cluster.charts.shares import Floats

Row = dict[str, Any]
_IN_ORDER: Row = {"order": {"field": "y", "type": "quantitative"}}  # values may be equal, and shares rise
# The opacity of the ink alone: that of a whole shape takes an image of its own.
_AREA: Row = {"type": "area", "opacity": 1, "fillOpacity": 0.22}
_LINE: Row = {"type": "line"}


class Rows(NamedTuple):
    """The rows of runs that are drawn in the same way: each holds lists of coordinates.

    Attributes:
        bands: bands of hosts; on steps from share ``y`` to ``y2``, else from value ``x`` to ``x2``.
        thin: thin curves of repeats.
        curves: curves of runs.
        stepped: whether the curves are steps.

    """

    bands: list[Row]
    thin: list[Row]
    curves: list[Row]
    stepped: bool

    def layers(self, at: Row, told: Sequence[Row]) -> Iterator[Row]:
        """Return a layer for each kind, the bands first; ``at`` holds the axes, ``told`` the tooltip."""
        how = {"interpolate": "step-after"} if self.stepped else {}
        side = {"y2": {"field": "y2"}} if self.stepped else {"x2": {"field": "x2"}}
        area = {**_AREA, **(how or {"orient": "horizontal"})}
        thin = {**_LINE, **how, "strokeWidth": 0.75, "strokeOpacity": 0.7}
        yield flat(self.bands, area, **at, **side)
        yield flat(self.thin, thin, **at, **_IN_ORDER, detail={"field": "of"})
        yield flat(self.curves, {**_LINE, **how, "strokeWidth": 2}, **at, **_IN_ORDER, strokeDash=DASHES, tooltip=told)


def steps(samples: Sequence[Sampled], scale: Scale, floor: float) -> Rows:
    """Return the steps of runs: all values if they are few, else a selection from the share ``floor`` on."""

    def curve(sampled: Sampled, ordered: Floats) -> Row:
        values = shares.told(ordered, floor)
        return _steps(sampled.place, values, scale, y=shares.up_to(ordered, values))

    def band(sampled: Sampled) -> Row:
        values = shares.told(sampled.values, floor)
        low, high = shares.spread(np.stack([shares.up_to(host, values) for host in sampled.hosts], axis=1))
        return _steps(sampled.place, values, scale, y=low, y2=high)

    return Rows(
        [band(each) for each in samples if each.banded],
        [{**curve(each, part), "of": of} for each in samples for of, part in enumerate(each.repeats)],
        [curve(each, each.values) for each in samples],
        stepped=True,
    )


def through_quantiles(samples: Sequence[Sampled], scale: Scale) -> Rows:
    """Return the curves of runs through their quantiles."""

    def curve(sampled: Sampled, ordered: Floats) -> Row:
        at, up = shares.curve(ordered)
        kept = _seen(at, at, scale)
        return {"place": sampled.place, "x": _values(at[kept], scale), "y": _shares(up[kept])}

    def band(sampled: Sampled) -> Row:
        low, high = shares.spread(np.stack([shares.quantiles(host) for host in sampled.hosts], axis=1))
        kept = _seen(low, high, scale)
        ends = {"x": _values(low[kept], scale), "x2": _values(high[kept], scale)}
        return {"place": sampled.place, "y": _shares(shares.LEVELS[kept]), **ends}

    return Rows(
        [band(each) for each in samples if each.banded],
        [{**curve(each, part), "of": of} for each in samples for of, part in enumerate(each.repeats)],
        [curve(each, each.values) for each in samples],
        stepped=False,
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
