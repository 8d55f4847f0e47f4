"""Old against new: the blocks of paired rows, or the benchmarks of a suite, around the diagonal of no change."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import _native
from statera.plots import effects as rows_of
from statera.plots import frame
from statera.plots.axes import ValueAxis, dropped, linear_after_all
from statera.plots.frame import GLYPH, Options
from statera.plots.label_placement import placed
from statera.plots.picture import Picture
from statera.plots.raw_values import block_names
from statera.plots.raw_values import samples as samples_of
from statera.wording import shown as shown_as

if TYPE_CHECKING:
    from statera.plots.effects import Effect
    from statera.plots.raw_values import Samples, Series, Source
    from statera.results.comparison import Comparison

MOST = 6  # default number of panels
_FEW = 12  # up to so many blocks are drawn as lines from old to new
_NAMED = 5  # the most points with names
_LABEL = 44  # pixels per tick label
_RISE = 230  # height in pixels of a panel of lines
_ROOM = 0.05  # free room at the ends of an axis
_FAR = 4.0  # points this many typical distances from the typical change get names
_SIDE, _ALONE = 330, 440  # the most pixels of a panel's side: of one among several, and of a single one


class _Pair(NamedTuple):
    """A point: its name, the values of the two sides in the base unit, and the verdict if it is a benchmark."""

    name: str
    baseline: float
    contender: float
    verdict: str = ""


class _Panel(NamedTuple):
    """The points of a panel with its texts; ``blocks`` is true for blocks, false for benchmarks."""

    title: str
    seen: str
    variant: int
    pairs: list[_Pair]
    blocks: bool
    sides: tuple[str, str]


def draw(source: Source, options: Options) -> Picture:
    """Draw one panel per paired row with its blocks as points; for rows that are not paired, points are benchmarks."""
    comparison, samples = frame.compared(source), samples_of(source)
    found, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    panels, left_out = _panels(comparison, samples, found, options)
    metric = panels[0][1]
    lost = 0
    specs, axes = [], []
    columns = 1 if options.width < frame.NARROW or len(panels) == 1 else 2
    width = min(frame.inner_width(options, columns, 70), _SIDE if len(panels) > 1 else _ALONE)
    for panel, _ in panels:
        few = panel.blocks and len(panel.pairs) <= _FEW
        axes.append(_axis(samples, metric, panel, options))
        spec, missed = (_slopes if few else _scatter)(samples, metric, panel, axes[-1], width)
        specs.append(spec)
        lost += missed
    pairs = sum(len(panel.pairs) for panel, _ in panels)
    blocks = panels[0][0].blocks
    what = "blocks" if blocks else "benchmarks"
    title = f"{frame.name(samples.metrics[metric].name)} of {pairs if len(panels) == 1 else 'the'} {what}: "
    title += rows_of.versus(samples, found)
    few = blocks and all(len(panel.pairs) <= _FEW for panel, _ in panels)
    below = "Each line is a block" if few else f"Each point is a {what[:-1]}; on the diagonal nothing changed"
    said = [*dropped(lost, "point"), *linear_after_all(axes), *left_out, *one_sided]
    seen = "; ".join(f"{panel.title}: {panel.seen}" if panel.title else panel.seen for panel, _ in panels)
    return Picture(
        kind="pairs",
        title=title,
        alt=f"{title}. {frame.name(seen, 600)}.",
        spec={"title": rows_of.title(title, [below, *said], options.width), **rows_of.side_by_side(specs, columns)},
        marks={"panels": len(panels), "points": pairs - lost},
        remarks=tuple(said),
    )


def _panels(
    comparison: Comparison, samples: Samples, found: list[Effect], options: Options
) -> tuple[list[tuple[_Panel, int]], list[str]]:
    paired = [effect for effect in found if effect.fields["design"] == "paired"]
    if paired:
        shown, said = rows_of.limited(comparison, paired, options.most)
        names = block_names(comparison)
        return [(_blocks(comparison, samples, effect, shown, names), effect.metric) for effect in shown], said
    of: dict[tuple[int, int, int], list[Effect]] = {}
    for effect in found:
        of.setdefault((effect.group, effect.base, effect.contender), []).append(effect)
    every = [(_benchmarks(samples, rows, found), found[0].metric) for rows in of.values()]
    said = [f"{options.most} of {len(every)} panels"] if len(every) > options.most else []
    return every[: options.most], said


def _benchmarks(samples: Samples, rows: list[Effect], found: list[Effect]) -> _Panel:
    """Return a panel whose points are the centres of the benchmarks."""
    pairs = [
        _Pair(
            effect.fields["benchmark"],
            effect.fields["baseline_centre"],
            effect.fields["contender_centre"],
            effect.verdict,
        )
        for effect in rows
        if effect.fields["baseline_centre"] is not None and effect.fields["contender_centre"] is not None
    ]
    title = rows_of.place_name(samples, rows[0], found)
    return _Panel(title, rows_of.tally(rows), rows[0].contender, pairs, False, _sides(samples, rows[0]))  # noqa: FBT003


def _sides(samples: Samples, effect: Effect) -> tuple[str, str]:
    return frame.name(samples.labels[effect.base], 30), frame.name(samples.labels[effect.contender], 30)


def _blocks(
    comparison: Comparison,
    samples: Samples,
    effect: Effect,
    shown: list[Effect],
    names: dict[int, str],
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
    return _Panel(frame.whole(title), seen, effect.contender, pairs, True, _sides(samples, effect))  # noqa: FBT003


def _by_block(samples: Samples, series: Series) -> dict[int, float]:
    import numpy as np  # noqa: PLC0415 - optional

    blocks, values = samples.column("block", series), samples.values(series)
    if (blocks < 0).any():
        blocks = np.arange(len(values))
    order = np.argsort(blocks, kind="stable")
    numbers, starts = np.unique(blocks[order], return_index=True)
    parts = np.split(values[order], starts[1:])
    return {int(number): float(np.median(part)) for number, part in zip(numbers, parts, strict=True)}


def _axis(samples: Samples, metric: int, panel: _Panel, options: Options) -> ValueAxis:
    """Choose the axis that both sides share."""
    import numpy as np  # noqa: PLC0415 - optional

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
            "verdict": pair.verdict,
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


def _scatter(samples: Samples, metric: int, panel: _Panel, axis: ValueAxis, width: int) -> tuple[dict[str, Any], int]:
    rows = _rows(samples, metric, panel, axis)
    x, y = _side(axis, "before", panel.sides[0], width), _side(axis, "after", panel.sides[1], width)
    ends = [{"before": end, "after": end} for end in map(axis.unit.short, (axis.low, axis.high))]
    colour = {"color": frame.variant_colour()} if panel.blocks else rows_of.verdict_marks(r["verdict"] for r in rows)
    dot = {"type": "point", "filled": True, "size": 34 if len(rows) > _FEW else 60, "opacity": 0.75}
    named = [{**row, "label": frame.name(row["name"], 24)} for row in _outliers(rows)]
    spots, points = ([_spot(axis, row, width) for row in held] for held in (named, rows))
    names = placed(named, spots, points, width, width)
    layers = [
        frame.layer(ends, {"type": "line", "style": "zero"}, x=x, y=y),
        frame.layer(rows, dot, x=x, y=y, **colour, tooltip=_TOOLTIP),
        *(frame.layer(held, mark, x=x, y=y, text={"field": "label"}, tooltip=_TOOLTIP) for mark, held in names),
    ]
    spec = {
        "title": rows_of.panel_title(panel.title, panel.seen, width + 60),
        "width": width,
        "height": width,
        "layer": frame.filled(layers),
    }
    return spec, len(panel.pairs) - len(rows)


def _outliers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Choose the points that lie far from the typical change, the farthest first."""
    log = all(row["before"] > 0 and row["after"] > 0 for row in rows)
    away = [math.log(r["after"]) - math.log(r["before"]) if log else r["after"] - r["before"] for r in rows]
    if len(away) < 3:  # noqa: PLR2004 - of two none is an outlier
        return []
    middle = sorted(away)[len(away) // 2]
    far = [abs(each - middle) for each in away]
    typical = sorted(far)[len(far) // 2]
    order = sorted(range(len(rows)), key=lambda place: -far[place])[:_NAMED]
    return [rows[place] for place in order if far[place] > max(_FAR * typical, 1e-9)]


def _slopes(samples: Samples, metric: int, panel: _Panel, axis: ValueAxis, width: int) -> tuple[dict[str, Any], int]:
    """Draw each block as a line from old to new, named at its end."""
    rows = _rows(samples, metric, panel, axis)
    beside = 90
    y = axis.encoding("value", most=_RISE // _LABEL)
    x = {
        "field": "side",
        "type": "quantitative",
        "scale": {"domain": [-0.08, 1.08], "nice": False},
        "axis": None,
    }
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
    colour = frame.variant_colour()
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
    spec = {
        "title": rows_of.panel_title(panel.title, panel.seen, width + 60),
        "width": max(width - beside, 80),
        "height": _RISE,
        "layer": frame.filled(layers),
    }
    return spec, len(panel.pairs) - len(rows)
