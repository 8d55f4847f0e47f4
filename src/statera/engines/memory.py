"""How much memory an engine may use."""

from __future__ import annotations

from typing import Final

from statera.errors import Stop
from statera.files.sizes import parse_size

LEAST: Final = 16 * 2**20
"""With less an engine does not start."""
_MOST: Final = 2**50


def size(memory: str) -> int:
    """Read a size such as ``1GiB``, ``1.5 GB`` or ``4G``: bytes.

    Raises:
        Stop: it is no size, or one with which nothing can be analysed.

    """
    number = parse_size(memory)
    if number is None:
        raise Stop("bad-option", f"--memory {memory}: no size such as 512MiB, 2GiB or 4GB")
    if not LEAST <= number <= _MOST:
        raise Stop("bad-option", f"--memory {memory}: give from {LEAST // 2**20} MiB to {_MOST // 2**40} TiB")
    return number
