"""Old against new: the blocks of paired rows around the diagonal of no change."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from statera import _native
from statera.output.plots import effects as rows_of
from statera.output.plots import frame
from statera.output.plots.axes import ValueAxis, dropped, linear_after_all
from statera.output.plots.frame import GLYPH, Options
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import block_names
from statera.output.plots.raw_values import samples as samples_of
from statera.support.errors import Stop
from statera.support.wording import shown as shown_as

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Series, Source

MOST = 6  # default number of panels
_FEW = 12  # up to so many blocks are drawn as lines from old to new
_NAMED = 5  # the most points with names
_LABEL = 44  # pixels per tick label
_BEYOND = 60  # pixels by which names may extend beyond the right edge of a panel
_RISE = 230  # height in pixels of a panel of lines
_ROOM = 0.05  # free room at the ends of an axis
_FAR = 4.0  # points this many typical distances from the typical change get names
_SIDE, _ALONE = 330, 440  # the most pixels of a panel's side: of one among several, and of a single one


class _Pair(NamedTuple):
    """A block: its name, and the values of the two sides in the base unit."""

    name: str
    baseline: float
    contender: float


class _Panel(NamedTuple):
    """The blocks of a panel with its texts."""

    title: str
    seen: str
    variant: int
    pairs: list[_Pair]
    sides: tuple[str, str]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per paired row, with its blocks as points or, if they are few, as lines."""
    comparison, samples = frame.compared(source), samples_of(source)
    found, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    paired = [effect for effect in found if effect.fields["design"] == "paired"]
    if not paired:
        words = "no benchmark is paired, so there are no blocks. The plot `scatter` has a point for each benchmark"
        raise Stop("nothing-to-draw", words)
    shown, left_out = rows_of.limited(comparison, paired, options.most)
    blocks = block_names(comparison)
    panels = [_blocks(comparison, samples, effect, shown, blocks) for effect in shown]
    metric = shown[0].metric
    columns = 1 if options.width < frame.NARROW or len(panels) == 1 else 2
    width = min(frame.inner_width(options, columns, 70), _SIDE if len(panels) > 1 else _ALONE)
    names, cut = frame.for_panels((panel.title for panel in panels), width + 60)
    colour = frame.variant_colour(samples)
    lost = 0
    specs, axes = [], []
    for panel, short in zip(panels, names, strict=True):
        axes.append(_axis(samples, metric, panel, options))
        drawn = _slopes if len(panel.pairs) <= _FEW else _scatter
        spec, missed = drawn(samples, metric, panel, axes[-1], width=width, colour=colour)
        specs.append({"title": rows_of.panel_title(short, panel.seen, width + 60), **spec})
        lost += missed
    pairs = sum(len(panel.pairs) for panel in panels)
    title = f"{frame.name(samples.metrics[metric].name)} of {pairs if len(panels) == 1 else 'the'} blocks: "
    title += rows_of.versus(samples, found)
    few = all(len(panel.pairs) <= _FEW for panel in panels)
    below = "Each line is a block" if few else "Each point is a block; on the diagonal nothing changed"
    said = [*dropped(lost, "point"), *linear_after_all(axes), *cut, *left_out, *one_sided]
    seen = "; ".join(f"{panel.title}: {panel.seen}" if panel.title else panel.seen for panel in panels)
    return Picture(
        kind="pairs",
        title=title,
        alt=f"{title}. {frame.name(seen, 600)}.",
        spec={"title": rows_of.title(title, [below, *said], options.width), **rows_of.side_by_side(specs, columns)},
        marks={"panels": len(panels), "points": pairs - lost},
        remarks=tuple(said),
    )


def _sides(samples: Samples, effect: Effect) -> tuple[str, str]:
    return frame.label(samples, effect.base, 30), frame.label(samples, effect.contender, 30)


def _blocks(
    comparison: Comparison, samples: Samples, effect: Effect, shown: list[Effect], names: dict[int, str]
) -> _Panel:
    """Return a panel whose points are the blocks of a paired row; several values of a block become their median."""
    key = effect.group, effect.metric, effect.benchmark
    of = {series.variant: series for series in samples.series if series[:3] == key}
    old, new = (_by_block(samples, of[variant]) for variant in (effect.base, effect.contender))
    pairs = [_Pair(names.get(block, str(block)), old[block], new[block]) for block in old if block in new]
    judged = shown_as(comparison.weighing.cell(effect.row, "verdict"))
    seen = f"typical change {rows_of.change(comparison, effect)}, {judged}"
    place = rows_of.place_name(samples, effect, shown)
    several = len({each.benchmark for each in shown}) > 1
    title = " · ".join([*([samples.benchmarks[effect.benchmark]] if several else []), *([place] if place else [])])
    return _Panel(frame.whole(title), seen, effect.contender, pairs, _sides(samples, effect))


def _by_block(samples: Samples, series: Series) -> dict[int, float]:
    blocks, values = samples.column("block", series), samples.values(series)
    if (blocks < 0).any():
        blocks = np.arange(len(values))
    order = np.argsort(blocks, kind="stable")
    numbers, starts = np.unique(blocks[order], return_index=True)
    parts = np.split(values[order], starts[1:])
    return {int(number): float(np.median(part)) for number, part in zip(numbers, parts, strict=True)}


def _axis(samples: Samples, metric: int, panel: _Panel, options: Options) -> ValueAxis:
    """Choose the axis that both sides share."""
    values = np.array([value for pair in panel.pairs for value in (pair.baseline, pair.contender)])
    return ValueAxis.of(samples, metric, values, log=options.log, room=_ROOM)


