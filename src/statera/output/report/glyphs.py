"""Replaces characters that the available fonts cannot show by their code points, such as U+6F22.

``glyphs.txt`` lists the characters of the fonts in typst (for pages) and vl-convert (for pictures);
``bench/glyphs.py`` writes it.
"""

from __future__ import annotations

import bisect
import functools
from pathlib import Path
from typing import Any, Final, Literal

from statera import _native

Where = Literal["pages", "pictures"]
_TABLE: Final = Path(__file__).with_name("glyphs.txt")
# Line breaks have no glyphs; a zero-width space only allows a line break.
_SILENT: Final = frozenset("\n\u200b")


def shown(text: str, where: Where = "pages") -> str:
    """Return text that the fonts can show; control and direction characters also become code points."""
    text = text if text.isascii() and text.isprintable() else _native.printable(text)
    if text.isascii():
        return text
    return "".join(letter if _has(letter, where) else f"U+{ord(letter):04X}" for letter in text)


def shown_in(spec: dict[str, Any]) -> dict[str, Any]:
    """Apply ``shown`` to every text of the specification of a picture."""
    return {key: _shown_in(value) for key, value in spec.items()}


def _shown_in(value: object) -> object:
    if isinstance(value, str):
        return value if value.isascii() else "\n".join(shown(line, "pictures") for line in value.split("\n"))
    if isinstance(value, dict):
        return shown_in(value)
    return [_shown_in(each) for each in value] if isinstance(value, (list, tuple)) else value


def _has(letter: str, where: Where) -> bool:
    if letter.isascii() or letter in _SILENT:
        return True
    starts, ends = _ranges()[where]
    place = bisect.bisect_right(starts, ord(letter)) - 1
    return place >= 0 and ord(letter) <= ends[place]


@functools.cache
def _ranges() -> dict[str, tuple[list[int], list[int]]]:
    """Read the table: for pages and for pictures the first and the last character of each range."""
    found = {}
    for line in _TABLE.read_text(encoding="ascii").splitlines():
        where, *words = line.split()
        ends = [word.partition("-") for word in words]
        found[where] = ([int(low, 16) for low, _, _ in ends], [int(high or low, 16) for low, _, high in ends])
    return found
