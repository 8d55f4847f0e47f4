"""What holds of every inspection, whatever the values are."""

import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import statera
from statera.comparison.codes import GRADES
from statera.comparison.verdicts.inspection import ADVICE
from support import table

SIZES = st.one_of(
    st.floats(1e-9, 1e9), st.floats(1e-300, 1e300), st.sampled_from([0.0, 1.0, 1.0, 1.5, 2.0, 1e-300, 1e300])
)
SAMPLES = st.lists(SIZES, min_size=1, max_size=40)
RUNS = st.lists(st.lists(st.floats(0.5, 2.0), min_size=1, max_size=12), min_size=1, max_size=7)
ORDERLESS = (
    "normality", "normality_p", "log_normality", "skewness", "dip", "modes", "outliers", "centre", "iqr", "mad",
)  # fmt: skip


def inspected(rows, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.csv")
        path.write_text(table(rows))
        return statera.inspect(path, **options)


def sample(values, unit="s"):
    return [{"benchmark": "B", "metric": "time", "value": repr(v), "unit": unit} for v in values]


def by_run(groups):
    return [
        {"benchmark": "B", "metric": "time", "value": repr(v), "unit": "s", "process": run}
        for run, values in enumerate(groups)
        for v in values
    ]


def close(a, b, tolerance=1e-6):
    return a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-12))


@given(SAMPLES)
def test_every_sample_has_a_grade_that_its_defects_explain(values):
    inspection = inspected(sample(values))
    (row,) = inspection
    assert row.grade in GRADES
    assert set(row.defects) <= set(ADVICE)
    assert row.verdict.startswith(row.grade)
    assert (row.grade == "unfit") == bool({"too-few", "constant"} & set(row.defects))
    assert row.n == row.values == len(values)
    assert row.detectable is None or row.detectable >= 0
    assert row.low is None or row.low <= row.centre <= row.high
    for p in (row.normality_p, row.log_normality_p, row.dip_p, row.drift_p, row.runs_p):
        assert p is None or 0 <= p <= 1
    assert repr(inspection)
    assert inspection.to_markdown()


@given(st.lists(st.floats(0.1, 10.0), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_order_does_not_matter_where_it_is_not_asked_for(values, chance):
    shuffled = chance.sample(values, len(values))
    (row,), (other,) = inspected(sample(values)), inspected(sample(shuffled))
    for name in ORDERLESS:
        assert close(getattr(row, name), getattr(other, name)), name
    assert close(row.detectable, other.detectable)


# Values apart by more than rounding: logarithms of neighbouring floats may be equal in one unit and not in another.
@given(st.lists(st.integers(1, 640).map(lambda ticks: ticks / 64), min_size=4, max_size=30))
def test_the_unit_does_not_matter(values):
    (row,), (other,) = inspected(sample(values)), inspected(sample([v * 1024 for v in values]))
    assert row.defects == other.defects
    assert row.grade == other.grade
    assert other.centre == 1024 * row.centre
    for name in ("normality", "skewness", "dip", "drift_rho", "detectable", "runs_for_2", "cv"):
        assert close(getattr(row, name), getattr(other, name)), name


@given(RUNS)
def test_every_grouping_has_an_outcome_and_a_share_of_variance(groups):
    inspection = inspected(by_run(groups), cost_run=1.0)
    (row,) = inspection
    assert row.runs == len(groups)
    assert row.icc is None or 0 <= row.icc <= 1
    assert row.icc is None or row.icc_low <= row.icc_high
    assert row.best_iterations is None or row.best_iterations >= 1
    assert row.series_warming + row.series_unsteady <= row.series <= len(groups)
    assert repr(inspection)


@given(st.lists(st.lists(st.floats(0.5, 2.0), min_size=1, max_size=16), min_size=1, max_size=4), st.booleans())
def test_every_build_can_be_weighed_against_itself(groups, runs):
    rows = by_run(groups) if runs else [row for values in groups for row in sample(values)]
    inspection = inspected(rows, aa=True, splits=20)
    tested = inspection.self_test
    assert tested.splits <= 20
    assert (tested.splits == 0) == any(note.code == "too-few-to-split" for note in inspection.notes)
    for row in tested.rows:
        assert row.called.count <= row.called.trials <= tested.splits
        assert row.significant <= tested.splits
        assert row.largest is None or row.floor <= row.largest
    for metric in tested.metrics:
        assert metric.any.count <= tested.splits
        assert (metric.margin is None) == (metric.gate is None)
        assert metric.margin is None or metric.gate <= metric.margin
    assert repr(inspection)
    assert inspection.to_json()


@pytest.mark.parametrize("scale", ["auto", "difference"])
def test_a_scale_that_is_asked_for_is_used(scale):
    (row,) = inspected(sample([1.0, 1.1, 1.2, 1.05, 1.15]), policy=statera.Policy(scale=scale))
    assert row.scale == ("ratio" if scale == "auto" else "difference")
