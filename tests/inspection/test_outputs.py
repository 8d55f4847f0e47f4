"""Rows as typed objects, tables and text."""

import csv
import io
import json

import pyarrow as pa
import pytest
from samples import DEFECTIVE, chance, normal, timed

import statera
from statera.comparison.results.rows import Inspected
from support import go, table, write


def test_the_rows_are_typed_frozen_and_a_table(tmp_path):
    (path,) = write(tmp_path, data=timed(normal(12)))
    inspection = statera.inspect(path)
    row = inspection[-1]
    assert isinstance(row, Inspected)
    assert isinstance(row, statera.Inspected)
    with pytest.raises(AttributeError):
        row.n = 3
    with pytest.raises(IndexError, match="there is no row 1"):
        inspection[1]
    assert len(inspection) == 1
    columns = pa.table(inspection)
    assert columns.num_rows == 1
    assert columns.column_names == list(Inspected.__slots__)
    assert columns["centre"][0].as_py() == row.centre
    assert columns["exact"][0].as_py() is False
    assert columns["runs"][0].as_py() is None


def test_csv_and_json_hold_the_same_numbers_as_the_rows(tmp_path):
    dice = chance(3)
    names = {f"B{k}": [100 * (1 + 0.002 * dice.gauss(0, 1)) for _ in range(12)] for k in range(2)}
    (path,) = write(tmp_path, data=go(names))
    inspection = statera.inspect(path)
    lines = list(csv.DictReader(io.StringIO(inspection.to_csv())))
    document = json.loads(inspection.to_json())
    assert document["schema"] == "statera.inspection/2"
    assert document["self_test"] is None
    assert document["summaries"][0]["grades"] == {"fit": 2, "noisy": 0, "doubtful": 0, "unfit": 0}
    assert len(lines) == len(document["rows"]) == len(inspection) == 2
    assert inspection.findings[0].startswith("All benchmarks are fit to be compared: ")
    for row, line, found in zip(inspection, lines, document["rows"], strict=True):
        assert set(line) == set(found) == set(Inspected.__slots__)
        for name in Inspected.__slots__:
            value = getattr(row, name)
            assert (list(value) if isinstance(value, tuple) else value) == found[name]
            if isinstance(value, float):
                assert float(line[name]) == value


def test_the_worst_come_first(tmp_path):
    values = {"quiet": normal(20, spread=0.001), "loud": normal(20, spread=0.2, seed=2), "few": normal(1)}
    values |= {"drifting": [v / 3 for v in DEFECTIVE["drift"][:20]], "wide": normal(20, spread=0.05, seed=3)}
    rows = [{"benchmark": n, "value": repr(v), "unit": "s"} for n, given in values.items() for v in given]
    (path,) = write(tmp_path, data=table(rows))
    inspection = statera.inspect(path)
    order = [row[0] for row in inspection.native.cells(inspection.native.order(list(range(5)), "defects"))]
    assert order == ["few", "drifting", "loud", "wide", "quiet"]
    findings = inspection.findings
    assert findings[0].startswith("1 benchmark is unfit: few (1 value is too few)")
    assert findings[1].startswith("1 benchmark is doubtful: drifting (drifts +")
    assert findings[2].startswith("2 benchmarks are noisy: the median of the smallest detectable changes is ")
    assert findings[3].startswith("1 benchmark is fit to be compared: the median of the smallest detectable changes is")
    text = repr(inspection)
    assert text.index("\nfew ") < text.index("\ndrifting ") < text.index("\nquiet ")
    assert "defects: too-few 1 · drift 1 · noisy 3 (statera explain CODE)" in text


def test_values_of_a_harness_that_starts_a_process_for_each_are_independent(tmp_path, run):
    times = [1 + 0.01 * (k * 7 % 10) for k in range(10)]
    (tmp_path / "h.json").write_text(json.dumps({"results": [{"command": "a", "times": times}]}))
    assert "10 values, each an independent run" in run("inspect", "h.json", cwd=tmp_path).out
    (tmp_path / "go.txt").write_text(go({"A": times}))
    assert "10 values, and it is unknown which" in run("inspect", "go.txt", cwd=tmp_path).out
