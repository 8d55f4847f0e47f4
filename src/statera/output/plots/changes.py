"""The axes of changes, and what stands on them: the marks of verdicts with their legend.

Ratios to the baseline stand on a logarithmic axis, differences, and changes at the levels of a distribution, on a
linear one. A verdict has one colour and one shape in every picture. Shapes of a worsening point to the worse end of the
axis, so that a picture tells them without colours. Rows that an axis cannot hold, as from 0 to 12, have a hollow mark
at the end to which they changed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from statera import _native
from statera.comparison.codes import TABLE, VERDICTS
from statera.output.plots import frame
from statera.output.plots.axes import Unit, linear_unit
from statera.output.plots.curves import LARGEST
from statera.output.plots.frame import DIGITS, digits_beyond, scientific, tidy
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Floats, Samples
    from statera.reading.observations import Metric

# Labels of ticks: ratios of ten or more are written as in the tables, others as percentages.
_RATIO_LABEL = (
    f"datum.value > 1e6 ? '×' + {scientific('datum.value', '.3')} : "
    "datum.value > 9.99 ? '×' + format(datum.value, ',~r') : "
    f"datum.value < 1e-6 ? '÷' + {scientific('1 / datum.value', '.3')} : "
    "datum.value < 0.00101 ? '÷' + format(1 / datum.value, ',.3~r') : "
    "abs(datum.value - 1) < 1e-9 ? '0%' : format(datum.value - 1, '+.6~p')"
)
_STEPS = (1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
_DECADES = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
_EVERY = (1, 2, 3, 6, 10, 20, 50, 100, 200)  # possible numbers of decades between ticks
_NARROW = 1.8  # up to this quotient of the largest and the smallest ratio, ticks are evenly spaced percentages
_ENOUGH = 10  # with so many rows, arrows may replace the largest changes,
_BODY = 8.0  # if these exceed the 90th percentile, and the margin, this many times
_LEAST = 1e-6  # the least distance of an axis's ends from the ratio 1: its labels show no smaller changes
_FARTHEST = math.log(LARGEST)
_MOST = 1e6  # largest number of a difference that fits beside an axis
_APART = 0.06  # share of the axis between its end, where rows that it cannot hold stand, and all others
_REACH = 4.0  # an interval is cut this many typical half widths beyond the outermost change
_WRITTEN = (1e-6, 1e4)  # range of changes that are written in per cent without an exponent
_PERCENT = "format(datum.value, '+,.6~p')"
_EXPONENT = f"{scientific('100 * datum.value', '+.3')} + '%'"
_PLAIN = "format(datum.value, '+,~r')"
Side = Literal["right", "left", "up", "down"]
_OPPOSITE: Final[dict[Side, Side]] = {"right": "left", "left": "right", "up": "down", "down": "up"}
_ARROWS: Final[dict[Side, str]] = {"right": "→", "left": "←", "up": "↑", "down": "↓"}
ELSEWHERE: Final = "elsewhere"
"""The shape of a row that the axis cannot hold."""
# Outlines from -1 to 1.
_BOW_TIE: Final = "M-1,-0.9L0,-0.2L1,-0.9L1,0.9L0,0.2L-1,0.9Z"
_BAR: Final = "M-1,-0.4L1,-0.4L1,0.4L-1,0.4Z"
_CHEVRONS: Final[dict[Side, str]] = {
    "right": "M-1,-1L0,-1L1,0L0,1L-1,1L0,0Z",
    "left": "M1,-1L0,-1L-1,0L0,1L1,1L0,0Z",
    "up": "M-1,1L-1,0L0,-1L1,0L1,1L0,0Z",
    "down": "M-1,-1L-1,0L0,1L1,0L1,-1L0,0Z",
}


class Axis(NamedTuple):
    """An axis of changes: ratios to the baseline on a logarithmic scale, or differences in a unit on a linear one."""

    ratio: bool
    low: float
    high: float
    unit: Unit
    title: str
    margin: float | None
    metric: Metric

    @classmethod
    def of(cls, comparison: Comparison, samples: Samples, found: Sequence[Effect]) -> Axis:
        """Choose the axis for rows with both sides; changes that it cannot hold lie beyond its ends."""
        # Changes from or to 0 have no ratio and stand at the ends of an axis of ratios; others need one of differences.
        ratios = sum(effect.fields["scale"] == "ratio" for effect in found)
        ratio = ratios > 0 and 2 * ratios >= len(found) - sum(map(_of_zero, found))
        metric = found[0].metric
        rule = comparison.arrangement.assignment.rule(metric)
        # A margin of its own, or an amount, is another part of each baseline.
        margin = 0.0 if rule.own_margins or rule.margin.is_absolute else rule.margin.amount
        name = frame.name(samples.metrics[metric].name, frame.AXIS)
        shaded = margin if margin > 0 else None
        title = f"change of {name}"
        axis = cls(
            ratio=True,
            low=0.0,
            high=0.0,
            unit=Unit(1.0, ""),
            title=title,
            margin=shaded,
            metric=samples.metrics[metric],
        )
        if ratio:
            return axis.reaching(found)
        # Intervals far beyond the changes extend the axis only when they are shown (``reaching``).
        for fields in (("change",), ("change", "change_low", "change_high")):
            values = [effect.fields[field] for effect in found if effect.fields["scale"] != "ratio" for field in fields]
            unit = linear_unit(samples, metric, _with_zero(values))
            axis = axis._replace(ratio=False, unit=unit, title=f"difference of {unit.title(name)}", margin=None)
            axis = axis.reaching(found)
            if max(-axis.low, axis.high) < _MOST:
                break
        return axis

    def reaching(self, found: Sequence[Effect]) -> Axis:
        """Return the axis with its ends extended for rows."""
        low, high = self._ends(found)
        # Rows that the axis cannot hold stand at its ends, apart from all others.
        sides = {_sign(effect) for effect in found if self.at(effect, "change") is None}
        if self.ratio:
            room = max(math.log(high / low) * _APART, _LEAST) if sides else 0.0
            low, high = low * math.exp(-room * (-1 in sides)), high * math.exp(room * (1 in sides))
        else:
            room = (high - low) * _APART
            low, high = low - room * (-1 in sides), high + room * (1 in sides)
        digits = DIGITS + digits_beyond(low, high)
        return self._replace(low=tidy(low, digits), high=tidy(high, digits))

    def _ends(self, found: Sequence[Effect]) -> tuple[float, float]:
        """Return ends that hold every change and all intervals not far beyond the others; arrows show the rest."""
        along = math.log if self.ratio else float
        centres, halves, ends = [], [], []
        for effect in found:
            at = [self.at(effect, name) for name in ("change", "change_low", "change_high")]
            here = [along(value) for value in at if value is not None and self._holds(value)]
            if at[0] is not None and self._holds(at[0]):
                centres.append(along(at[0]))
                halves += [abs(end - centres[-1]) for end in here[1:]]
            ends += here
        halves.sort()
        reach = _REACH * halves[len(halves) // 2] if halves else 0.0
        most_of = _body(centres, math.log1p(self.margin) if self.ratio and self.margin else 0.0)
        least, most = max(min([0.0, *centres]), -most_of), min(max([0.0, *centres]), most_of)
        span = max(reach, (most - least) / 8)
        low = max(min([least, *ends]), least - span)
        high = min(max([most, *ends]), most + span)
        if not self.ratio:
            room = (high - low) * 0.04 or 1.0
            return low - room, high + room
        room = max((high - low) * 0.04, _LEAST) if high > low else 0.05
        return math.exp(max(low - room, -_FARTHEST)), math.exp(min(high + room, _FARTHEST))

    def _holds(self, value: float) -> bool:
        return math.isfinite(value) and (value > 0 or not self.ratio)

    def at(self, effect: Effect, name: str) -> float | None:
        """Give a row's change, or an end of its interval; None where it has none or is of another scale."""
        value: float | None = effect.fields[name]
        if value is None or (effect.fields["scale"] == "ratio") != self.ratio:
            return None
        return 1.0 + value if self.ratio else self.unit.own(value)

    def place(self, effect: Effect) -> dict[str, Any]:
        """Return the positions of a row's change and interval, cut at the ends of the axis.

        ``before`` and ``after`` mark that something lies beyond an end, or is open there. A row that the axis cannot
        hold, as from 0 to 12, has the shape ``ELSEWHERE`` at the end to which it changed.
        """
        value = self.at(effect, "change")
        if value is None:
            end = {-1: self.low, 0: self.none, 1: self.high}[_sign(effect)]
            return {"value": end, "before": False, "after": False, "shape": ELSEWHERE}
        low, high = self.at(effect, "change_low"), self.at(effect, "change_high")
        fields = effect.fields
        told: dict[str, Any] = {
            "shape": effect.verdict,
            "value": self._inside(value, value),
            "before": value < self.low,
            "after": value > self.high,
        }
        if low is not None or fields["change_low_open"]:
            told["before"] = told["before"] or bool(fields["change_low_open"]) or low is None or low < self.low
            told["low"] = self._inside(None if fields["change_low_open"] else low, self.low)
        if high is not None or fields["change_high_open"]:
            told["after"] = told["after"] or bool(fields["change_high_open"]) or high is None or high > self.high
            told["high"] = self._inside(None if fields["change_high_open"] else high, self.high)
        return told

    def _inside(self, value: float | None, otherwise: float) -> float:
        inside = min(max(otherwise if value is None else value, self.low), self.high)
        return tidy(inside, DIGITS + digits_beyond(self.low, self.high))

    def share(self, value: float) -> float:
        """Return the position of a value along the axis, from 0 to 1."""
        along = math.log if self.ratio else float
        return (along(value) - along(self.low)) / (along(self.high) - along(self.low))

    @property
    def none(self) -> float:
        """The position of no change."""
        return 1.0 if self.ratio else 0.0

    def band(self) -> tuple[float, float] | None:
        """Return the ends of the margin on this axis; None for differences, where each row has its own margin."""
        if self.margin is None:
            return None
        return max(1.0 / (1.0 + self.margin), self.low), min(1.0 + self.margin, self.high)

    def encoding(
        self, field: str = "value", *, pixels: int = 400, vertical: bool = False, **axis: Any
    ) -> dict[str, Any]:
        """Encode a field on this axis; ``axis`` holds further properties of Vega-Lite's axis."""
        title = directed(self.title, self.metric, vertical=vertical)
        shown = {"title": frame.axis_title(title, pixels), "tickCount": max(pixels // 80, 2), **axis}
        scale: dict[str, Any] = {"domain": [self.low, self.high], "nice": False, "zero": False}
        if self.ratio:
            scale = {"type": "log", **scale}
            del scale["zero"]
            ticks = ratio_ticks(self.low, self.high, max(pixels // 52, 3))
            shown |= {"values": ticks, "labelExpr": _RATIO_LABEL, "tickCount": 100}
        return {"field": field, "type": "quantitative", "scale": scale, "axis": shown}


def elsewhere(comparison: Comparison, samples: Samples, effect: Effect, axis: Axis) -> str:
    """Write a row that an axis cannot hold: ``from 0 to 12`` if it has no ratio, else its ratio."""
    words = from_to(samples, effect) if axis.ratio else ""
    return words or str(comparison.weighing.cell(effect.row, "change"))


def from_to(samples: Samples, effect: Effect) -> str:
    """Write the centres of both sides: ``from 0 to 12``; empty if a side has none."""
    ends = [effect.fields[key] for key in ("baseline_centre", "contender_centre")]
    if None in ends:
        return ""
    first, last = (frame.amount(samples, effect.metric, each) for each in ends)
    return f"from {first} to {last}"


def elsewhere_legend(comparison: Comparison, samples: Samples, found: Sequence[Effect], axis: Axis) -> str:
    """Say what the hollow marks are: ``no ratio: from 0 to 12``; empty if there are none."""
    stray = [effect for effect in found if axis.at(effect, "change") is None]
    # An example that changed says more than one that did not.
    shown = next((effect for effect in stray if effect.fields["change"]), stray[0] if stray else None)
    if shown is None:
        return ""
    return f"{'no ratio' if axis.ratio else 'another scale'}: {elsewhere(comparison, samples, shown, axis)}"


def _of_zero(effect: Effect) -> bool:
    return 0 in {effect.fields["baseline_centre"], effect.fields["contender_centre"]}


def _sign(effect: Effect) -> int:
    change = effect.fields["change"] or 0.0
    return (change > 0) - (change < 0)


def _with_zero(values: Sequence[float | None]) -> Floats:
    return np.array([0.0, *(value for value in values if value is not None and math.isfinite(value))])


def _body(centres: list[float], margin: float) -> float:
    """Return the distance of an axis's ends from no change: a few far changes must not compress all others.

    Changes within the margin may be compressed, because nobody compares them.
    """
    sizes = sorted(abs(centre) for centre in centres)
    usual = sizes[int(0.9 * len(sizes))] if len(sizes) >= _ENOUGH else 0.0
    return _BODY * max(usual, margin) if usual else math.inf


def ratio_ticks(low: float, high: float, most: int) -> list[float]:
    """Choose the ticks of an axis of ratios around 1: evenly spaced percentages, or round ratios on a wide axis."""
    if high / low <= _NARROW:
        for step in _STEPS:
            first, last = math.ceil((low - 1) / step - 1e-9), math.floor((high - 1) / step + 1e-9)
            if last - first < most:
                return [float(f"{1 + place * step:.9g}") for place in range(first, last + 1)]
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for every in _EVERY:
        for steps in _DECADES if every == 1 else ((1,),):
            decades = [decade for decade in range(first, last + 1) if decade % every == 0]
            ticks = [float(f"{step}e{decade}") for decade in decades for step in steps]
            inside = [tick for tick in ticks if low <= tick <= high]
            if len(inside) <= most:
                return inside
    return [1.0]


def drawable(change: float) -> bool:
    """Return whether an axis can hold a change."""
    return math.isfinite(change) and abs(change) <= LARGEST


def undrawable(count: int) -> list[str]:
    """Describe how many changes are left out because no axis can hold them."""
    return [f"{counted(count, 'change')} too large for any axis left out"] if count else []


def level_axis(values: Iterable[float], title: str, *, percent: bool) -> dict[str, Any]:
    """Encode changes, in per cent or in the unit that the title names."""
    ends = [0.0, *values]
    low, high = min(ends), max(ends)
    room = (high - low) * 0.06 or 0.01
    short = _WRITTEN[0] <= max(-low, high) <= _WRITTEN[1] or low == high
    label = (_PERCENT if short else _EXPONENT) if percent else _PLAIN
    zero = "'0%'" if percent else "'0'"
    return {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [tidy(low - room), tidy(high + room)], "nice": False, "zero": False},
        "axis": {"title": title, "labelExpr": f"datum.value == 0 ? {zero} : {label}", "tickCount": 5},
    }


def worse_side(better: str | None, *, vertical: bool = False) -> Side:
    """Return the end of an axis of changes at which rows are worse; right or up if no direction is better."""
    if vertical:
        return "down" if better == "higher" else "up"
    return "left" if better == "higher" else "right"


def directed(title: str, metric: Metric, *, vertical: bool = False, reverse: bool = False) -> str:
    """Add to the title of an axis of changes which end is worse: ``change of time (→ slower)``.

    ``reverse`` is for axes whose larger numbers are better, as those of speed-ups.
    """
    if metric.better is None:
        return title
    side = worse_side(metric.better, vertical=vertical)
    word = "slower" if _native.is_speed(metric.quantity, metric.better) else "worse"
    return f"{title} ({_ARROWS[_OPPOSITE[side] if reverse else side]} {word})"


def _shapes(worse: Side) -> dict[str, str]:
    """Return the shape of each verdict; what is worse points to the worse end of the axis, what is better away."""
    better = _OPPOSITE[worse]
    found = {}
    for each in TABLE:
        side = better if each.harm == "good" else worse
        outlines = {"triangle": f"triangle-{side}", "chevrons": _CHEVRONS[side], "bow-tie": _BOW_TIE, "bar": _BAR}
        found[each.code] = outlines.get(each.shape, each.shape)
    return {**found, ELSEWHERE: frame.HOLLOW}


def marks(worse: Side) -> dict[str, Any]:
    """Encode the fields ``verdict`` by colour and ``shape`` (a verdict or ``ELSEWHERE``) by shape."""
    shapes = _shapes(worse)
    scale = {"domain": list(shapes), "range": list(shapes.values())}
    return {
        "color": frame.verdict_colour(),
        "shape": {"field": "shape", "type": "nominal", "scale": scale, "legend": None},
    }


def legend(verdicts: Mapping[str, str], elsewhere: str, worse: Side, width: int, left: int = 0) -> dict[str, Any]:
    """Draw the marks of the verdicts that occur, and of rows that the axis cannot hold, as a separate panel.

    ``verdicts`` are those of all rows, each with its word. ``elsewhere`` says what a row is that the axis cannot hold
    (``no ratio: from 0 to 12``); empty if there is none. ``worse`` is the end of the axis at which rows are worse.
    ``width`` and ``left`` are those of ``frame.keyed``.
    """
    rows: list[dict[str, Any]] = [
        {"verdict": code, "shape": code, "label": verdicts[code]} for code in VERDICTS if code in verdicts
    ]
    if elsewhere:
        rows.append({"verdict": "", "shape": ELSEWHERE, "label": elsewhere})
    encoding = marks(worse)
    dot = {"type": "point", "filled": True, "size": 70, "opacity": 1}
    judged, hollow = [row for row in rows if row["verdict"]], [row for row in rows if not row["verdict"]]
    symbols = [(judged, dot, encoding), (hollow, frame.hollow(style="remark"), {})]
    return frame.keyed(rows, symbols, width, left=left)
