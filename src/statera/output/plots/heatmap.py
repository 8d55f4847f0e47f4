"""Heat map: the change of every benchmark under every variant, as colours with the numbers in the cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.comparison.codes import JUDGED
from statera.output.plots import effects as rows_of
from statera.output.plots import frame
from statera.output.plots.changes import from_to
from statera.output.plots.curves import LARGEST
from statera.output.plots.frame import GLYPH, Options, tidy
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.support.errors import Stop
from statera.support.wording import NOTHING

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Source

MOST = 400  # default number of cells
_ROWS = 60  # the most benchmarks
_CELL = 22  # pixels of a row
_WRITTEN = 46  # pixels of a cell from which its number is written
_MEDIUM, _DEEP = 0.57, 0.8  # shares of the strongest colour from which numbers have a style of their own
_LETTERS = ((_DEEP, "hole"), (_MEDIUM, "on-medium"))
_UNDECIDED = ("inconclusive", "equivalent")
_PALE = 0.4  # share of its colour that an undecided change has: what may be noise must not look like a finding
_FULL = math.log(2)  # the change of the strongest colour: a doubling in any picture, so that 5 % is the same red in all
_FARTHEST = math.log(LARGEST)  # larger changes share the strongest colour
_TILT = 35  # angle in degrees of column names that are longer than the column is wide


class _Column(NamedTuple):
    """A column: a contender against a baseline in a group."""

    base: int
    contender: int
    group: int


def draw(source: Source, options: Options) -> Picture:
    """Draw one row per benchmark and one column per variant (and group), in the colours of better and worse."""
    comparison, samples = frame.compared(source), samples_of(source)
    every, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    if not any(map(_is_ratio, every)):
        raise Stop("nothing-to-draw", "no change is a ratio, and the colours of a heat map show ratios")
    columns = list(dict.fromkeys(_column(effect) for effect in every))
    most = min(options.most, _ROWS * len(columns)) if options.most == MOST else options.most * len(columns)
    shown, left_out = rows_of.limited(comparison, every, most)
    limit = _FULL
    spec, beside, common = _spec(comparison, samples, shown, columns, limit=limit, options=options)
    said = [*common, *left_out, *one_sided]
    metric = samples.metrics[shown[0].metric]
    title = rows_of.finding(comparison, samples, every)
    versus = rows_of.versus(samples, every)
    below = f"Change of {frame.name(metric.name)}, {versus}; bold is judged, pale has no clear change"
    legend = _legend(samples, shown, limit, width=options.width - 24, left=beside)
    return Picture(
        kind="heatmap",
        title=title,
        alt=f"{title}; {frame.name(metric.name)}, {rows_of.versus(samples, every)}. {rows_of.told(comparison, shown)}.",
        spec={"title": rows_of.title(title, [below, *said], options.width), "vconcat": [legend, *spec], "spacing": 4},
        marks={"rows": len({effect.benchmark for effect in shown}), "columns": len(columns), "cells": len(shown)},
        remarks=tuple(said),
    )


def _is_ratio(effect: Effect) -> bool:
    return bool(effect.fields["scale"] == "ratio" and effect.fields["change"] > -1)


def _colour(better: str | None) -> dict[str, Any]:
    """Encode ``tone``, from -1 to 1 for the worst; a metric without a better direction has colours of its own."""
    scale = {"domain": [-1, 1], "range": "diverging" if better else "heatmap", "interpolate": "lab", "clamp": True}
    return {"field": "tone", "type": "quantitative", "scale": scale, "legend": None}


def _legend(samples: Samples, shown: list[Effect], limit: float, *, width: int, left: int) -> dict[str, Any]:
    """Draw the ends of the colours, and what a frame is, as a separate panel."""
    better = samples.metrics[shown[0].metric].better
    less, more = (_native.percent(math.expm1(end)) for end in (-limit, limit))
    words = {None: ("less", "more"), "lower": ("better", "worse"), "higher": ("worse", "better")}[better]
    ends = [(f"{words[0]}: {less} and beyond", -1), ("no change", 0), (f"{words[1]}: {more} and beyond", 1)]
    flip = -1 if better == "higher" else 1
    rows: list[dict[str, Any]] = [{"label": label, "tone": flip * tone} for label, tone in ends]
    square = {"type": "point", "filled": True, "shape": "square", "size": 110, "opacity": 1}
    symbols = [(rows, square, {"color": _colour(better)})]
    endless = [effect for effect in shown if not _is_ratio(effect)]
    stray = next((effect for effect in endless if effect.fields["change"]), endless[0] if endless else None)
    framed: list[dict[str, Any]] = [] if stray is None else [{"label": f"framed, no ratio: {from_to(samples, stray)}"}]
    symbols.append((framed, {**square, "filled": False, "style": "frame"}, {}))
    return frame.keyed([*rows, *framed], symbols, width, left=left)


def _column(effect: Effect) -> _Column:
    return _Column(effect.base, effect.contender, effect.group)


def _spec(
    comparison: Comparison,
    samples: Samples,
    shown: list[Effect],
    columns: list[_Column],
    *,
    limit: float,
    options: Options,
) -> tuple[list[dict[str, Any]], int, list[str]]:
    """Return the heads of the columns and the table below them, the pixels of names, and what the names leave out."""
    rows = list(dict.fromkeys(effect.benchmark for effect in shown))
    names, beside, common = frame.fitting((samples.benchmarks[row] for row in rows), options.width * 0.34)
    heads = _words(samples, columns, shown)
    width = max(min(options.width - beside - 40, 150 * len(columns)), 60)
    slanted = max(_native.columns(frame.name(word)) for word in heads) * GLYPH >= width / len(columns)
    reach = int(min(150, options.width * 0.28))
    # Slanted names reach beyond the last column.
    width = (
        max(min(width, options.width - beside - 40 - int(reach * math.cos(math.radians(_TILT)))), 60)
        if slanted
        else width
    )
    cell = width / len(columns)
    better = samples.metrics[shown[0].metric].better
    places = {row: place for place, row in enumerate(rows)}, {column: place for place, column in enumerate(columns)}
    cells = [_cell(comparison, effect, *places, limit=limit, better=better) for effect in shown]
    for effect, row in zip(shown, cells, strict=True):
        words = "" if row["held"] else from_to(samples, effect)
        row["text"] = words if words and _native.columns(words) * GLYPH < cell - 6 else row["change"]
    labels = [
        {"row": place, "label": name, "whole": frame.whole(samples.benchmarks[row])}
        for place, (row, name) in enumerate(zip(rows, names, strict=True))
    ]
    across = {"type": "quantitative", "axis": None, "scale": {"domain": [0, len(columns)], "nice": False}}
    down = {"type": "quantitative", "axis": None, "scale": {"domain": [len(rows) - 0.5, -0.5], "nice": False}}
    box = {"x": {"field": "left", **across}, "x2": {"field": "right"}}
    box |= {"y": {"field": "top", **down}, "y2": {"field": "bottom"}}
    name = {"type": "text", "style": "name", "align": "right", "baseline": "middle"}
    table = {
        "width": int(width),
        "height": len(rows) * _CELL,
        "layer": frame.filled(
            [
                frame.layer(cells, {"type": "rect"}, **box, color=_colour(better), tooltip=rows_of.TOOLTIP),
                frame.layer([row for row in cells if not row["held"]], {"type": "rect", "style": "frame"}, **box),
                *_numbers(cells, across, down, cell),
                _gaps(cells, len(rows), len(columns), across, down),
                frame.layer(
                    labels,
                    name,
                    x={"value": -8},
                    y={"field": "row", **down},
                    text={"field": "label"},
                    tooltip=[{"field": "whole", "title": "name"}],
                ),
            ]
        ),
    }
    above = _heads(heads, across, int(width), reach if slanted else None)
    return [above, table], beside, common


def _logarithm(effect: Effect) -> float:
    change = effect.fields["change"]
    # What is left can be too little to tell the change from -1.
    return min(math.log1p(change), _FARTHEST) if change > -1 else -_FARTHEST


def _cell(
    comparison: Comparison,
    effect: Effect,
    rows: dict[int, int],
    columns: dict[_Column, int],
    *,
    limit: float,
    better: str | None,
) -> dict[str, Any]:
    row, column = rows[effect.benchmark], columns[_column(effect)]
    # A change without a ratio, as from 0 to 12, is beyond all ratios.
    change = _logarithm(effect) if _is_ratio(effect) else math.copysign(limit, effect.fields["change"] or 0.0)
    change = 0.0 if effect.fields["change"] == 0 else change
    # The scale is reversed if more is better, so that one colour means worse everywhere.
    # By the square root, so that small changes have visible colours beside a doubling.
    tone = math.copysign(math.sqrt(min(abs(change) / limit, 1.0)), -change if better == "higher" else change)
    tone *= _PALE if effect.verdict in _UNDECIDED else 1.0
    return {
        **rows_of.written(comparison, effect),
        "held": _is_ratio(effect),
        "row": row,
        "left": column + 0.02,
        "right": column + 0.98,
        "middle": column + 0.5,
        "top": row - 0.46,
        "bottom": row + 0.46,
        "tone": tidy(tone),
        "letters": letters(abs(tone)),
        "judged_so": effect.verdict in JUDGED,
    }


def letters(share: float) -> str:
    """Return the style of numbers on a share of the strongest colour."""
    return next((style for least, style in _LETTERS if share > least), "name")


def _numbers(cells: list[dict[str, Any]], across: dict[str, Any], down: dict[str, Any], cell: float) -> list[Any]:
    """Write the changes into the cells: judged ones in bold, those on strong colours in a colour that stands out."""
    if cell < _WRITTEN:
        return []
    layers = []
    for style in ("name", *(style for _, style in _LETTERS)):
        for judged in (False, True):
            held = [row for row in cells if row["letters"] == style and row["judged_so"] == judged]
            weight = {"fontWeight": 700} if judged else {}
            mark = {"type": "text", "style": style, "baseline": "middle", **weight}
            x, y = {"field": "middle", **across}, {"field": "row", **down}
            if held:
                layers.append(frame.layer(held, mark, x=x, y=y, text={"field": "text"}, tooltip=rows_of.TOOLTIP))
    return layers


def _gaps(
    cells: list[dict[str, Any]], rows: int, columns: int, across: dict[str, Any], down: dict[str, Any]
) -> dict[str, Any]:
    """Mark the cells without a comparison."""
    held = {(cell["row"], math.floor(cell["middle"])) for cell in cells}
    empty = [(row, column) for row in range(rows) for column in range(columns) if (row, column) not in held]
    gaps = [{"row": row, "middle": column + 0.5, "change": NOTHING} for row, column in empty]
    mark = {"type": "text", "style": "remark", "baseline": "middle"}
    x, y = {"field": "middle", **across}, {"field": "row", **down}
    return frame.layer(gaps, mark, x=x, y=y, text={"field": "change"})


def _words(samples: Samples, columns: list[_Column], shown: list[Effect]) -> list[str]:
    """Name the columns that have cells."""
    first = {_column(effect): effect for effect in reversed(shown)}
    return [rows_of.place_name(samples, first[c], shown) or samples.labels[c.contender] for c in columns if c in first]


def _heads(words: list[str], across: dict[str, Any], width: int, reach: int | None) -> dict[str, Any]:
    """Draw the names of the columns in a panel above the table; names of ``reach`` pixels at most are slanted."""
    short, wide, _ = frame.fitting(words, width / len(words) if reach is None else reach)
    heads = [
        {"middle": place + 0.5, "label": name, "whole": frame.whole(word)}
        for place, (name, word) in enumerate(zip(short, words, strict=True))
    ]
    angle = math.radians(_TILT)
    mark: dict[str, Any] = {"type": "text", "style": "name", "baseline": "bottom", "align": "center"}
    height = 16
    if reach is not None:
        mark |= {"align": "left", "angle": 360 - _TILT, "baseline": "middle"}
        height = int(wide * math.sin(angle)) + 8
    y = {"value": height - 2 if reach is None else height - 6}
    tooltip = [{"field": "whole", "title": "variant"}]
    x = {"field": "middle", **across}
    return {
        "width": width,
        "height": height,
        "layer": [frame.layer(heads, mark, x=x, y=y, text={"field": "label"}, tooltip=tooltip)],
    }
