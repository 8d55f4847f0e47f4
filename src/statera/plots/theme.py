"""The theme: fonts, palettes, sizes, and the Vega-Lite configuration and CSS variables built from them.

Colours of variants follow Okabe & Ito (2008) and are distinct for colour-blind readers; the baseline is neutral.
The compiled part (``_native``) writes numbers and alone defines their formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from statera.codes import VERDICTS

Mode = Literal["light", "dark"]
MODES: tuple[Mode, ...] = ("light", "dark")
_ROUNDS = 9  # repetitions of the colours: enough for 64 variants, the most of a picture

SANS = "'Noto Sans', 'DejaVu Sans', 'Liberation Sans', Arial, Helvetica, sans-serif"
MONO = "'Noto Sans Mono', 'DejaVu Sans Mono', 'Liberation Mono', Consolas, monospace"
SIZE = 11  # of labels, in pixels; every other size is derived from it


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme: ``series[0]`` is the baseline's; ``verdicts`` is in the order of ``codes.VERDICTS``."""

    background: str
    text: str
    muted: str
    line: str
    grid: str
    band: str
    series: tuple[str, ...]
    verdicts: tuple[str, ...]
    ramp: tuple[str, ...]
    diverging: tuple[str, ...]


LIGHT = Palette(
    background="#ffffff",
    text="#1c2430",
    muted="#5b6675",
    line="#8a94a3",
    grid="#e6e9ee",
    band="#dfe3ea",
    series=("#4a5361", "#0072b2", "#d55e00", "#009e73", "#b4569b", "#c88400", "#3a9bd9", "#7a5c00"),
    verdicts=(
        "#00795a",
        "#c2410c",
        "#7b4fa3",
        "#5b6675",
        "#c2410c",
        "#00795a",
        "#7b4fa3",
        "#5b7fa6",
        "#8a94a3",
        "#8a94a3",
        "#8a5a00",
        "#8a5a00",
    ),
    ramp=("#eef3f8", "#9fc3e0", "#3b87bd", "#08426e"),
    diverging=("#00604a", "#58b598", "#f1f2f4", "#e89a6b", "#a8350a"),
)
DARK = Palette(
    background="#161a21",
    text="#e7eaef",
    muted="#a7b0bd",
    line="#77818f",
    grid="#2b323d",
    band="#333b48",
    series=("#b7bfca", "#56b4e9", "#ff8a4c", "#33c79c", "#e79ad0", "#f0b43c", "#8f9bff", "#e3d36b"),
    verdicts=(
        "#3fcf9f",
        "#ff8a4c",
        "#c7a0ee",
        "#a7b0bd",
        "#ff8a4c",
        "#3fcf9f",
        "#c7a0ee",
        "#8db4de",
        "#8b95a3",
        "#8b95a3",
        "#e0b35a",
        "#e0b35a",
    ),
    ramp=("#1f2a36", "#27577c", "#4f9fd3", "#cfe8fa"),
    diverging=("#5fe0b4", "#2a8f72", "#2b323d", "#b3603a", "#ffa273"),
)


def palette(mode: Mode) -> Palette:
    """Return the colours of a theme."""
    return DARK if mode == "dark" else LIGHT


def vega_config(mode: Mode, colours: Palette | None = None) -> dict[str, Any]:
    """Return the Vega-Lite configuration of a theme, or of other colours.

    Pictures name no colours. Variants use ``range.category`` by their position, verdicts ``range.ordinal`` in the order
    of ``codes.VERDICTS``; every other mark uses one of the named styles below.
    """
    p = colours or palette(mode)
    text = {"font": SANS, "fontSize": SIZE}
    labels = {"labelFont": SANS, "labelFontSize": SIZE, "labelColor": p.text}
    return {
        "background": p.background,
        "padding": 12,
        "font": SANS,
        "view": {"stroke": None},
        "concat": {"spacing": 18},
        "range": {
            # Only the baseline has its colour; the other colours repeat.
            "category": [p.series[0], *(p.series[1:] * _ROUNDS)],
            "ordinal": list(p.verdicts),
            "ramp": list(p.ramp),
            "heatmap": list(p.ramp),
            "diverging": list(p.diverging),
        },
        "axis": {
            **labels,
            "titleFont": SANS,
            "titleFontSize": SIZE,
            "titleFontWeight": "normal",
            "titleColor": p.muted,
            "titlePadding": 6,
            "titleLimit": 240,
            "gridColor": p.grid,
            "domainColor": p.line,
            "tickColor": p.line,
            "tickSize": 4,
            "labelOverlap": "greedy",
        },
        # The title of an axis is not longer than the axis.
        "axisY": {"titleLimit": 140},
        "legend": {**labels, "titleFont": SANS, "titleFontSize": SIZE, "titleFontWeight": "normal", **_legend(p)},
        "title": {
            "font": SANS,
            "fontSize": SIZE + 4,
            "fontWeight": 600,
            "color": p.text,
            "subtitleFont": SANS,
            "subtitleFontSize": SIZE,
            "subtitleColor": p.muted,
            "subtitlePadding": 5,
            "anchor": "start",
            "frame": "group",
            "offset": 10,
        },
        "rule": {"color": p.line},
        "text": {**text, "color": p.text},
        "style": _styles(p, text),
    }


def _legend(p: Palette) -> dict[str, Any]:
    return {"titleColor": p.muted, "symbolType": "square", "symbolStrokeWidth": 0, "orient": "top", "offset": 6}


def _styles(p: Palette, text: dict[str, Any]) -> dict[str, Any]:
    # In a style of Vega-Lite only `color` sets the colour: those of the mark override `fill` and `stroke`.
    return {
        # Text in a picture: names of rows, remarks, names of panels. Titles use `fill`.
        "name": {**text, "color": p.text, "fill": p.text},
        "remark": {**text, "fontSize": SIZE - 1, "color": p.muted, "fill": p.muted},
        "panel-title": {"font": SANS, "fontSize": SIZE + 1, "fontWeight": 600, "fill": p.text},
        # Guide lines, and areas behind the data.
        "guide": {"color": p.line, "strokeWidth": 1},
        "dashed": {"color": p.muted, "strokeWidth": 1, "strokeDash": [4, 3]},
        "zero": {"color": p.text, "strokeWidth": 1},
        "band": {"color": p.band, "fillOpacity": 0.75},
        # Data without a variant, and marks on top of filled areas.
        "neutral": {"color": p.series[0]},
        "halo": {"stroke": p.background, "strokeWidth": 2},
        "hole": {"color": p.background},
    }


def css_variables(mode: Mode) -> dict[str, str]:
    """Return the theme as CSS custom properties, such as ``--text``."""
    p = palette(mode)
    plain = {name: getattr(p, name) for name in ("background", "text", "muted", "line", "grid", "band")}
    series = {f"series-{place}": colour for place, colour in enumerate(p.series)}
    verdicts = dict(zip(VERDICTS, p.verdicts, strict=True))
    return {f"--{name}": value for name, value in {**plain, **series, **verdicts, "sans": SANS, "mono": MONO}.items()}


def typst_values() -> dict[str, Any]:
    """Return the light theme as values for a typst template, which reads them as JSON."""
    fonts = {"sans": _families(SANS), "mono": _families(MONO)}
    plain = {name: getattr(LIGHT, name) for name in ("text", "muted", "line", "grid", "band")}
    return {**plain, **fonts, "verdicts": dict(zip(VERDICTS, LIGHT.verdicts, strict=True))}


def _families(stack: str) -> list[str]:
    generic = {"sans-serif", "monospace"}
    return [name for name in (word.strip(" '") for word in stack.split(",")) if name not in generic]
