"""Small drawings of a page that are no pictures: intervals in cells, and the bar of verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.report.model import Interval, Share

# Of the drawing, in pixels; CSS scales it in width only.
_WIDTH: Final = 120
_HEIGHT: Final = 16
_MIDDLE: Final = _HEIGHT // 2
# The line of no change goes beyond the drawing to the edges of its cell, so that the lines of neighbouring rows meet.
_BEYOND: Final = 80
_HEAD: Final = 4
_STRETCHED: Final = 'preserveAspectRatio="none" aria-hidden="true"'


def interval(drawn: Interval) -> str:
    """Draw a change with its interval; its text stands beside it, so it is hidden from screen readers."""
    low, middle, high, zero = (round(_WIDTH * place, 1) for place in (drawn.low, drawn.middle, drawn.high, drawn.zero))
    # Strokes keep their width when the drawing is stretched, and a stroke without length with round ends is a dot.
    parts = [f'<path class="zero" d="M{zero:g} {-_BEYOND}V{_HEIGHT + _BEYOND}"/>']
    if high > low:
        parts.append(f'<path class="range" d="M{low:g} {_MIDDLE}H{high:g}"/>')
    if drawn.cut_low:
        parts.append(f'<path class="cut" d="M{low:g} {_MIDDLE}m{_HEAD} {-_HEAD}l{-_HEAD} {_HEAD}l{_HEAD} {_HEAD}"/>')
    if drawn.cut_high:
        parts.append(f'<path class="cut" d="M{high:g} {_MIDDLE}m{-_HEAD} {-_HEAD}l{_HEAD} {_HEAD}l{-_HEAD} {_HEAD}"/>')
    # A change beyond the axis has an arrow and no dot.
    if not (drawn.cut_low and drawn.middle <= drawn.low) and not (drawn.cut_high and drawn.middle >= drawn.high):
        parts.append(f'<path class="middle" d="M{middle:g} {_MIDDLE}h0"/>')
    return f'<svg class="interval" viewBox="0 0 {_WIDTH} {_HEIGHT}" {_STRETCHED}>{"".join(parts)}</svg>'


def bar(shares: Sequence[Share]) -> str:
    """Draw how many benchmarks have which verdict; the list below it states the numbers."""
    total = sum(share.count for share in shares)
    parts, start = [], 0.0
    for share in shares:
        width = 100 * share.count / total
        parts.append(f'<rect class="{share.tone}" x="{start:.3f}" width="{width:.3f}" height="1"/>')
        start += width
    drawn = "".join(parts)
    return f'<svg class="bar" viewBox="0 0 100 1" {_STRETCHED}>{drawn}</svg>'
