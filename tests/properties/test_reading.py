"""Reading must neither lose nor invent values, and must never fail on bytes from strangers."""

import tempfile
from pathlib import Path

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import statera
from support import go, table

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r\n", exclude_categories=["Cs"]), max_size=12)
VALUES = st.floats(0, 1e12, allow_subnormal=False)


def read(content, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return statera.read(path, **options)


@given(st.lists(st.tuples(NAMES, VALUES), min_size=1, max_size=8))
def test_a_quoted_table_gives_every_name_and_value_back(pairs):
    rows = [{"benchmark": name, "value": repr(value), "unit": "s"} for name, value in pairs]
    observations = read(table(rows))
    frame = pl.DataFrame(observations)
    assert list(zip(frame["benchmark"].cast(pl.String), frame["value"], strict=True)) == pairs
    assert observations.left_out == 0


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_nanoseconds_become_seconds_by_one_rounding(values):
    frame = pl.DataFrame(read(go({"X": [repr(value) for value in values]})))
    assert frame["value"].to_list() == [value / 1e9 for value in values]


@given(st.binary(max_size=300))
def test_bytes_from_strangers_stop_or_are_read_and_nothing_else(content):
    for name in (
        None,
        "go",
        "csv",
        "hyperfine",
        "sandmark",
        "ledger-ops",
        "nanobench-json",
        "bench_bitcoin",
        "parquet",
    ):
        try:
            observations = read(content, format=name)
        except statera.Stop as stop:
            assert str(stop)  # noqa: PT017
        else:
            assert len(observations) == pl.DataFrame(observations).height


@given(st.integers(0, 400))
def test_a_file_cut_anywhere_gives_a_part_of_its_values_or_says_what_it_lost(cut):
    whole = go({"X": [100.25, 200.5, 300.125], "Long": [7, 8, 9]}, config={"goos": "linux"})
    values = pl.DataFrame(read(whole))["value"].to_list()
    content = whole[: min(cut, len(whole))]
    if content.strip() and "Benchmark" in content:
        part = read(content, format="go")
        got = pl.DataFrame(part)["value"].to_list()
        assert got == values[: len(got)]
