"""How much memory an engine may use."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.files.sizes import parse_size
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

LEAST: Final = 16 * 2**20
"""The least memory, in bytes, with which an engine starts."""
_MOST: Final = 2**50


def size(memory: str) -> int:
    """Return the bytes of a size such as ``1GiB``, ``1.5 GB`` or ``4G``.

    Raises:
        Stop: the text is not a size, or the size is out of range.

    """
    number = parse_size(memory)
    if number is None:
        raise Stop("bad-option", f"--memory {memory}: not a size; write for instance 512MiB, 2GiB or 4GB")
    if not LEAST <= number <= _MOST:
        raise Stop("bad-option", f"--memory {memory}: must be from {LEAST // 2**20} MiB to {_MOST // 2**40} TiB")
    return number
