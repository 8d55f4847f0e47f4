"""Untrusted names and titles in a picture: made printable, then whole, shortened or wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.output.plots.picture import NARROW_BELOW as PHONE
from statera.output.plots.theme import SIZE
from statera.output.views.names import TWO_LINES, apart, broken, pieces, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.output.plots.frame.panels import Options
    from statera.output.plots.raw_values import Samples

GLYPH = 6.6  # width of a letter of 11 pixels, rounded up
_BOLD = 8.0  # width of a bold letter of 12 pixels, rounded up
_OF_SIZE = 0.54  # width of a letter in a sentence, as a share of its size
AXIS = 28  # columns of a metric's name in the title of an axis
LONGEST = 48  # columns of a name; a longer one is cut in the middle, and the tooltip shows it whole


def amount(samples: Samples, metric: int, value: float) -> str:
    """Write a value in the form of the tables, with its unit."""
    return _native.amount(samples.native, metric, value, value)


def name(text: str, most: int = LONGEST) -> str:
    """Return a name for a picture: printable, so that it cannot move or hide text, and cut in the middle if long."""
    return _native.apart([_native.printable(text)], most)[0]


def whole(text: str) -> str:
    """Return a whole name, made printable, for a tooltip."""
    return _native.printable(text)


class Fitted(NamedTuple):
    """Names in forms that fit beside rows, the pixels that they take, and a sentence on what they leave out."""

    names: list[str]
    pixels: int
    said: list[str]


def label(samples: Samples, variant: int, most: int) -> str:
    """Return the name of a variant in a form that stays apart from those of the others."""
    return apart(samples.labels, most).names[variant]


def benchmark(samples: Samples, number: int) -> str:
    """Return the name of a benchmark in a form that stays apart from those of the others, also of other pictures."""
    said = whole(samples.benchmarks[number])
    if _native.columns(said) <= LONGEST:
        return said
    return shortened(map(whole, samples.benchmarks), LONGEST)[said]


def fitting(names: Iterable[str], pixels: float) -> Fitted:
    """Shorten names to a width in pixels; names that differ stay different."""
    short, said, _ = apart(names, max(int(pixels / GLYPH), 6))
    return Fitted(short, int(max((_native.columns(each) for each in short), default=0) * GLYPH) + 8, said)


def above(names: Iterable[str], options: Options, share: float) -> bool:
    """Return whether names stand above their rows: the picture is narrow, and beside the rows they would be cut."""
    return options.width < PHONE and apart(names, max(int(options.width * share / GLYPH), 6)).cut


def for_panels(names: Iterable[str], width: int) -> tuple[list[str], list[str]]:
    """Shorten the names of panels to two lines; return them, and a sentence on what they leave out."""
    found = apart(names, int(_line(width) * TWO_LINES))
    return found.names, found.said


def _line(width: int) -> int:
    """Return the columns of a line of a panel's title."""
    return max(int(width / _BOLD), 8)


def axis_title(words: str, pixels: int) -> list[str]:
    """Return the title of an axis of a length: lines, none of which is cut."""
    most = max(int((pixels + 24) / (SIZE * 0.55)), 16)
    # The direction or the unit at the end stays whole.
    start = words.rfind(" (")
    parts = [words] if start < 0 or _native.columns(words) <= most else [words[:start], words[start + 1 :]]
    return [line for part in parts for line in broken(part, most)]


def title(words: str, said: Iterable[str], width: int) -> dict[str, Any]:
    """Return the title of a picture, with the sentences of ``said`` as subtitle.

    Both are wrapped to the width, which excludes the labels at the left of the picture.
    """
    text = " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in said)
    width -= 24
    below = wrapped(text, width, SIZE, lines=9) if text else []
    # Bold letters of 15 pixels are as wide as others of 16.
    return {"text": wrapped(words, width, SIZE + 5), **({"subtitle": below} if below else {})}


def wrapped(text: str, width: int, size: int, lines: int = 3) -> list[str]:
    """Wrap a text, long words between their parts; an ellipsis ends the last line if the text needs more lines."""
    most = max(int(width / (size * _OF_SIZE)), 12)
    rows: list[list[str]] = [[]]
    for word in text.split():
        space = " " if rows[-1] else ""
        for part in (line for piece in pieces(word) for line in broken(piece, most)):
            if _native.columns("".join([*rows[-1], space, part])) <= most:
                rows[-1].append(space + part)
            else:
                rows.append([part])
            space = ""
    if len(rows) > lines:
        last = rows[lines - 1]
        while len(last) > 1 and _native.columns("".join(last)) + 2 > most:
            last.pop()
        rows[lines - 1 :] = [[*last, " …"]]
    return ["".join(row) for row in rows]


def panel_title(words: str, width: int) -> dict[str, Any]:
    """Return the title of one panel among several; ``for_panels`` made its words fit on two lines."""
    return {"text": broken(words, _line(width)), "style": "panel-title", "offset": 6}


def small_title(lines: Sequence[Sequence[str]], width: int) -> dict[str, Any]:
    """Return the title of one of several series of a panel: lines of parts, which go to the next line uncut."""
    most = max(int(width / GLYPH), 12)
    text: list[str] = []
    for parts in lines:
        line = ""
        for part in parts:
            longer = f"{line} · {part}" if line else part
            if line and _native.columns(longer) > most:
                text.append(line)
                longer = part
            line = longer
        text.append(line)
    return {"text": text, "style": "name", "fontWeight": "normal", "offset": 4}


def titled(spec: dict[str, Any], words: str, width: int) -> dict[str, Any]:
    """Add a title to a panel if ``words`` is not empty."""
    if not words:
        return spec
    title = panel_title(words, width)
    # The title of a single series becomes the subtitle of its panel.
    own = spec.get("title")
    below = {"subtitle": own["text"]} if own else {}
    return {**spec, "title": {**title, **below}}
