"""The chart of a course as SVG, its vertical scale, and the small drawing in a row.

One drawing fits every width, zoom and theme: marks stand in nested drawings whose axes are stretched independently,
with strokes that are not stretched; texts stand outside of these, at shares of the width; colours are classes.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, floor, inf, log10
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.history import wording
from statera.output.svg import Element, element

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.history.material import Beside, Course, Level, Stretch
    from statera.history.track import Change, Track
# Steps from the top of a chart to its bottom.
STEPS: Final = 10_000
# So many standard deviations of a value fit above and below: the noise of a calm series must not look like an event.
_CALM: Final = 5.0
# Of series without noise, as a share of their level.
_FLAT: Final = 0.02
# Values farther from their level are beyond the scale, otherwise a single one would press all others flat.
_FAR: Final = 10.0
# Left free above and below.
_FREE: Final = 0.06
_TICKS: Final = 4
_MOST_TICKS: Final = 7
# Beyond, differences would overflow.
_LARGEST: Final = 1e300
# The unit is that of the newest level, unless the scale reaches so many times farther.
_OTHER_UNIT: Final = 1e9
# Numbers with more digits than these before or behind the point are written with an exponent.
_PLAIN: Final = 9
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
WIDTH: Final = 100
HEIGHT: Final = 24
# Each point is the median of as many values as it takes.
_POINTS: Final = 60


class Scale(NamedTuple):
    """A vertical scale."""

    # low, high: what stands at the bottom and at the top, in the base unit.
    low: float
    high: float
    # factor, unit: the unit of the labels: what to divide by, and its name.
    factor: float
    unit: str

    def step(self, value: float) -> int:
        """Return the place of a value in steps from the top; values beyond the scale are beyond its ends."""
        return _native.chart_step(value, self.low, self.high)

    def ticks(self) -> list[tuple[int, str]]:
        """Return the places of round values with their labels."""
        low, high = self.low / self.factor, self.high / self.factor
        width = 10.0 ** floor(log10((high - low) / _TICKS))
        width *= next(size for size in (1, 2, 5, 10) if (high - low) / (width * size) <= _MOST_TICKS)
        decimals = max(0, -floor(log10(width) + 1e-9))
        form = f".{decimals}f" if decimals <= _PLAIN and max(-low, high) < 10**_PLAIN else ".3g"
        numbers = range(ceil(low / width), floor(high / width) + 1)
        unit = f" {self.unit}" if self.unit else ""
        return [(self.step(number * width * self.factor), f"{number * width:{form}}{unit}") for number in numbers]


def scale(course: Course) -> Scale:
    """Return the scale of a course: it covers the levels, and the values that are not far from them."""
    seen: list[float] = []
    for stretch in course.stretches:
        outside = stretch.outside
        for level in stretch.levels:
            seen += [end for end in (level.value, level.low, level.high) if end is not None]
            far = _FAR * _deviation(stretch, level.value) or inf
            seen += stretch.found.near(level.begin, level.end, level.value, far, outside) or ()
    if course.beside:
        # A branch that is far from it is still to be read: of the main branch, spikes may be beyond the scale.
        seen += [level.value for level in _drawn(course.beside)]
    low, high = _bounded(min(seen)), _bounded(max(seen))
    free = max((high - low) * _FREE, *(_calm(stretch) - (high - low) / 2 for stretch in course.stretches))
    series = course.newest.track.series
    low, high = low - free, high + free
    newest, most = abs(course.newest.levels[-1].value), max(abs(low), abs(high))
    like = newest if most <= _OTHER_UNIT * newest else most
    factor, unit = _native.series_unit(series.quantity, series.unit, like)
    return Scale(low, high, factor, unit)


def _bounded(value: float) -> float:
    return min(max(value, -_LARGEST), _LARGEST)


def _calm(stretch: Stretch) -> float:
    """Return the least half height of a chart of a stretch."""
    level = _bounded(abs(stretch.levels[-1].value))
    least = _CALM * _deviation(stretch, level)
    return least if 0 < least <= _LARGEST else _FLAT * level or 1.0


def _deviation(stretch: Stretch, level: float) -> float:
    """Return the standard deviation of a value around a level, in the base unit; 0 if unknown."""
    noise = stretch.track.noise or 0.0
    return noise * abs(level) if stretch.is_ratio else noise


class Texts(NamedTuple):
    """The words of a chart: its name, its description, and what stands below positions of commits."""

    title: str
    description: str
    below: Sequence[tuple[int, str]]


def tone(change: Change, track: Track) -> str:
    """Return the class of a change: its direction, and whether it is weak."""
    return change.direction(track.series) + (" weak" if change.weak else "")


def extent(course: Course) -> tuple[float, float]:
    """Return the positions at the left and at the right end of a chart."""
    first, last = min(stretch.first for stretch in course.stretches), course.newest.last
    if course.beside:
        first, last = min(first, course.beside.positions[0]), max(last, course.beside.positions[-1])
    free = max((last - first) * 0.01, 0.5)
    return first - free, last + free


def chart(course: Course, scale: Scale, texts: Texts, name: str, height: int) -> Element:
    """Draw a course in a plot of so many pixels; ids within the page begin with the name."""
    left, right = extent(course)
    box: dict[str, str | float] = {"y": _ABOVE, "width": "100%", "height": height, "preserveAspectRatio": "none"}
    across = f"{left:g} {{}} {right - left:g} {{}}"
    count = sum(len(stretch.found) for stretch in course.stretches)
    size = " crowd" if count > _CROWD else " many" if count > _MANY else ""
    return element(
        "svg",
        element("title", _native.printable(texts.title), id=f"{name}-title"),
        element("desc", _native.printable(texts.description), id=f"{name}-about"),
        element("g", *_scale(scale, height), class_="scale"),
        element("svg", *_spans(course, scale), **box, class_="spans", viewBox=across.format(0, 100)),
        element("svg", *_values(course, scale), **box, class_="values", viewBox=across.format(0, STEPS)),
        element("g", *_labels(course, left, right), class_="labels"),
        element("g", *_below(texts.below, left, right, height), class_="below"),
        class_=f"plot{size}",
        height=height + _ABOVE + _BELOW,
        role="img",
        aria_labelledby=f"{name}-title {name}-about",
    )


def _scale(scale: Scale, height: int) -> Iterator[Element]:
    for step, label in scale.ticks():
        y = _ABOVE + height * step / STEPS
        yield element("line", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}")
        yield element("text", _native.printable(label), x=-8, y=f"{y + 4:.1f}")


def _spans(course: Course, scale: Scale) -> Iterator[Element]:
    """Draw what spans the height: where changes may be, where they are, replaced machines, and values beyond."""
    if course.beside:
        yield element("path", class_="machine", d=f"M{course.beside.fork + 0.5:g} 0v100")
    for number, stretch in enumerate(course.stretches):
        if number:
            yield element("path", class_="machine", d=f"M{stretch.first - 0.5:g} 0v100")
        for change in stretch.track.changes:
            kind = tone(change, stretch.track)
            width = change.last - change.first
            if width:
                yield element("rect", class_=f"place {kind}", x=change.first - 0.5, width=width + 1, height=100)
            yield element("path", class_=f"edge {kind}", d=f"M{change.place - 0.5:g} 0v100")
        for position, above in stretch.found.beyond(scale.low, scale.high):
            end = f"0v{_BEYOND}" if above else f"100v-{_BEYOND}"
            yield element("path", class_="beyond", d=f"M{position} {end}")


def _drawn(beside: Beside) -> list[Level]:
    """Return the levels of the main branch that are drawn."""
    return [level for level in beside.stretch.levels if level.end > beside.begin]


def _beside(beside: Beside, scale: Scale) -> Iterator[Element]:
    """Draw the main branch: dashed levels and square values, beneath those of the branch."""
    stretch = beside.stretch
    values, positions = stretch.found.values[beside.begin :], stretch.found.positions
    # What is beyond the scale is not drawn.
    dots = [(x, y) for x, y in zip(beside.positions, map(scale.step, values), strict=True) if 0 <= y <= STEPS]
    moves = [(x - before[0], y - before[1]) for before, (x, y) in pairwise([(0, 0), *dots])]
    yield element("path", class_="dots other", d="".join(f"m{x}{y if y < 0 else f' {y}'}h0" for x, y in moves))
    for level in _drawn(beside):
        begin = positions[max(level.begin, beside.begin)] + beside.shift - 0.5
        end = positions[level.end - 1] + beside.shift + 0.5
        yield element("path", class_="level other", d=f"M{begin:g} {scale.step(level.value)}H{end:g}")


def _values(course: Course, scale: Scale) -> Iterator[Element]:
    if course.beside:
        yield from _beside(course.beside, scale)
    for stretch in course.stretches:
        for level in stretch.levels:
            yield from _level(level, stretch, scale)
    yield element("path", class_="dots", d=_dots(course, scale, outside=False))
    if outside := _dots(course, scale, outside=True):
        yield element("path", class_="dots outside", d=outside)
        yield element("path", class_="dots hole", d=outside)


def _level(level: Level, stretch: Stretch, scale: Scale) -> Iterator[Element]:
    begin, end = stretch.found.position(level.begin) - 0.5, stretch.found.position(level.end - 1) + 0.5
    if level.low is not None and level.high is not None and level.high > level.low:
        top, bottom = scale.step(level.high), scale.step(level.low)
        yield element("rect", class_="band", x=begin, y=top, width=end - begin, height=bottom - top)
    yield element("path", class_="level", d=f"M{begin:g} {scale.step(level.value)}H{end:g}")


def _dots(course: Course, scale: Scale, *, outside: bool) -> Element:
    """Write the dots of the values that stand outside, or of all others."""
    parts = []
    pen = (0, 0)
    for stretch in course.stretches:
        part, pen = stretch.found.dots(scale.low, scale.high, stretch.outside, outside, pen)
        parts.append(part)
    # Digits and signs need no escapes: to look for some in thousands of values takes long.
    return Element("".join(parts))


def _labels(course: Course, left: float, right: float) -> Iterator[Element]:
    """Write the sizes of changes above them, and where machines were replaced; the newest where several would touch."""
    found = [(course.beside.fork + 0.5, "machine", "branches off")] if course.beside else []
    for number, stretch in enumerate(course.stretches):
        if number:
            found.append((stretch.first - 0.5, "machine", "machine changed"))
        found += [
            (change.place - 0.5, tone(change, stretch.track), wording.size(stretch.track, change))
            for change in stretch.track.changes
        ]
    free = float("inf")
    for position, kind, label in sorted(found, reverse=True):
        share = (position - left) / (right - left)
        half = _CHARACTER * len(label) / 2
        touches = share + half > free
        if not touches:
            free = share - half - _CHARACTER
        yield _text(label, share, _ABOVE - 6, hidden=touches, class_=kind, data_at=position)


def _below(texts: Sequence[tuple[int, str]], left: float, right: float, height: int) -> Iterator[Element]:
    for position, label in texts:
        yield _text(label, (position - left) / (right - left), _ABOVE + height + 16, data_at=position)


def _text(label: str, share: float, y: int, *, hidden: bool = False, **attributes: str | float) -> Element:
    """Write a text at a share of the width, so that it stays within the drawing."""
    near = 0.12
    attributes |= {"x": f"{100 * share:.2f}%", "y": y}
    if not near <= share <= 1 - near:
        attributes["text_anchor"] = "start" if share < near else "end"
    if hidden:
        attributes["visibility"] = "hidden"
    return element("text", _native.printable(label), **attributes)


@lru_cache
def _across(count: int, group: int) -> list[str]:
    """Return where the points of groups of so many values stand in a small drawing."""
    ends = [(begin, min(begin + group, count)) for begin in range(0, count, group)]
    return [f"{WIDTH * ((begin + end) / 2) / count:.4g}" for begin, end in ends]


@cache
def _down(step: int) -> str:
    """Return where a step of a chart stands in a small drawing."""
    return f"{HEIGHT * step / STEPS:.3g}"


def sparkline(stretch: Stretch, scale: Scale, tone: str) -> Element:
    """Draw the values of a stretch, each point the median of a group, and its last change as a line of its tone."""
    count = len(stretch.found)
    group = -(-count // _POINTS)
    steps = stretch.found.median_steps(group, scale.low, scale.high)
    points = [
        f"{across} {_down(min(max(step, 0), STEPS))}" for across, step in zip(_across(count, group), steps, strict=True)
    ]
    if count == 1:
        points = [f"0 {points[0].split()[1]}", f"{WIDTH} {points[0].split()[1]}"]
    parts = [element("path", class_="line", d=f"M{'L'.join(points)}")]
    if len(stretch.levels) > 1:
        place = f"M{WIDTH * stretch.levels[-1].begin / count:.4g} 0v{HEIGHT}"
        parts.insert(0, element("path", class_=f"edge {tone}", d=place))
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "preserveAspectRatio": "none"}
    return element("svg", *parts, class_="spark", **box, aria_hidden="true")
