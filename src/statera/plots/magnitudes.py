"""Numbers that are too large or too small to be drawn or written as they are."""

from __future__ import annotations

import math

LARGEST = 1e300
"""An axis holds no larger number; sums of values beyond it may be larger than any number."""
ROOMY = 1e290
"""Up to here an axis has room beyond its ends, and can be counted with."""


def thousands(exponent: float, base: str) -> tuple[int, str]:
    """Return the power of a thousand at or below a power of ten, as an exponent of ten, and the unit that it makes."""
    power = 3 * math.floor(exponent / 3)
    return power, f"1e{power} {base}".rstrip()


def scientific(value: str, digits: str) -> str:
    """Return the expression that writes a number of an axis as ``1.5e7``; ``digits`` are a format such as ``.3``."""
    return f"replace(format({value}, '{digits}~e'), 'e+', 'e')"
