"""Axes of values: their ticks, and the number of digits of the values of a picture."""

from __future__ import annotations

import math
from typing import Any

from statera.output.plots.magnitudes import scientific

NUMBER = ",~r"  # ticks are plain numbers: the axis title carries the unit
DIGITS = 7  # significant digits of a value; no pixel needs more
_PLAIN = (1e-5, 1e7)  # range of a logarithmic axis without exponents
EXPONENTS = (  # labels of an axis; long numbers get an exponent
    f"datum.value < {_PLAIN[0]} || datum.value > {_PLAIN[1]:.0f} "
    f"? {scientific('datum.value', '.7')} : format(datum.value, ',~r')"
)
_LOG_STEPS = (
    ((1, 2, 3, 5), 1),
    ((1, 2, 5), 1),
    ((1, 3), 1),
    *(((1,), every) for every in (1, 2, 3, 5, 10, 20, 50, 100, 200)),
)


def log_ticks(low: float, high: float, most: int = 9) -> list[float]:
    """Return the ticks of a logarithmic axis: the finest steps (1-2-5, 1-3, decades …) with at most ``most`` ticks."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps, every in _LOG_STEPS:
        decades = range(first - first % every, last + 1, every)
        ticks = [float(f"{step}e{decade}") for decade in decades for step in steps]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) <= most:
            break
    return inside if len(inside) > 1 else even_ticks(low, high, most)


def even_ticks(low: float, high: float, most: int) -> list[float]:
    """Return ticks in steps of 1, 2 or 5 times a power of ten, for an axis within two powers of ten."""
    from fractions import Fraction  # noqa: PLC0415 - most axes do without

    room = (Fraction(high) - Fraction(low)) / most
    decade = Fraction(10) ** math.floor(math.log10(room))
    step = next(step for step in (decade, 2 * decade, 5 * decade, 10 * decade) if step >= room)
    return [float(place * step) for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def values_axis(field: str, title: str, low: float, high: float, *, log: bool, most: int = 9) -> dict[str, Any]:
    """Encode values on an axis from ``low`` to ``high``; a logarithmic axis has the ticks of ``log_ticks``."""
    ticks = log_ticks(low, high, most) if log else []
    axis = {"title": title, "format": NUMBER, "tickCount": min(most, 6)}
    if log and (low < _PLAIN[0] or high > _PLAIN[1]):
        axis["labelExpr"] = EXPONENTS
    kind = {"type": "log"} if log else {"type": "linear", "zero": False}
    digits = DIGITS + digits_beyond(low, high)
    return {
        "field": field,
        "type": "quantitative",
        "scale": {**kind, "domain": [tidy(low, digits), tidy(high, digits)], "nice": False},
        # Vega-Lite labels at most ``tickCount`` of the ticks of a logarithmic axis.
        "axis": {**axis, "values": ticks, "tickCount": 100} if ticks else axis,
    }


def digits_beyond(low: float, high: float) -> int:
    """Return how many more digits values between two ends need than values of an axis that begins at zero."""
    largest = max(abs(low), abs(high))
    if not 0 < high - low < largest:
        return 0
    return max(math.ceil(math.log10(largest / (high - low))) - 2, 0)


def tidy(value: float, digits: int = DIGITS) -> float:
    """Round a value of a picture to some significant digits."""
    return float(f"{value:.{digits}g}")
