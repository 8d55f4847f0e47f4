"""What ``convert`` writes is compared like the files themselves: the same rows, whatever the table is stored as."""

import json
from itertools import pairwise

import format_cases
import pytest

import statera
from statera import _native, formats
from statera.errors import Stop
from support import write

ENDINGS = ("csv", "ndjson", "parquet")


def real(name):
    """The real files of a format that have values."""
    expected = format_cases.expectations(name)
    return [path for path in format_cases.files(name, "real") if expected.get(format_cases.label(path), {}).get("rows")]


def pairs():
    """Each real file with itself, and with the next one of its format."""
    for name in format_cases.names():
        files = real(name)
        both = [*((path, path) for path in files), *pairwise(files)]
        yield from (pytest.param(*pair, id=f"{name}-{number}") for number, pair in enumerate(both))


def rows(*paths, **options):
    """The rows of a comparison, or why there are none. The keys of an object of JSON have no order, nor have levels.

    Rows are sorted: those of a table stand in the order of its lines, where a harness may state a metric beforehand.
    """
    try:
        found = statera.compare(*paths, all_metrics=True, **options)
    except Stop as stop:
        return stop.code
    every = json.loads(found.to_json())["rows"]
    return sorted(({**row, "group": sorted(row["group"].split(", "))} for row in every), key=json.dumps)


@pytest.mark.parametrize(("old", "new"), [*pairs()])
def test_converted_files_give_the_same_rows(tmp_path, old, new):
    # Variants within a file are one table; see below.
    options = {"pair": "unpaired"} if formats.variants_key([statera.read(old).sources[0].format]) else {}
    expected = rows(f"old={old}", f"new={new}", **options)
    for ending in ENDINGS:
        paths = [tmp_path / f"{side}.{ending}" for side in ("old", "new")]
        for path, source in zip(paths, (old, new), strict=True):
            statera.read(source).write(path, ending)
        assert rows(*paths, **options) == expected, ending


@pytest.mark.parametrize("ending", ENDINGS)
def test_one_table_of_both_sides_gives_the_same_rows(run, pair, ending):
    assert run("convert", f"old={pair[0]}", f"new={pair[1]}", "-o", f"both.{ending}").code == 0
    assert rows(pair[0].parent / f"both.{ending}", by="variant") == rows(*pair)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", [each.name for each in _native.formats() if each.variants])
def test_the_variants_of_a_file_are_those_of_the_table(run, tmp_path, name, ending):
    for number, path in enumerate(real(name)):
        table = tmp_path / f"{number}.{ending}"
        assert run("convert", path, "-o", table).code == 0
        assert rows(table, by="variant") == rows(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_parameter_of_a_benchmark_stays_one(tmp_path, ending):
    """Values of a parameter are never pooled, also if the variants have none in common."""
    texts = [json.dumps({"results": [result(size) for size in sizes]}, indent=1) for sizes in ((1, 2), (3, 4))]
    paths = write(tmp_path, old=texts[0], new=texts[1])
    tables = [f"{path}.{ending}" for path in paths]
    for path, table in zip(paths, tables, strict=True):
        statera.read(path).write(table, ending)
    assert [row["reason"] for row in rows(*paths)] == ["at-level"] * 4
    assert rows(*tables) == rows(*paths)


def result(size):
    """A result of hyperfine with a parameter."""
    return {"command": "sort", "times": [size + run / 1000 for run in range(4)], "parameters": {"a b": str(size)}}
