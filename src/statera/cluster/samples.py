"""Analysed runs as a comparison needs them: the summary, the means of hosts, the values of blocks in order."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.cluster import summary_schema, table_columns
from statera.cluster.analysis import SUMMARY, TABLES
from statera.cluster.metrics import METRICS
from statera.cluster.statistics import FIXED, exact_sum
from statera.engines.duckdb import DuckDB
from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from statera.cluster.metrics import Metric

Series = list[tuple[float, int]]
"""The sum and number of values of every block in the order of the chain, or of every key or stretch in that of time."""

# The number of stretches of time of a run of a single host: more than batches, fewer than values.
_STRETCHES = 180
_TIMED = frozenset({"host_slots", "intervals", "usage"})


class Mean(NamedTuple):
    """A mean and its number of samples."""

    mean: float
    n: int


class Analysed(NamedTuple):
    """An analysed run.

    Attributes:
        path: the directory of its results.
        summary: its summary.json.
        hosts: for every metric of hosts, the mean of each host that has values.
        series: for every other metric, its values in order.
        times: with a single host, the series over time of timed metrics.

    """

    path: Path
    summary: dict[str, Any]
    hosts: dict[str, dict[str, Mean]]
    series: dict[str, Series]
    times: Mapping[str, Series] = MappingProxyType({})


def is_analysed(path: Path) -> bool:
    """Check whether a directory holds the results of an analysis."""
    return (path / SUMMARY).is_file()


def load_summary(path: Path) -> dict[str, Any]:
    """Read summary.json.

    Raises:
        Stop: the file cannot be read, or no analysis wrote it in this form.

    """
    file = path / SUMMARY
    try:
        document: dict[str, Any] = json.loads(file.read_bytes())
        # JSON allows lone surrogates and infinite numbers, which our outputs cannot hold.
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except (OSError, ValueError, RecursionError) as error:
        raise Stop("not-analysed", f"{file}: cannot be read: {error}; analyse the run again") from None
    wrong = summary_schema.fault(document)
    if wrong is not None:
        raise Stop("not-analysed", f"{file}: {wrong}; analyse the run again")
    return document


def load(path: Path) -> Analysed:
    """Load an analysed run."""
    summary = load_summary(path)
    with open_tables(path, "host_means", "blocks", "peers") as engine:
        hosts: dict[str, dict[str, Mean]] = {}
        for key, host, mean, n in engine.rows("SELECT metric, host, mean, n FROM host_means WHERE mean IS NOT NULL"):
            hosts.setdefault(key, {})[host] = Mean(mean, n)
        series = {metric.key: _series(engine, metric.source, metric.column) for metric in METRICS if not metric.paired}
    names = {host for means in hosts.values() for host in means}
    timed = [metric for metric in METRICS if metric.source in _TIMED and not metric.of_run and len(names) == 1]
    return Analysed(path, summary, hosts, series, _times(path, timed))


def newest_log(path: Path) -> int | None:
    """Return the last change of the newest log of an analysed run, in seconds since 1970; None if it has no log."""
    with open_tables(path, "hosts") as engine:
        [(newest,)] = engine.rows("SELECT max(modified) FROM hosts")
    return None if newest is None else int(newest)


def _times(path: Path, metrics: Sequence[Metric]) -> dict[str, Series]:
    """Return the series over time of metrics of a single host."""
    with open_tables(path, *_TIMED) as engine:
        [(first, last)] = engine.rows("SELECT min(slot), max(slot) FROM host_slots")
        if first is None:
            return {}
        found: dict[str, Series] = {}
        for metric in metrics:
            query = (
                f"SELECT {exact_sum(metric.column)} / {FIXED}e0, count({metric.column}) FROM {metric.source} "
                f"WHERE {metric.where} AND {metric.column} IS NOT NULL "
                f"GROUP BY (slot - {first}) * {_STRETCHES} // {last - first + 1} "
                f"ORDER BY (slot - {first}) * {_STRETCHES} // {last - first + 1}"
            )
            found[metric.key] = [(float(total), count) for total, count in engine.rows(query)]
        return found


def open_tables(path: Path, *names: str, sources: Sequence[Path] = ()) -> DuckDB:
    """Open tables of an analysed run; queries can also read files below ``sources``.

    Raises:
        Stop: a table is missing, cannot be read, or lacks a column.

    """
    for name in names:
        if not (path / TABLES / f"{name}.parquet").is_file():
            raise Stop("not-analysed", f"{path}: the table {TABLES}/{name}.parquet is missing; analyse the run again")
    engine = DuckDB(path / TABLES, sources=sources)
    try:
        for name in names:
            engine.open(name)
            table_columns.check(engine, name)
    except BaseException:
        engine.close()
        raise
    return engine


def _series(engine: DuckDB, source: str, column: str) -> Series:
    if source == "blocks":
        query = f"SELECT {column}, 1 FROM blocks WHERE accepted AND {column} IS NOT NULL ORDER BY position"
    else:
        query = (
            f"SELECT {exact_sum(column)} / {FIXED}e0, count({column}) FROM {source} WHERE {column} IS NOT NULL "
            "GROUP BY position ORDER BY position"
        )
    return [(float(total), count) for total, count in engine.rows(query)]
