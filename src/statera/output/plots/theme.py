"""The theme: fonts, palettes, sizes, and the Vega-Lite configuration and CSS variables built from them.

Colours of variants are distinct for colour-blind readers and are none of those of verdicts; the baseline is neutral.
The compiled part (``_native``) writes numbers and alone defines their formats.

Pictures inside a page follow the page's theme without scripts (``inks``): a picture is drawn once, in the light theme.
Each of its colours stands for a CSS variable that has another value in the dark theme; a rule for each colour says so.
Two parts of the theme that share a light colour but not a dark one are drawn in colours that differ by one step, which
nobody sees, so that the rules can tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from statera.comparison.codes import TABLE, VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator

Mode = Literal["light", "dark"]
MODES: tuple[Mode, ...] = ("light", "dark")
# Areas of pages that differ slightly from the background: headings of tables, code.
PANELS: dict[Mode, str] = {"light": "#f6f7f9", "dark": "#1d222b"}
COLOURS = 12  # of variants: four hues in three shades each
# The places of the shades of each hue in ``Palette.series``; the first hue is neutral, the first shade is medium.
SHADES_OF_HUES = ((0, 10, 11), (1, 4, 7), (2, 5, 8), (3, 6, 9))
_HALF = 128  # of the shades of blue
_ROUNDS = 6  # repetitions of the colours: enough for 64 variants, the most of a picture

# The first ones have the same widths, and one of them is on almost every machine; the converter of pictures brings one
# of its own, which it need not read from a file for each text that it measures. Pages define Fitted Sans.
SANS = "'Liberation Sans', Arimo, Arial, Helvetica, 'Fitted Sans', 'Noto Sans', 'DejaVu Sans', sans-serif"
MONO = "'Noto Sans Mono', 'DejaVu Sans Mono', 'Liberation Mono', Consolas, monospace"
SIZE = 11  # of labels, in pixels; every other size is derived from it


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme."""

    # background, text, muted, line, grid, band: of pages, texts, guides and shaded areas
    background: str
    text: str
    muted: str
    line: str
    grid: str
    band: str
    # better, worse, changed: of judged rows; nothing else has these colours, in any picture, table or page
    better: str
    worse: str
    changed: str
    unchanged: str  # of cells without a change
    absent: str  # of rows that one side lacks
    # of variants, the baseline's first; ``SHADES_OF_HUES`` orders them by hue and shade. Any two of the first nine, and
    # any two shades of three hues, differ also for colour-blind readers.
    series: tuple[str, ...]
    ramp: tuple[str, ...]  # from little to much

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The colours of verdicts, in the order of ``codes.VERDICTS``; without a judgement they are grey."""
        of = {
            "better": self.better,
            "worse": self.worse,
            "changed": self.changed,
            "inconclusive": self.line,
            "": self.line,
            "missing": self.absent,
        }
        return tuple(of.get(each.tone, self.muted) for each in TABLE)

    @property
    def diverging(self) -> tuple[str, str, str]:
        """From better over no change to worse."""
        return self.better, self.unchanged, self.worse

    @property
    def undirected(self) -> tuple[str, str, str]:
        """From less over no change to more, if neither is better."""
        return self.muted, self.unchanged, self.changed


LIGHT = Palette(
    background="#ffffff",
    text="#1c2430",
    muted="#5b6675",
    line="#8a94a3",
    grid="#e6e9ee",
    band="#dfe3ea",
    better="#00795a",
    worse="#c2410c",
    changed="#7b4fa3",
    unchanged="#e6e9ee",
    absent="#8a5a00",
    series=(
        *("#525661", "#3e70ba", "#998c3f", "#da709d"),
        *("#054994", "#4a3f05", "#54024c"),
        *("#5294ee", "#70692a", "#881047"),
        *("#1f2021", "#797a7b"),
    ),
    ramp=("#eef3f8", "#9fc3e0", "#3b87bd", "#08426e"),
)
DARK = Palette(
    background="#161a21",
    text="#e7eaef",
    muted="#a7b0bd",
    line="#77818f",
    grid="#2b323d",
    band="#333b48",
    better="#3fcf9f",
    worse="#ff8a4c",
    changed="#c7a0ee",
    unchanged="#222831",
    absent="#e0b35a",
    series=(
        *("#b9bfc9", "#069adf", "#f1d445", "#d9819a"),
        *("#036ad6", "#776e30", "#a36995"),
        *("#a6c6fe", "#af9e23", "#ca346f"),
        *("#6c6e6f", "#f4f7fa"),
    ),
    ramp=("#1f2a36", "#27577c", "#4f9fd3", "#cfe8fa"),
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
            "heatmap": list(p.undirected),
            "diverging": list(p.diverging),
        },
        "axis": {
            **labels,
            "titleFont": SANS,
            "titleFontSize": SIZE,
            "titleFontWeight": "normal",
            "titleColor": p.muted,
            "titlePadding": 6,
            "gridColor": p.grid,
            "domainColor": p.line,
            "tickColor": p.line,
            "tickSize": 4,
            "labelOverlap": "greedy",
            # Vega would cut numbers and units.
            "labelLimit": 0,
            "titleLimit": 0,
        },
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
    return {
        "titleColor": p.muted,
        "symbolType": "square",
        "symbolStrokeWidth": 0,
        "orient": "top",
        "offset": 6,
        "labelLimit": 0,
    }


def _brightness(colour: str) -> int:
    return sum(bytes.fromhex(colour[1:7]))


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
        # Letters on shades between: dark ones in both themes.
        "on-medium": {"color": min(p.text, p.background, key=_brightness)},
        "frame": {"stroke": p.text, "strokeWidth": 1.5, "fillOpacity": 0},
    }


def css_variables(mode: Mode) -> dict[str, str]:
    """Return the theme as CSS custom properties, such as ``--text``."""
    p = palette(mode)
    plain = {name: getattr(p, name) for name in ("background", "text", "muted", "line", "grid", "band")}
    series = {f"series-{place}": colour for place, colour in enumerate(p.series)}
    verdicts = dict(zip(VERDICTS, p.verdicts, strict=True))
    return {f"--{name}": value for name, value in {**plain, **series, **verdicts, "sans": SANS, "mono": MONO}.items()}


def page_variables(mode: Mode) -> str:
    """Return the theme of a page as declarations of CSS; verdicts have names apart from the page's own colours."""
    named = {f"--verdict-{code}": f"var(--{code})" for code in VERDICTS}
    every = {**css_variables(mode), **named, "--panel": PANELS[mode]}
    return " ".join(f"{name}: {value};" for name, value in every.items())


