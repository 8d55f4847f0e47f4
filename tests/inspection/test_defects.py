"""Every number by its definition, and each defect where it is and not where it is not."""

import math
import re

import numpy as np
import pytest
from samples import DEFECTIVE, chance, look, normal, runs, timed
from scipy import stats

import statera
from support import every, write


def test_a_quiet_benchmark_is_fit_and_every_number_is_its_definition(tmp_path):
    values = normal(30, seed=5)
    row = look(tmp_path, timed(values))
    assert (row.grade, row.defects, row.verdict) == ("fit", (), "fit")
    assert (row.values, row.n, row.sampled, row.runs) == (30, 30, "values", None)
    w, p = stats.shapiro(values)
    assert row.normality == pytest.approx(w, rel=1e-9)
    assert row.normality_p == pytest.approx(p, rel=1e-7)
    assert row.log_normality == pytest.approx(stats.shapiro([math.log(v) for v in values])[0], rel=1e-9)
    assert row.skewness == pytest.approx(stats.skew(values, bias=False))
    assert row.mad == pytest.approx(stats.median_abs_deviation(values))
    assert row.iqr == pytest.approx(stats.iqr(values))
    assert row.cv == pytest.approx(stats.variation(values, ddof=1))
    assert row.drift_rho == pytest.approx(stats.spearmanr(values, range(30))[0])
    assert row.low < row.centre < row.high
    assert row.level >= 0.95
    assert row.modes == 1
    assert (row.series, row.series_warming, row.series_unsteady) == (1, 0, 0)


def test_what_is_said_to_be_shown_is_found_with_the_power_that_is_stated(tmp_path):
    """Samples of ten against as many, shifted by what inspection says they show: four in five are found."""
    dice = chance(11)
    shown, found, samples = [], 0, 300
    tables = []
    for number in range(samples):
        name = f"B{number}"
        first = [math.exp(0.02 * dice.gauss(0, 1)) for _ in range(10)]
        second = [math.exp(0.02 * dice.gauss(0, 1)) for _ in range(10)]
        tables.append((name, first, second))
    (path,) = write(
        tmp_path, one="".join(["benchmark,value,unit\n"] + [f"{n},{v!r},s\n" for n, a, _ in tables for v in a])
    )
    shown = sorted(row.detectable for row in statera.inspect(path))[samples // 2]
    shift = [f"{n},{v * (1 + shown)!r},s\n" for n, _, b in tables for v in b]
    (other,) = write(tmp_path, two="".join(["benchmark,value,unit\n", *shift]))
    comparison = statera.compare(path, other, policy=statera.Policy(correction="none"))
    found = sum(row.p <= 0.05 for row in comparison)
    assert 0.73 < found / samples < 0.87


@every("n", [2, 3])
def test_a_t_test_finds_what_two_and_three_values_are_said_to_show(n):
    dice, samples = np.random.default_rng(1), 3000
    names = [f"B{number}" for number in range(samples)]
    measured = np.exp(dice.normal(0, 0.02, (samples, n)))
    table = {"benchmark": np.repeat(names, n).tolist(), "time_ms": measured.ravel().tolist()}
    shown = {row.benchmark: row.detectable for row in statera.inspect(table)}
    shift = np.log1p([shown[name] for name in names])
    baseline, contender = dice.normal(0, 0.02, (2, samples, n))
    found = stats.ttest_ind(baseline, contender + shift[:, None], axis=1).pvalue <= 0.05
    assert 0.77 < found.mean() < 0.86


def test_the_runs_needed_are_those_that_show_the_change(tmp_path):
    values = normal(20, spread=0.03, seed=4)
    row = look(tmp_path, timed(values))
    assert row.runs_for_1 > row.runs_for_2 > row.runs_for_5 >= 4
    assert row.margin == 0.02
    assert row.runs_for_margin == row.runs_for_2
    assert row.runs_for_1 == pytest.approx(4 * row.runs_for_2, rel=0.05)
    assert row.detectable > 0.02
    assert row.defects == ("noisy",)
    assert re.fullmatch(r"noisy: cannot detect changes under [\d.]+%. ~\d+ runs would detect 2%", row.verdict)
    wider = look(tmp_path, timed(values), policy=statera.Policy(margins=(("*", 0.1),)))
    assert wider.grade == "fit"
    assert (wider.margin, wider.runs_for_margin) == (0.1, 4)


def test_a_far_value_costs_no_more_than_it_does_in_a_test_of_ranks(tmp_path):
    values = normal(20, spread=0.005, seed=3)
    plain = look(tmp_path, timed(values))
    far = look(tmp_path, timed([*values[:-1], 40.0]))
    assert far.outliers == 1
    assert far.defects == ("outliers",)
    assert far.grade == "fit"
    assert far.detectable < 1.5 * plain.detectable
    assert far.cv > 100 * plain.cv


@every("defect", DEFECTIVE)
def test_a_defect_is_found_where_it_is_and_said_in_words(tmp_path, defect):
    row = look(tmp_path, timed(DEFECTIVE[defect]))
    assert defect in row.defects
    assert row.grade in {"doubtful", "unfit"}
    assert row.verdict.startswith(f"{row.grade}: ")
    assert ". " in row.verdict


def test_steps_that_are_small_beside_the_margin_are_no_defect(tmp_path):
    fine = timed([0.2501, 0.2502, 0.2503, 0.2502, 0.2501] * 4)
    assert look(tmp_path, fine).grade == "fit"
    assert "few-distinct" in look(tmp_path, fine, policy=statera.Policy(margins=(("*", 0.0005),))).defects


def test_a_warm_up_ends_where_it_ends(tmp_path):
    row = look(tmp_path, timed(DEFECTIVE["warm-up"]))
    assert row.warm_up == 3
    assert row.warm_up_change == pytest.approx(0.4, abs=0.05)
    assert row.verdict.startswith("doubtful: warms up (")
    assert ". Discard the first 3" in row.verdict


def test_what_grows_slower_is_no_warm_up(tmp_path):
    row = look(tmp_path, timed([0.6, 0.62, 0.61, *normal(27, seed=2)]))
    assert "warm-up" not in row.defects
    assert "unsteady" in row.defects
    rate = look(tmp_path, timed([0.6, 0.62, 0.61, *normal(27, seed=2)], unit="1/s", metric="rate"))
    assert "warm-up" in rate.defects


def test_the_first_of_several_runs_warm_nothing_up(tmp_path):
    values = DEFECTIVE["warm-up"]
    row = look(tmp_path, runs([[v] for v in values]))
    assert (row.sampled, row.n, row.runs) == ("values", 30, 30)
    assert "warm-up" not in row.defects
    assert "unsteady" in row.defects


def test_noise_alone_raises_no_defect(tmp_path):
    """Of 500 samples of normal noise at most one in fifty is called doubtful."""
    rows = [f"B{k},{v!r},s\n" for k in range(500) for v in normal(20, spread=0.002, seed=100 + k)]
    (path,) = write(tmp_path, noise="".join(["benchmark,value,unit\n", *rows]))
    inspection = statera.inspect(path)
    doubtful = [row for row in inspection if row.grade != "fit"]
    assert len(doubtful) <= 10
    (section,) = inspection.sections()
    assert section.summary["tested"] == 500
    # Of normal samples one in twenty fails the test of normality: 25 of 500, within three standard errors.
    assert abs(500 - section.summary["normal"] - 25) < 15
    assert "(25 failures are expected by chance)" in repr(inspection)
