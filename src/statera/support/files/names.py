"""Names from the command line and from file systems, converted to text that can be written anywhere."""

from __future__ import annotations

import os

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def as_text(name: str) -> str:
    r"""Return a name as text; a byte that is not UTF-8 becomes ``\xFF``, so that different names stay different."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return _escaped(name)
    return name


def as_texts(value: Any) -> Any:
    """Return a JSON value in which every text is one, as ``as_text`` makes it."""
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, dict):
        return {as_text(key): as_texts(each) for key, each in value.items()}
    return [as_texts(each) for each in value] if isinstance(value, (list, tuple)) else value


def _escaped(name: str) -> str:
    try:
        text = os.fsencode(name).decode(errors="surrogateescape")
    except UnicodeEncodeError:
        # A lone surrogate, for instance from a JSON text; it comes from neither of the two sources.
        return name.encode(errors="backslashreplace").decode()
    return "".join(rf"\x{ord(each) - 0xDC00:02X}" if "\udc80" <= each <= "\udcff" else each for each in text)
