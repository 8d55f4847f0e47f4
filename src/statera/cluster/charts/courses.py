"""Courses of metrics over slots: means of stretches of slots, over hosts or blocks, and their spread."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from statera.cluster.charts import queries, shares
from statera.cluster.charts.groups import BLOCK_COURSES, HOST_COURSES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.charts.gathering import Gathered
    from statera.cluster.charts.scale import Scale
    from statera.cluster.charts.shares import Floats
    from statera.cluster.engines.duckdb import DuckDB
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
    """The course of a metric in a run; arrays have one element per stretch, from the first with values to the last.

    Attributes:
        place: the index of the run, from 0.
        width: the slots of a stretch.
        at: the first slot of each stretch.
        mean: the mean of each stretch; NaN if it has no values.
        low, high: the spread of hosts; empty if there are few.
        hosts: the number of hosts; 0 if values belong to blocks.
        points: slots and values of single blocks.
        thinned: whether the points are a selection of the blocks.

    """

    place: int
    width: int
    at: Floats
    mean: Floats
    low: Floats
    high: Floats
    hosts: int
    points: tuple[Floats, Floats]
    thinned: bool = False

    def beyond(self, scale: Scale) -> npt.NDArray[np.bool_]:
        """Return for each mean whether it lies beyond an axis."""
        means = self.mean / scale.factor
        found: npt.NDArray[np.bool_] = (means > scale.high) | (means < scale.low)
        return found


_NONE: Final[Floats] = np.empty(0)


def of_hosts(gathered: Gathered) -> dict[str, list[Course]]:
    """Return for every metric of ``HOST_COURSES`` the courses of the runs that have values: one pass per table.

    A value is the mean over hosts of each host's mean in the stretch, so that every host has equal weight; the spread
    is that of the hosts' means.
    """
    ends = [end for engine in gathered.every() for end in _ends(engine, "host_slots", "TRUE")]
    if not ends:
        return {}
    width = stretch_width(max(ends) - min(ends) + 1, MOST_STRETCHES)
    found: dict[str, list[Course]] = {metric.key: [] for metric in HOST_COURSES}
    for place, engines in enumerate(gathered.engines):
        for metrics in _of_one_table(HOST_COURSES):
            for metric, course in zip(metrics, _of_table(metrics, engines, place, width), strict=True):
                found[metric.key] += [course] if course else []
    return found


def of_blocks(gathered: Gathered) -> dict[str, list[Course]]:
    """Return for every metric of ``BLOCK_COURSES`` the courses of the runs that have values.

    A value is the mean of the blocks whose slot is in the stretch. Points are all blocks or, if a run has more than
    ``MOST_POINTS``, the largest of each stretch.
    """
    return {metric.key: _of_blocks(metric, gathered) for metric in BLOCK_COURSES}


def stretch_width(slots: int, most: int) -> int:
    """Return the least round width (1, 2, 5, 10, 20, 25, 50, 100, …) that makes at most ``most`` stretches of slots."""
    scale = 1
    while True:
        for step in _STEPS:
            if slots <= step * scale * most:
                return step * scale
        scale *= 100


def _ends(engine: DuckDB, source: str, where: str) -> list[int]:
    [found] = engine.rows(queries.slots(source, where))
    return [int(end) for end in found if end is not None]


def _of_one_table(metrics: Sequence[Metric]) -> Iterator[list[Metric]]:
    for _, group in groupby(sorted(metrics, key=_table), key=_table):
        yield list(group)


def _table(metric: Metric) -> tuple[str, str]:
    return metric.source, metric.where


def _of_table(metrics: Sequence[Metric], engines: Sequence[DuckDB], place: int, width: int) -> list[Course | None]:
    tables = [engine.arrays(queries.stretches(metrics, width)) for engine in engines]
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
        low, high = shares.spread(grid[:, known.any(axis=0)])
    at = _starts(first + int(rows[0]), len(grid), width)
    return Course(place, width, at, mean, low, high, hosts, (_NONE, _NONE))


def _of_blocks(metric: Metric, gathered: Gathered) -> list[Course]:
    runs = []
    for engines in gathered.engines:
        tables = [engine.arrays(queries.blocks(metric)) for engine in engines]
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
