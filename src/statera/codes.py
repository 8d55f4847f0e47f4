"""The codes that rows carry, as the compiled part lists them, and their words."""

from __future__ import annotations

from typing import Final

from statera import _native

_EVERY: Final = _native.codes()
VERDICTS: Final = tuple(_EVERY["verdicts"])
WARNINGS: Final = tuple(_EVERY["warnings"])
DESIGNS: Final = tuple(_EVERY["designs"])
GRADES: Final = tuple(_EVERY["grades"])


def words(code: str) -> str:
    """Write a code as people read it: ``one value`` for ``one-value``."""
    return code.replace("-", " ")
