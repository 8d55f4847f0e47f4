"""Sizes of memory as people write them."""

from __future__ import annotations

import re
from typing import Final

from statera.errors import Stop

_UNITS: Final = {
    "": 1, "B": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
    "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40,
}  # fmt: skip
_SIZE: Final = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([A-Za-z]*)")
LEAST: Final = 16 * 2**20
"""With less an engine does not start."""
_MOST: Final = 2**50


def size(memory: str) -> int:
    """Read a size such as ``1GiB``, ``1.5 GB`` or ``4G``: bytes.

    Raises:
        Stop: it is no size, or one with which nothing can be analysed.

    """
    found = _SIZE.fullmatch(memory.strip())
    unit = _UNITS.get(found[2].upper()) if found else None
    if found is None or unit is None:
        raise Stop("bad-option", f"--memory {memory}: no size such as 512MiB, 2GiB or 4GB")
    number = int(float(found[1]) * unit)
    if not LEAST <= number <= _MOST:
        raise Stop("bad-option", f"--memory {memory}: give from {LEAST // 2**20} MiB to {_MOST // 2**40} TiB")
    return number
