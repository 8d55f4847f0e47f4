"""The outputs for machines: complete, parseable, and the same rows in each."""

import csv
import io
import json

import polars as pl
import pytest

from support import compare, go, noisy


@pytest.fixture
def comparison(tmp_path):
    old = {"X": {"ns/op": noisy(100), "B/op": [0] * 10}, "Gone": {"ns/op": noisy(7)}, "Inf": {"ns/op": [1, 1, 1]}}
    new = {"X": {"ns/op": noisy(150, seed=2), "B/op": [8] * 10}, "Inf": {"ns/op": [2, 2, 2]}}
    return compare(tmp_path, go(old), go(new))


def test_every_line_of_csv_has_the_columns_of_its_header(comparison):
    lines = list(csv.reader(io.StringIO(comparison.to_csv())))
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == len(comparison) + 1
    assert len(set(lines[0])) == len(lines[0])


def test_csv_holds_numbers_in_full(comparison):
    frame = pl.read_csv(io.StringIO(comparison.to_csv()))
    for line, row in zip(frame.iter_rows(named=True), comparison, strict=True):
        assert (line["change"], line["change_low"], line["p"], line["least_p"]) == (
            row.change,
            row.change_low,
            row.p,
            row.least_p,
        )
        assert line["verdict"] == row.verdict


def test_json_is_strict(comparison):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    document = json.loads(comparison.to_json(), parse_constant=refuse)
    assert document["schema"] == "statera.comparison/2"
    assert len(document["rows"]) == len(comparison)


def test_json_states_what_was_left_out_and_where_and_markdown_that_something_was(tmp_path):
    good = go({"X": noisy(1)})
    found = compare(tmp_path, good + "BenchmarkX 1 NaN ns/op\n", good)
    assert "left out" in found.to_markdown()
    document = json.loads(found.to_json())
    assert document["left_out"] == {"not-finite": 1}
    (problem,) = document["problems"]
    assert (problem["code"], problem["line"]) == ("not-finite", 11)
    assert problem["source"].endswith("/old")
    assert problem["hint"]


def test_a_row_without_values_has_null_not_nan(comparison):
    row = next(row for row in json.loads(comparison.to_json())["rows"] if row["benchmark"] == "Gone")
    side = {name: row[f"contender_{name}"] for name in ("n", "values", "centre", "low", "high", "level")}
    assert side == {"n": 0, "values": 0, "centre": None, "low": None, "high": None, "level": None}
    assert (row["change"], row["p"], row["change_low"]) == (None, None, None)


def test_json_has_the_answer_that_every_output_begins_with(comparison):
    told = json.loads(comparison.to_json())["answer"]
    answer = comparison.answer
    assert (told["line"], told["noun"], told["counts"]) == (answer.line, answer.noun, answer.counts)
    assert told["counts"] == {"worse": 1, "missing": 1, "inconclusive": 1}
    named = ("group", "benchmark", "metric", "baseline", "contender", "verdict")
    rows = [comparison.weighing.row_dict(row) for row in answer.suspects]
    assert told["suspects"] == [{name: row[name] for name in named} for row in rows]
    assert [each["benchmark"] for each in told["suspects"]] == ["X"]