def page_style(light: str, dark: str) -> str:
    """Return the declarations of both themes as CSS: dark if the reader's system or choice is dark."""
    return (
        f":root {{ {light} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
        f":root[data-theme=light] {{ color-scheme: light; }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root[data-theme=auto] {{ {dark} }} }}\n"
    )


def typst_values() -> dict[str, Any]:
    """Return the light theme as values for a typst template, which reads them as JSON."""
    fonts = {"sans": _families(SANS), "mono": _families(MONO)}
    plain = {name: getattr(LIGHT, name) for name in ("text", "muted", "line", "grid", "band")}
    return {**plain, **fonts, "verdicts": dict(zip(VERDICTS, LIGHT.verdicts, strict=True))}


def _families(stack: str) -> list[str]:
    generic = {"sans-serif", "monospace"}
    return [name for name in (word.strip(" '") for word in stack.split(",")) if name not in generic]


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours that a picture is drawn in, and for each the colours of the light and the dark theme."""

    palette: Palette
    pairs: dict[str, tuple[str, str]]

    def variables(self, mode: Mode) -> str:
        """Return the CSS variables of a theme."""
        place = MODES.index(mode)
        return " ".join(f"--ink-{number}: {pair[place]};" for number, pair in enumerate(self.pairs.values()))

    def rules(self, within: str) -> str:
        """Return the CSS rules that give each colour its variable, for pictures that a selector finds."""
        return "".join(
            f'{within} [{part}="{ink}"] {{ {part}: var(--ink-{number}); }}\n'
            for number, ink in enumerate(self.pairs)
            for part in ("fill", "stroke")
        )


@cache
def inks() -> Inks:
    """Return the colours of pictures inside a page."""
    pairs: dict[str, tuple[str, str]] = {}
    changed: dict[str, str | tuple[str, ...]] = {}
    for each in fields(Palette):
        light, dark = getattr(LIGHT, each.name), getattr(DARK, each.name)
        if isinstance(light, str):
            changed[each.name] = _ink(light, dark, pairs)
        else:
            changed[each.name] = tuple(_ink(*pair, pairs) for pair in zip(light, dark, strict=True))
    return Inks(Palette(**changed), pairs)  # type: ignore[arg-type]  # each field keeps its type


def _ink(light: str, dark: str, pairs: dict[str, tuple[str, str]]) -> str:
    """Return the colour that stands for a pair, and keep it."""
    ink = next(each for each in _near(light) if pairs.get(each, (light, dark)) == (light, dark))
    pairs[ink] = (light, dark)
    return ink


def _near(colour: str) -> Iterator[str]:
    """Return a colour, then those that differ from it by ever more steps of blue."""
    value = int(colour[1:], 16)
    blue = value & 0xFF
    for step in range(256):
        yield f"#{(value - blue) | (blue + step if blue < _HALF else blue - step):06x}"
