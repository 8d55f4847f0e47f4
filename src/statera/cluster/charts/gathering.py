"""Reads the samples of runs, metric by metric, as sorted columns: one column is in memory at a time."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from statera.cluster.charts import queries
from statera.cluster.samples import load_summary, open_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.charts import ChartRun
    from statera.cluster.charts.shares import Floats
    from statera.cluster.engines.duckdb import DuckDB
    from statera.cluster.metrics import Metric

_FEWEST_HOSTS = 3
_ENOUGH = 20  # a host needs so many samples for meaningful quantiles


class Sampled(NamedTuple):
    """The samples of a metric in a run; all columns are in ascending order.

    Attributes:
        place: the index of the run, from 0.
        values: all samples.
        repeats: the samples of each repeat, if there are several.
        hosts: the samples of each host of each repeat that has enough; empty if samples do not belong to hosts.

    """

    place: int
    values: Floats
    repeats: tuple[Floats, ...]
    hosts: tuple[Floats, ...]

    @property
    def banded(self) -> bool:
        """Whether there are enough hosts for a spread."""
        return len(self.hosts) >= _FEWEST_HOSTS


class Gathered:
    """The open analyses of runs."""

    def __init__(self, runs: Sequence[ChartRun]) -> None:
        self.runs = runs
        self._open = ExitStack()
        self.engines: list[list[DuckDB]] = []
        try:
            for run in runs:
                opened = [self._open.enter_context(open_tables(path, *queries.TABLES)) for path in run.analyses]
                self.engines.append(opened)
        except BaseException:
            self._open.close()
            raise

    def __enter__(self) -> Self:
        """Return the object itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all analyses."""
        self._open.close()

    def every(self) -> list[DuckDB]:
        """Return every analysis of every run."""
        return [engine for engines in self.engines for engine in engines]

    def epoch_length(self) -> int | None:
        """Return the number of slots of an epoch; None if runs differ, or an analysis does not state it."""
        summaries = (load_summary(path) for run in self.runs for path in run.analyses)
        lengths = {summary.get("timing", {}).get("epochLength") for summary in summaries}
        [length] = lengths if len(lengths) == 1 else [None]
        return length if isinstance(length, int) and length > 0 else None

    def samples(self, metric: Metric) -> list[Sampled]:
        """Return the samples of every run that has any."""
        found = [self._of_run(place, metric) for place in range(len(self.engines))]
        return [sampled for sampled in found if len(sampled.values)]

    def _of_run(self, place: int, metric: Metric) -> Sampled:
        repeats: list[Floats] = []
        hosts: list[Floats] = []
        for engine in self.engines[place]:
            columns = engine.arrays(queries.samples(metric))
            values = columns["value"].astype(np.float64, copy=False)
            if "host" in columns:
                hosts += _by_host(columns["host"], values)
            repeats.append(np.sort(values))
        several = len(repeats) > 1
        whole = np.sort(np.concatenate(repeats)) if several else repeats[0]
        return Sampled(place, whole, tuple(each for each in repeats if len(each)) if several else (), tuple(hosts))


def _by_host(hosts: Floats, values: Floats) -> list[Floats]:
    """Return the values of each host with enough values, in ascending order."""
    # NumPy sorts small integers without comparisons (radix sort).
    order = np.argsort(hosts.astype(np.min_scalar_type(int(hosts.max(initial=0)))), kind="stable")
    ends = np.flatnonzero(np.diff(hosts[order])) + 1
    return [np.sort(part) for part in np.split(values[order], ends) if len(part) >= _ENOUGH]
