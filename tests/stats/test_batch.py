"""Many groups at once: the same as one by one, from every library, whatever the keys are."""

import math
import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from data import CALLS, X, Y, Z

from statera import _native, stats
from support import every

LIBRARIES = {
    "polars": lambda frame: frame,
    "pyarrow": lambda frame: frame.to_arrow(),
    "pyarrow in pieces": lambda frame: pa.Table.from_batches(frame.to_arrow().to_batches(max_chunksize=7)),
    "pyarrow batch": lambda frame: frame.to_arrow().combine_chunks().to_batches()[0],
    "pandas": lambda frame: frame.to_pandas(),
    "duckdb": lambda frame: duckdb.from_arrow(frame.to_arrow()),
    "dict of polars": lambda frame: {name: frame[name] for name in frame.columns},
    "dict of pandas": lambda frame: {name: frame.to_pandas()[name] for name in frame.columns},
    "dict of pyarrow": lambda frame: {name: frame.to_arrow()[name] for name in frame.columns},
    "dict of lists": lambda frame: frame.to_dict(as_series=False),
    "dict of arrays": lambda frame: {name: frame[name].to_numpy() for name in frame.columns},
}


def table(groups):
    """A long table of {key: samples}, its rows in turns: no group's rows stand together."""
    rows = [
        (key, f"s{number}", place, value)
        for key, samples in groups.items()
        for number, sample in enumerate(samples)
        for place, value in enumerate(sample)
    ]
    rows.sort(key=lambda row: row[2])
    return pl.DataFrame(rows, schema=["key", "side", "place", "value"], orient="row")


@every("name", _native.procedure_names())
def test_a_batch_gives_what_single_calls_give(name):
    samples, options = CALLS[name]
    groups = {"first": samples, "second": [sample[:9] + 0.5 for sample in samples], "third": samples[::-1]}
    side = {"sample": "side", "samples": [f"s{number}" for number in range(len(samples))]} if len(samples) > 1 else {}
    found = stats.batch(name, table(groups), "value", by="key", **side, **options)
    settings = {**(getattr(stats, name).__kwdefaults__ or {}), **options}
    rows = pl.DataFrame(found).to_dicts()
    assert [row.pop("key") for row in rows] == ["first", "second", "third"]
    for row, of_group in zip(rows, groups.values(), strict=True):
        named = [(f"x{number}", np.ascontiguousarray(sample)) for number, sample in enumerate(of_group)]
        one = _native.one(name, named, settings)
        assert row == {**one, "warnings": " ".join(one["warnings"])}


def test_every_procedure_of_groups_is_tested():
    assert sorted(CALLS) == _native.procedure_names()


@every("convert", LIBRARIES.values(), ids=LIBRARIES)
def test_every_library_gives_the_same(convert):
    frame = table({"b": (X, Y), "a": (Y, Z), "c": (Z, X)})
    expected = [stats.mann_whitney(*pair).p for pair in ((X, Y), (Y, Z), (Z, X))]
    found = stats.batch(stats.mann_whitney, convert(frame), "value", by=["key"], sample="side", samples=["s0", "s1"])
    assert found["key"] == ["b", "a", "c"]
    assert list(found["p"]) == expected


def test_the_result_is_a_table_for_every_library():
    found = stats.batch("median", table({"a": (X,), "b": ([1.0],)}), "value", by="key")
    assert pl.DataFrame(found).rows()[1] == ("b", 1.0, None, None, None, 1, "no-interval")
    assert pa.table(found).num_rows == 2
    assert duckdb.from_arrow(pa.table(found)).fetchall()[0][0] == "a"
    assert pd.DataFrame(pa.table(found).to_pandas()).shape == (2, 7)
    assert len(found) == 2
    assert found.columns == ["key", "estimate", "low", "high", "level", "n", "warnings"]
    assert math.isnan(found["low"][1])
    assert found["warnings"] == ["", "no-interval"]
    assert "2 groups" in repr(found)
    with pytest.raises(KeyError, match="there are key, estimate"):
        found["median"]


