"""Sizes with units, such as ``1GiB``."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final


_UNITS: Final = {
    "": 1, "B": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12,
    "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40,
}  # fmt: skip


def parse_size(text: str) -> int | None:
    """Return the bytes of a size such as ``1GiB``, ``1.5 GB`` or ``4G``; None if the text is not a size."""
    import re  # noqa: PLC0415 - most commands are given none

    found = re.fullmatch(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([A-Za-z]*)", text.strip())
    unit = _UNITS.get(found[2].upper()) if found else None
    if found is None or unit is None:
        return None
    return int(float(found[1]) * unit) if "." in found[1] else int(found[1]) * unit