def _side(axis: ValueAxis, field: str, side: str, pixels: int) -> dict[str, Any]:
    return axis._replace(title=f"{side}: {axis.title}").encoding(field, most=pixels // _LABEL)


def _spot(axis: ValueAxis, row: dict[str, Any], side: int) -> tuple[float, float]:
    """Return the position of a point in a square panel, in pixels from its upper left corner."""
    across, up = (axis.share(row[key]) * side for key in ("before", "after"))
    return across, side - up


def _rows(samples: Samples, metric: int, panel: _Panel, axis: ValueAxis) -> list[dict[str, Any]]:
    return [
        {
            "name": frame.whole(pair.name),
            "place": panel.variant,
            "before": axis.place(pair.baseline),
            "after": axis.place(pair.contender),
            "baseline": frame.amount(samples, metric, pair.baseline),
            "contender": frame.amount(samples, metric, pair.contender),
            "ratio": _native.percent(
                pair.contender / pair.baseline - 1 if pair.baseline > 0 and pair.contender >= 0 else None
            ),
        }
        for pair in panel.pairs
        if axis.holds(pair.baseline, pair.contender)
    ]


_TOOLTIP = [
    {"field": key, "title": "change" if key == "ratio" else key} for key in ("name", "baseline", "contender", "ratio")
]


def _scatter(
    samples: Samples, metric: int, panel: _Panel, axis: ValueAxis, *, width: int, colour: dict[str, Any]
) -> tuple[dict[str, Any], int]:
    rows = _rows(samples, metric, panel, axis)
    x, y = _side(axis, "before", panel.sides[0], width), _side(axis, "after", panel.sides[1], width)
    ends = [{"before": end, "after": end} for end in map(axis.unit.short, (axis.low, axis.high))]
    dot = {"type": "point", "filled": True, "size": 34 if len(rows) > _FEW else 60, "opacity": 0.75}
    named = [{**row, "label": frame.name(row["name"], 24)} for row in _outliers(rows)]
    spots, points = ([_spot(axis, row, width) for row in held] for held in (named, rows))
    names = rows_of.placed(named, spots, points, width, width, beyond=_BEYOND)
    layers = [
        frame.layer(ends, {"type": "line", "style": "zero"}, x=x, y=y),
        frame.layer(rows, dot, x=x, y=y, color=colour, tooltip=_TOOLTIP),
        *(frame.layer(held, mark, x=x, y=y, text={"field": "label"}, tooltip=_TOOLTIP) for mark, held in names),
    ]
    spec = {"width": width, "height": width, "layer": frame.filled(layers)}
    return spec, len(panel.pairs) - len(rows)


def _outliers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Choose the points that lie far from the typical change, the farthest first."""
    log = all(row["before"] > 0 and row["after"] > 0 for row in rows)
    away = [math.log(r["after"]) - math.log(r["before"]) if log else r["after"] - r["before"] for r in rows]
    if not away[2:]:
        return []
    middle = sorted(away)[len(away) // 2]
    far = [abs(each - middle) for each in away]
    typical = sorted(far)[len(far) // 2]
    order = sorted(range(len(rows)), key=lambda place: -far[place])[:_NAMED]
    return [rows[place] for place in order if far[place] > max(_FAR * typical, 1e-9)]


def _slopes(
    samples: Samples, metric: int, panel: _Panel, axis: ValueAxis, *, width: int, colour: dict[str, Any]
) -> tuple[dict[str, Any], int]:
    """Draw each block as a line from old to new, named at its end."""
    rows = _rows(samples, metric, panel, axis)
    beside = 90
    y = axis.encoding("value", most=_RISE // _LABEL)
    x = {"field": "side", "type": "quantitative", "scale": {"domain": [-0.08, 1.08], "nice": False}, "axis": None}
    ends = [{**row, "side": side, "value": row[key]} for row in rows for side, key in ((0, "before"), (1, "after"))]
    lines = [{**row, "side": 0, "to": 1, "value": row["before"]} for row in rows]
    heads = [{"side": side, "label": label} for side, label in enumerate(panel.sides)]
    taken: list[float] = []
    named = []
    for row in sorted(rows, key=lambda row: row["after"]):
        at = axis.share(row["after"]) * _RISE
        if not taken or at - taken[-1] >= GLYPH * 2:
            taken.append(at)
            named.append({**row, "side": 1, "value": row["after"], "label": frame.name(row["name"], 12)})
    word = {"type": "text", "style": "remark", "align": "left", "dx": 8, "baseline": "middle"}
    head = {"type": "text", "style": "name", "baseline": "top", "align": "center"}
    dot = {"type": "point", "filled": True, "size": 45, "opacity": 1}
    layers = [
        frame.layer(
            lines,
            {"type": "rule", "strokeWidth": 1.5, "opacity": 0.8},
            x=x,
            x2={"field": "to"},
            y=y,
            y2={"field": "after"},
            color=colour,
            tooltip=_TOOLTIP,
        ),
        frame.layer(ends, dot, x=x, y=y, color=colour, tooltip=_TOOLTIP),
        frame.layer(named, word, x=x, y=y, text={"field": "label"}),
        frame.layer(heads, head, x=x, y={"value": _RISE + 6}, text={"field": "label"}),
    ]
    spec = {"width": max(width - beside, 80), "height": _RISE, "layer": frame.filled(layers)}
    return spec, len(panel.pairs) - len(rows)
