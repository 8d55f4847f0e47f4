"""Tables and samples in memory are read as files are."""

from datetime import timedelta

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import statera
from support import noisy

DATA = {
    "benchmark": ["X"] * 20,
    "build": ["old"] * 10 + ["new"] * 10,
    "time_ms": [*noisy(100), *noisy(150, seed=2)],
}


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("make", [list, tuple, np.array, pd.Series, pl.Series])
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


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_durations_are_times(make):
    data = {"benchmark": ["X", "X"], "wall": [timedelta(milliseconds=4.5), timedelta(days=1)]}
    read = pl.DataFrame(statera.read(make(data)))
    assert (read["metric"][0], read["unit"][0], read["value"].to_list()) == ("wall", "s", [0.0045, 86400.0])


def test_a_key_by_which_is_compared_is_a_setting():
    """A column of numbers that can be results or settings is asked about, unless the request says what it is."""
    data = {"benchmark": ["X"] * 20, "widgets": [1] * 10 + [2] * 10, "value": [*noisy(100), *noisy(150, seed=2)]}
    with pytest.raises(statera.Stop, match=r"--column setting=widgets"):
        statera.compare(data, data)
    assert statera.compare(data, by="widgets").labels == ["1", "2"]
    assert {row.group for row in statera.compare(data, data, within=["widgets"])} == {"widgets: 1", "widgets: 2"}


def test_several_columns_have_a_role():
    data = {"benchmark": ["X"], "foo": [1], "bar": [2], "time_ms": [3]}
    with pytest.raises(statera.Stop, match=r"--column ignore=foo"):
        statera.read(data)
    assert len(statera.read(data, columns={"ignore": ["foo", "bar"]})) == 1


@pytest.mark.parametrize("nonsense", [7, b"x", ["a", "b"], {"benchmark": ["X"], "value": [1, 2]}])
def test_anything_else_is_refused(nonsense):
    with pytest.raises(TypeError):
        statera.read(nonsense)
