"""The summary: statistics, manifest, runs that are hardly runs, and several runs together."""

import csv
import io
import json
import math
import random
import statistics

import numpy as np
import pytest
from small import Cluster

from statera.cluster import analysis
from statera.cluster import statistics as measuring
from statera.cluster.engine import DuckDB
from statera.cluster.metrics import BY_KEY, METRICS, SECTIONS
from statera.cluster.statistics import LEVELS, measure
from statera.support.errors import Stop
from support import every


@pytest.fixture
def values(tmp_path):
    """A table of the tardiness of the forge loop, and its statistics."""

    def of(numbers):
        with DuckDB(tmp_path / "tables") as engine:
            for source in {metric.source for metric in METRICS}:
                columns = {metric.column: "DOUBLE" for metric in METRICS if metric.source == source} | {
                    "host": "INTEGER"
                }
                wheres = {metric.where for metric in METRICS if metric.source == source} - {"TRUE"}
                rows = [(number, 0) for number in numbers] if source == "host_slots" else []
                columns = {"started": "DOUBLE", "host": "INTEGER"} | columns if rows else columns
                padded = [(*row, *[None] * (len(columns) - 2)) for row in rows]
                engine.put(source, columns | dict.fromkeys(wheres, "BOOLEAN"), padded)
            return measure(engine).metrics["cdfStarted"]

    return of


@every("size", (1, 2, 3, 10, 1001))
def test_quantiles_are_of_type_7(values, size):
    chance = random.Random(size)
    numbers = [chance.lognormvariate(-7, 2) for _ in range(size)]
    found = values([*numbers, None])
    wanted = np.quantile(numbers, [float(level) for level in LEVELS])
    assert found["n"] == size
    assert list(found["quantiles"]) == list(LEVELS)
    assert list(found["quantiles"].values()) == pytest.approx(list(wanted), rel=1e-12)
    assert found["median"] == pytest.approx(statistics.median(numbers), rel=1e-12)
    assert found["mean"] == pytest.approx(math.fsum(numbers) / size, rel=1e-13)
    assert (found["min"], found["max"]) == (min(numbers), max(numbers))
    if size > 1:
        assert found["stddev"] == pytest.approx(statistics.stdev(numbers), rel=1e-11)
    else:
        assert found["stddev"] is None


SPREAD = [[9e3 + 1e-6 * k for k in range(50)], [1e-6, -1e-6, 2e-6], [56.1016, 1e-7, 2e-7], [3.0] * 9]


