"""A decided outcome for bad input, and text from strangers as text."""

import json
import re

import pytest
from samples import look, normal, timed
from scipy import stats

import statera
from statera import Stop
from support import cells, every, table, write


@every(
    ("values", "grade", "defects"),
    [
        ([1.0], "unfit", {"too-few"}),
        ([1.0, 2.0], "doubtful", {"few-processes", "noisy"}),
        ([1.0, 1.001, 1.002], "doubtful", {"few-processes"}),
        ([1.0, 1.0], "unfit", {"constant"}),
        ([0.0] * 5, "unfit", {"constant"}),
        ([3.0] * 20, "unfit", {"constant"}),
        ([1e300, 2e300, 1.5e300, 1.2e300, 1.7e300], "noisy", {"noisy"}),
        ([1e-300, 1.001e-300, 1.0005e-300, 1.0012e-300, 1.0007e-300], "fit", set()),
        ([0.0, 1.0, 2.0, 3.0, 5.0], "noisy", {"noisy"}),
        ([0.0, 1.0, 2.0, 3.0, 5.0] * 2, "doubtful", {"noisy", "coarse-clock"}),
    ],
)
def test_every_small_or_strange_sample_has_a_decided_outcome(tmp_path, values, grade, defects):
    row = look(tmp_path, timed(values))
    assert row.grade == grade
    assert set(row.defects) == defects
    assert repr(statera.inspect(tmp_path / "data"))


def test_one_value_has_no_test_no_interval_and_no_forecast(tmp_path):
    row = look(tmp_path, timed([1.0]))
    assert (row.normality, row.skewness, row.drift_p, row.low) == (None, None, None, None)
    assert (row.detectable, row.runs_for_1) == (None, None)
    text = repr(statera.inspect(tmp_path / "data"))
    assert "normality" not in text
    assert "1 value is too few: measure at least 4 [too-few]" in text


def test_two_and_three_values_are_forecast_for_the_t_test_that_compares_them(tmp_path):
    forecasts = []
    for values in ([1.0, 1.001], [1.0, 1.001, 1.002], [1.0, 1.001, 1.002, 1.003]):
        row = look(tmp_path, timed(values))
        assert row.grade == ("fit" if len(values) > 3 else "doubtful")
        # A t-test of so few values never decides, so the forecast of runs is that of a rank test.
        assert row.runs_for_5 == 4
        forecasts.append(row.detectable)
    assert forecasts == sorted(forecasts, reverse=True)
    look(tmp_path, timed([1.0, 1.001]))
    assert "too few values for a test (at least 3)" in repr(statera.inspect(tmp_path / "data"))
    look(tmp_path, timed([1.0, 1.001, 1.002]))
    text = repr(statera.inspect(tmp_path / "data", policy=statera.Policy(alpha=0.001)))
    assert "Only 3 values: measure 7 or more for a rank test [few-processes]" in text


def test_no_value_at_all_stops(tmp_path):
    (path,) = write(tmp_path, data="benchmark,value,unit\n")
    with pytest.raises(Stop, match="no value was read") as stop:
        statera.inspect(path)
    assert stop.value.code == "nothing-to-compare"
    (path,) = write(tmp_path, data=timed(normal(5)))
    with pytest.raises(Stop, match="the nearest are: B") as stop:
        statera.inspect(path, benchmarks=["other"])
    assert stop.value.code == "nothing-to-compare"


def test_infinities_are_dropped_counted_and_said(tmp_path):
    (path,) = write(tmp_path, data=timed([*normal(10), float("inf"), float("nan"), float("-inf")]))
    inspection = statera.inspect(path)
    (row,) = inspection
    assert row.values == 10
    assert inspection.observations.left_out == 3
    assert "left out: 3 (not-finite 3)" in repr(inspection)


def test_beyond_5000_values_anderson_darling_stands_for_shapiro_wilk_and_says_so(tmp_path):
    values = normal(5001, spread=0.003, seed=1)
    most = look(tmp_path, timed(values[:5000]))
    assert most.normality_test == "shapiro-wilk"
    assert most.normality == pytest.approx(stats.shapiro(values[:5000])[0], rel=1e-9)
    row = look(tmp_path, timed(values))
    assert row.normality_test == "anderson-darling"
    reference = stats.anderson(values, "norm", method="interpolate").statistic
    assert row.normality == pytest.approx(reference, rel=1e-6)
    inspection = statera.inspect(tmp_path / "data")
    assert "Anderson-Darling (above 5,000 values) A²" in repr(inspection)
    words = "1 benchmark has more than 5,000 values, whose normality is tested by Anderson-Darling"
    assert words in " ".join(inspection.findings)


def test_zero_and_negative_values_are_judged_on_differences(tmp_path):
    row = look(tmp_path, timed([v - 1 for v in normal(20, seed=4)], unit="widgets", metric="balance"))
    assert row.scale == "difference"
    assert (row.log_normality, row.log_normality_p) == (None, None)
    assert row.detectable > 0
    assert repr(statera.inspect(tmp_path / "data"))


@every("name", ["a\x1b[31mred\x07", "a|b`c<script>", "x\ny", "漢字/🦀" * 12, "", "-", "</details>"])
def test_names_are_text_from_strangers(tmp_path, name):
    rows = [{"benchmark": n, "value": repr(v), "unit": "s"} for n in (name, "P", "Q", "R") for v in normal(9)]
    (path,) = write(tmp_path, data=table(rows))
    inspection = statera.inspect(f"a\x1b[0mb={path}", f"c|d={path}")
    for text in (repr(inspection), repr(statera.inspect(path, benchmarks=["!P", "!Q"], aa=True))):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    markdown = inspection.to_markdown()
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    widths = [len(cells(line)) for line in lines]
    # A table of rows with defects names their metric, and one of the others does not.
    assert set(widths) <= {9, 10}
    assert len(lines) == 2 * len(set(widths)) + 8
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", markdown)
    assert "<script" not in outside
    assert outside.count("</details>") == outside.count("<details>") == 1 + (9 in widths)
    assert json.loads(inspection.to_json())["rows"][0]["benchmark"] == name
