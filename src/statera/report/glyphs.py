"""Characters that no font at hand can show stand as their code points, U+6F22, never as empty boxes.

``glyphs.txt`` lists what the fonts that come with typst (pages) and with vl-convert (pictures) can show;
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
# Breaks of lines are no glyphs; a blank of no width is an offer to break.
_SILENT: Final = frozenset("\n\u200b")


def shown(text: str, where: Where = "pages") -> str:
    """Return text as the fonts can show it; control and direction characters, too, as their code points."""
    text = text if text.isascii() and text.isprintable() else _native.printable(text)
    if text.isascii():
        return text
    return "".join(letter if _has(letter, where) else f"U+{ord(letter):04X}" for letter in text)


def shown_in(value: Any, where: Where = "pictures") -> Any:  # noqa: ANN401 - a tree of JSON
    """Do the same to every text in a tree of JSON."""
    if isinstance(value, str):
        return value if value.isascii() else "\n".join(shown(line, where) for line in value.split("\n"))
    if isinstance(value, dict):
        return {key: shown_in(each, where) for key, each in value.items()}
    return [shown_in(each, where) for each in value] if isinstance(value, (list, tuple)) else value


def _has(letter: str, where: Where) -> bool:
    if letter.isascii() or letter in _SILENT:
        return True
    starts, ends = _ranges()[where]
    place = bisect.bisect_right(starts, ord(letter)) - 1
    return place >= 0 and ord(letter) <= ends[place]


@functools.cache
def _ranges() -> dict[str, tuple[list[int], list[int]]]:
    """Read the table: for pages and for pictures the first and the last characters of each range."""
    found = {}
    for line in _TABLE.read_text(encoding="ascii").splitlines():
        where, *words = line.split()
        ends = [word.partition("-") for word in words]
        found[where] = ([int(low, 16) for low, _, _ in ends], [int(high or low, 16) for low, _, high in ends])
    return found