@every("numbers", SPREAD)
def test_the_spread_is_exact_far_from_zero_and_near_it(values, numbers):
    assert values(numbers)["stddev"] == pytest.approx(statistics.stdev(numbers), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("size", [2, 29, 1000])
def test_values_put_in_order_on_disk_give_the_same(values, monkeypatch, size):
    chance = random.Random(size)
    numbers = [chance.lognormvariate(-7, 2) for _ in range(size)]
    wanted = values(numbers)
    monkeypatch.setattr(DuckDB, "most_held", 1)
    found = values(numbers)
    assert list(found.pop("quantiles").values()) == pytest.approx(list(wanted.pop("quantiles").values()), rel=1e-13)
    assert found == wanted | {"median": pytest.approx(wanted["median"])}


def test_no_sample_has_no_statistics(values):
    found = values([None])
    assert found["n"] == 0
    assert {found[key] for key in ("mean", "median", "stddev", "min", "max", "quantiles")} == {None}


def test_the_tables_of_the_report_are_those_of_the_old_one():
    rows = {section.number: [metric.key for metric in section.metrics] for section in SECTIONS}
    assert [len(keys) for keys in rows.values()] == [13, 5, 12, 7, 8]
    assert rows["2.1"][:3] == ["cdfStarts", "CentiCpu", "CentiGC"]
    assert rows["2.1"][-1] == "cdfSpanLensCpu"
    assert [metric.key for metric in SECTIONS[2].extra] == ["xForgerLeadToForged", "xForgerAddedToChain"]
    assert len(BY_KEY) == len(METRICS) == 57
    assert all(metric.meaning.endswith(".") for metric in METRICS)


def test_a_run_without_any_event(tmp_path):
    result = Cluster(tmp_path, "h0", "h1").analyse()
    assert all(metric["n"] == 0 for metric in result.summary["metrics"].values())
    manifest = result.summary["manifest"]
    assert manifest["machines"] == 2
    assert {manifest[key] for key in ("runTime", "hostRunTime", "slotsAnalysed", "runTimeEfficiency")} == {None}
    assert result.summary["chain"]["length"] == 0
    assert result.csv.count("\n") == 1


def test_without_a_forged_block_every_block_metric_is_null(tmp_path):
    cluster = Cluster(tmp_path, "h0")
    cluster.start("h0", 1, 2)
    cluster.log("h0", "Noticed", 1.5, "a", slot=1, block_no=0)
    result = cluster.analyse()
    assert result.metric("cdfBlockSize")["n"] == 0
    assert result.metric("cdfBlocksPerHost")["mean"] == 0
    assert result.summary["chain"] == {
        "length": 0, "base": None, "tip": None, "dropped": None, "unknownForger": 0, "missing": 0, "abandoned": [],
        "rejectedBy": {}, "duplicateForge": 0,
    }  # fmt: skip


def test_a_host_without_logs_counts_among_the_machines_and_observers(tmp_path):
    cluster = Cluster(tmp_path, "h0", "silent")
    cluster.forge("h0", "a", 1, 0, "9")
    cluster.forge("h0", "b", 2, 1, "a")
    cluster.adopt("h0", 2, "a")
    result = cluster.analyse()
    assert result.summary["observations"]["missingNotice"] == 1
    assert result.blocks()["a"]["adoption_50"] == 1.0
    assert result.blocks()["a"]["adoption_100"] is None
    assert result.metric("cdfBlocksPerHost")["n"] == 1
    assert result.summary["hosts"]["silent"]["lines"] == 0


def test_computed_rows_of_the_manifest(tmp_path):
    """h0 logs from 1 to 11 s, h1 from 3 to 9 s; slots 1 to 6 and 4 to 5."""
    cluster = Cluster(tmp_path, "h0", "h1", "h2")
    cluster.start("h0", 1, 6, after=0)
    cluster.log("h0", "BlkCtx", 11, slot=6)
    cluster.log("h1", "BlkCtx", 3, slot=3)
    cluster.start("h1", 4, 5, after=0)
    cluster.log("h1", "BlkCtx", 9, slot=9)
    manifest = cluster.analyse().summary["manifest"]
    wanted = {
        "machines": 3, "logObjectsEmittedPerHost": 3.5, "totalLogObjectsAnalysed": 7, "hostRunTime": 8.0,
        "hostLogLineRate": (3 / 10 + 4 / 6) / 2, "runTime": 10.0, "analysedRunDuration": 5.0, "runTimeEfficiency": 0.5,
        "nodeStartSpread": 2.0, "nodeStopSpread": 2.0, "slotsAnalysed": 4.0,
    }  # fmt: skip
    assert {key: manifest[key] for key in wanted} == wanted


def test_names_are_data(tmp_path):
    names = ["node'0", 'a"b', "<b>", "x,y", "*", "[1]", "ü"]
    cluster = Cluster(tmp_path, *names)
    for number, name in enumerate(names):
        cluster.start(name, 1, 2)
        cluster.forge(name, f"a{number}", number + 1, number, f"a{number - 1}" if number else "9")
    result = cluster.analyse()
    assert set(result.summary["hosts"]) == set(names)
    assert result.summary["chain"]["length"] == 6
    assert '"x,y"' in result.csv


def test_the_summary_is_the_same_on_any_number_of_threads(tmp_path):
    texts = set()
    for threads in (1, 4):
        cluster = Cluster(tmp_path / str(threads) / "run", "h0", "h1")
        chance = random.Random(7)
        for host in ("h0", "h1"):
            for slot in range(300):
                cluster.start(host, slot, after=chance.random())
                cluster.use(host, slot + 0.9 * chance.random(), CentiCpu=slot * 37, RSS=chance.randrange(10**9))
        for number in range(3):
            cluster.forge("h0", f"b{number}", number, number, f"b{number - 1}" if number else "9")
        analysis.analyse_events(cluster.run_events(), cluster.folder, analysis.Options(threads=threads))
        texts.add((cluster.folder / "summary.json").read_text())
    assert len(texts) == 1


def test_an_old_summary_goes_before_anything_else_is_done(tmp_path):
    (tmp_path / "summary.json").write_text('{"metrics": {}}')
    with pytest.raises(Stop, match="no such directory"):
        analysis.analyse(tmp_path / "nothing", tmp_path, analysis.Options())
    assert not (tmp_path / "summary.json").exists()


def test_runs_are_pooled(tmp_path):
    folders, documents = {}, {}
    for name, delays in (("one", (0.1, 0.2)), ("two", (0.3, 0.4, 0.5))):
        cluster = Cluster(tmp_path / name, "h0")
        for slot, delay in enumerate(delays):
            cluster.start("h0", slot, after=delay)
        cluster.forge("h0", "a", 1, 0, "9")
        cluster.forge("h0", "b", 2, 1, "a")
        folders[name] = cluster.folder
        documents[name] = cluster.analyse().summary
    analysis._pool(tmp_path / "pooled", folders, documents, analysis.Options())
    pooled = json.loads((tmp_path / "pooled/summary.json").read_text())
    metric = pooled["metrics"]["cdfStarted"]
    assert (metric["n"], metric["mean"], metric["median"]) == (5, pytest.approx(0.3), 0.3)
    assert metric["runs"]["means"] == pytest.approx([0.15, 0.4])
    assert metric["runs"]["stddev"] == pytest.approx(statistics.stdev([0.15, 0.4]))
    assert pooled["manifest"]["blocksAnalysed"] == 2
    lines = (tmp_path / "pooled/blocks.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["run", "one", "two"]


@pytest.mark.parametrize("raw", [False, True])
def test_names_are_no_formulas_of_the_tables_of_blocks(tmp_path, raw):
    folders, documents = {}, {}
    options = analysis.Options(raw_csv=raw)
    for name in ("=one", "@two"):
        cluster = Cluster(tmp_path / name, "=h0")
        cluster.start("=h0", 0)
        cluster.forge("=h0", "a", 1, 0, "9")
        cluster.forge("=h0", "b", 2, 1, "a")
        folders[name] = cluster.folder
        documents[name] = analysis.analyse_events(cluster.run_events(), cluster.folder, options)
    analysis._pool(tmp_path / "pooled", folders, documents, options)
    mark = "" if raw else "'"
    for path in (cluster.folder, tmp_path / "pooled"):
        rows = list(csv.DictReader(io.StringIO((path / "blocks.csv").read_text())))
        assert {row["forger"] for row in rows} == {f"{mark}=h0"}
    assert [row["run"] for row in rows] == [f"{mark}=one", f"{mark}@two"]


def test_columns_and_queries_give_the_same_statistics(tmp_path):
    # An engine that hands over no columns is asked by queries; a value beyond fixed point is too.
    with DuckDB(tmp_path) as engine:
        for source in {metric.source for metric in METRICS}:
            columns = sorted({metric.column for metric in METRICS if metric.source == source})
            values = ", ".join(f"sin({number}.5 * range) * range AS {name}" for number, name in enumerate(columns, 1))
            flags = ", ".join(f"range % 3 > 0 AS {name}" for name in ("inside", "accepted", "live"))
            engine.store(source, f"SELECT {values}, {flags}, range % 5 AS host FROM range(1000)")
        by_columns, by_queries = measuring._by_columns(engine, METRICS), measuring._by_queries(engine, METRICS)
        assert by_columns.keys() == by_queries.keys()
        for key, known in by_columns.items():
            assert known.totals == by_queries[key].totals, key
            (quantiles, squares), (wanted, wanted_squares) = known.spread, by_queries[key].spread
            assert list(quantiles) == pytest.approx(wanted, rel=1e-12, abs=1e-12), key
            assert squares == pytest.approx(int(wanted_squares), rel=1e-12), key
        engine.store("spans", "SELECT 1e30 * range AS length, CAST(0 AS INTEGER) AS host FROM range(1, 4)")
        assert "cdfSpanLensCpu" not in measuring._by_columns(engine, METRICS)
        assert measure(engine).metrics["cdfSpanLensCpu"]["mean"] == pytest.approx(2e30)
