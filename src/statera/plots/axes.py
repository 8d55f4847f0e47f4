"""The axis of values that the panels of a benchmark share: its unit, its scale and its ends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.counted import counted
from statera.plots import curves, frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.plots.frame import Options, Panel
    from statera.plots.samples import Floats, Samples, Series


class ValueAxis(NamedTuple):
    """An axis of values; ``factor`` is what base units are divided by, ``low`` and ``high`` are in the axis's unit."""

    factor: float
    log: bool
    low: float
    high: float
    title: str

    def held(self, samples: Samples, series: Series) -> Floats:
        """Give the values of a series in the axis's unit and in the order of measurement, those that it can hold."""
        values = samples.values(series) / self.factor
        return values[values > 0] if self.log else values

    def encoding(self, field: str = "value", /, *, most: int = 9, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - what Vega-Lite takes
        """Encode values in the axis's unit with at most so many ticks; ``more`` are properties of the axis."""
        shown = frame.values_axis(field, self.title, self.low, self.high, log=self.log, most=most)
        return {**shown, "axis": {**shown["axis"], **more}}

    def reaching(self, drawn: Iterable[curves.Curve | None], *places: float) -> ValueAxis:
        """Give the axis with room for curves and places."""
        ends = [*places, *(end for curve in drawn if curve for end in curve.ends())]
        return self._replace(low=min(self.low, *ends, self.low), high=max(self.high, *ends, self.high))


def value_axes(samples: Samples, shown: list[Panel], options: Options) -> dict[int, ValueAxis]:
    """Give each benchmark the axis that its panels share."""
    return {benchmark: _axis(samples, panels, options) for benchmark, panels in frame.by_benchmark(shown).items()}


def lost(samples: Samples, shown: list[Panel], axes: dict[int, ValueAxis]) -> list[str]:
    """Say how many values logarithmic axes cannot hold."""
    count = sum(
        int((samples.values(series) <= 0).sum())
        for panel in shown
        if axes[panel.benchmark].log
        for series in panel.series
    )
    return (
        [f"{counted(count, 'value')} of zero or below left out: a logarithmic axis cannot hold them"] if count else []
    )


def _axis(samples: Samples, panels: list[Panel], options: Options) -> ValueAxis:
    import numpy as np  # noqa: PLC0415 - optional

    values = np.concatenate([samples.values(series) for panel in panels for series in panel.series])
    metric = panels[0].metric
    unit = frame.unit(samples, metric, float(np.median(np.abs(values))))
    log = curves.wants_log(values, options.log)
    low, high = curves.span(values / unit.factor, log=log)
    return ValueAxis(unit.factor, log, low, high, frame.axis_title(samples, metric, unit))


def whole_ticks(high: float, most: int = 5) -> list[int]:
    """Choose ticks of an axis of counts from 0: at most so many steps of 1, 2 or 5 times a power of ten."""
    step = next(s * 10**power for power in range(16) for s in (1, 2, 5) if s * 10**power * most >= high)
    return list(range(0, math.floor(high) + 1, step))
