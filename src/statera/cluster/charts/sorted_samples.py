"""The samples of runs, metric by metric, as sorted columns, of which one is in memory at a time.

And what is computed from them: exact quantiles (type 7), exact shares, and their spread across hosts.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from statera.cluster.samples import load_summary, open_tables
from statera.support.closing import Closing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.charts.groups import ChartRun
    from statera.cluster.metrics import Metric

TABLES = ("host_slots", "usage", "intervals", "spans", "epoch_spans", "host_facts", "blocks", "peers")
_OF_HOSTS = frozenset({"host_slots", "usage", "intervals", "spans", "epoch_spans", "peers"})


def samples_query(metric: Metric) -> str:
    """Write the query of all samples of a metric: ``value``, and ``host``, which measured it or forged the block."""
    of_forgers = metric.source == "blocks" and "Forger" in metric.key
    host = "host" if metric.source in _OF_HOSTS else "forger" if of_forgers else ""
    of_host = f", CAST({host} AS INTEGER) AS host" if host else ""
    return (
        f"SELECT CAST({metric.column} AS DOUBLE) AS value{of_host} FROM {metric.source} "
        f"WHERE {metric.where} AND {metric.column} IS NOT NULL"
    )


def stretches_query(metrics: Sequence[Metric], width: int) -> str:
    """Write the query of each host's mean in each stretch of ``width`` slots, for several metrics of one table.

    Stretch k begins at slot k × width. Columns are named by the index of their metric: ``mean_0``, ``mean_1``, …. A
    mean is null if the host has no value of the metric in the stretch.
    """
    [(source, where)] = {(metric.source, metric.where) for metric in metrics}
    means = ", ".join(f"avg({metric.column}) AS mean_{place}" for place, metric in enumerate(metrics))
    return (
        f"SELECT CAST(host AS INTEGER) AS host, CAST(floor(slot / {width}e0) AS BIGINT) AS stretch, {means} "
        f"FROM {source} WHERE {where} GROUP BY 1, 2"
    )


def blocks_query(metric: Metric) -> str:
    """Write the query of slot and value of every block that counts, oldest first."""
    return (
        f"SELECT slot, CAST({metric.column} AS DOUBLE) AS value FROM {metric.source} "
        f"WHERE {metric.where} AND {metric.column} IS NOT NULL ORDER BY position"
    )


_FEWEST_HOSTS = 3
_ENOUGH = 20  # a host needs so many samples for meaningful quantiles


class MetricSamples(NamedTuple):
    """The samples of a metric in a run; all columns are in ascending order."""

    place: int  # the index of the run, from 0
    values: Floats  # all samples
    repeats: tuple[Floats, ...]  # the samples of each repeat, if there are several
    # the samples of each host of each repeat that has enough; empty if samples do not belong to hosts.
    hosts: tuple[Floats, ...]

    @property
    def banded(self) -> bool:
        """Whether there are enough hosts for a spread."""
        return len(self.hosts) >= _FEWEST_HOSTS


class OpenRuns(Closing):
    """The open analyses of runs."""

    def __init__(self, runs: Sequence[ChartRun]) -> None:
        self.runs = runs
        with ExitStack() as stack:
            self.engines = [[stack.enter_context(open_tables(path, *TABLES)) for path in run.analyses] for run in runs]
            self._open = stack.pop_all()

    def close(self) -> None:
        """Close all analyses."""
        self._open.close()

    def epoch_length(self) -> int | None:
        """Return the number of slots of an epoch; None if runs differ, or an analysis does not state it."""
        summaries = (load_summary(path) for run in self.runs for path in run.analyses)
        lengths = {summary.get("timing", {}).get("epochLength") for summary in summaries}
        [length] = lengths if len(lengths) == 1 else [None]
        return length if isinstance(length, int) and length > 0 else None

    def samples(self, metric: Metric) -> list[MetricSamples]:
        """Return the samples of every run that has any."""
        found = [self._of_run(place, metric) for place in range(len(self.engines))]
        return [sampled for sampled in found if len(sampled.values)]

    def _of_run(self, place: int, metric: Metric) -> MetricSamples:
        repeats: list[Floats] = []
        hosts: list[Floats] = []
        for engine in self.engines[place]:
            columns = engine.arrays(samples_query(metric))
            values = columns["value"].astype(np.float64, copy=False)
            if "host" in columns:
                hosts += _by_host(columns["host"], values)
            repeats.append(np.sort(values))
        several = len(repeats) > 1
        whole = np.sort(np.concatenate(repeats)) if several else repeats[0]
        return MetricSamples(
            place, whole, tuple(each for each in repeats if len(each)) if several else (), tuple(hosts)
        )


def _by_host(hosts: Floats, values: Floats) -> list[Floats]:
    """Return the values of each host with enough values, in ascending order."""
    # NumPy sorts small integers without comparisons (radix sort).
    order = np.argsort(hosts.astype(np.min_scalar_type(int(hosts.max(initial=0)))), kind="stable")
    ends = np.flatnonzero(np.diff(hosts[order])) + 1
    return [np.sort(part) for part in np.split(values[order], ends) if len(part) >= _ENOUGH]


Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_TAILS: Final = (0.001, 0.002, 0.998, 0.999, 0.9995, 0.9999)
LEVELS: Final[Floats] = np.unique(np.concatenate([np.arange(201) / 200, _TAILS]))
"""Levels of a curve's quantiles: every half per cent, and denser in the tails."""
MOST_STEPS: Final = 250
"""The most different values of which a curve shows each one."""
FEW_HOSTS: Final = 10
"""A band holds all of fewer hosts than this, and 10 to 90 per cent of this many or more."""


