"""What the values of each format mean, seen through the library."""

import json

import polars as pl
import pytest

import statera
from support import every, write


def values(path, metric):
    frame = pl.DataFrame(statera.read(path)).with_columns(pl.col("metric", "benchmark").cast(pl.String))
    rows = frame.filter(pl.col("metric") == metric)
    return dict(zip(rows["benchmark"], rows["value"], strict=True))


def test_bench_bitcoins_average_is_total_over_evaluations_and_iterations(tmp_path):
    text = "# Benchmark, evals, iterations, total, min, max, median\n"
    text += "RpcMempool10k, 5, 10, 5.3072, 0.105252, 0.107485, 0.10542\n"
    (path,) = write(tmp_path, x=text)
    assert values(path, "average") == {"RpcMempool10k": pytest.approx(0.106144, rel=1e-12)}
    assert values(path, "median") == {"RpcMempool10k": 0.10542}
    assert statera.read(path).left_out == 0


@every(
    ("header", "row", "metric"),
    [
        ("Benchmark,count,min,max,average", "X,10,0.1,0.3,0.2", "average"),
        ("#Benchmark,count,min,max,average", "X,10,0.1,0.3,0.2", "average"),
        (
            "#Benchmark,count,min,max,average,min_cycles,max_cycles,average_cycles",
            "X,10,0.1,0.3,0.2,100,300,200",
            "average",
        ),
    ],
)
def test_bench_bitcoins_older_tables_are_read(tmp_path, header, row, metric):
    (path,) = write(tmp_path, x=f"{header}\n{row}\n")
    assert statera.read(path).sources[0].format == "bench_bitcoin"
    assert values(path, metric) == {"X": 0.2}


def test_nanobench_counters_that_the_kernel_hid_are_no_zeros(tmp_path):
    epochs = [{"iterations": 9, "elapsed": 1e-9 * k, "instructions": 0, "cpucycles": 5} for k in (1, 2)]
    result = {"name": "X", "unit": "op", "batch": 1, "median(elapsed)": 1.5e-9, "measurements": epochs}
    (path,) = write(tmp_path, x=json.dumps({"results": [result]}))
    names = [metric.name for metric in statera.read(path).metrics]
    assert "cpucycles" in names
    assert "instructions" not in names


def test_hyperfines_runs_are_values_and_its_parameters_configuration(tmp_path):
    results = [{"command": "sort", "times": [0.1, 0.2], "exit_codes": [0, 0], "parameters": {"n": "5"}}]
    (path,) = write(tmp_path, x=json.dumps({"results": results}))
    read = statera.read(path)
    assert pl.DataFrame(read)["value"].to_list() == [0.1, 0.2]
    assert read.contexts[-1].keys == {"n": "5"}


def test_a_run_that_failed_is_no_value(tmp_path):
    results = [{"command": "sort", "times": [0.1, 0.2, 0.3], "exit_codes": [0, 1, 0]}]
    (path,) = write(tmp_path, x=json.dumps({"results": results}))
    read = statera.read(path)
    assert pl.DataFrame(read).filter(pl.col("metric").cast(pl.String) == "time")["value"].to_list() == [0.1, 0.3]
    assert read.left_out == 1


def test_sandmarks_peak_memory_is_in_bytes_and_never_exact(tmp_path):
    record = {"name": "x.", "time_secs": 1.5, "maxrss_kB": 10}
    text = "".join(json.dumps(record) + "\n" for _ in range(4))
    write(tmp_path, a=text, b=text)
    rows = {row.metric: row for row in statera.compare(tmp_path / "a", tmp_path / "b")}
    assert rows["maxrss"].baseline_centre == 10_240
    assert rows["maxrss"].design == "independent"


def test_ledger_times_are_microseconds(tmp_path):
    (path,) = write(tmp_path, x="slot\tslotGap\ttotalTime\tmut\tgc\n66\t3\t382190\t382190\t0\n")
    assert values(path, "totalTime") == {"ledger-ops": 0.38219}
    assert statera.read(path).has_blocks


def test_gos_configuration_changes_inside_a_file(tmp_path):
    text = "cpu: a\nBenchmarkX 1 5 ns/op\ncpu:\nBenchmarkX 1 6 ns/op\ncpu: b\nBenchmarkX 1 7 ns/op\n"
    (path,) = write(tmp_path, x=text)
    used = [context.keys for context in statera.read(path).contexts if context.values]
    assert {keys.get("cpu") for keys in used} == {"a", None, "b"}
    assert [context.values for context in statera.read(path).contexts if context.values] == [1, 1, 1]


@every(
    ("unit", "base", "want"),
    [("ns", "s", 5e-9), ("ms", "s", 0.005), ("KiB", "B", 5120), ("MB/s", "B/s", 5e6), ("ops/ms", "1/s", 5000)],
)
def test_units_become_base_units(tmp_path, unit, base, want):
    (path,) = write(tmp_path, **{"x.csv": f"benchmark,value,unit\nX,5,{unit}\n"})
    read = statera.read(path)
    assert (read.metrics[0].unit, values(path, "value")) == (base, {"X": want})
