"""The axis of values of a chart: its unit, its kind, and its ends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from statera.cluster.numbers import amount
from statera.output.plots import frame
from statera.output.plots.axes import ROOMY, thousands, whole_ticks
from statera.output.plots.curves import power
from statera.output.plots.frame import tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.metrics import Metric


Kind = Literal["linear", "log", "symlog"]
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_UNITS = {"/": "", "#": "", "%": "% of one core"}
_WHOLE = frozenset({"#", "slots", "blocks"})
_HEAVY = 10.0  # if the upper end exceeds the median this many times, the axis is not linear
_NEAR_ZERO = 1e-3  # times the median: smaller values do not fit on a logarithmic axis
_LEAST_SIZE = 0.2  # least size of an axis in its unit
_FAR = 1.5  # times the length of the core: how far values may lie beyond it
_FAR_OF_COURSE = 2.0  # the same for a course
_ROOM = 0.02
_DOWN = 1e20  # values beyond ROOMY are divided by it while their axis is chosen
_SHORT = (1e-9, 1e15)  # numbers of which the labels fit beside an axis
_MOST_TENS = 306  # most powers of ten of a unit
_NEAR = 0.5  # times a course's upper end: if the lower end is below this, the axis begins at 0
_LEAST_SPAN = 0.01  # times the values: the least length of an axis, so that nearly constant values look flat


class Ends(NamedTuple):
    """The range of samples: extremes, quantiles at 0.5 % and 99.5 %, median, and whether few values differ."""

    least: float
    low: float
    median: float
    high: float
    largest: float
    few: bool = False


class Scale(NamedTuple):
    """An axis of values."""

    kind: Kind  # the kind of the axis
    factor: float  # the divisor that converts values to its unit
    unit: str  # the name of the unit, empty for plain counts and shares
    # the ends of the axis, in its unit.
    low: float
    high: float
    constant: float  # for a symlog axis, the value up to which it is nearly linear, in its unit
    cut: tuple[bool, bool]  # whether values lie below the axis, and above it
    whole: bool = False  # whether values are whole numbers

    def encoding(self, field: str, title: str, **axis: int) -> dict[str, Any]:
        """Encode a field on this axis; ``axis`` holds further properties of the axis."""
        words = f"{title} ({self.unit})" if self.unit else title
        shown = frame.values_axis(field, words, self.low, self.high, log=self.kind == "log")
        shown["scale"] |= {"type": self.kind, "domain": [self.short(self.low), self.short(self.high)]}
        if self.kind == "symlog":
            shown["scale"] = {key: value for key, value in shown["scale"].items() if key != "zero"}
            shown["scale"]["constant"] = self.constant
            shown["axis"] |= {"values": _symlog_ticks(self), "tickCount": 100}
        if self.whole and self.kind == "linear":
            shown["axis"] |= {"values": [tick for tick in whole_ticks(self.high, 8) if tick >= self.low]}
        return {**shown, "axis": {**shown["axis"], **axis}}

    def at(self, value: float) -> float:
        """Convert a value to the axis: in its unit, within a logarithmic axis's range, rounded to visible digits."""
        own = value / self.factor
        return self.short(max(own, self.low / 2) if self.kind == "log" else own)

    def short(self, own: float) -> float:
        """Round a value in the axis's unit to the visible digits: a hundred-thousandth of its length."""
        if self.kind != "linear":
            return tidy(own)
        return round(own, 5 - math.floor(math.log10(self.high - self.low)))

    def quantity(self, value: float) -> str:
        """Write a value in the unit of the axis."""
        return f"{amount(value / self.factor, 4)} {self._named}".rstrip()

    def between(self, low: float, high: float) -> str:
        """Write a range with enough digits that different ends look different."""
        digits = next((d for d in range(4, 10) if amount(low, d) != amount(high, d)), 4)
        first, last = (amount(value / self.factor, digits) for value in (low, high))
        return f"{first if first == last else f'{first} to {last}'} {self._named}".rstrip()

    @property
    def _named(self) -> str:
        return self.unit.removesuffix(" of one core")


