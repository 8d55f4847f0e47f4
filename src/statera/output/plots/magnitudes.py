"""Limits and formats of numbers that are too large or too small to draw or write directly."""

from __future__ import annotations

import math

LARGEST = 1e300
"""The largest number of an axis; sums of larger values may overflow."""
ROOMY = 1e290
"""Up to this number an axis has room beyond its ends, and calculations with it do not overflow."""


def thousands(exponent: float, base: str) -> tuple[int, str]:
    """Return the power of a thousand at or below a power of ten, as an exponent of ten, and the resulting unit."""
    power = 3 * math.floor(exponent / 3)
    return power, f"1e{power} {base}".rstrip()


def scientific(value: str, digits: str) -> str:
    """Return the Vega expression that writes a number as ``1.5e7``; ``digits`` is a format such as ``.3``."""
    return f"replace(format({value}, '{digits}~e'), 'e+', 'e')"
