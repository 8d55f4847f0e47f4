"""Marks of verdicts: one colour and one shape for each, the same in every picture, and their legend.

Shapes of a worsening point to the worse end of the axis, so that a picture tells them without colours. Rows that an
axis of changes cannot hold, as from 0 to 12, have a hollow mark at the end to which they changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from statera.comparison.codes import TABLE, VERDICTS, words
from statera.output.plots import frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.reading.observations import Metric

Side = Literal["right", "left", "up", "down"]
_OPPOSITE: Final[dict[Side, Side]] = {"right": "left", "left": "right", "up": "down", "down": "up"}
_ARROWS: Final[dict[Side, str]] = {"right": "→", "left": "←", "up": "↑", "down": "↓"}
_SPEED: Final = ("time", "throughput")  # quantities of which worse values are slower
ELSEWHERE: Final = "elsewhere"
"""The shape of a row that the axis cannot hold."""
# Outlines from -1 to 1.
_BOW_TIE: Final = "M-1,-0.9L0,-0.2L1,-0.9L1,0.9L0,0.2L-1,0.9Z"
_BAR: Final = "M-1,-0.4L1,-0.4L1,0.4L-1,0.4Z"
_CHEVRONS: Final[dict[Side, str]] = {
    "right": "M-1,-1L0,-1L1,0L0,1L-1,1L0,0Z",
    "left": "M1,-1L0,-1L-1,0L0,1L1,1L0,0Z",
    "up": "M-1,1L-1,0L0,-1L1,0L1,1L0,0Z",
    "down": "M-1,-1L-1,0L0,1L1,0L1,-1L0,0Z",
}


def worse_side(better: str | None, *, vertical: bool = False) -> Side:
    """Return the end of an axis of changes at which rows are worse; right or up if no direction is better."""
    if vertical:
        return "down" if better == "higher" else "up"
    return "left" if better == "higher" else "right"


def directed(title: str, metric: Metric, *, vertical: bool = False, reverse: bool = False) -> str:
    """Add to the title of an axis of changes which end is worse: ``typical change of time (→ slower)``.

    ``reverse`` is for axes whose larger numbers are better, as those of speed-ups.
    """
    if metric.better is None:
        return title
    side = worse_side(metric.better, vertical=vertical)
    word = "slower" if metric.quantity in _SPEED else "worse"
    return f"{title} ({_ARROWS[_OPPOSITE[side] if reverse else side]} {word})"


def _shapes(worse: Side) -> dict[str, str]:
    """Return the shape of each verdict; what is worse points to the worse end of the axis, what is better away."""
    better = _OPPOSITE[worse]
    found = {}
    for each in TABLE:
        side = better if each.harm == "good" else worse
        outlines = {"triangle": f"triangle-{side}", "chevrons": _CHEVRONS[side], "bow-tie": _BOW_TIE, "bar": _BAR}
        found[each.code] = outlines.get(each.shape, each.shape)
    return {**found, ELSEWHERE: frame.HOLLOW}


def marks(worse: Side) -> dict[str, Any]:
    """Encode the fields ``verdict`` by colour and ``shape`` (a verdict or ``ELSEWHERE``) by shape."""
    shapes = _shapes(worse)
    scale = {"domain": list(shapes), "range": list(shapes.values())}
    return {
        "color": frame.verdict_colour(),
        "shape": {"field": "shape", "type": "nominal", "scale": scale, "legend": None},
    }


def legend(verdicts: Iterable[str], elsewhere: str, worse: Side, width: int, left: int = 0) -> dict[str, Any]:
    """Draw the marks of the verdicts that occur, and of rows that the axis cannot hold, as a separate panel.

    Args:
        verdicts: the verdicts of all rows.
        elsewhere: what a row is that the axis cannot hold (``no ratio: from 0 to 12``); empty if there is none.
        worse: the end of the axis at which rows are worse.
        width: the width in pixels, as in ``frame.keyed``.
        left: the pixels of labels at the left, as in ``frame.keyed``.

    """
    drawn = set(verdicts)
    rows: list[dict[str, Any]] = [
        {"verdict": code, "shape": code, "label": words(code)} for code in VERDICTS if code in drawn
    ]
    if elsewhere:
        rows.append({"verdict": "", "shape": ELSEWHERE, "label": elsewhere})
    encoding = marks(worse)
    dot = {"type": "point", "filled": True, "size": 70, "opacity": 1}
    judged, hollow = [row for row in rows if row["verdict"]], [row for row in rows if not row["verdict"]]
    symbols = [(judged, dot, encoding), (hollow, frame.hollow(style="remark"), {})]
    return frame.keyed(rows, symbols, width, left=left)
