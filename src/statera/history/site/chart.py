"""The chart of a course as SVG.

One drawing fits every width, zoom and theme: marks stand in nested drawings whose axes are stretched independently,
with strokes that are not stretched; texts stand outside of these, at shares of the width; colours are classes.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.history import words
from statera.history.site.scale import STEPS, Scale

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.history.analysis import Change
    from statera.history.site.courses import Course, Level, Stretch

# Pixels from the top of a drawing to its plot, and from the plot to the bottom.
_ABOVE: Final = 20
_BELOW: Final = 22
# The width of a character, as a share of a drawing on a phone.
_CHARACTER: Final = 0.026
# More values than these have smaller dots.
_MANY: Final = 150
_CROWD: Final = 600
# The length of the mark of a value beyond the scale, of 100.
_BEYOND: Final = 5
_TONES: Final = {True: "worse", False: "better", None: "changed"}


class Texts(NamedTuple):
    """The words of a chart: its name, its description, and what stands below positions of commits."""

    title: str
    description: str
    below: Sequence[tuple[int, str]]


def tone(change: Change, stretch: Stretch) -> str:
    """Return the class of a change: its direction, and whether it is weak."""
    return _TONES[change.is_worse(stretch.track.series)] + (" weak" if change.weak else "")


def extent(course: Course) -> tuple[float, float]:
    """Return the positions at the left and at the right end of a chart."""
    first, last = course.stretches[0].positions[0], course.newest.positions[-1]
    first = min(first, *(stretch.positions[0] for stretch in course.stretches))
    free = max((last - first) * 0.01, 0.5)
    return first - free, last + free


def chart(course: Course, scale: Scale, texts: Texts, name: str, height: int) -> str:
    """Draw a course.

    Args:
        course: the values with their levels and changes.
        scale: the vertical scale.
        texts: the words.
        name: what ids within the page begin with.
        height: of the plot, in pixels.

    """
    left, right = extent(course)
    box = f'<svg y="{_ABOVE}" width="100%" height="{height}" preserveAspectRatio="none"'
    across = f"{left:g} {{}} {right - left:g} {{}}"
    count = sum(len(stretch.values) for stretch in course.stretches)
    size = " crowd" if count > _CROWD else " many" if count > _MANY else ""
    return (
        f'<svg class="plot{size}" height="{height + _ABOVE + _BELOW}" role="img" '
        f'aria-labelledby="{name}-title {name}-about">'
        f'<title id="{name}-title">{_text(texts.title)}</title>'
        f'<desc id="{name}-about">{_text(texts.description)}</desc>'
        f'<g class="scale">{"".join(_scale(scale, height))}</g>'
        f'{box} class="spans" viewBox="{across.format(0, 100)}">{"".join(_spans(course, scale))}</svg>'
        f'{box} class="values" viewBox="{across.format(0, STEPS)}">{"".join(_values(course, scale))}</svg>'
        f'<g class="labels">{"".join(_labels(course, left, right))}</g>'
        f'<g class="below">{"".join(_below(texts.below, left, right, height))}</g></svg>'
    )


def _scale(scale: Scale, height: int) -> Iterator[str]:
    for step, label in scale.ticks():
        y = _ABOVE + height * step / STEPS
        yield f'<line x2="100%" y1="{y:.1f}" y2="{y:.1f}"/><text x="-8" y="{y + 4:.1f}">{_text(label)}</text>'


def _spans(course: Course, scale: Scale) -> Iterator[str]:
    """Draw what spans the height: where changes may be, where they are, replaced machines, and values beyond."""
    for number, stretch in enumerate(course.stretches):
        if number:
            yield f'<path class="machine" d="M{stretch.positions[0] - 0.5:g} 0v100"/>'
        for change in stretch.track.changes:
            kind = tone(change, stretch)
            width = change.last - change.first
            if width:
                yield f'<rect class="place {kind}" x="{change.first - 0.5:g}" width="{width + 1}" height="100"/>'
            yield f'<path class="edge {kind}" d="M{change.place - 0.5:g} 0v100"/>'
        for position, value in zip(stretch.positions, stretch.values, strict=True):
            step = scale.step(value)
            if not 0 <= step <= STEPS:
                end = f"0v{_BEYOND}" if step < 0 else f"100v-{_BEYOND}"
                yield f'<path class="beyond" d="M{position} {end}"/>'


def _values(course: Course, scale: Scale) -> Iterator[str]:
    for stretch in course.stretches:
        for level in stretch.levels:
            yield _level(level, stretch, scale)
    plain, outside = [], []
    for stretch in course.stretches:
        marked = stretch.outside
        dots = [(x, scale.step(value)) for x, value in zip(stretch.positions, stretch.values, strict=True)]
        plain += [dot for number, dot in enumerate(dots) if number not in marked]
        outside += [dots[number] for number in sorted(marked)]
    yield f'<path class="dots" d="{_dots(plain)}"/>'
    if outside:
        yield f'<path class="dots outside" d="{_dots(outside)}"/><path class="dots hole" d="{_dots(outside)}"/>'


def _level(level: Level, stretch: Stretch, scale: Scale) -> str:
    begin, end = stretch.positions[level.begin] - 0.5, stretch.positions[level.end - 1] + 0.5
    band = ""
    if level.low is not None and level.high is not None and level.high > level.low:
        top, bottom = scale.step(level.high), scale.step(level.low)
        band = f'<rect class="band" x="{begin:g}" y="{top}" width="{end - begin:g}" height="{bottom - top}"/>'
    return f'{band}<path class="level" d="M{begin:g} {scale.step(level.value)}H{end:g}"/>'


def _dots(places: Sequence[tuple[int, int]]) -> str:
    """Write dots as lines without length: their round ends are circles, however the drawing is stretched."""
    parts = []
    before = (0, 0)
    for x, y in places:
        down = y - before[1]
        parts.append(f"m{x - before[0]}{down if down < 0 else f' {down}'}h0")
        before = x, y
    return "".join(parts)


def _labels(course: Course, left: float, right: float) -> Iterator[str]:
    """Write the sizes of changes above them, and where machines were replaced; the newest where several would touch."""
    found = []
    for number, stretch in enumerate(course.stretches):
        if number:
            found.append((stretch.positions[0] - 0.5, "machine", "machine changed"))
        found += [
            (change.place - 0.5, tone(change, stretch), words.size(stretch.track, change))
            for change in stretch.track.changes
        ]
    free = float("inf")
    for position, kind, label in sorted(found, reverse=True):
        share = (position - left) / (right - left)
        half = _CHARACTER * len(label) / 2
        touches = share + half > free
        if not touches:
            free = share - half - _CHARACTER
        hidden = ' visibility="hidden"' if touches else ""
        yield (
            f'<text class="{kind}" data-at="{position:g}" x="{100 * share:.2f}%" y="{_ABOVE - 6}"'
            f"{_anchor(share)}{hidden}>{_text(label)}</text>"
        )


def _below(texts: Sequence[tuple[int, str]], left: float, right: float, height: int) -> Iterator[str]:
    for position, label in texts:
        share = (position - left) / (right - left)
        yield (
            f'<text data-at="{position}" x="{100 * share:.2f}%" y="{_ABOVE + height + 16}"{_anchor(share)}>'
            f"{_text(label)}</text>"
        )


def _anchor(share: float) -> str:
    """Return where a text stands at its place, so that it stays within the drawing."""
    near = 0.12
    if near <= share <= 1 - near:
        return ""
    return ' text-anchor="start"' if share < near else ' text-anchor="end"'


def _text(value: str) -> str:
    return escape(_native.printable(value))
