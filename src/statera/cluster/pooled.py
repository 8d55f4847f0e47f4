"""Pooling of several runs of one configuration: their samples together, and the spread between runs."""

from __future__ import annotations

import csv
import io
from statistics import stdev
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.cluster.metrics import METRICS
from statera.cluster.statistics import measure
from statera.cluster.summary import SPEC
from statera.support.files import csv_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from statera.cluster.engines.duckdb import DuckDB

_SUMS = ("totalLogObjectsAnalysed", "blocksAnalysed", "blocksRejected")


def summary(engine: DuckDB, tables: Mapping[str, Path], runs: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the document of the pooled summary.json.

    Args:
        engine: the engine in which the tables of all runs are joined.
        tables: for each run the directory of its tables.
        runs: for each run its own summary.

    """
    for source in dict.fromkeys(metric.source for metric in METRICS):
        columns = {metric.column: "DOUBLE" for metric in METRICS if metric.source == source}
        columns |= {metric.where: "BOOLEAN" for metric in METRICS if metric.source == source and metric.where != "TRUE"}
        if any(metric.paired for metric in METRICS if metric.source == source):
            columns["host"] = "INTEGER"
        engine.read(source, [folder / f"{source}.parquet" for folder in tables.values()], columns)
    documents = list(runs.values())
    metrics = measure(engine).metrics
    for key, metric in metrics.items():
        metric["runs"] = _between([document["metrics"][key]["mean"] for document in documents])
    return {
        "spec": SPEC,
        "runs": list(runs),
        "manifest": _manifest([document["manifest"] for document in documents]),
        "metrics": metrics,
        "observations": _added([document["observations"] for document in documents]),
        "warnings": [
            warning | {"source": warning["source"] or name}
            for name, document in runs.items()
            for warning in document["warnings"]
        ],
    }


def _between(means: Sequence[float | None]) -> dict[str, Any]:
    """Describe the spread of the means of runs: the run is the unit of repetition of a build."""
    known = [mean for mean in means if mean is not None]
    mean = sum(known) / len(known) if known else None
    spread = stdev(known) if len(known) > 1 else None
    return {
        "n": len(known),
        "means": list(means),
        "mean": mean,
        "stddev": spread,
        "min": min(known, default=None),
        "max": max(known, default=None),
        "coefficientOfVariation": spread / abs(mean) if spread is not None and mean else None,
    }


def _manifest(manifests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Keep the facts in which all runs agree; add up counts; everything else is null."""
    pooled: dict[str, Any] = {}
    for key, value in manifests[0].items():
        values = [manifest.get(key) for manifest in manifests]
        if key in _SUMS:
            pooled[key] = sum(values)
        else:
            pooled[key] = value if all(other == value for other in values) else None
    return pooled


def _added(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    return {key: sum(count[key] for count in counts) for key in counts[0]}


def blocks_csv(texts: Mapping[str, str], *, raw: bool = False) -> str:
    """Join the tables of blocks of all runs, with the run in the first column."""
    rows: list[list[str]] = []
    for run, table in texts.items():
        heading, *blocks = csv.reader(io.StringIO(table))
        name = run if raw else _native.guarded(run)
        rows += [[name, *block] for block in blocks] if rows else [["run", *heading], *([name, *b] for b in blocks)]
    # The cells of the tables are escaped already.
    return csv_json.comma_separated(rows, raw=True)