def chosen(metric: Metric, ends: Sequence[Ends]) -> Scale:
    """Choose the axis for samples of one or more runs.

    It is linear by default; logarithmic if the upper end is far above the median and all but stray values are positive;
    symlog if there are zeros as well. It ends at 0.5 % or 99.5 % on a side where stray values reach much further; few
    different values are all shown.
    """
    core = min(each.low for each in ends), max(each.high for each in ends)
    full = min(each.least for each in ends), max(each.largest for each in ends)
    if core[0] == core[1] or all(each.few for each in ends):
        core = full
    down = _down(*full)
    median = max(each.median for each in ends) / down
    core, full = ((low / down, high / down) for low, high in (core, full))
    kind = _kind(core, median)
    constant = 10.0 ** math.floor(math.log10(median)) if kind == "symlog" else 1.0
    low, high = (_bent(end, kind, constant) for end in core)
    length = (high - low) or abs(high) * 0.05 or 1.0
    least = _bent(full[0], kind, constant) if kind != "log" or full[0] > 0 else -math.inf
    largest = _bent(full[1], kind, constant)
    cut = low - least > _FAR * length, largest - high > _FAR * length
    low, high = (low if cut[0] else least), (high if cut[1] else largest)
    room = (high - low) * _ROOM or (length if low else 0.0)
    low, high = (_unbent(end, kind, constant) for end in (low - room, high + (room or length)))
    size = math.sqrt(low) * math.sqrt(high) if kind == "log" else max(abs(low), abs(high))
    factor, unit = _unit(metric, size, down)
    own = factor / down
    return Scale(kind, factor, unit, low / own, high / own, constant / own, cut, metric.unit in _WHOLE)


def of_course(metric: Metric, core: tuple[float, float], full: tuple[float, float]) -> Scale:
    """Choose the axis of a course: linear, from 0 if that is near, and no longer than most of its values need.

    ``core`` is the range of nearly all values, and ``full`` that of all values that should be visible.
    """
    down = _down(*full)
    (low, high), full = ((first / down, last / down) for first, last in (core, full))
    length = max(high - low, _LEAST_SPAN * max(abs(low), abs(high))) or 1.0
    cut = low - full[0] > _FAR_OF_COURSE * length, full[1] - high > _FAR_OF_COURSE * length
    low, high = (low if cut[0] else min(low, full[0])), (high if cut[1] else max(high, full[1]))
    if 0 < low < _NEAR * high:
        low = 0.0
    middle, half = (low + high) / 2, max(high - low, _LEAST_SPAN * max(abs(low), abs(high))) / 2 or 0.5
    if low != 0:
        low = middle - half * (1 + 2 * _ROOM)
    high = middle + half * (1 + 4 * _ROOM)
    factor, unit = _unit(metric, max(abs(low), abs(high)), down)
    return Scale("linear", factor, unit, low / factor * down, high / factor * down, 1.0, cut)


def _kind(core: tuple[float, float], median: float) -> Kind:
    if median <= 0 or core[1] < _HEAVY * median:
        return "linear"
    if core[0] > _NEAR_ZERO * median:
        return "log"
    return "symlog" if core[1] / ROOMY < median else "linear"


def _down(low: float, high: float) -> float:
    """Return the divisor of values while an axis is chosen: calculations with the largest would overflow."""
    return _DOWN if max(-low, high) > ROOMY else 1.0


def _bent(value: float, kind: Kind, constant: float) -> float:
    match kind:
        case "log":
            return math.log10(value)
        case "symlog":
            return math.copysign(math.log1p(abs(value) / constant), value)
        case _:
            return value


def _unbent(value: float, kind: Kind, constant: float) -> float:
    match kind:
        case "log":
            return float(power(value))
        case "symlog":
            return math.copysign(constant * math.expm1(abs(value)), value)
        case _:
            return value


def _unit(metric: Metric, size: float, down: float) -> tuple[float, str]:
    """Choose the unit for values of about ``size`` after division by ``down``."""
    base = _UNITS.get(metric.unit, metric.unit)
    factor, unit = 1.0, base
    if metric.unit == "s":
        factor, unit = next((each for each in _TIMES if size * down >= _LEAST_SIZE * each[0]), _TIMES[-1])
    if size == 0 or _SHORT[0] <= size / factor * down <= _SHORT[1]:
        return factor, unit
    exponent = math.log10(size) + math.log10(down)
    power, text = thousands(min(max(exponent, -_MOST_TENS), _MOST_TENS), base)
    return 10.0**power, text


def _symlog_ticks(scale: Scale) -> list[float]:
    ticks = frame.log_ticks(scale.constant, max(scale.high, scale.constant), 7)
    below = [-tick for tick in frame.log_ticks(scale.constant, -scale.low, 3)] if scale.low < -scale.constant else []
    return [*sorted(below), 0.0, *ticks]
