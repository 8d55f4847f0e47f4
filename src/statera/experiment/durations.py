"""Lengths of time such as ``90s``, ``10m`` or ``1h30m``."""

from __future__ import annotations

import re
from typing import Final

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)\s*")
# A year: what is longer is a mistake.
_LONGEST: Final = 366 * 86400.0


def parse_duration(text: str) -> float | None:
    """Return the seconds of a length of time; a number alone is in seconds. None if the text is none, or is 0."""
    text = text.strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        text += "s"
    if not re.fullmatch(rf"(?:{_PART.pattern})+", text):
        return None
    seconds = sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    return seconds if 0 < seconds <= _LONGEST else None


def in_words(seconds: float) -> str:
    """Write a length of time as a person reads it: ``0.4 s``, ``12 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if seconds < 10:  # noqa: PLR2004 - two digits are enough
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    if hours:
        return f"{hours} h {left} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
