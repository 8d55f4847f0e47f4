"""Tables and samples in memory are read as files are."""

from datetime import timedelta

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import statera
from support import every, noisy

DATA = {"benchmark": ["X"] * 20, "build": ["old"] * 10 + ["new"] * 10, "time_ms": [*noisy(100), *noisy(150, seed=2)]}


@every(
    "make",
    [
        dict,
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda data: {name: np.array(column) for name, column in data.items()},
        lambda data: duckdb.from_arrow(pa.table(data)),
    ],
    ids=["dict", "pandas", "polars", "pyarrow", "numpy", "duckdb"],
)
def test_a_table_in_memory_is_compared_and_inspected(make):
    comparison = statera.compare(make(DATA), by="build")
    (row,) = comparison
    assert (row.benchmark, row.metric, row.unit, row.verdict) == ("X", "time", "s", "worse")
    assert len(statera.read(make(DATA))) == len(statera.inspect(make(DATA)).observations) == 20


@every("make", [list, tuple, np.array, pd.Series, pl.Series])
def test_numbers_are_samples(make):
    comparison = statera.compare(make(noisy(100)), make(noisy(150, seed=2)))
    (row,) = comparison
    assert (row.benchmark, row.verdict) == ("numbers", "changed")
    assert comparison.labels == ["table 1", "table 2"]


def test_values_keep_all_digits():
    values = [0.1, 1 / 3, 1e-300, 12345678.87654321]
    assert pl.DataFrame(statera.read(values))["value"].to_list() == values