def test_a_grid_gives_what_single_calls_give():
    draw = np.random.default_rng(5)
    x, y = draw.normal(size=(9000, 6)), draw.normal(size=(9000, 7))
    found = stats.grid(stats.mann_whitney, x, y)
    for at in (0, 1, 8191, 8192, 8999):
        one = stats.mann_whitney(x[at], y[at])
        assert (found["p"][at], found["estimate"][at], found["low"][at]) == (one.p, one.estimate, one.interval.low)
    assert list(stats.grid("median", np.asfortranarray(x))["estimate"]) == list(stats.grid("median", x)["estimate"])


@every(
    ("call", "words"),
    [
        (lambda: stats.grid("median", np.zeros(3)), "two dimensions"),
        (lambda: stats.grid("median", [[1.0, 2.0]]), "two dimensions"),
        (lambda: stats.grid("median", np.zeros((2, 3), dtype="int64")), "astype"),
        (lambda: stats.grid("mann_whitney", np.zeros((2, 3)), np.zeros((3, 3))), "2 groups and sample 2 has 3"),
        (lambda: stats.grid("median", np.array([[1.0, np.nan]])), "finite"),
        (lambda: stats.grid("median", np.zeros((2, 3)), np.zeros((2, 3))), "one sample"),
        (lambda: stats.grid("median", np.zeros((2, 3)), width=3), "no option width; it has confidence"),
        (lambda: stats.grid("dip", np.zeros((2, 3)), width=3), "it has none"),
        (lambda: stats.grid("mode", np.zeros((2, 3))), "does not run on many groups"),
        (lambda: stats.grid(stats.adjust, np.zeros((2, 3))), "does not run on many groups"),
    ],
)
def test_what_is_no_grid_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def frame(**columns):
    return pl.DataFrame(columns)


