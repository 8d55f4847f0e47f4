"""Colours and dashes of variants and verdicts, and their legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera import _native
from statera.codes import VERDICTS
from statera.plots.frame.layers import FACTS, SIDE, layer
from statera.plots.frame.names import GLYPH, LONGEST, name, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.plots.frame.panels import Options, Panel
    from statera.plots.raw_values import Samples

_PLACES = 64  # variants that get a colour by their place; colours repeat after far fewer


def variant_colour() -> dict[str, Any]:
    """Colour by the variant's place, the field ``place`` of the data; the baseline is neutral.

    Vega-Lite draws no legend: rows have names, and for other panels ``legend`` draws one.
    """
    return {"field": "place", "type": "nominal", "scale": {"domain": list(range(_PLACES))}, "legend": None}


def variant_dash() -> dict[str, Any]:
    """Draw lines with different dashes once colours repeat."""
    dashes = [[1, 0], [5, 2], [2, 2], [8, 2, 2, 2], [1, 3], [10, 4], [6, 2, 1, 2], [3, 6], [12, 2]]
    turns = [dashes[max(place - 1, 0) // 7] for place in range(_PLACES)]
    scale = {"domain": list(range(_PLACES)), "range": turns}
    return {"field": "place", "type": "nominal", "scale": scale, "legend": None}


def legend(samples: Samples, shown: Sequence[Panel], width: int) -> dict[str, Any]:
    """Draw the colours and names of the variants as a separate panel, in rows."""
    held = sorted({series.variant for panel in shown for series in panel.series})
    return legend_of([(variant, samples.labels[variant]) for variant in held], width)


def legend_of(entries: Iterable[tuple[int, str]], width: int, dashes: dict[str, Any] | None = None) -> dict[str, Any]:
    """Draw the colours of places, or lines of ``dashes``, with their labels as a separate panel."""
    rows: list[dict[str, Any]] = []
    x, y = 0.0, 0
    for place, label in entries:
        short = name(label, min(LONGEST, max(int(width / GLYPH) - 4, 6)))
        wide = _native.columns(short) * GLYPH + 30
        if rows and x + wide > width:
            x, y = 0.0, y + 1
        rows.append({"place": place, "label": short, "variant": whole(label), "x": x + 6, "row": y})
        x += wide
    height = 16 * (y + 1)
    at = {"scale": {"domain": [0, width], "nice": False}, "axis": None, "type": "quantitative"}
    row = {"field": "row", "type": "quantitative", "axis": None, "scale": {"domain": [y + 0.5, -0.5], "nice": False}}
    tooltip = [FACTS[0]]
    mark = {"type": "point", "filled": True, "shape": "square", "size": 90, "opacity": 1}
    dash = {}
    if dashes or max((row["place"] for row in rows), default=0) > 7:  # noqa: PLR2004 - colours beside the baseline's
        mark = {"type": "point", "filled": False, "shape": "stroke", "size": 160, "strokeWidth": 3, "opacity": 1}
        mark |= {"size": 360, "strokeWidth": 2} if dashes else {}
        dash = {"strokeDash": dashes or variant_dash()}
    words = {"type": "text", "style": "name", "align": "left", "baseline": "middle", "dx": 14 if dashes else 10}
    return {
        "width": width,
        "height": height,
        "layer": [
            layer(rows, mark, x={"field": "x", **at}, y=row, color=variant_colour(), tooltip=tooltip, **dash),
            layer(rows, words, x={"field": "x", **at}, y=row, text={"field": "label"}, tooltip=tooltip),
        ],
    }


def under_legend(samples: Samples, shown: Sequence[Panel], spec: dict[str, Any], options: Options) -> dict[str, Any]:
    """Put a legend of the variants above panels that show several."""
    if len({series.variant for panel in shown for series in panel.series}) == 1:
        return spec
    return {"vconcat": [legend(samples, shown, options.width - SIDE - 24), spec], "spacing": 10}


def verdict_colour(field: str = "verdict") -> dict[str, Any]:
    """Colour by a field that holds the verdict, a code of ``VERDICTS``."""
    return {"field": field, "type": "ordinal", "scale": {"domain": list(VERDICTS), "range": "ordinal"}, "legend": None}
