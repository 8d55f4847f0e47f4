"""Courses of metrics over slots: means of stretches of slots, over hosts or blocks, their spread, and their charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from statera.cluster.charts import scale as scales
from statera.cluster.charts import sorted_samples
from statera.cluster.charts.groups import BLOCK_COURSES, HOST_COURSES
from statera.cluster.charts.panel import DASHES, SHORT_LABEL, at_width, banded_hosts, flat
from statera.output.plots import frame
from statera.output.plots.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statera.cluster.charts.scale import Scale
    from statera.cluster.charts.sorted_samples import Floats, OpenRuns
    from statera.cluster.engine import DuckDB
    from statera.cluster.metrics import Metric


MOST_STRETCHES: Final = 320
"""The most stretches of a course of hosts."""
MOST_POINTS: Final = 600
"""The most blocks of a run that are drawn as single points."""
_MOST_OF_BLOCKS: Final = 120
_BLOCKS: Final = 8  # about so many per stretch
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50)
_FEWEST_HOSTS: Final = 3


class Course(NamedTuple):
    """The course of a metric in a run; arrays have one element per stretch, from the first with values to the last."""

    place: int  # the index of the run, from 0
    width: int  # the slots of a stretch
    at: Floats  # the first slot of each stretch
    mean: Floats  # the mean of each stretch; NaN if it has no values
    # the spread of hosts; empty if there are few
    low: Floats
    high: Floats
    hosts: int  # the number of hosts; 0 if values belong to blocks
    points: tuple[Floats, Floats]  # slots and values of single blocks
    thinned: bool = False  # whether the points are a selection of the blocks

    def beyond(self, scale: Scale) -> npt.NDArray[np.bool_]:
        """Return for each mean whether it lies beyond an axis."""
        means = self.mean / scale.factor
        found: npt.NDArray[np.bool_] = (means > scale.high) | (means < scale.low)
        return found


_NONE: Final[Floats] = np.empty(0)


def of_hosts(opened: OpenRuns) -> dict[str, list[Course]]:
    """Return for every metric of ``HOST_COURSES`` the courses of the runs that have values: one pass per table.

    A value is the mean over hosts of each host's mean in the stretch, so that every host has equal weight; the spread
    is that of the hosts' means.
    """
    engines = [engine for of_run in opened.engines for engine in of_run]
    known = [engine.rows("SELECT min(slot), max(slot) FROM host_slots")[0] for engine in engines]
    ends = [int(end) for found in known for end in found if end is not None]
    if not ends:
        return {}
    width = stretch_width(max(ends) - min(ends) + 1, MOST_STRETCHES)
    found: dict[str, list[Course]] = {metric.key: [] for metric in HOST_COURSES}
    tables: dict[tuple[str, str], list[Metric]] = {}
    for metric in HOST_COURSES:
        tables.setdefault((metric.source, metric.where), []).append(metric)
    for place, of_run in enumerate(opened.engines):
        for metrics in tables.values():
            for metric, course in zip(metrics, _of_table(metrics, of_run, place, width), strict=True):
                found[metric.key] += [course] if course else []
    return found


def of_blocks(opened: OpenRuns) -> dict[str, list[Course]]:
    """Return for every metric of ``BLOCK_COURSES`` the courses of the runs that have values.

    A value is the mean of the blocks whose slot is in the stretch. Points are all blocks or, if a run has more than
    ``MOST_POINTS``, the largest of each stretch.
    """
    return {metric.key: _of_blocks(metric, opened) for metric in BLOCK_COURSES}


def stretch_width(slots: int, most: int) -> int:
    """Return the least round width (1, 2, 5, 10, 20, 25, 50, 100, …) that makes at most ``most`` stretches of slots."""
    scale = 1
    while True:
        for step in _STEPS:
            if slots <= step * scale * most:
                return step * scale
        scale *= 100


def _of_table(metrics: Sequence[Metric], engines: Sequence[DuckDB], place: int, width: int) -> list[Course | None]:
    tables = [engine.arrays(sorted_samples.stretches_query(metrics, width)) for engine in engines]
    stretches = np.concatenate([table["stretch"] for table in tables])
    if not len(stretches):
        return [None] * len(metrics)
    # Hosts of different repeats are different hosts.
    hosts = np.concatenate([table["host"] + repeat * 10**6 for repeat, table in enumerate(tables)])
    numbers, columns = np.unique(hosts, return_inverse=True)
    first = int(stretches.min())
    rows = stretches - first
    found = []
    for number in range(len(metrics)):
        grid = np.full((int(rows.max()) + 1, len(numbers)), np.nan)
        grid[rows, columns] = np.concatenate([table[f"mean_{number}"] for table in tables]).astype(np.float64)
        found.append(_over_hosts(grid, place, width, first))
    return found


def _over_hosts(grid: Floats, place: int, width: int, first: int) -> Course | None:
    """Return the course of a grid of stretches (rows) by hosts (columns)."""
    known = ~np.isnan(grid)
    if not known.any():
        return None
    rows = np.flatnonzero(known.any(axis=1))
    grid, known = grid[rows[0] : rows[-1] + 1], known[rows[0] : rows[-1] + 1]
    counts = known.sum(axis=1)
    mean = np.full(len(grid), np.nan)
    np.divide(np.where(known, grid, 0.0).sum(axis=1), counts, out=mean, where=counts > 0)
    hosts = int(known.any(axis=0).sum())
    low = high = _NONE
    if hosts >= _FEWEST_HOSTS:
        low, high = sorted_samples.spread(grid[:, known.any(axis=0)])
    at = _starts(first + int(rows[0]), len(grid), width)
    return Course(place, width, at, mean, low, high, hosts, (_NONE, _NONE))


def _of_blocks(metric: Metric, opened: OpenRuns) -> list[Course]:
    runs = []
    for engines in opened.engines:
        tables = [engine.arrays(sorted_samples.blocks_query(metric)) for engine in engines]
        runs.append(
            [np.concatenate([table[name].astype(np.float64) for table in tables]) for name in ("slot", "value")]
        )
    held = [slots for slots, _ in runs if len(slots)]
    if not held:
        return []
    lengths = [float(slots.max() - slots.min()) + 1 for slots in held]
    each = min(length * _BLOCKS / len(slots) for slots, length in zip(held, lengths, strict=True))
    whole = int(max(slots.max() for slots in held) - min(slots.min() for slots in held)) + 1
    width = stretch_width(whole, min(max(int(whole / each), 1), _MOST_OF_BLOCKS))
    return [_over_blocks(slots, values, place, width) for place, (slots, values) in enumerate(runs) if len(slots)]


def _over_blocks(slots: Floats, values: Floats, place: int, width: int) -> Course:
    stretches = np.floor(slots / width).astype(np.int64)
    first = int(stretches.min())
    rows = stretches - first
    counts = np.bincount(rows)
    mean = np.full(len(counts), np.nan)
    np.divide(np.bincount(rows, values), counts, out=mean, where=counts > 0)
    thinned = len(values) > MOST_POINTS
    if thinned:
        order = np.lexsort((values, rows))
        last = order[np.append(np.diff(rows[order]) > 0, True)]
        slots, values = slots[last], values[last]
    return Course(place, width, _starts(first, len(counts), width), mean, _NONE, _NONE, 0, (slots, values), thinned)


def _starts(first: int, count: int, width: int) -> Floats:
    """Return the first slots of ``count`` stretches, from number ``first`` on."""
    return np.arange(first * width, (first + count) * width, width).astype(np.float64)


_NEAR: Final = 0.75  # times the axis's length: how much the ends of bands may extend it
_MOST_EPOCHS: Final = 14  # beginnings of so many epochs are marked at most


def draw(
    metric: Metric,
    labels: Sequence[str],
    over_slots: Sequence[Course],
    means: Mapping[int, float],
    *,
    epoch_length: int | None,
    width: int,
) -> Picture:
    """Draw the courses of the runs that have values of a metric, in the same stretches; there must be at least one.

    ``labels`` are those of all runs, and ``means`` has for the index of each run the mean of all its samples.
    ``epoch_length`` is in slots, if it is known and the same for all runs, and ``width`` in pixels.
    """
    scale = _scale(metric, over_slots)
    first = min(int(course.at[0]) for course in over_slots)
    ends = first, max(int(course.at[-1]) + course.width for course in over_slots)
    epochs = _epochs(ends, epoch_length)
    drawn = [{"place": course.place, "x": _middle(course), "y": _short(course.mean, scale)} for course in over_slots]
    bands = [_band(course, scale) for course in over_slots if len(course.low)]
    beyond = [row for course in over_slots for row in _edge_marks(course, scale)]
    points = [_points(course, scale) for course in over_slots if len(course.points[0])]
    entries = [
        (each.place, f"{frame.name(labels[each.place], SHORT_LABEL)}: mean {scale.quantity(means[each.place])}")
        for each in over_slots
    ]
    picture = Picture(
        kind="timeline",
        title=f"{metric.title} ({metric.key}) over slots",
        alt=_course_alt(metric, scale, labels, over_slots, means),
        spec={},
        marks={
            "lines": len(drawn),
            "stretches": sum(len(course.at) for course in over_slots),
            "bands": len(bands),
            "points": sum(len(row["x"]) for row in points),
            "beyond": len(beyond),
            "epochs": len(epochs),
        },
        remarks=tuple(_course_remarks(labels, over_slots, scale, epochs=len(epochs))),
    )

    def layers(inner: int) -> list[dict[str, Any]]:
        return _layers(metric, scale, ends, inner, (drawn, bands, points, beyond, epochs))

    return at_width(picture, metric.meaning, entries, layers, width)


def _scale(metric: Metric, over_slots: Sequence[Course]) -> Scale:
    """Choose an axis that holds nearly all bands, and all means and blocks except a few that lie far out."""
    seen = np.concatenate([part for each in over_slots for part in (each.mean, each.points[1])])
    bands = np.concatenate([part for each in over_slots for part in (each.low, each.high)])
    low, high = (float(end) for end in np.nanquantile(np.concatenate([seen, bands]), [0.01, 0.99]))
    least, largest = float(np.nanmin(seen)), float(np.nanmax(seen))
    if len(bands):
        room = _NEAR * (max(high, largest) - min(low, least))
        reach = float(np.nanmin(bands)), float(np.nanmax(bands))
        low, high = reach[0] if low - reach[0] < room else low, reach[1] if reach[1] - high < room else high
    return scales.of_course(metric, (low, high), (least, largest))


def _epochs(ends: tuple[int, int], length: int | None) -> list[dict[str, int]]:
    if length is None or (ends[1] - ends[0]) / length > _MOST_EPOCHS:
        return []
    return [{"x": slot} for slot in range(-(-ends[0] // length) * length, ends[1], length) if slot > ends[0]]


def _middle(course: Course) -> list[float]:
    """Return the middle of each stretch."""
    return [float(slot) + course.width / 2 for slot in course.at]


def _short(values: Floats, scale: Scale) -> list[float | None]:
    """Return values in the axis's unit; None, for a gap in the line, if there is no value."""
    return [None if np.isnan(value) else scale.at(float(value)) for value in values]


