"""What ``convert`` writes is compared like the files themselves: the same rows, whatever the table is stored as."""

import csv
import json
from itertools import pairwise

import format_cases
import pytest

import statera
from statera import Policy
from statera.reading import formats
from statera.support.errors import Stop
from support import write

ENDINGS = ("csv", "ndjson", "parquet")
# Where a value stands; and what its metric says.
PLACES = ("file", "line", "order", "better", "traits")


def real(name):
    """The real files of a format that have values."""
    expected = format_cases.expectations(name)
    return [path for path in format_cases.files(name, "real") if expected.get(format_cases.label(path), {}).get("rows")]


def pairs():
    """Each real file with the next one of its format; the only one with itself."""
    for name in format_cases.names():
        files = real(name)
        both = pairwise(files) if len(files) > 1 else [(path, path) for path in files]
        yield from ((f"{name}: {old.name}, {new.name}", (old, new)) for old, new in both)


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


def in_turn(cases):
    """Give each case one of the endings; all of them are tried by the test below."""
    return {name: (*given, ENDINGS[place % len(ENDINGS)]) for place, (name, given) in enumerate(cases.items())}


def test_converted_files_give_the_same_rows(tmp_path):
    wrong = format_cases.failures(gives_the_same_rows, {name: (tmp_path, *pair) for name, pair in pairs()})
    assert not wrong, format_cases.told(wrong)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.later)], ids=["in turn", "all"])
def test_converted_files_hold_the_same_observations(tmp_path, every):
    files = {str(path.relative_to(format_cases.CASES)): (tmp_path, path) for path in with_values()}
    cases = in_turn(files)
    if every:
        cases = {f"{name} {ending}": (*given, ending) for name, given in files.items() for ending in ENDINGS}
    wrong = format_cases.failures(holds_the_same_observations, cases)
    assert not wrong, format_cases.told(wrong)


def with_values():
    """Each file of the cases that has values."""
    for name in format_cases.names():
        expected = format_cases.expectations(name)
        for path in format_cases.files(name, "real", "traps"):
            if expected.get(format_cases.label(path), {}).get("rows"):
                yield path


def holds_the_same_observations(folder, path, ending):
    read = statera.read(path)
    read.write(folder / f"t.{ending}", ending)
    again = statera.read(folder / f"t.{ending}")
    assert observations(folder, again) == observations(folder, read)
    assert again.left_out == 0


def observations(folder, read):
    """Give each value with all that is known of it, but where it stands: numbers of processes tell only what is alike.

    Of one sample, or a number of samples that nobody knows, the weight says nothing.
    """
    metrics = {(metric.name, metric.unit): metric for metric in read.metrics}
    read.write(folder / "observations.csv", "csv")
    with (folder / "observations.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = []
    for row in rows:
        known = {key: value for key, value in row.items() if value and key not in PLACES}
        if "statera.work" in known:
            known["statera.work"] = " ".join(sorted(known["statera.work"].split()))
        if known.get("weight") == "1.0":
            del known["weight"]
        if "process" in known:
            known["process"] = "some"
        metric = metrics[row["metric"], row["unit"]]
        found.append((repr(metric), sorted(known.items())))
    return sorted(found)


def gives_the_same_rows(folder, old, new):
    sides = [statera.read(path) for path in (old, new)]
    # Variants within a file are one table; see below.
    options = {"pair": "unpaired"} if formats.variants_key([sides[0].sources[0].format]) else {}
    expected = rows(f"old={old}", f"new={new}", **options)
    for ending in ENDINGS:
        paths = [folder / f"{side}.{ending}" for side in ("old", "new")]
        for path, side in zip(paths, sides, strict=True):
            side.write(path, ending)
        assert rows(*paths, **options) == expected, ending


@pytest.mark.parametrize("ending", ENDINGS)
def test_one_table_of_both_sides_gives_the_same_rows(run, pair, ending):
    assert run("convert", f"old={pair[0]}", f"new={pair[1]}", "-o", f"both.{ending}").code == 0
    # Two files are two sessions, one file is not.
    alike = {"policy": Policy(session=0.0)}
    assert rows(pair[0].parent / f"both.{ending}", by="variant", **alike) == rows(*pair, **alike)


def test_the_variants_of_a_file_are_those_of_the_table(tmp_path):
    files = {path for each in format_cases.formats_with_results() if each.variants for path in real(each.name)}
    cases = {str(path.relative_to(format_cases.CASES)): (tmp_path, path) for path in sorted(files)}
    wrong = format_cases.failures(keeps_its_variants, cases)
    assert not wrong, format_cases.told(wrong)


def keeps_its_variants(folder, path):
    expected, read = rows(path), statera.read(path)
    for ending in ENDINGS:
        table = folder / f"table.{ending}"
        read.write(table, ending)
        assert rows(table, by="variant") == expected, ending


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
