"""How names of strangers and titles stand in a picture: whole, shortened or wrapped, never able to move text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.plots.theme import SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.plots.raw_values import Samples

GLYPH = 6.6  # width of a letter of 11 pixels, generously
LONGEST = 48  # columns of a name; it loses its middle, and the tooltip has it whole


def amount(samples: Samples, metric: int, value: float) -> str:
    """Write a value as the tables do, with its unit."""
    return _native.amount(samples.native, metric, value, value)


def name(text: str, most: int = LONGEST) -> str:
    """Give a name as it stands in a picture: nothing in it moves or hides text, and too long a one loses its middle."""
    return _native.shortened(_native.printable(text), most)


def whole(text: str) -> str:
    """Give a name whole, for a tooltip."""
    return _native.printable(text)


def fitting(names: Iterable[str], pixels: float) -> tuple[list[str], int]:
    """Shorten names to fit into so many pixels, and give the pixels that they take."""
    most = max(int(pixels / GLYPH), 6)
    short = [name(each, most) for each in names]
    return short, int(max((_native.columns(each) for each in short), default=0) * GLYPH) + 8


def title(words: str, said: Iterable[str], width: int) -> dict[str, Any]:
    """Give the title of a picture; the sentences of ``said`` stand below it.

    Both are wrapped to the width, which is that of the picture without the labels at its left.
    """
    text = " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in said)
    width -= 24
    below = wrapped(text, width, SIZE, lines=9) if text else []
    return {"text": wrapped(words, width, SIZE + 4), **({"subtitle": below} if below else {})}


def wrapped(text: str, width: int, size: int, lines: int = 3) -> list[str]:
    """Break a text into lines that fit; the last one ends with an ellipsis where so many are too few."""
    most = max(int(width / (size * 0.6)), 12)
    return textwrap.wrap(text, most, max_lines=lines, placeholder=" …", break_on_hyphens=False) or [""]


def panel_title(words: str, width: int) -> dict[str, Any]:
    """Give the title of one panel among several."""
    return {"text": wrapped(words, width, 12)[:2], "style": "panel-title", "offset": 6}


def small_title(lines: Sequence[str], width: int) -> dict[str, Any]:
    """Give the title of one series among those of a panel, line by line."""
    text = [_native.shortened(words, max(int(width / GLYPH), 12)) for words in lines]
    return {"text": text, "style": "name", "fontWeight": "normal", "offset": 4}


def titled(spec: dict[str, Any], words: str, width: int) -> dict[str, Any]:
    """Give a panel its title, where it has one."""
    if not words:
        return spec
    title = panel_title(words, width)
    # A series that stands alone keeps its own title below that of the panel.
    own = spec.get("title")
    below = {"subtitle": own["text"]} if own else {}
    return {**spec, "title": {**title, **below}}