@every(
    ("given", "value", "by", "words"),
    [
        (frame(k=["a"], v=[1.0]), "x", "k", 'no column "x"; the columns are "k", "v"'),
        (frame(k=["a"], v=[1.0]), "v", "x", 'no column "x"'),
        ({"k": ["a"], "v": [1.0]}, "v", "x", "no column 'x'"),
        (frame(k=["a", "b"], v=[1.0, None]), "v", "k", "a null or NaN in row 1"),
        (frame(k=["a", "b"], v=[1.0, math.inf]), "v", "k", "inf in row 1"),
        (frame(k=["a", "b"], v=["1", "2"]), "v", "k", "not numbers. Cast it"),
        ({"k": ["a", "b"], "v": [1.0]}, "v", "k", "has 1 row"),
        ({"k": ["a", 1], "v": [1.0, 2.0]}, "v", "k", "numbers alone or texts alone"),
        ({"k": ["a"], "v": np.zeros((1, 1))}, "v", "k", "2 dimensions"),
        (frame(estimate=["a"], v=[1.0]), "v", "estimate", "Rename"),
        (pa.table([["a"], ["b"], [1.0]], names=["k", "k", "v"]), "v", "k", "several columns"),
        ([1, 2, 3], "v", "k", "must export Arrow"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(given, value, by, words):
    with pytest.raises(ValueError, match=words):
        stats.batch("median", given, value, by=by)


def sides(*rows):
    return pl.DataFrame(rows, schema=["k", "s", "v"], orient="row")


def test_samples_that_do_not_match_are_refused_with_their_group():
    uneven = sides(("a", "x", 1.0), ("a", "y", 2.0), ("b", "x", 1.0), ("b", "x", 2.0), ("b", "y", 1.0))
    with pytest.raises(ValueError, match='group "b" has 2 of "x" and 1 of "y"'):
        stats.batch("signed_rank", uneven, "v", by="k", sample="s")
    with pytest.raises(ValueError, match="Name the column that distinguishes the samples"):
        stats.batch("mann_whitney", uneven, "v", by="k")
    with pytest.raises(ValueError, match='sample "y" is not among "x", "z"'):
        stats.batch("mann_whitney", uneven, "v", by="k", sample="s", samples=("x", "z"))
    with pytest.raises(ValueError, match='column "s" has a null'):
        stats.batch("mann_whitney", sides(("a", "x", 1.0), ("a", None, 1.0)), "v", by="k", sample="s")


def test_a_group_without_one_of_the_samples_has_a_row_that_says_so():
    lone = sides(("a", "x", 1.0), ("b", "x", 1.0), ("b", "y", 2.0))
    found = stats.batch("mann_whitney", lone, "v", by="k", sample="s")
    assert found["warnings"][0] == "empty"
    assert math.isnan(found["p"][0])
    assert list(found["n_y"]) == [0, 1]


def test_what_a_single_call_refuses_of_the_values_is_a_warning_of_the_row():
    found = stats.batch("geometric_mean", frame(k=["a", "a", "b"], v=[1.0, 0.0, 2.0]), "v", by="k")
    assert found["warnings"] == ["not-positive", "no-interval"]


HOSTILE = ["", " ", "a", "A", "ä", "a\u0308", "\x00", "\x1b[31m", "null", "None", "NaN", "a\nb", "x" * 5000, "\u202e"]


def test_hostile_keys_are_told_apart_and_come_back_as_they_were():
    names = [*HOSTILE, None]
    keys = pl.DataFrame([(key, float(at)) for at, key in enumerate(names)] * 3, schema=["key", "v"], orient="row")
    for given in (keys, keys.to_arrow(), keys.with_columns(pl.col("key").cast(pl.Categorical))):
        found = stats.batch("mean", given, "v", by="key")
        assert pl.DataFrame(found)["key"].cast(pl.String).to_list() == names
        assert list(found["estimate"]) == [float(at) for at in range(len(names))]


def test_several_keys_are_not_run_together():
    pairs = frame(a=["x", "xy", "", "xy"], b=["yz", "z", "xyz", "z"], v=[1.0, 2.0, 3.0, 4.0])
    found = stats.batch("mean", pairs, "v", by=["a", "b"])
    assert (found["a"], found["b"]) == (["x", "xy", ""], ["yz", "z", "xyz"])
    assert list(found["n"]) == [1, 2, 1]


def test_keys_may_be_of_many_types():
    days = pl.Series(["2026-01-01", "2026-01-02", "2026-01-01"]).str.to_date()
    whole = frame(i=[1, 2, 1], f=[0.5, math.nan, 0.5], b=[True, False, True], d=days, v=[1, 2, 3])
    for by in ("i", "f", "b", "d", ["i", "f", "b", "d"]):
        found = pl.DataFrame(stats.batch("mean", whole, "v", by=by))
        assert found["n"].to_list() == [2, 1]
        assert found[by[0]].dtype == whole[by[0]].dtype


def test_samples_may_be_numbers_and_flags():
    numbered = frame(k=["a"] * 4, s=[8, 9, 9, 8], t=[True, False, False, True], v=[1.0, 2.0, 3.0, 1.5])
    up = stats.batch("mann_whitney", numbered, "v", by="k", sample="s", samples=(8, 9))
    assert up["superiority"][0] == 1.0
    down = stats.batch("mann_whitney", numbered, "v", by="k", sample="t", samples=(False, True))
    assert down["superiority"][0] == 0.0


def test_runs_need_no_names_that_all_groups_share():
    runs = [(key, f"{key}/{run}", v) for key in ("a", "b") for run in (1, 2, 3) for v in (X[run], Y[run], Z[run])]
    found = stats.batch("variance_components", sides(*runs), "v", by="k", sample="s")
    assert list(found["runs"]) == [3, 3]
    assert found["warnings"] == ["", ""]
    assert found["estimate"][0] == stats.variance_components(*zip(X[1:4], Y[1:4], Z[1:4], strict=True)).estimate


def test_a_table_without_rows_gives_one_without_rows():
    found = stats.batch("median", frame(k=[], v=[]).cast({"k": pl.String, "v": pl.Float64}), "v", by="k")
    assert len(found) == 0
    assert pl.DataFrame(found).shape == (0, 7)


THREADS = """
import sys
import numpy as np
from statera import _native, stats
_native.set_jobs(int(sys.argv[1]))
draw = np.random.default_rng(1)
x, y = draw.normal(size=(300, 12)), draw.normal(size=(300, 12))
print(list(stats.grid("mann_whitney", x, y)["low"]), list(stats.grid("bootstrap", x, withhold=False)["low"]))
print(list(stats.grid("shapiro_wilk", x)["p"]), list(stats.grid("friedman", x, y)["p"]))
"""


def test_the_digits_do_not_depend_on_the_number_of_threads():
    one, two = (
        subprocess.run([sys.executable, "-c", THREADS, jobs], capture_output=True, text=True, check=True).stdout
        for jobs in ("1", "2")
    )
    assert one == two
