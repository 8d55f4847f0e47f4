import json

import polars as pl
import pytest

import statera
from support import every, fails, go, noisy, write

MIXED = go({"X": {"ns/op": noisy(100, 4), "B/op": [48] * 4}}, config={"goos": "linux", "unit": "odd"})
FIXED = ["benchmark", "metric", "unit", "value"]


def same(first, second):
    columns = [*FIXED, "goos", "config.unit"]
    a, b = (pl.DataFrame(statera.read(path)).select(pl.col(columns).cast(pl.String)) for path in (first, second))
    return a.equals(b)


@pytest.mark.parametrize("ending", ["csv", "ndjson", "jsonl", "parquet"])
def test_what_is_written_is_read_again_value_for_value(run, tmp_path, ending):
    (path,) = write(tmp_path, **{"x.txt": MIXED})
    result = run("convert", path, "-o", f"y.{ending}")
    assert result.code == 0
    assert "wrote 8 values from 1 file" in result.err
    again = tmp_path / f"y.{ending}"
    first, second = (pl.DataFrame(statera.read(p)) for p in (path, again))
    assert first.select(FIXED).cast(pl.String).equals(second.select(FIXED).cast(pl.String))
    keys = [context.keys for context in statera.read(again).contexts if context.values]
    assert all(k["goos"] == "linux" for k in keys)
    assert all(k["unit"] == "odd" for k in keys)


@pytest.mark.parametrize("ending", ["csv", "ndjson", "parquet"])
def test_a_comparison_of_converted_files_is_the_comparison_of_the_files(run, pair, ending):
    old, new = pair
    for path in pair:
        assert run("convert", path, "-o", path.with_suffix(f".{ending}")).code == 0
    direct = statera.compare(old, new)
    by_table = statera.compare(old.with_suffix(f".{ending}"), new.with_suffix(f".{ending}"))
    for one, other in zip(direct, by_table, strict=True):
        of_each = [(row.benchmark, row.metric, row.p, row.change, row.change_low, row.verdict) for row in (one, other)]
        assert of_each[0] == of_each[1]


def test_labels_become_the_variant_column(run, pair, tmp_path):
    run("convert", f"main={pair[0]}", f"pr={pair[1]}", "-o", "all.csv")
    direct = statera.compare(*pair)
    by_variant = statera.compare(tmp_path / "all.csv", by="variant")
    assert by_variant.labels == ["main", "pr"]
    assert [row.verdict for row in by_variant] == [row.verdict for row in direct]


@pytest.mark.parametrize("content", [None, "PASS\n", "BenchmarkX 1 NaN ns/op\n"])
def test_a_folder_that_gives_no_value_is_2_with_the_reason_and_no_file(run, tmp_path, content):
    (tmp_path / "d").mkdir()
    if content is not None:
        write(tmp_path / "d", x=content)
    (tmp_path / "y.csv").write_text("as it was")
    result = run("convert", "d", "-o", "y.csv")
    assert result.code == 2
    reason = "d: the folder has no files" if content is None else "The first problem: d/x"
    assert reason in result.err
    assert (tmp_path / "y.csv").read_text() == "as it was"


@every(
    "words, said",
    [
        (("x.txt", "-o", "y.xlsx"), ".parquet, .csv, .ndjson"),
        (("x.txt", "-o", "no/folder/y.csv"), "no/folder/y.csv"),
        (("x.txt", "-o", "y.csv", "--jobs", "-1"), "--jobs"),
        (("absent.txt", "-o", "y.csv"), "absent.txt"),
    ],
)
def test_what_cannot_be_converted_is_named_and_writes_nothing(run, tmp_path, words, said):
    write(tmp_path, **{"x.txt": MIXED})
    fails(run("convert", *words), said)
    assert [path.name for path in tmp_path.iterdir()] == ["x.txt"]


def test_what_was_left_out_is_listed_and_strict_fails_on_it(run, tmp_path):
    write(tmp_path, **{"x.txt": MIXED + "BenchmarkY 1 NaN ns/op\n"})
    result = run("convert", "x.txt", "-o", "y.ndjson")
    assert result.code == 0
    assert "left out: 1 (not-finite 1)" in result.err
    assert "x.txt:7:" in result.err
    assert run("convert", "x.txt", "-o", "y.ndjson", "--strict").code == 2
    values = [json.loads(line)["value"] for line in (tmp_path / "y.ndjson").read_text().splitlines()]
    assert len(values) == 8
