"""SVG that statera writes itself: elements, whose texts come from strangers, and how wide texts are at most.

    svg.element("text", name, x=8, y=14)
    svg.element("g", svg.element("path", d="M0 0h8"), class_="zero")

Only what ``element`` returned is markup; every other text is escaped. No font is at hand: the widths are those of
DejaVu Sans, the widest font of the stack, so that no other of it overflows.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.output.views.names import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMESPACE: Final = "http://www.w3.org/2000/svg"
# Control characters, halves of characters, and the last two of each plane.
_FORBIDDEN: Final = re.compile(
    f"[\0-\x1f\ud800-\udfff{''.join(chr(end - 2) + chr(end - 1) for end in range(1 << 16, 18 << 16, 1 << 16))}]"
)


class Element(str):
    """An element, or a part of one, as it stands in the file; also the value of an attribute that needs no escapes."""

    __slots__ = ()


class _Attributes(dict[str, str]):
    """The names of attributes by those of parameters; a page writes the same few some thousand times."""

    def __missing__(self, name: str) -> str:
        self[name] = name.rstrip("_").replace("_", "-")
        return self[name]


_NAMES: Final = _Attributes()


def element(tag: str, /, *within: str, **attributes: str | float) -> Element:
    """Write an element with its attributes in their order: ``class_`` is ``class``, ``text_anchor`` ``text-anchor``."""
    head = f"<{tag}"
    for name, value in attributes.items():
        if isinstance(value, str):
            written: str = value if isinstance(value, Element) else escaped(value)
        else:
            written = f"{value:g}" if isinstance(value, float) else str(value)
        head += f' {_NAMES[name]}="{written}"'
    if not within and tag not in _GROUPS:
        return Element(f"{head}/>")
    return Element(f"{head}>{''.join(each if isinstance(each, Element) else escaped(each) for each in within)}</{tag}>")


def document(width: float, height: float, /, *within: Element, **attributes: str | float) -> Element:
    """Write a drawing that stands alone, of a size in pixels."""
    box = {"viewBox": f"0 0 {width:g} {height:g}"}
    return element("svg", *within, xmlns=NAMESPACE, width=width, height=height, **box, **attributes)


def escaped(words: str) -> Element:
    """Write a text; what XML forbids altogether is replaced."""
    # Most are numbers, which the pattern need not look through.
    return Element(escape(words if words.isascii() and words.isprintable() else _without_forbidden(words)))


def _without_forbidden(words: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", words)


# They have an end of their own also where nothing stands in them.
_GROUPS: Final = frozenset({"g", "svg"})
# Widths of the characters from the space to the tilde, in hundredths of the font's size.
# fmt: off
_PLAIN: Final = (
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79, 61, 79, 70, 64, 62, 74, 69, 99, 69, 62,
    69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60,
    82, 60, 60, 53, 64, 34, 64, 84,
)
_BOLD: Final = (
    35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84,
    84, 84, 59, 100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84, 86, 74, 86, 78, 73, 69, 82, 78, 111, 78,
    73, 73, 46, 37, 46, 84, 50, 50, 68, 72, 60, 72, 68, 44, 72, 72, 35, 35, 67, 35, 105, 72, 69, 72, 72, 50, 60, 48, 72,
    66, 93, 65, 66, 59, 72, 37, 72, 84,
)
# fmt: on
# Narrower names do not stay apart.
_NARROWEST: Final = 8
# Of any other character, for each column that a terminal gives it.
_OTHER: Final = 90


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text is at most."""
    of = _BOLD if bold else _PLAIN
    hundredths = sum(
        of[ord(letter) - 32] if " " <= letter <= "~" else _OTHER * max(_native.columns(letter), 0) for letter in text
    )
    return size * hundredths / 100


def cut(text: str, most: float, size: float, *, bold: bool = False) -> str:
    """Shorten a text to a width; the middle is removed, because names differ at both ends."""
    # An escape is wider than the character that it stands for.
    text = _native.printable(text)
    columns = _native.columns(text)
    while columns > 1 and text_width(text, size, bold=bold) > most:
        columns = min(columns - 1, int(columns * most / text_width(text, size, bold=bold)) + 1)
        text = _native.shortened(text, columns)
    return text


def apart(names: Sequence[str], most: float, size: float) -> list[str]:
    """Shorten names to a width so that what tells them apart stays."""
    names = [_native.printable(name) for name in names]
    if all(text_width(name, size) <= most for name in names):
        return names
    # So many of the narrowest letters fit.
    for columns in range(int(100 * most / (size * min(_PLAIN))), _NARROWEST, -1):
        forms = shortened(names, columns)
        made = [forms.get(name, name) for name in names]
        if all(text_width(name, size) <= most for name in made):
            return made
    return [cut(name, most, size) for name in names]


def wrapped(text: str, most: float, size: float, *, bold: bool = False) -> list[str]:
    """Break a text at blanks into lines of a width; a word that is wider is shortened."""
    lines: list[str] = []
    for word in _native.printable(text).split():
        fitting = cut(word, most, size, bold=bold)
        longer = f"{lines[-1]} {fitting}" if lines else fitting
        if lines and text_width(longer, size, bold=bold) <= most:
            lines[-1] = longer
        else:
            lines.append(fitting)
    return lines