def test_a_table_beside_a_path(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("benchmark,value\n" + "".join(f"numbers,{value}\n" for value in noisy(100)))
    assert statera.compare(path, noisy(150, seed=2)).labels == ["old", "table 2"]


@every("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_durations_are_times(make):
    data = {"benchmark": ["X", "X"], "wall": [timedelta(milliseconds=4.5), timedelta(days=1)]}
    read = pl.DataFrame(statera.read(make(data)))
    assert (read["metric"][0], read["unit"][0], read["value"].to_list()) == ("wall", "s", [0.0045, 86400.0])


def test_a_key_by_which_is_compared_is_a_setting():
    """A column of numbers that can be results or settings is asked about, unless the request says what it is."""
    data = {"benchmark": ["X"] * 20, "widgets": [1] * 10 + [2] * 10, "value": [*noisy(100), *noisy(150, seed=2)]}
    with pytest.raises(statera.Stop, match=r"columns=\{'setting': 'widgets'\}"):
        statera.compare(data, data)
    assert statera.compare(data, by="widgets").labels == ["1", "2"]
    assert {row.group for row in statera.compare(data, data, within=["widgets"])} == {"widgets: 1", "widgets: 2"}


def test_several_columns_have_a_role():
    data = {"benchmark": ["X"], "foo": [1], "bar": [2], "time_ms": [3]}
    with pytest.raises(statera.Stop, match=r"columns=\{'ignore': 'foo'\}"):
        statera.read(data)
    assert len(statera.read(data, columns={"ignore": ["foo", "bar"]})) == 1


@every("nonsense", [7, b"x", ["a", "b"], {"benchmark": ["X"], "value": [1, 2]}])
def test_anything_else_is_refused(nonsense):
    with pytest.raises(TypeError):
        statera.read(nonsense)


def cells(read, *columns):
    """What was read, as rows of some columns."""
    return pl.DataFrame(read).select(pl.col(columns).cast(pl.String)).rows()


@every(
    "two",
    [pd.DataFrame(np.array([noisy(4), noisy(5)]).T), {1: noisy(4), 2: noisy(5)}, {"1.0": noisy(4), "2.0": noisy(5)}],
    ids=["unnamed", "numbered", "versions"],
)
def test_names_of_columns_are_no_samples(two):
    first, second = (str(name) for name in two)
    with pytest.raises(statera.Stop, match=rf"columns=\{{'variant': \['{first}', '{second}'\]\}}"):
        statera.compare(two, by="variant")
    comparison = statera.compare(two, by="variant", columns={"variant": [first, second]})
    assert comparison.labels == [first, second]
    assert len(comparison.observations) == 20


@every("make", [lambda values: pd.DataFrame(np.array([values]).T), lambda values: {0: values}])
def test_one_column_without_a_name_is_a_sample(make):
    assert pl.DataFrame(statera.read(make(noisy(4))))["value"].to_list() == noisy(4)


def test_two_samples_of_a_table_are_variants():
    assert statera.compare({"old": noisy(4), "new": noisy(5)}, by="variant").labels == ["old", "new"]


def test_a_table_in_memory_is_of_no_harness():
    assert [source.format for source in statera.read(noisy(4)).sources] == ["csv"]
    with pytest.raises(statera.Stop, match="can be results or settings"):
        statera.read({"time": [1, 2], "commit": ["a", "b"], "requests": [3, 4]})


def test_a_name_that_begins_as_a_comment_does_is_one():
    assert statera.read({"#": ["p", "q"], "benchmark": ["#x", "y"], "time_ms": [1, 2]}).benchmarks == ["#x", "y"]


@every("null", [None, np.nan, pd.NA, pd.NaT], ids=["None", "NaN", "NA", "NaT"])
@every("make", [dict, pd.DataFrame])
def test_missing_cells_are_empty(make, null):
    data = {
        "benchmark": ["X"] * 4,
        "k": ["a", null] * 2,
        "block": [null] * 4,
        "unit": [null] * 4,
        "value": [1, 2, 3, 4],
    }
    read = statera.read(make({**data, "block": ["1", null, "2", null]}))
    assert cells(read, "k", "block", "unit") == [("a", "1", ""), (None, None, ""), ("a", "2", ""), (None, None, "")]
    assert read.left_out == 0
    assert make is dict or not statera.read(make(data)).has_blocks


def test_whole_numbers_beside_a_missing_one_stay_whole():
    frame = pd.DataFrame(
        {"benchmark": ["X"] * 3, "threads": [1, None, 2], "version": [1.5, None, 2], "time_ms": [1, 2, 3]}
    )
    assert cells(statera.read(frame), "threads", "version") == [("1", "1.5"), (None, None), ("2", "2.0")]


def test_missing_values_of_a_frame_are_left_out():
    frame = pd.DataFrame({"benchmark": ["X"] * 3, "time_ms": pd.array([1, None, 3], dtype="Int64")})
    assert pl.DataFrame(statera.read(frame))["value"].to_list() == [0.001, 0.003]


@every("missing", [None, np.nan])
def test_missing_values_of_a_sample_are_told(missing):
    read = statera.read([1.0, missing, 3.0])
    assert (len(read), read.left_out) == (2, 1)


BUILDS = {"old": [1.0, 2.0, 100.0], "new": [1.1, 2.2, 110.0]}


@every("name", ["benchmark", "bench", None])
def test_the_index_of_a_frame_names_the_benchmarks(name):
    frame = pd.DataFrame(BUILDS, index=pd.Index(["a", "b", "c"], name=name))
    assert [row.benchmark for row in statera.compare(frame, by="variant")] == ["a", "b", "c"]
    series = {build: frame[build] for build in frame}
    assert [row.benchmark for row in statera.compare(series, by="variant")] == ["a", "b", "c"]
    assert [row.benchmark for row in statera.compare(frame["old"], frame["new"])] == ["a", "b", "c"]


def test_named_levels_are_columns_and_numbers_of_rows_are_not():
    frame = pd.DataFrame(DATA)
    for index in (["benchmark"], ["benchmark", "build"]):
        assert statera.compare(frame.set_index(index), by="build").with_verdict("worse")
    assert statera.compare(frame.set_index("build", drop=False), by="build").with_verdict("worse")
    shuffled = frame.iloc[::-1]
    assert len(pl.DataFrame(statera.read(shuffled)).columns) == len(pl.DataFrame(statera.read(frame)).columns)
    labelled = pd.concat({build: rows[["benchmark", "time_ms"]] for build, rows in frame.groupby("build")})
    assert statera.compare(labelled, by="index", baseline="old").with_verdict("worse")


def test_columns_of_several_levels_are_read_as_one_name():
    def summary(factor):
        times = [factor * value for value in (10, 11, 12, 13, 14, 15)]
        frame = pd.DataFrame({"benchmark": ["a"] * 6, "time_ms": times})
        return frame.groupby("benchmark").agg(["mean", "std", "count"])

    (row,) = statera.compare(summary(1), summary(2))
    assert (row.metric, row.unit, row.baseline_n, row.method) == ("time_mean", "s", 6, "t")


def test_an_index_that_could_be_anything_is_refused():
    frame = pd.DataFrame({"time_ms": [1, 2]})
    with pytest.raises(TypeError, match="index of a table has no name"):
        statera.read(frame.set_axis([0.5, 1.5]))
    with pytest.raises(TypeError, match="differ in their index"):
        statera.read({"old": pd.Series([1, 2], ["a", "b"]), "new": pd.Series([1, 2], ["b", "a"])})


@every("make", [lambda name, data: pd.Series(data, name=name), pl.Series])
def test_the_name_of_a_series_is_that_of_its_metric(make):
    (row,) = statera.compare(make("rps", noisy(100)), make("rps", noisy(50, seed=2)))
    assert (row.metric, row.unit, row.verdict) == ("rps", "1/s", "worse")
    (row,) = statera.compare(make("time_ms", noisy(100)), make("time_ms", noisy(150, seed=2)))
    assert (row.metric, row.unit, row.verdict) == ("time", "s", "worse")


@every("names", [("old", "new"), ("threads", "threads"), ("x_ms", "y_ms"), ("benchmark", "benchmark")])
def test_other_names_of_series_are_only_names(names):
    old, new = (pd.Series(noisy(100, seed=seed), name=name) for seed, name in enumerate(names))
    assert [(row.benchmark, row.metric) for row in statera.compare(old, new)] == [("numbers", "value")]


@every(
    "make",
    [
        lambda whole: [timedelta(microseconds=each / 1000) for each in whole],
        lambda whole: np.array(whole, dtype="m8[ns]"),
        lambda whole: pd.Series(pd.to_timedelta(whole, unit="ns")),
        lambda whole: pl.Series("x", whole, dtype=pl.Duration("ns")),
        lambda whole: pa.array(whole, pa.duration("ns")),
    ],
    ids=["list", "numpy", "pandas", "polars", "pyarrow"],
)
def test_samples_and_columns_of_durations_are_times(make):
    for source in (make([2000, 5000]), {"benchmark": ["X", "X"], "wall": make([2000, 5000])}):
        read = pl.DataFrame(statera.read(source))
        assert (read["unit"].to_list(), read["value"].to_list()) == (["s", "s"], [2e-6, 5e-6])


@every("make", [lambda data: np.array(data, dtype="m8[ns]"), lambda data: pl.Series(data, dtype=pl.Duration("ns"))])
def test_durations_keep_their_nanoseconds(make):
    read = pl.DataFrame(statera.read({"benchmark": ["X"] * 2, "wall": make([800, None])}))
    assert read["value"].to_list() == [8e-7]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_a_report_of_one_table(tmp_path, make):
    statera.report(make(DATA), tmp_path / "a.html", by="build")
    assert "worse" in (tmp_path / "a.html").read_text()
    statera.report([make(DATA)], tmp_path / "b.html", by="build")
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text()


@pytest.mark.parametrize("make", [list, tuple, np.array, pd.Series, iter])
def test_a_report_of_numbers_inspects_them(tmp_path, make):
    statera.report(make(noisy(100)), tmp_path / "a.md")
    assert "inspection" in (tmp_path / "a.md").read_text()


def test_a_report_of_anything_else_is_refused(tmp_path):
    for nonsense in (5, None, b"x", ["a", 5]):
        with pytest.raises((TypeError, statera.Stop)):
            statera.report(nonsense, tmp_path / "a.html")
    assert not list(tmp_path.iterdir())


@every(
    "make",
    [
        lambda data: pl.DataFrame(data).lazy(),
        lambda data: pa.table(data).to_reader(),
        pa.RecordBatch.from_pydict,
        lambda data: statera.read(pl.DataFrame(data)),
    ],
    ids=["lazy", "reader", "batch", "observations"],
)
def test_other_tables_are_taken_too(make):
    assert statera.compare(make(DATA), by="build").with_verdict("worse")


def test_chunked_arrays_are_samples():
    assert len(statera.read(pa.chunked_array([[1.0, 2.0], [3.0]]))) == 3


@every(
    ("nonsense", "said"),
    [
        (["1", "2"], "element 0 of this list is '1'"),
        ([1, True], "element 1 of this list is True"),
        ([{"a": 1}], "element 0 of this list is of type dict"),
        (np.ones((2, 2)), "element 0 of this ndarray is of type list"),
        ({"benchmark": "p", "value": [1]}, "column benchmark of a table must be a list, not 'p'"),
        ({1: [1], "1": [2]}, "two columns of a table have the name '1'"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns of a table have the name 'a'"),
        ({"benchmark": ["X"] * 2, "wall": [timedelta(1), 5]}, "wall holds durations and other values"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(nonsense, said):
    with pytest.raises(TypeError, match=said):
        statera.read(nonsense)


def test_tables_have_their_names_in_messages_and_results():
    with pytest.raises(statera.Stop, match=r"^table 1: has no column"):
        statera.read(DATA, columns={"value": "none"})
    read = statera.read({**DATA, "time_ms": [*noisy(100), *noisy(150)[1:], float("nan")]})
    assert [source.name for source in read.sources] == ["table 1"]
    assert [problem.source for problem in read.problems] == ["table 1"]
    assert '"table 1"' in statera.compare(DATA, by="build").to_json()
