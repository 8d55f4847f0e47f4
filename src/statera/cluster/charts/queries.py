"""The queries of the charts, over the tables of one analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.metrics import Metric

TABLES = ("host_slots", "usage", "intervals", "spans", "epoch_spans", "host_facts", "blocks", "peers")
_OF_HOSTS = frozenset({"host_slots", "usage", "intervals", "spans", "epoch_spans", "peers"})


def owner(metric: Metric) -> str | None:
    """Return the column of the host that a sample belongs to: the host that measured it or forged the block."""
    if metric.source in _OF_HOSTS:
        return "host"
    return "forger" if metric.source == "blocks" and "Forger" in metric.key else None


def samples(metric: Metric) -> str:
    """Write the query of all samples of a metric: ``value``, and ``host`` if samples belong to hosts."""
    column, host = metric.column, owner(metric)
    of_host = f", CAST({host} AS INTEGER) AS host" if host else ""
    return (
        f"SELECT CAST({column} AS DOUBLE) AS value{of_host} FROM {metric.source} "
        f"WHERE {metric.where} AND {column} IS NOT NULL"
    )


def slots(source: str, where: str) -> str:
    """Write the query of the first and the last slot of a table; null if it is empty."""
    return f"SELECT min(slot), max(slot) FROM {source} WHERE {where}"


def stretches(metrics: Sequence[Metric], width: int) -> str:
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


def blocks(metric: Metric) -> str:
    """Write the query of slot and value of every block that counts, oldest first."""
    return (
        f"SELECT slot, CAST({metric.column} AS DOUBLE) AS value FROM {metric.source} "
        f"WHERE {metric.where} AND {metric.column} IS NOT NULL ORDER BY position"
    )
