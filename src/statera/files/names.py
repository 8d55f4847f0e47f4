"""Names from the command line and from file systems, as text that can be written anywhere."""

from __future__ import annotations

import os


def as_text(name: str) -> str:
    r"""Give a name as text; a byte that is not UTF-8 is written as ``\xFF``, so that two names stay two."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return _escaped(name)
    return name


def _escaped(name: str) -> str:
    try:
        text = os.fsencode(name).decode(errors="surrogateescape")
    except UnicodeEncodeError:
        # It comes from neither: a half of a character, of a JSON text for instance.
        return name.encode(errors="backslashreplace").decode()
    return "".join(rf"\x{ord(each) - 0xDC00:02X}" if "\udc80" <= each <= "\udcff" else each for each in text)
