"""Heat map: the change of every benchmark under every variant, as colours with the numbers in the cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.comparison.codes import JUDGED
from statera.output.plots import effects as rows_of
from statera.output.plots import frame
from statera.output.plots.changes import from_to
from statera.output.plots.frame import GLYPH, Options, tidy
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.support.errors import Stop
from statera.support.wording import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Source

MOST = 400  # default number of cells
_ROWS = 60  # the most benchmarks
_CELL = 22  # pixels of a row
_LINE = 14  # pixels between the lines of a cell
_WRITTEN = 46  # pixels of a cell from which its number is written
_MEDIUM, _DEEP = 0.57, 0.8  # shares of the strongest colour from which numbers have a style of their own
_LETTERS = ((_DEEP, "hole"), (_MEDIUM, "on-medium"))
UNDECIDED = ("inconclusive", "equivalent")
PALE = 0.4  # share of its colour that an undecided change has: what may be noise must not look like a finding
FULL = math.log(2)  # the change of the strongest colour: a doubling in any picture, so that 5 % is the same red in all
_TILT = 35  # angle in degrees of column names that are longer than the column is wide


class _Column(NamedTuple):
    """A column: a contender against a baseline in a group."""

    base: int
    contender: int
    group: int


class Grid(NamedTuple):
    """A drawn table: its panels, the pixels of the names at its left, and what these names leave out."""

    panels: list[dict[str, Any]]
    beside: int
    common: list[str]


def draw(source: Source, options: Options) -> Picture:
    """Draw one row per benchmark and one column per variant (and group), in the colours of better and worse."""
    comparison, samples = frame.compared(source), samples_of(source)
    every, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    if not any(map(is_ratio, every)):
        raise Stop("nothing-to-draw", "no change is a ratio, and the colours of a heat map show ratios")
    columns = list(dict.fromkeys(_column(effect) for effect in every))
    most = min(MOST, _ROWS * len(columns)) if options.most == MOST else options.most
    shown, left_out = rows_of.limited(comparison, every, most, whole=options.most != MOST)
    drawn = _spec(comparison, samples, shown, columns, options=options)
    said = [*drawn.common, *left_out, *one_sided]
    metric = samples.metrics[shown[0].metric]
    title = rows_of.finding(comparison, samples, every)
    versus = rows_of.versus(samples, every)
    below = f"Change of {frame.name(metric.name)}, {versus}; bold is judged, pale has no clear change"
    panels = [legend(samples, shown, width=options.width - 24, left=drawn.beside), *drawn.panels]
    return Picture(
        kind="heatmap",
        title=title,
        alt=f"{title}; {frame.name(metric.name)}, {rows_of.versus(samples, every)}. {rows_of.told(comparison, shown)}.",
        spec={
            "title": rows_of.title(title, [below, *said], options.width),
            "vconcat": panels,
            "spacing": 4,
        },
        marks={"rows": len({effect.benchmark for effect in shown}), "columns": len(columns), "cells": len(shown)},
        remarks=tuple(said),
    )


def is_ratio(effect: Effect) -> bool:
    """Return whether a change is a ratio, which a colour can show."""
    return _is_ratio(effect.fields)


def _is_ratio(fields: Mapping[str, Any]) -> bool:
    return bool(fields["scale"] == "ratio" and (fields["change"] or 0.0) > -1)


def colour(better: str | None) -> dict[str, Any]:
    """Encode ``tone``, from -1 to 1 for the worst; a metric without a better direction has colours of its own."""
    scale = {"domain": [-1, 1], "range": "diverging" if better else "heatmap", "interpolate": "lab", "clamp": True}
    return {"field": "tone", "type": "quantitative", "scale": scale, "legend": None}


def legend(samples: Samples, shown: list[Effect], *, width: int, left: int) -> dict[str, Any]:
    """Draw the ends of the colours, and what a frame is, as a separate panel."""
    metric = samples.metrics[shown[0].metric]
    better = metric.better
    less, more = (_native.percent(math.expm1(end)) for end in (-FULL, FULL))
    words = [_native.moved(metric.quantity, better, rises) for rises in (False, True)]
    ends = [(f"{words[0]}: {less} and beyond", -1), ("no change", 0), (f"{words[1]}: {more} and beyond", 1)]
    flip = -1 if better == "higher" else 1
    rows: list[dict[str, Any]] = [{"label": label, "tone": flip * tone} for label, tone in ends]
    square = {"type": "point", "filled": True, "shape": "square", "size": 110, "opacity": 1}
    symbols = [(rows, square, {"color": colour(better)})]
    endless = [effect for effect in shown if not is_ratio(effect)]
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
    options: Options,
) -> Grid:
    """Draw the benchmarks and columns that are shown."""
    rows = list(dict.fromkeys(effect.benchmark for effect in shown))
    metric = samples.metrics[shown[0].metric]
    better = metric.better
    cells = [
        cell(comparison, samples, effect, (rows.index(effect.benchmark), columns.index(_column(effect))))
        for effect in shown
    ]
    names = [samples.benchmarks[row] for row in rows]
    places = [(row, column) for row in range(len(rows)) for column in range(len(columns))]
    return grid(cells, places, (names, _words(samples, columns, shown)), options, better=better)


def grid(
    cells: list[dict[str, Any]],
    places: list[tuple[int, int]],
    names: tuple[list[str], list[str]],
    options: Options,
    *,
    better: str | None,
) -> Grid:
    """Draw a table of cells with the names of its rows at the left and those of its columns above.

    The fields of cells are those of ``cell``; ``below`` is a second line. ``places`` has the row and column of each
    cell; those without a comparison get a mark. ``names`` are those of the rows and of the columns.
    """
    rows, columns = names
    short, beside, common = frame.fitting(rows, options.width * 0.34)
    width = max(min(options.width - beside - 40, 150 * len(columns)), 60)
    slanted = max(_native.columns(frame.name(word)) for word in columns) * GLYPH >= width / len(columns)
    reach = int(min(150, options.width * 0.28))
    # Slanted names reach beyond the last column.
    width = (
        max(min(width, options.width - beside - 40 - int(reach * math.cos(math.radians(_TILT)))), 60)
        if slanted
        else width
    )
    wide = width / len(columns)
    for each in cells:
        if each["longer"] and _native.columns(each["longer"]) * GLYPH < wide - 6:
            each["text"] = each["longer"]
    labels = [
        {"row": place, "label": name, "whole": frame.whole(row)}
        for place, (row, name) in enumerate(zip(rows, short, strict=True))
    ]
    across = {"type": "quantitative", "axis": None, "scale": {"domain": [0, len(columns)], "nice": False}}
    down = {"type": "quantitative", "axis": None, "scale": {"domain": [len(rows) - 0.5, -0.5], "nice": False}}
    area = {"x": {"field": "left", **across}, "x2": {"field": "right"}}
    area |= {"y": {"field": "top", **down}, "y2": {"field": "bottom"}}
    name = {"type": "text", "style": "name", "align": "right", "baseline": "middle"}
    lines = _lines(cells, wide)
    table = {
        "width": int(width),
        "height": len(rows) * (_CELL + _LINE * (len(lines) > 1)),
        "layer": frame.filled(
            [
                frame.layer(cells, {"type": "rect"}, **area, color=colour(better), tooltip=rows_of.TOOLTIP),
                frame.layer([row for row in cells if not row["held"]], {"type": "rect", "style": "frame"}, **area),
                *(layer for line, dy in lines.items() for layer in _numbers(cells, line, dy, across, down)),
                _gaps(cells, places, across, down),
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
    above = _heads(columns, across, int(width), reach if slanted else None)
    return Grid([above, table], beside, common)


def tone(fields: Mapping[str, Any], better: str | None) -> float:
    """Return the colour of the change of a row, from -1 to 1 for the worst; pale if it is undecided."""
    change = fields["change"] or 0.0
    # A change without a ratio, as from 0 to 12, is beyond all ratios.
    size = math.log1p(change) if _is_ratio(fields) else math.copysign(FULL, change) if change else 0.0
    return shade(size, better) * (PALE if fields["verdict"] in UNDECIDED else 1.0)


def shade(logarithm: float, better: str | None) -> float:
    """Return the colour of the logarithm of a ratio."""
    # The scale is reversed if more is better, so that one colour means worse everywhere.
    # By the square root, so that small changes have visible colours beside a doubling.
    return math.copysign(math.sqrt(min(abs(logarithm) / FULL, 1.0)), -logarithm if better == "higher" else logarithm)


def cell(comparison: Comparison, samples: Samples, effect: Effect, place: tuple[int, int]) -> dict[str, Any]:
    """Return the cell of a row of the comparison at a row and a column."""
    drawn = tone(effect.fields, samples.metrics[effect.metric].better)
    told, held = rows_of.written(comparison, effect), is_ratio(effect)
    return {
        **told,
        **box(place),
        "held": held,
        "tone": tidy(drawn),
        "letters": letters(abs(drawn)),
        "judged_so": effect.verdict in JUDGED,
        "text": told["change"],
        "longer": "" if held else from_to(samples, effect),
        "below": "",
    }


def box(place: tuple[int, int]) -> dict[str, float]:
    """Return the edges of a cell at a row and a column."""
    row, column = place
    across = {"left": column + 0.02, "right": column + 0.98, "middle": column + 0.5}
    return {**across, "row": row, "top": row - 0.46, "bottom": row + 0.46}


def letters(share: float) -> str:
    """Return the style of numbers on a share of the strongest colour."""
    return next((style for least, style in _LETTERS if share > least), "name")


def _lines(cells: list[dict[str, Any]], wide: float) -> dict[str, float]:
    """Return the fields that cells of a width can show, and how far below the middle each stands."""
    below = max((_native.columns(each["below"]) for each in cells), default=0) * GLYPH
    if wide < _WRITTEN:
        return {}
    return {"text": -_LINE / 2, "below": _LINE / 2} if 0 < below <= wide else {"text": 0}


def _numbers(
    cells: list[dict[str, Any]], line: str, below: float, across: dict[str, Any], down: dict[str, Any]
) -> list[dict[str, Any]]:
    """Write a line of the cells: judged changes in bold, those on strong colours in a colour that stands out."""
    layers = []
    for style in ("name", *(style for _, style in _LETTERS)):
        for judged in (False, True):
            held = [row for row in cells if row["letters"] == style and row["judged_so"] == judged]
            weight = {"fontWeight": 700} if judged and line == "text" else {}
            mark = {"type": "text", "style": style, "baseline": "middle", **weight, **({"dy": below} if below else {})}
            x, y = {"field": "middle", **across}, {"field": "row", **down}
            if held:
                layers.append(frame.layer(held, mark, x=x, y=y, text={"field": line}, tooltip=rows_of.TOOLTIP))
    return layers


def _gaps(
    cells: list[dict[str, Any]], places: list[tuple[int, int]], across: dict[str, Any], down: dict[str, Any]
) -> dict[str, Any]:
    """Mark the cells without a comparison."""
    held = {(cell["row"], math.floor(cell["middle"])) for cell in cells}
    gaps = [{**box(place), "change": NOTHING} for place in places if place not in held]
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
