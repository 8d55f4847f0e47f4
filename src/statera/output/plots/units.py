"""The unit of an axis: that of the tables; for long numbers a power of ten, or a distance from a value.

Numbers of an axis thus stay far from the limits of floating point, so that their sums and squares are finite.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from statera import _native
from statera.output.plots import curves
from statera.output.plots.frame import DIGITS, digits_beyond, tidy
from statera.output.plots.magnitudes import ROOMY, thousands

if TYPE_CHECKING:
    from statera.output.plots.raw_values import Floats, Samples

    Number = TypeVar("Number", float, Floats)

_SHORT = (1e-4, 1e6)  # range of numbers that fit beside an axis
_HELD = (1 / ROOMY, ROOMY)  # range of numbers of a logarithmic axis with room at its ends
_AWAY = 1.0  # times the range of values: how far they may lie from their origin
_EXACT = 17  # digits that distinguish any two numbers


class Unit(NamedTuple):
    """The unit of an axis: the divisor of base units, and its name (``ms``, ``MiB``, empty for plain counts).

    Attributes:
        factor: the unit of the tables, in base units.
        text: the name of the unit.
        power: the power of ten by which values are divided further.
        origin: the value from which values are measured, in the base unit.
        base: the name of the base unit.
        more: how many more digits a number needs than on an axis that begins at zero.

    """

    factor: float
    text: str
    power: int = 0
    origin: float = 0.0
    base: str = ""
    more: int = 0

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


def of_tables(samples: Samples, metric: int, size: float) -> Unit:
    """Choose the unit for values of about this size, by the rules of the tables."""
    return Unit(*_native.unit(samples.native, metric, size))


def linear(samples: Samples, metric: int, values: Floats) -> Unit:
    """Choose the unit of a linear axis."""
    low, high = float(values.min()), float(values.max())
    if not curves.narrow(low, high):
        unit = _sized(samples, metric, curves.typical(values), max(abs(low), abs(high)))
        return unit._replace(more=digits_beyond(low, high))
    origin = _near(low, high)
    low, high = low - origin, high - origin
    unit = _sized(samples, metric, high - low, max(abs(low), abs(high)))
    base = of_tables(samples, metric, 1.0).text
    return unit._replace(origin=origin, base=base, more=digits_beyond(low, high))


def logarithmic(samples: Samples, metric: int, values: Floats) -> Unit:
    """Choose the unit of a logarithmic axis for values above zero; the base unit if no other can hold them."""
    low, high = float(values.min()), float(values.max())
    typical = curves.typical(values)
    unit = _sized(samples, metric, typical, typical)
    if unit.own(low) < _HELD[0] or unit.own(high) > _HELD[1]:
        unit = of_tables(samples, metric, 1.0)
    return unit._replace(more=digits_beyond(low, high))


def shortest(number: float) -> str:
    """Write a number with the fewest digits that distinguish it from all others: ``1e15``, ``123.45``."""
    written = (f"{number:.{digits}g}" for digits in range(1, _EXACT + 1))
    return next(text for text in written if float(text) == number).replace("e+", "e")


def _sized(samples: Samples, metric: int, typical: float, largest: float) -> Unit:
    """Choose the unit by the typical value, or by the largest if its number would be long; else a power of ten."""
    for size in (typical or largest, largest):
        unit = of_tables(samples, metric, size)
        if largest == 0 or _SHORT[0] <= largest / unit.factor < _SHORT[1]:
            return unit
    power, text = thousands(math.log10(largest), of_tables(samples, metric, 1.0).text)
    return Unit(1.0, text, power)


def _near(low: float, high: float) -> float:
    """Return the shortest number near values that are close together."""
    rounded = (tidy(low, digits) for digits in range(1, _EXACT + 1))
    return next(number for number in rounded if abs(number - low) <= _AWAY * (high - low))
