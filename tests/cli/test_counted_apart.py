"""Numbers that are no results are dropped by rule, and every verb counts them."""

import json

import pytest

from support import noisy, write

SAID = "3 numbers that are no results"


@pytest.fixture
def counters(tmp_path):
    """nanobench's JSON with a counter that the kernel withheld: it is 0 in every epoch."""
    epochs = [{"elapsed": value * 1e-9, "instructions": 0} for value in noisy(100, 3)]
    document = {"results": [{"name": "x", "median(elapsed)": 1e-7, "measurements": epochs}]}
    return write(tmp_path, **{"x.json": json.dumps(document, indent=1)})[0]


def test_a_comparison_counts_both_sides(run, counters):
    both = SAID.replace("3", "6")
    arguments = ("compare", f"a={counters}", f"b={counters}")
    assert f"counted apart: {both}" in run(*arguments, "--notes").out
    assert f"counted apart: {both}" in run(*arguments, "-f", "markdown").err
    assert json.loads(run(*arguments, "-f", "json").out)["counted_apart"] == {"placeholder": 6}
    assert f"counted apart: {both}" in run(*arguments, "-f", "csv").err


def test_an_inspection_counts_them(run, counters):
    for output in ("terminal", "markdown"):
        assert f"counted apart: {SAID}" in run("inspect", counters, "-f", output).out
    assert json.loads(run("inspect", counters, "-f", "json").out)["counted_apart"] == {"placeholder": 3}


def test_a_conversion_counts_them(run, counters):
    assert f"counted apart: {SAID}" in run("convert", counters, "-o", "x.csv").err


def test_a_report_counts_them(run, counters, tmp_path):
    result = run("report", counters, "-o", "x.md")
    assert f"counted apart: {SAID}" in result.err
    assert SAID in (tmp_path / "x.md").read_text()
