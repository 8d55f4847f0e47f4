"""Small drawings of a page that are not pictures: intervals in cells, and the bar of verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.output.report.model import Interval, Share

# The least part of the bar, in per cent.
_LEAST_PART: Final = 0.7
# The head of an arrow, from its tip.
_LEFT: Final = '<path d="M4 -4L0 0L4 4"/>'
_RIGHT: Final = '<path d="M-4 -4L0 0L-4 4"/>'


def interval(drawn: Interval) -> str:
    """Draw a change with its interval; its text stands beside it, so it is hidden from screen readers.

    Places are shares of the width, and CSS has all other sizes: a page may have thousands of these.
    """
    low, middle, high = (_share(place) for place in (drawn.low, drawn.middle, drawn.high))
    parts = [f"<rect class=zero x={_share(drawn.zero)} />"]
    if drawn.high > drawn.low:
        parts.append(f"<rect x={low} width={_share(drawn.high - drawn.low)} />")
    if drawn.cut_low:
        parts.append(f"<svg x={low} y=50%>{_LEFT}</svg>")
    if drawn.cut_high:
        parts.append(f"<svg x={high} y=50%>{_RIGHT}</svg>")
    # A change beyond the axis has an arrow and no dot.
    if not (drawn.cut_low and drawn.middle <= drawn.low) and not (drawn.cut_high and drawn.middle >= drawn.high):
        parts.append(f"<circle cx={middle} />")
    return f"<svg class=interval aria-hidden=true>{''.join(parts)}</svg>"


def _share(place: float) -> str:
    return f"{round(100 * place, 1):g}%"


def bar(shares: Sequence[Share]) -> str:
    """Draw how many benchmarks have which verdict; the list below it states the numbers."""
    total = sum(share.count for share in shares)
    # The smallest part is still seen between the gaps.
    least = [max(100 * share.count / total, _LEAST_PART) for share in shares]
    parts, start = [], 0.0
    for share, wanted in zip(shares, least, strict=True):
        width = 100 * wanted / sum(least)
        parts.append(f'<rect class="{share.tone}" x="{start:.3f}" width="{width:.3f}" height="1"/>')
        start += width
    drawn = "".join(parts)
    return f'<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'
