"""The sample runs, analysed by Spark, held against their expected results."""

import csv
import json
import runpy

import pytest

from statera.cluster.analysis import Options, analyse


@pytest.mark.parametrize("name", ["base", "variant", "workbench"])
def test_a_sample_run_by_spark_is_as_expected(shared, spark, tmp_path, name):
    run = shared / "data/cluster" / name
    analyse(run, tmp_path, Options(session=spark))
    expected, found = (json.loads(path.read_text()) for path in (run / "expected.json", tmp_path / "summary.json"))
    differences = []
    held = runpy.run_path(str(shared / "data/cluster/judge.py"))["walk"](expected, found, "", 1e-9, differences)
    assert differences == []
    assert held > 2000
    compare_blocks(run / "expected.blocks.csv", tmp_path / "blocks.csv")


def compare_blocks(expected, found):
    """Every value of every block: texts and missing values exactly, numbers to 1e-9."""
    one, other = (list(csv.DictReader(path.read_text().splitlines())) for path in (expected, found))
    assert len(one) == len(other) > 0
    for wanted, got in zip(one, other, strict=True):
        for column, value in wanted.items():
            try:
                number = float(value)
            except ValueError:
                assert (column, got[column]) == (column, value)
            else:
                assert (column, float(got[column])) == (column, pytest.approx(number, rel=1e-9, abs=1e-12))
