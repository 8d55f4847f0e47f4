"""Axes of values: the unit, the scale and the ends, which the panels of a benchmark share.

The unit is that of the tables; for long numbers a power of ten, or a distance from a value. Numbers of an axis thus
stay far from the limits of floating point, so that their sums and squares are finite.
"""

from __future__ import annotations

import math
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from statera import _native
from statera.output.plots import curves, frame
from statera.output.plots.frame import DIGITS, digits_beyond, tidy
from statera.support.wording import counted, form

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.output.plots.frame import Options, Panel
    from statera.output.plots.raw_values import Floats, Samples, Series

    Number = TypeVar("Number", float, Floats)

ROOMY = 1e290
"""Up to this number an axis has room beyond its ends, and calculations with it do not overflow."""
_SHORT = (1e-4, 1e6)  # range of numbers that fit beside an axis
_HELD = (1 / ROOMY, ROOMY)  # range of numbers of a logarithmic axis with room at its ends
_AWAY = 1.0  # times the range of values: how far they may lie from their origin
_EXACT = 17  # digits that distinguish any two numbers
_CLOSE = "a linear axis where values lie too close together for a logarithmic one"
_NONE_ABOVE = "a linear axis where no value is above zero"


class Unit(NamedTuple):
    """The unit of an axis: the divisor of base units, and its name (``ms``, ``MiB``, empty for plain counts)."""

    factor: float  # the unit of the tables, in base units
    text: str  # the name of the unit
    power: int = 0  # the power of ten by which values are divided further
    origin: float = 0.0  # the value from which values are measured, in the base unit
    base: str = ""  # the name of the base unit
    more: int = 0  # how many more digits a number needs than on an axis that begins at zero

    def own(self, value: Number) -> Number:
        """Convert a value, or an array of values, to this unit."""
        # Divide in two steps: no power of ten is as small as the smallest values.
        half = self.power // 2
        return (value - self.origin) / self.factor / 10.0**half / 10.0 ** (self.power - half)

    def short(self, own: float, digits: int = DIGITS) -> float:
        """Round a number in this unit to ``digits`` digits, or as many as distinguish positions on the axis."""
        return tidy(own, digits + self.more)

    def title(self, words: str) -> str:
        """Write the title of the axis with its unit: ``sec/op (ms)``."""
        if self.origin:
            words = f"{words} − {shortest(self.origin)} {self.base}".rstrip()
        return f"{words} ({self.text})" if self.text and self.text != words else words


def unit_of_tables(samples: Samples, metric: int, size: float) -> Unit:
    """Choose the unit for values of about this size, by the rules of the tables."""
    return Unit(*_native.unit(samples.native, metric, size))


def linear_unit(samples: Samples, metric: int, values: Floats) -> Unit:
    """Choose the unit of a linear axis."""
    low, high = float(values.min()), float(values.max())
    if not curves.narrow(low, high):
        unit = _sized(samples, metric, curves.typical(values), max(abs(low), abs(high)))
        return unit._replace(more=digits_beyond(low, high))
    origin = _near(low, high)
    low, high = low - origin, high - origin
    unit = _sized(samples, metric, high - low, max(abs(low), abs(high)))
    base = unit_of_tables(samples, metric, 1.0).text
    return unit._replace(origin=origin, base=base, more=digits_beyond(low, high))


def logarithmic_unit(samples: Samples, metric: int, values: Floats) -> Unit:
    """Choose the unit of a logarithmic axis for values above zero; the base unit if no other can hold them."""
    low, high = float(values.min()), float(values.max())
    typical = curves.typical(values)
    unit = _sized(samples, metric, typical, typical)
    if unit.own(low) < _HELD[0] or unit.own(high) > _HELD[1]:
        unit = unit_of_tables(samples, metric, 1.0)
    return unit._replace(more=digits_beyond(low, high))


def shortest(number: float) -> str:
    """Write a number with the fewest digits that distinguish it from all others: ``1e15``, ``123.45``."""
    written = (f"{number:.{digits}g}" for digits in range(1, _EXACT + 1))
    return next(text for text in written if float(text) == number).replace("e+", "e")


def _sized(samples: Samples, metric: int, typical: float, largest: float) -> Unit:
    """Choose the unit by the typical value, or by the largest if its number would be long; else a power of ten."""
    for size in (typical or largest, largest):
        unit = unit_of_tables(samples, metric, size)
        if largest == 0 or _SHORT[0] <= largest / unit.factor < _SHORT[1]:
            return unit
    power, text = thousands(math.log10(largest), unit_of_tables(samples, metric, 1.0).text)
    return Unit(1.0, text, power)


def _near(low: float, high: float) -> float:
    """Return the shortest number near values that are close together."""
    rounded = (tidy(low, digits) for digits in range(1, _EXACT + 1))
    return next(number for number in rounded if abs(number - low) <= _AWAY * (high - low))


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
        """Choose the axis for values of a metric, in its base unit; there must be at least one.

        It holds the values and those of ``also``, such as ends of intervals; a logarithmic axis holds those above zero.
        With ``log`` None the data decide whether it is logarithmic. ``room`` is free at its ends, as a share of its
        length, and with ``zero`` a linear axis begins or ends at zero.
        """
        logarithmic = curves.wants_log(values, log)
        every = np.append(values, [*filter(math.isfinite, also), *([0.0] if zero else [])])
        held = every[every > 0] if logarithmic else every
        unit = (logarithmic_unit if logarithmic else linear_unit)(samples, metric, held)
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

    def encoding(self, field: str = "value", /, *, most: int = 9, **more: Any) -> dict[str, Any]:
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
    words = "of zero or below left out: a logarithmic axis cannot show"
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


def thousands(exponent: float, base: str) -> tuple[int, str]:
    """Return the power of a thousand at or below a power of ten, as an exponent of ten, and the resulting unit."""
    power = 3 * math.floor(exponent / 3)
    return power, f"1e{power} {base}".rstrip()
