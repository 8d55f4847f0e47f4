"""The axis of values that the panels of a benchmark share: its unit, its scale and its ends."""

from __future__ import annotations

import math
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.output.plots import curves, frame, units
from statera.support.wording import counted, form

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.output.plots.frame import Options, Panel
    from statera.output.plots.raw_values import Floats, Samples, Series
    from statera.output.plots.units import Unit

_CLOSE = "a linear axis where values lie too close together for a logarithmic one"
_NONE_ABOVE = "a linear axis where no value is above zero"


class ValueAxis(NamedTuple):
    """An axis of values; ``low`` and ``high`` are its ends in its unit, ``why`` says why it is not as requested."""

    unit: Unit
    log: bool
    low: float
    high: float
    title: str
    why: str = ""

    @classmethod
    def of(
        cls,
        samples: Samples,
        metric: int,
        values: Floats,
        *,
        log: bool | None,
        also: Sequence[float] = (),
        room: float = curves.ROOM,
        zero: bool = False,
    ) -> ValueAxis:
        """Choose the axis for values in the base unit; there must be at least one.

        Args:
            samples: the samples, which know the metric's unit.
            metric: the metric of the values.
            values: the values to hold; a logarithmic axis holds those above zero.
            log: whether the axis is logarithmic; None to decide by the data.
            also: further values to hold, such as ends of intervals.
            room: free room at its ends, as a share of its length.
            zero: whether a linear axis begins or ends at zero.

        """
        import numpy as np  # noqa: PLC0415 - optional

        logarithmic = curves.wants_log(values, log)
        every = np.append(values, [*filter(math.isfinite, also), *([0.0] if zero else [])])
        held = every[every > 0] if logarithmic else every
        unit = (units.logarithmic if logarithmic else units.linear)(samples, metric, held)
        low, high = curves.span(unit.own(held), log=logarithmic, room=room, zero=zero)
        why = "" if logarithmic or not log else _CLOSE if values.max() > 0 else _NONE_ABOVE
        return cls(unit, logarithmic, low, high, unit.title(frame.name(samples.metrics[metric].name, frame.AXIS)), why)

    def holds(self, *values: float) -> bool:
        """Return whether the axis can hold values in the base unit."""
        return not self.log or min(values) > 0

    def place(self, value: float) -> float:
        """Convert a value from the base unit to the axis's unit."""
        return self.unit.short(self.unit.own(value))

    def inside(self, value: float) -> float:
        """Convert a value from the base unit to the axis's unit; a value beyond the axis becomes the nearer end."""
        own = self.unit.own(value) if self.holds(value) else self.low
        return self.unit.short(min(max(own, self.low), self.high))

    def share(self, own: float) -> float:
        """Return the position of a value, in the axis's unit, along the axis, from 0 to 1."""
        low, high, at = (math.log(each) if self.log else each for each in (self.low, self.high, own))
        return (at - low) / (high - low)

    def held(self, samples: Samples, series: Series) -> Floats:
        """Return the values of a series that the axis can hold, in its unit and in the order of measurement."""
        values = samples.values(series)
        return self.unit.own(values[values > 0] if self.log else values)

    def encoding(self, field: str = "value", /, *, most: int = 9, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - what Vega-Lite takes
        """Encode values in the axis's unit with ``most`` ticks at most; ``more`` holds properties of the axis."""
        shown = frame.values_axis(field, self.title, self.low, self.high, log=self.log, most=most)
        return {**shown, "axis": {**shown["axis"], **more}}

    def density(self, values: Floats) -> curves.Curve | None:
        """Estimate the density of values in the axis's unit; None if its spread is not visible."""
        ends = (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)
        return curves.density(values, log=self.log, length=ends[1] - ends[0])

    def reaching(self, drawn: Iterable[curves.Curve | None], *places: float) -> ValueAxis:
        """Return the axis, extended to hold curves and places."""
        ends = [*places, *(end for curve in drawn if curve for end in curve.ends())]
        return self._replace(low=min(self.low, *ends, self.low), high=max(self.high, *ends, self.high))


def value_axes(samples: Samples, shown: list[Panel], options: Options) -> dict[int, ValueAxis]:
    """Return for each benchmark the axis that its panels share."""
    import numpy as np  # noqa: PLC0415 - optional

    found = {}
    for benchmark, panels in frame.by_benchmark(shown).items():
        values = np.concatenate([samples.values(series) for panel in panels for series in panel.series])
        found[benchmark] = ValueAxis.of(samples, panels[0].metric, values, log=options.log)
    return found


def lost(samples: Samples, shown: list[Panel], axes: dict[int, ValueAxis]) -> list[str]:
    """Describe how many values logarithmic axes cannot hold, and why axes are linear against the request."""
    return lost_of(samples, [(series, axes[panel.benchmark]) for panel in shown for series in panel.series])


def lost_of(samples: Samples, drawn: Sequence[tuple[Series, ValueAxis]]) -> list[str]:
    """Describe the same as ``lost`` for series and their axes."""
    below = sum(int((samples.values(series) <= 0).sum()) for series, axis in drawn if axis.log)
    return [*dropped(below, "value"), *linear_after_all(axis for _, axis in drawn)]


def dropped(number: int, what: str) -> list[str]:
    """Describe how many values or points logarithmic axes cannot hold."""
    words = "of zero or below left out: a logarithmic axis cannot hold"
    return [f"{counted(number, what)} {words} {form(number, 'it', 'them')}"] if number else []


def cut(axis: ValueAxis, ends: Iterable[float]) -> int:
    """Count the ends of intervals that an axis cannot hold."""
    return sum(not axis.holds(end) for end in ends)


def cut_words(number: int) -> list[str]:
    """Describe how many intervals extend beyond a logarithmic axis."""
    ends = form(number, "ends", "end")
    return [f"{counted(number, 'interval')} down to zero or below {ends} with a logarithmic axis"] if number else []


def linear_after_all(axes: Iterable[ValueAxis]) -> list[str]:
    """Explain why axes are linear although logarithmic ones were requested."""
    return sorted({axis.why for axis in axes} - {""})


def whole_ticks(high: float, most: int = 5) -> list[int]:
    """Choose the ticks of an axis of counts from 0: ``most`` steps at most, of 1, 2 or 5 times a power of ten."""
    step = next(s * 10**power for power in count() for s in (1, 2, 5) if s * 10**power * most >= high)
    return list(range(0, math.floor(high) + 1, step))
