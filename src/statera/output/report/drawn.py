"""Pictures for paper and files: drawn once as SVG, with the heights at which each may be cut between two pages.

Characters that the available fonts cannot show are replaced by their code points, such as U+6F22.
"""

from __future__ import annotations

import bisect
import functools
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from xml.etree import ElementTree as ET

from statera import _native
from statera.output.plots import ahead
from statera.output.plots.picture import tightened
from statera.output.plots.theme import inks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from statera.output.plots.picture import Picture

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


# A panel stays whole, unless what then stays together is higher than this, in units of a picture: a page. Panels of
# this height are cut between their rows.
_PAGE: Final = 960
_ROWS: Final = 420
# Pieces that are shorter would only be more pieces.
_LEAST_PIECE: Final = 90
# A gap between panels, and one between rows, must be wider than this to be cut: a panel's ticks are nearer to it.
_PANEL_GAP, _ROW_GAP = 10, 5
# A cut is at most so far above the next text.
_MOST_ABOVE: Final = 9
_BACKGROUND: Final = re.compile(r"M0,0h([\d.]+)v([\d.]+)h")
_SHIFT: Final = re.compile(r"translate\((-?[\d.e-]+),(-?[\d.e-]+)\)")
_TAG: Final = re.compile(r"<\w[^<>]*>")
_COLOUR: Final = re.compile("#[0-9a-f]{6}")
# The width of a letter, its rise above the baseline, its fall and the next line, as parts of the size of the font.
_LETTER, _RISE, _FALL, _LINE = 0.6, 0.95, 0.3, 1.3


class Drawing(NamedTuple):
    """A picture as SVG, in its own units."""

    svg: str  # the drawing
    # width, height: its size
    width: float
    height: float
    smallest: float  # the size of its smallest text; 0 without text
    cuts: tuple[float, ...]  # heights at which it can be cut without cutting a text or a panel

    def pdf(self) -> bytes:
        """Return it as PDF, which embeds the fonts that were used for measuring text."""
        import vl_convert

        made: bytes = vl_convert.svg_to_pdf(self.svg)
        return made

    def png(self, scale: float) -> bytes:
        """Return it as PNG with ``scale`` dots per pixel."""
        import vl_convert

        return tightened(vl_convert.svg_to_png(self.svg, scale=scale))


class _Area(NamedTuple):
    """A text (with the size of its font) or the ground of a panel (without), from top to bottom."""

    top: float
    bottom: float
    font: float


def drawing(picture: Picture) -> Drawing:
    """Draw a picture in the light theme."""
    spec = shown_in(picture.spec)
    # The drawing of the page serves paper too, unless paper lacks characters.
    return _measured(in_light(ahead.svg(picture if spec == picture.spec else replace(picture, spec=spec))))


def in_light(svg: str) -> str:
    """Give the drawing of a page the colours of the light theme; only tags have colours, and texts stay as they are."""
    pairs = inks().pairs

    def light(ink: re.Match[str]) -> str:
        return pairs[ink[0]][0] if ink[0] in pairs else ink[0]

    return _TAG.sub(lambda tag: _COLOUR.sub(light, tag[0]), svg)


def _measured(svg: str) -> Drawing:
    root = ET.fromstring(svg)  # noqa: S314 - written by our own drawing, without entities
    parts = list(_areas(root, 0.0))
    width, height = float(root.get("width", "1")), float(root.get("height", "1"))
    panels = [part for part in parts if not part.font]
    texts = [part for part in parts if part.font]
    # The title stays with the first panel.
    head = _Area(0.0, min((panel.top for panel in panels), default=height) + 1, 0.0)
    smallest = min((text.font for text in texts), default=0.0)
    cuts = list(_cuts([head, *panels, *texts], height, _PANEL_GAP))
    if max(below - above for above, below in pairwise([0.0, *cuts, height])) > _PAGE:
        low = [panel for panel in panels if panel.bottom - panel.top <= _ROWS]
        cuts = list(_cuts([head, *low, *texts], height, _ROW_GAP))
    return Drawing(svg, width, height, smallest, tuple(cuts))


def _areas(element: Element, above: float) -> Iterator[_Area]:
    turned = element.get("transform", "")
    shift = _SHIFT.search(turned)
    above += float(shift.group(2)) if shift else 0.0
    if element.tag.endswith("}text"):
        words = "".join(element.itertext()).strip()
        size = float(element.get("font-size", "0").removesuffix("px"))
        if words and element.get("opacity") != "0":
            yield _turned(words, size, above) if "rotate(" in turned else _upright(len(element), size, above)
    elif element.get("class") == "background":
        ground = _BACKGROUND.match(element.get("d", ""))
        if ground and float(ground.group(1)) and float(ground.group(2)):
            yield _Area(above, above + float(ground.group(2)), 0.0)
    for inner in element:
        yield from _areas(inner, above)


def _upright(lines: int, size: float, above: float) -> _Area:
    return _Area(above - size * _RISE, above + size * (_FALL + _LINE * max(lines - 1, 0)), size)


def _turned(words: str, size: float, above: float) -> _Area:
    half = len(words) * size * _LETTER / 2
    return _Area(above - half, above + half, size)


def _cuts(taken: list[_Area], height: float, gap: float) -> Iterator[float]:
    """Yield heights in the gaps between what must not be cut; the first part is the head, never a piece alone."""
    end, last = 0.0, taken[0].bottom
    for part in sorted(taken):
        if part.top - end > gap:
            cut = max((end + part.top) / 2, part.top - _MOST_ABOVE)
            if min(cut - last, height - cut) >= _LEAST_PIECE:
                yield cut
                last = cut
        end = max(end, part.bottom)
