"""Legends: symbols with their labels, as panels of their own above a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera import _native
from statera.output.plots.frame.colours import variant_colour, variant_dash
from statera.output.plots.frame.layers import FACTS, SIDE, layer
from statera.output.plots.frame.names import GLYPH, LONGEST, whole
from statera.output.plots.theme import COLOURS
from statera.output.views.names import apart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.output.plots.frame.panels import Options, Panel
    from statera.output.plots.raw_values import Samples

# A diamond from -1.1 to 1.1; its inner outline runs the other way round, which leaves a hole.
HOLLOW = "M0,-1.1L1.1,0L0,1.1L-1.1,0ZM0,-0.6L-0.6,0L0,0.6L0.6,0Z"
"""The shape of what an axis cannot hold, such as a change from 0 to 12 on an axis of ratios."""


def hollow(**more: Any) -> dict[str, Any]:  # noqa: ANN401 - properties of a mark
    """Return the mark of what an axis cannot hold, which stands at the end of the axis."""
    return {"type": "point", "filled": True, "shape": HOLLOW, "size": 60, "opacity": 1, **more}


def legend(samples: Samples, shown: Sequence[Panel], width: int) -> dict[str, Any]:
    """Draw the colours and names of the variants as a separate panel, in rows."""
    held = sorted({series.variant for panel in shown for series in panel.series})
    return legend_of([(variant, samples.labels[variant]) for variant in held], width, samples=samples)


def legend_of(
    entries: Iterable[tuple[int, str]],
    width: int,
    dashes: dict[str, Any] | None = None,
    *,
    samples: Samples | None = None,
    elsewhere: str = "",
    left: int = 0,
) -> dict[str, Any]:
    """Draw the colours of places, or lines of ``dashes``, with their labels as a separate panel.

    ``samples`` are those of the variants, if places are variants whose colours depend on factors; ``elsewhere`` says
    what a hollow mark is, if the picture has any. ``left`` is as in ``keyed``.
    """
    rows: list[dict[str, Any]] = [{"place": place, "label": label, "variant": whole(label)} for place, label in entries]
    mark = {"type": "point", "filled": True, "shape": "square", "size": 90, "opacity": 1}
    dash = {}
    if dashes or max((row["place"] for row in rows), default=0) >= COLOURS:
        mark = {"type": "point", "filled": False, "shape": "stroke", "size": 160, "strokeWidth": 3, "opacity": 1}
        mark |= {"size": 360, "strokeWidth": 2} if dashes else {}
        dash = {"strokeDash": dashes or variant_dash()}
    stray = [{"label": elsewhere, "variant": elsewhere}] if elsewhere else []
    symbols = [(rows, mark, {"color": variant_colour(samples), **dash}), (stray, hollow(style="remark"), {})]
    return keyed([*rows, *stray], symbols, width, left=left, beside=14 if dashes else 10, tooltip=[FACTS[0]])


def keyed(
    rows: list[dict[str, Any]],
    symbols: Iterable[tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]],
    width: int,
    *,
    left: int = 0,
    beside: int = 10,
    tooltip: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Draw a legend as a separate panel: symbols with the labels of rows, line by line.

    Args:
        rows: one per entry, with its ``label``; they are given their places (``x``, ``row``) and short labels.
        symbols: which rows have symbols of a mark, with its encoding.
        width: the width in pixels, from the left end of the labels of the panels below.
        left: the pixels of these labels; the legend begins above them, not above the data.
        beside: the pixels from a symbol to its label.
        tooltip: the fields of the tooltip.

    """
    short, *_ = apart((row["label"] for row in rows), min(LONGEST, max(int(width / GLYPH) - 4, 6)))
    x, y = 0.0, 0
    for row, label in zip(rows, short, strict=True):
        wide = _native.columns(label) * GLYPH + beside + 20
        if x and x + wide - 12 > width:
            x, y = 0.0, y + 1
        row |= {"label": label, "x": x + 6, "row": y}
        x += wide
    across = {"domain": [0, width], "range": [-left, width - left], "nice": False}
    at = {"scale": across, "axis": None, "type": "quantitative"}
    line = {"field": "row", "type": "quantitative", "axis": None, "scale": {"domain": [y + 0.5, -0.5], "nice": False}}
    words = {"type": "text", "style": "name", "align": "left", "baseline": "middle", "dx": beside}
    place: dict[str, Any] = {"x": {"field": "x", **at}, "y": line, **({"tooltip": tooltip} if tooltip else {})}
    drawn = [layer(held, mark, **place, **encoding) for held, mark, encoding in symbols if held]
    return {
        "width": width - left,
        "height": 16 * (y + 1),
        "layer": [*drawn, layer(rows, words, **place, text={"field": "label"})],
    }


def under_legend(samples: Samples, shown: Sequence[Panel], spec: dict[str, Any], options: Options) -> dict[str, Any]:
    """Put a legend of the variants above panels that show several."""
    if len({series.variant for panel in shown for series in panel.series}) == 1:
        return spec
    return {"vconcat": [legend(samples, shown, options.width - SIDE - 24), spec], "spacing": 10}
