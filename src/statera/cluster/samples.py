"""Analysed runs as a comparison needs them: the summary, the means of hosts, the values of blocks in order."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster.analysis import SUMMARY, TABLES
from statera.cluster.engine import DuckDB
from statera.cluster.metrics import METRICS
from statera.cluster.statistics import FIXED, exact_sum
from statera.cluster.summary import fault
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from statera.cluster.metrics import Metric


_NUMBERS: Final = {
    "host_means": "n mean",
    "hosts": "host modified",
    "host_slots": "host slot",
    "usage": "host slot",
    "intervals": "host slot at_ns file line",
    "spans": "host first_slot last_slot length",
    "epoch_spans": "host",
    "host_facts": "host",
    "blocks": "position slot forger gap valid_observers adoption_50 adoption_100",
    "known_blocks": "slot block_no forger size adopters battles",
    "block_failures": "number",
    "observations": "host notice request fetching announce send adoption",
    "peers": "position host",
    "adoptions": "host adoption",
}
_TEXTS: Final = {
    "host_means": "metric host", "hosts": "name", "blocks": "block", "known_blocks": "block prev",
    "block_failures": "block tag", "observations": "block class", "adoptions": "block",
}  # fmt: skip
_ANSWERS: Final = {"intervals": "restart", "blocks": "accepted"}
_TYPES: Final = {"VARCHAR": "text", "BOOLEAN": "yes or no"}


def wanted_columns(table: str) -> dict[str, str]:
    """Return the columns that a table must have, each with its kind: a number, a text, or yes or no."""
    found: dict[str, str] = {}
    for kind, columns in {"number": _NUMBERS, "text": _TEXTS, "yes or no": _ANSWERS}.items():
        found |= dict.fromkeys(columns.get(table, "").split(), kind)
    for metric in METRICS:
        if metric.source == table:
            found |= {metric.column: "number"} | ({} if metric.where == "TRUE" else {metric.where: "yes or no"})
    return found


def _check_columns(engine: DuckDB, table: str) -> None:
    """Check that an open table has its columns.

    Raises ``Stop`` if a column is missing or holds another kind, as in another table or another version.
    """
    has = engine.columns(table)
    for column, kind in wanted_columns(table).items():
        if column not in has:
            wrong = f"has no column {column}"
        elif _TYPES.get(has[column], "number") != kind:
            wrong = f"its column {column} must hold {kind}, not {has[column]}"
        else:
            continue
        raise Stop("tables-unusable", f"{engine.path(table)}: {wrong}. Analyse the run again")


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
    """An analysed run."""

    path: Path  # the directory of its results
    summary: dict[str, Any]  # its summary.json
    hosts: dict[str, dict[str, Mean]]  # for every metric of hosts, the mean of each host that has values
    series: dict[str, Series]  # for every other metric, its values in order
    times: Mapping[str, Series] = MappingProxyType({})  # with a single host, the series over time of timed metrics


def is_analysed(path: Path) -> bool:
    """Check whether a directory holds the results of an analysis."""
    return (path / SUMMARY).is_file()


def load_summary(path: Path) -> dict[str, Any]:
    """Read summary.json. Raises ``Stop`` if the file cannot be read, or no analysis wrote it in this form."""
    file = path / SUMMARY
    try:
        document: dict[str, Any] = json.loads(file.read_bytes())
        # JSON allows lone surrogates and infinite numbers, which our outputs cannot hold.
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except (OSError, ValueError, RecursionError) as error:
        raise Stop("not-analysed", f"{file}: cannot be read: {error}. Analyse the run again") from None
    wrong = fault(document)
    if wrong is not None:
        raise Stop("not-analysed", f"{file}: {wrong}. Analyse the run again")
    return document


def load(path: Path) -> Analysed:
    """Load an analysed run."""
    summary = load_summary(path)
    with open_tables(path, "host_means", "blocks", "peers") as engine:
        hosts: dict[str, dict[str, Mean]] = {}
        for key, host, mean, n in engine.rows("SELECT metric, host, mean, n FROM host_means WHERE mean IS NOT NULL"):
            hosts.setdefault(key, {})[host] = Mean(mean, n)
        series = _series(engine)
    names = {host for means in hosts.values() for host in means}
    timed = [metric for metric in METRICS if metric.source in _TIMED and not metric.of_run and len(names) == 1]
    return Analysed(path, summary, hosts, series, _times(path, timed) if timed else {})


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
            stretch = f"(slot - {first}) * {_STRETCHES} // {last - first + 1}"
            query = (
                f"SELECT {exact_sum(metric.column)} / {FIXED}e0, count({metric.column}) FROM {metric.source} "
                f"WHERE {metric.where} AND {metric.column} IS NOT NULL GROUP BY {stretch} ORDER BY {stretch}"
            )
            found[metric.key] = [(float(total), count) for total, count in engine.rows(query)]
        return found


def open_tables(path: Path, *names: str, sources: Sequence[Path] = ()) -> DuckDB:
    """Open tables of an analysed run; queries can also read files below ``sources``.

    Raises ``Stop`` if a table is missing, cannot be read, or lacks a column.
    """
    for name in names:
        if not (path / TABLES / f"{name}.parquet").is_file():
            raise Stop("not-analysed", f"{path}: the table {TABLES}/{name}.parquet is missing. Analyse the run again")
    engine = DuckDB(path / TABLES, sources=sources)
    try:
        for name in names:
            engine.open(name)
            _check_columns(engine, name)
    except BaseException:
        engine.close()
        raise
    return engine


def _series(engine: DuckDB) -> dict[str, Series]:
    """Return the series of all metrics whose values belong to blocks, by one query for each table."""
    found: dict[str, Series] = {}
    unpaired = [metric for metric in METRICS if not metric.paired]
    for source in dict.fromkeys(metric.source for metric in unpaired):
        metrics = [metric for metric in unpaired if metric.source == source]
        if source == "blocks":
            columns = ", ".join(f"{metric.column}, 1" for metric in metrics)
            rows = engine.rows(f"SELECT {columns} FROM blocks WHERE accepted ORDER BY position")
        else:
            columns = ", ".join(f"{exact_sum(one.column)} / {FIXED}e0, count({one.column})" for one in metrics)
            rows = engine.rows(f"SELECT {columns} FROM {source} GROUP BY position ORDER BY position")
        for place, metric in enumerate(metrics):
            pairs = ((row[2 * place], row[2 * place + 1]) for row in rows)
            found[metric.key] = [(float(total), count) for total, count in pairs if total is not None]
    return found
