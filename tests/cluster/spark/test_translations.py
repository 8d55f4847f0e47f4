"""Every query as Spark gets it. STATERA_ACCEPT=1 writes the translations; read the difference."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from small import Cluster

from statera.cluster import analysis, tables
from statera.cluster.engines.duckdb import DuckDB
from statera.cluster.engines.spark.dialect import translate
from statera.cluster.metrics import METRICS
from statera.cluster.statistics import FIXED, Total, exact_sum, float_sum, spread_query, totals_query

GOLDENS = Path(__file__).parent / "goldens"
TABLES = sorted(path.stem for path in tables.SQL.glob("*.sql"))
# What would be another number, or the same in another order.
INEXACT = r"(?i)approx|collect_(list|set)|array_agg|\bfirst\(|\blast\(|any_value|percentile_cont|mode\("


class Recorder(DuckDB):
    """Notes the queries that are built on the way."""

    def __init__(self, folder, events, queries):
        super().__init__(folder, sources=[events])
        self._queries = queries

    def view(self, name, query):
        self._queries.append(query)
        super().view(name, query)

    def store(self, name, query):
        if name not in TABLES:
            self._queries.append(query)
        super().store(name, query)

    def rows(self, query, values=()):
        # Those of statistics are the next test's; Spark has no columns that are to be counted first.
        if "host_number" not in query and not query.startswith(("SELECT quantile_cont", "SELECT count(*) FROM")):
            self._queries.append(query)
        return super().rows(query, values)


def built_queries(folder):
    cluster = Cluster(folder, "h0", "h1")
    for number, slot in enumerate((1, 2, 3)):
        cluster.forge("h0", f"a{number}", slot, number, f"a{number - 1}")
    queries = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis.Options, "engine", lambda _, place, events: Recorder(place, events, queries))
        cluster.analyse()
    return queries


def statistics_queries():
    """Those of other tables differ in names alone."""
    for source in ("blocks", "intervals"):
        metrics = [metric for metric in METRICS if metric.source == source][:2]
        yield totals_query(metrics, exact_sum)
        yield totals_query(metrics[:1], float_sum)
        yield spread_query(metrics, dict.fromkeys((metric.key for metric in metrics), Total(3, 3 * FIXED, 0.0, 2.0)))


def hold(name, text):
    golden = GOLDENS / f"{name}.sql"
    if os.environ.get("STATERA_ACCEPT") == "1":
        golden.write_text(text + "\n")
    assert golden.exists(), "STATERA_ACCEPT=1 writes it"
    assert text + "\n" == golden.read_text()


def test_a_table(subtests):
    for name in TABLES:
        with subtests.test(name=name):
            hold(name, translate(tables.query(name)))


def test_queries_that_are_built(tmp_path):
    hold("built", ";\n\n".join(map(translate, built_queries(tmp_path))))


def test_queries_of_statistics():
    hold("statistics", ";\n\n".join(map(translate, statistics_queries())))


def test_nothing_is_approximate_or_without_order():
    goldens = sorted(GOLDENS.glob("*.sql"))
    assert [golden.stem for golden in goldens] == sorted([*TABLES, "built", "statistics"])
    for golden in goldens:
        assert not re.search(INEXACT, golden.read_text()), golden
    assert "PERCENTILE(" in (GOLDENS / "statistics.sql").read_text()
    for text in (golden.read_text() for golden in goldens):
        assert text.count("ROW_NUMBER()") == len(
            re.findall(r"ROW_NUMBER\(\) OVER \(\s*PARTITION BY[^()]*ORDER BY", text)
        )
