"""CSV of every verb: names that a spreadsheet would run are text, unless they are wanted as they are."""

import csv
import io

import pytest

from support import noisy, table

NAMES = ("=HYPERLINK(1)", "+a", "-a", "@sum", "\tx", "-1.5", "plain")
GUARDED = {"'" + name if name not in {"-1.5", "plain"} else name for name in NAMES}


@pytest.fixture
def sides(tmp_path):
    for side, centre in (("=old", 1), ("new", 2)):
        rows = [
            {"benchmark": name, "metric": "@m", "unit": "+u", "value": value, "-key": "=k"}
            for name in NAMES
            for value in noisy(centre)
        ]
        (tmp_path / side).write_text(table(rows), newline="")
    return "=old", "new"


def cells(text, column):
    return {row[column] for row in csv.DictReader(io.StringIO(text, newline=""))}


@pytest.mark.parametrize("verb", [("compare",), ("inspect",), ("inspect", "--aa", "--splits", "5")])
def test_tables_of_rows_are_guarded(run, sides, verb):
    guarded = run(*verb, *sides, "-f", "csv").out
    assert cells(guarded, "benchmark") == GUARDED
    assert cells(guarded, "metric") == {"'@m"}
    raw = run(*verb, *sides, "-f", "csv", "--raw-csv").out
    assert cells(raw, "benchmark") == set(NAMES)
    assert cells(raw, "metric") == {"@m"}


def test_converted_tables_are_guarded_and_say_so(run, sides, tmp_path):
    assert run("convert", *sides, "-o", "x.csv").code == 0
    guarded = (tmp_path / "x.csv").read_text(encoding="utf-8")
    assert cells(guarded, "benchmark") == GUARDED
    assert cells(guarded, "'-key") == {"'=k"}
    assert cells(guarded, "statera.guard") == {"'"}
    assert run("convert", *sides, "-o", "raw.csv", "--raw-csv").code == 0
    raw = (tmp_path / "raw.csv").read_text(encoding="utf-8")
    assert cells(raw, "benchmark") == set(NAMES)
    assert "statera.guard" not in raw