class Spread(NamedTuple):
    """The lower and the upper end of a band."""

    low: Floats
    high: Floats


def quantiles(ordered: Floats, levels: Floats = LEVELS) -> Floats:
    """Return quantiles of type 7 (Hyndman & Fan) of values in ascending order."""
    heights = (len(ordered) - 1) * levels
    below = np.floor(heights).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    found: Floats = ordered[below] + (heights - below) * (ordered[above] - ordered[below])
    return found


def different(ordered: Floats) -> Floats:
    """Return the distinct values of an ascending array."""
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def up_to(ordered: Floats, values: Floats) -> Floats:
    """Return for each of ``values`` the share of samples that do not exceed it."""
    found: Floats = np.searchsorted(ordered, values, side="right") / len(ordered)
    return found


def told(ordered: Floats, floor: float) -> Floats:
    """Return the distinct values if they are few, else those at equal steps of the share from ``floor`` to 1."""
    values = different(ordered)
    if len(values) <= MOST_STEPS:
        return values
    ranks = np.ceil((floor + (1 - floor) * LEVELS) * len(ordered)).astype(np.int64) - 1
    return different(ordered[np.maximum(ranks, 0)])


class Line(NamedTuple):
    """A curve: values, and the shares of samples up to them."""

    at: Floats
    up: Floats


def curve(ordered: Floats) -> Line:
    """Return the curve through the quantiles of ``LEVELS``.

    A value that is the quantile of several levels is a step: the curve rises there from the share below the value to
    the share up to it.
    """
    found = quantiles(ordered)
    steps = different(found[1:][found[1:] == found[:-1]])
    below = np.searchsorted(ordered, steps, side="left") / len(ordered)
    kept = ~np.isin(found, steps)
    at = np.concatenate([found[kept], steps, steps])
    up = np.concatenate([LEVELS[kept], below, up_to(ordered, steps)])
    order = np.lexsort((up, at))
    # Ranks of quantiles run from 0 to n - 1 and those of shares from 1 to n: next to a step they may cross by 1/n.
    return Line(at[order], np.maximum.accumulate(up[order]))


def spread(table: Floats) -> Spread:
    """Return for each row the range over its columns, one per host: 10 to 90 per cent, or all if hosts are few.

    NaN means no value; a row without values has the range NaN to NaN.
    """
    ordered = np.sort(table, axis=1)  # sorts NaN last
    rows = np.arange(len(table))
    last = np.maximum((~np.isnan(table)).sum(axis=1) - 1, 0)
    low, high = (0.0, 1.0) if table.shape[1] < FEW_HOSTS else (0.1, 0.9)
    return Spread(*(_of_rows(ordered, rows, last * level, last) for level in (low, high)))


def _of_rows(ordered: Floats, rows: Indices, heights: Floats, last: Indices) -> Floats:
    below = np.floor(heights).astype(np.int64)
    above = np.minimum(below + 1, last)
    least = ordered[rows, below]
    found: Floats = least + (heights - below) * (ordered[rows, above] - least)
    return found
