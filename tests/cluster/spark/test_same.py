"""Runs analysed by Spark and by DuckDB: the same results, tables, drill-downs and reuse."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from generator.run import generate
from generator.settings import Settings
from running_spark import same

from statera.cluster import drill_down
from statera.cluster.analysis import Options, analyse, analyse_all
from statera.cluster.inputs import compare_paths
from statera.cluster.logs import spark as spark_module
from statera.cluster.logs.directories import directory_name
from statera.cluster.logs.spark import reader
from statera.cluster.run import read_run
from statera.support.errors import Stop
from support import every

pytestmark = pytest.mark.later

RUNS = {
    "clean": Settings(hosts=3, slots=300, seed=7, epoch_length=100),
    "dirty": Settings(
        hosts=5, slots=300, seed=8, tracing=("new", "legacy", "array", "mixed"), compression=("", ".gz", ".zst"),
        files=3, noise=0.02, broken=0.02, other=0.01, duplicates=0.1, disorder=0.2, battles=0.2, lost_forged=0.15,
        epoch_length=100, cut=1, restarts=2, clock_steps=2, missing=1, silent=2, truncated=2,
    ),
}  # fmt: skip
FILTERS = ("unitary", "SlotGEq 20", "BMinimumAdoptions 1")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, settings in RUNS.items():
        generate(folder / name, settings, 1)
    return folder


@pytest.fixture(scope="module")
def analysed(runs, spark, tmp_path_factory):
    """The results of DuckDB and those of Spark, each of several runs and their pool."""
    folder = tmp_path_factory.mktemp("analysed")
    for name, session in (("duckdb", None), ("spark", spark)):
        options = Options(filters=FILTERS, session=session)
        analyse_all([runs / run for run in RUNS], folder / name, options)
    return folder / "duckdb", folder / "spark"


@every("name", (*RUNS, "pooled"))
def test_summaries_are_the_same(analysed, name):
    one, other = (json.loads((place / name / "summary.json").read_text()) for place in analysed)
    assert one["metrics"]["cdf0.50"]["n"] > 0
    same(one, other)


def test_the_dirty_run_is_dirty(analysed):
    summary = json.loads((analysed[1] / "dirty/summary.json").read_text())
    hosts = summary["hosts"].values()
    assert all(sum(host[kind] for host in hosts) for kind in ("noise", "broken", "other", "cut", "skipped", "restarts"))
    codes = {warning["code"] for warning in summary["warnings"]}
    assert {"truncated-log", "host-without-logs", "host-without-events"} <= codes


@every("name", (*RUNS, "pooled"))
def test_tables_of_blocks_are_the_same_to_the_byte(analysed, name):
    one, other = ((place / name / "blocks.csv").read_bytes() for place in analysed)
    assert one.count(b"\n") > 5
    assert one == other


@every("name", RUNS)
def test_tables_are_the_same_row_by_row(analysed, name):
    places = [place / name / "tables" for place in analysed]
    names = sorted(path.name for path in places[0].glob("*"))
    assert len(names) == 16
    assert sorted(path.name for path in places[1].glob("*")) == names
    for table in names:
        one, other = (pq.read_table(place / table) for place in places)
        assert (table, other.column_names) == (table, one.column_names)
        assert (table, rows(other)) == (table, rows(one))


def rows(table):
    return sorted(map(repr, zip(*(column.to_pylist() for column in table.columns), strict=True)))


def test_drill_downs_lead_to_the_same_lines(analysed):
    one, other = (place / "dirty" for place in analysed)
    slot = str(pq.read_table(one / "tables/blocks.parquet", columns=["slot"])["slot"][2])
    assert drill_down.block(one, slot) == drill_down.block(other, slot)
    assert drill_down.host(one, "node-1") == drill_down.host(other, "node-1")
    assert drill_down.errors(one) == drill_down.errors(other)


def test_results_of_both_engines_are_compared(analysed, spark):
    one, other = (place / "clean" for place in analysed)
    compared = compare_paths([f"a={one}", f"b={other}"], Options(session=spark))
    deltas = [cell.delta for row in compared.rows for cell in row.cells if cell.delta is not None]
    assert len(deltas) > 40
    assert set(deltas) == {0.0}


def test_nothing_is_left_on_the_way(analysed):
    assert list(analysed[1].rglob(".*")) == []


def test_complete_hosts_are_used_again(runs, analysed, spark, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(analysed[1] / "clean/events", out / "events")
    place = out / "events"
    (place / directory_name("node-1") / "blocks.parquet").write_bytes(b"cut")
    before = {path.name: path.stat().st_ino for path in place.iterdir()}
    read = read_run(runs / "clean", out, reader=reader(spark))
    assert [path.name for path in place.iterdir() if path.stat().st_ino != before[path.name]] == ["node-1"]
    assert all(host.counts.emitted for host in read.hosts)


def test_small_files_that_executors_cannot_open_are_read_here(runs, analysed, spark, tmp_path, monkeypatch):
    """This process alone has this directory as its own."""
    monkeypatch.chdir(runs)
    read = read_run(Path("/proc/self/cwd/clean"), tmp_path, reader=reader(spark))
    summary = json.loads((analysed[0] / "clean/summary.json").read_text())
    assert {host.host: host.counts.lines for host in read.hosts} == {
        name: host["lines"] for name, host in summary["hosts"].items()
    }


def test_large_files_that_executors_cannot_open_are_refused(runs, spark, tmp_path, monkeypatch):
    monkeypatch.chdir(runs)
    monkeypatch.setattr(spark_module, "LARGEST", 1000)
    with pytest.raises(Stop, match=r"/proc/self/cwd/clean/node-0/node-0-00.json of node-0 .* all machines") as stopped:
        read_run(Path("/proc/self/cwd/clean"), tmp_path, reader=reader(spark))
    assert stopped.value.code == "not-shared"
    assert list((tmp_path / "events").iterdir()) == []


def test_results_go_where_only_this_process_writes(runs, analysed, spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    analyse(runs / "clean", Path("/proc/self/cwd/out"), Options(filters=FILTERS, session=spark))
    assert (tmp_path / "out/blocks.csv").read_bytes() == (analysed[0] / "clean/blocks.csv").read_bytes()


def test_events_come_here_in_shares(runs, spark, tmp_path, monkeypatch):
    monkeypatch.setattr(spark_module, "AT_ONCE", 1)
    read = read_run(runs / "clean", tmp_path, reader=reader(spark))
    assert [host.host for host in read.hosts if host.live] == ["node-0", "node-1", "node-2"]