def _band(course: Course, scale: Scale) -> dict[str, Any]:
    low, high = _short(course.low, scale), _short(course.high, scale)
    return {"place": course.place, "x": _middle(course), "y": low, "y2": high}


def _points(course: Course, scale: Scale) -> dict[str, Any]:
    slots, values = course.points
    return {"place": course.place, "x": [int(slot) for slot in slots], "y": _short(values, scale)}


def _edge_marks(course: Course, scale: Scale) -> list[dict[str, Any]]:
    """Return a mark at the edge for each mean that lies beyond the axis."""
    rows = []
    middle = _middle(course)
    for row in np.flatnonzero(course.beyond(scale)):
        value = scale.at(float(course.mean[row]))
        edge, turn = (scale.high, 0) if value > scale.high else (scale.low, 180)
        edge = scale.short(edge)
        rows.append({"place": course.place, "x": middle[row], "y": edge, "turn": turn, "value": value})
    return rows


def _ticks(ends: tuple[int, int], width: int) -> list[int]:
    """Choose the slots to label: round numbers, as many as fit."""
    room = max(width / ((len(f"{ends[1]:,}") + 2) * frame.GLYPH), 1)
    steps = (step * 10**power for power in range(18) for step in (1, 2, 5))
    step = next(step for step in steps if (ends[1] - ends[0]) / step <= room)
    return list(range(-(-ends[0] // step) * step, ends[1] + 1, step))


def _layers(
    metric: Metric, scale: Scale, ends: tuple[int, int], width: int, rows: tuple[list[dict[str, Any]], ...]
) -> list[dict[str, Any]]:
    drawn, bands, points, beyond, epochs = rows
    slot = {
        "field": "x",
        "type": "quantitative",
        "scale": {"domain": list(ends), "nice": False},
        "axis": {"title": "slot", "format": ",d", "values": _ticks(ends, width), "grid": False},
    }
    value = scale.encoding("y", "", minExtent=frame.SIDE - 6, titlePadding=4)
    value["axis"]["title"] = scale.unit or metric.title
    at = {"x": slot, "y": value, "color": frame.variant_colour()}
    told = [
        {"field": "x", "title": "slot", "format": ",d"},
        {"field": "y", "title": metric.title, "format": frame.NUMBER},
    ]
    further = {"field": "value", "title": metric.title, "format": frame.NUMBER}
    faint = {"type": "point", "filled": True, "size": 10, "opacity": 1, "fillOpacity": 0.45}
    edge = {"type": "point", "filled": True, "shape": "triangle", "size": 36, "opacity": 1}
    turned = {"angle": {"field": "turn", "type": "quantitative", "scale": None}}
    layers = [
        flat(epochs, {"type": "rule", "style": "dashed"}, x=slot),
        flat(bands, {"type": "area", "opacity": 1, "fillOpacity": 0.22}, **at, y2={"field": "y2"}),
        flat(points, faint, **at, tooltip=told),
        flat(drawn, {"type": "line", "strokeWidth": 1.5}, **at, strokeDash=DASHES, tooltip=told),
        flat(_alone(drawn), {"type": "point", "filled": True, "size": 12, "opacity": 1}, **at, tooltip=told),
        flat(beyond, edge, **at, **turned, tooltip=[told[0], further]),
    ]
    return frame.filled(layers)


def _alone(drawn: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the single stretches between two gaps, which a line cannot show."""
    rows = []
    for row in drawn:
        values = [None, *row["y"], None]
        lone = [
            k for k in range(len(row["y"])) if values[k] is None and values[k + 2] is None and row["y"][k] is not None
        ]
        rows += [{"place": row["place"], "x": row["x"][k], "y": row["y"][k]} for k in lone]
    return rows


def _course_remarks(labels: Sequence[str], over_slots: Sequence[Course], scale: Scale, *, epochs: int) -> list[str]:
    """Describe what a course shows, and what it leaves out."""
    width, hosts = over_slots[0].width, max(course.hosts for course in over_slots)
    each = f"stretches of {width:,} slots" if width > 1 else "single slots"
    if hosts:
        said = [f"means {'over hosts and ' if hosts > 1 else 'of '}{each}"]
    else:
        thinned = any(course.thinned for course in over_slots)
        said = [f"means of the blocks in {each}", f"points are {'the largest block of each' if thinned else 'blocks'}"]
    counts = {labels[course.place]: course.hosts for course in over_slots if len(course.low)}
    if counts:
        said.append(f"bands hold {banded_hosts(counts)}")
    if epochs:
        said.append("epochs begin at dashed lines")
    reach = max((float(np.nanmax(course.high)) for course in over_slots if len(course.high)), default=-np.inf)
    if reach / scale.factor > scale.high:
        said.append(f"bands reach up to {scale.quantity(reach)}")
    beyond = _beyond(labels, over_slots, scale)
    return ["; ".join(said), *([beyond] if beyond else [])]


def _beyond(labels: Sequence[str], over_slots: Sequence[Course], scale: Scale) -> str:
    """Describe how many means lie beyond the axis, and how far they reach; empty if none does."""
    counts = {labels[course.place]: int(course.beyond(scale).sum()) for course in over_slots}
    if not any(counts.values()):
        return ""
    every = np.concatenate([course.mean[course.beyond(scale)] for course in over_slots])
    least, largest = float(every.min()), float(every.max())
    ends = [f"down to {scale.quantity(least)}"] if least / scale.factor < scale.low else []
    ends += [f"up to {scale.quantity(largest)}"] if largest / scale.factor > scale.high else []
    each = ", ".join(f"{count} of {frame.name(label)}" for label, count in counts.items() if count)
    return f"triangles are means beyond the axis: {each}, {' and '.join(ends)}"


def _course_alt(
    metric: Metric, scale: Scale, labels: Sequence[str], over_slots: Sequence[Course], means: Mapping[int, float]
) -> str:
    """Write the alternative text of a chart of courses: means, and the highest and lowest stretches."""
    first = min(int(course.at[0]) for course in over_slots)
    last = max(int(course.at[-1]) + course.width - 1 for course in over_slots)
    said = []
    for course in over_slots:
        low, high = int(np.nanargmin(course.mean)), int(np.nanargmax(course.mean))
        of = f"stretches of {course.width:,} slots" if course.width > 1 else "slots"
        said.append(
            f"{frame.name(labels[course.place])}: mean {scale.quantity(means[course.place])}, "
            f"{of} from {scale.quantity(float(course.mean[low]))} (slot {int(course.at[low]):,}) to "
            f"{scale.quantity(float(course.mean[high]))} (slot {int(course.at[high]):,})"
        )
    return f"{metric.title} over slots {first:,} to {last:,}. {'; '.join(said)}."
