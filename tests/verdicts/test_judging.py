"""What is called better, worse, equivalent or inconclusive, and why."""

import math
import random

import pytest
import scipy.stats

from statera import Policy, _native
from support import by_name, compare, every, go, noisy, table


def one(tmp_path, old, new, unit="ns/op", **options):
    return compare(tmp_path, go({"X": old}, unit=unit), go({"X": new}, unit=unit), **options)[0]


def test_a_change_within_the_margin_is_equivalent_even_if_significant(tmp_path):
    row = one(tmp_path, noisy(100, 20), noisy(100.8, 20, seed=2))
    assert row.p_corrected < 0.05
    assert (row.verdict, row.reason) == ("equivalent", None)
    assert -0.02 / 1.02 <= row.change_low <= row.change_high <= 0.02


def test_three_runs_a_side_show_a_large_change_by_students_t(tmp_path):
    old, new = [100, 101, 102], [1000, 1020, 1050]
    row = compare(tmp_path, go({"X": old}), go({"X": new}))[0]
    assert (row.verdict, row.reason, row.warnings) == ("differs", None, ("parametric",))
    logs = [[math.log(value) for value in side] for side in (old, new)]
    assert row.p == pytest.approx(scipy.stats.ttest_ind(logs[1], logs[0]).pvalue, rel=1e-9)
    interval = scipy.stats.ttest_ind(logs[1], logs[0]).confidence_interval(0.95)
    assert (row.change_low, row.change_high) == pytest.approx(
        (math.expm1(interval.low), math.expm1(interval.high)), rel=1e-9
    )


def test_noise_is_told_from_few_runs(tmp_path):
    row = one(tmp_path, noisy(100, 10, spread=0.3), noisy(100, 10, seed=5, spread=0.3))
    assert (row.verdict, row.reason) == ("inconclusive", "noise")
    assert row.runs_needed > 10
    assert row.detectable > 0.02


def test_significant_alone_but_not_among_so_many(tmp_path):
    names = [f"B{i}" for i in range(60)]
    old = {n: noisy(100, 5, seed=i, spread=0.05) for i, n in enumerate(names)}
    new = {
        **{n: noisy(100, 5, seed=i + 99, spread=0.05) for i, n in enumerate(names)},
        "B0": noisy(150, 5, spread=0.05),
    }
    policy = Policy(correction="benjamini-hochberg")
    result = compare(tmp_path, go(old), go(new), policy=policy)
    row = by_name(result)["B0"]
    assert row.p == pytest.approx(2 / 252)
    assert (row.verdict, row.reason) == ("inconclusive", "not-among-so-many")
    [note] = [each.text for each in result.notes if each.code == "family-too-large"]
    assert note.startswith("A single change cannot pass the correction for 60 tests")
    assert "the smallest possible p of these runs is 0.0079." in note
    # So few runs can still decide where all rows share a null distribution.
    jointly = compare(tmp_path, go(old), go(new))
    assert jointly.family == {
        "size": 60,
        "too_large": False,
        "no_joint_relabeling": False,
        "how": "pooled-null",
        "relabelings": 252,
        "all_relabelings": True,
    }
    assert {name: row.verdict for name, row in by_name(jointly).items() if row.verdict != "inconclusive"} == {
        "B0": "worse"
    }


def test_rows_with_unequal_runs_have_no_joint_relabeling(tmp_path):
    old = {f"B{i}": noisy(100, 5 + (i == 0), seed=i, spread=0.05) for i in range(60)}
    new = {f"B{i}": noisy(100, 5, seed=i + 99, spread=0.05) for i in range(60)}
    result = compare(tmp_path, go(old), go(new), policy=Policy(correction="westfall-young"))
    assert (result.family["how"], result.family["no_joint_relabeling"]) == ("flat", True)
    (note,) = [note for note in result.notes if note.code == "family-too-large"]
    assert "different numbers of runs" in note.text


def test_westfall_young_that_is_impossible_is_said(tmp_path):
    old, new = {"X": noisy(1, 6), "Y": noisy(2, 5)}, {"X": noisy(3, 5), "Y": noisy(4, 5)}
    asked = compare(tmp_path, go(old), go(new), policy=Policy(correction="westfall-young"))
    assert asked.family["how"] == "flat"
    assert "Benjamini-Hochberg, because the runs cannot be permuted jointly for Westfall-Young" in asked.method


def test_all_metrics_are_one_family(tmp_path):
    old = {"X": {"ns/op": noisy(1), "MB/s": noisy(2)}, "Y": {"ns/op": noisy(3), "MB/s": noisy(4)}}
    assert compare(tmp_path, go(old), go(old)).weighing.family == 4


def test_rows_that_are_exact_do_not_join_the_family(tmp_path):
    old = {"X": {"ns/op": noisy(1), "allocs/op": [3] * 10}}
    assert compare(tmp_path, go(old), go(old)).weighing.family == 1


@every(
    ("unit", "verdict"),
    [("ns/op", "worse"), ("B/op", "worse"), ("MB/s", "better"), ("ops/s", "better"), ("widgets", "changed")],
)
def test_the_unit_tells_which_way_is_better(tmp_path, unit, verdict):
    assert one(tmp_path, noisy(100), noisy(150, seed=2), unit).verdict == verdict


def test_a_file_may_state_the_direction_and_the_policy_overrules_it(tmp_path):
    stated = {"units": {"score": "better=higher"}}
    old, new = go({"X": noisy(100)}, unit="score", **stated), go({"X": noisy(150, seed=2)}, unit="score")
    assert compare(tmp_path, old, new)[0].verdict == "better"
    assert compare(tmp_path, old, new, policy=Policy(directions=(("score", "lower"),)))[0].verdict == "worse"


def test_values_that_reach_zero_are_compared_by_difference(tmp_path):
    row = one(tmp_path, [0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15])
    assert (row.scale, row.change, row.verdict) == ("difference", pytest.approx(10e-9), "worse")
    assert "no-ratio" in row.warnings


def test_all_samples_equal_on_both_sides_is_not_a_change(tmp_path):
    row = one(tmp_path, [5] * 10, [5] * 10)
    assert (row.change, row.verdict) == (0, "equivalent")
    assert row.p == 1


def test_constant_times_that_differ_are_worse(tmp_path):
    row = one(tmp_path, [5] * 10, [6] * 10)
    assert row.change == pytest.approx(0.2)
    assert row.verdict == "worse"


def test_a_suite_of_single_values_is_described_not_judged(tmp_path):
    old = {f"B{i}": [100 + i] for i in range(12)}
    new = {f"B{i}": [(100 + i) * (1 + i / 100)] for i in range(12)}
    result = compare(tmp_path, go(old), go(new))
    (summary,) = result.weighing.summaries()
    changes = sorted(i / 100 for i in range(12))
    assert summary["mean_change"] == pytest.approx(sum(changes) / 12)
    assert summary["quantiles"][2] == pytest.approx(0.055)
    assert {row.verdict for row in result} == {"one-value"}
    text = repr(result)
    assert "quantiles of change: 10% +1.10% · 25% +2.75% · 50% +5.50%" in text
    assert (summary["low"], summary["high"], summary["method"]) == (None, None, "single")
    assert result.findings[0].startswith("Not judged (one value per build), largest changes for the worse: B11 ")


def test_a_suite_that_moves_as_one_points_to_the_machine(tmp_path):
    old = {f"B{i}": noisy(100 + i, seed=i) for i in range(12)}
    new = {f"B{i}": noisy((100 + i) * 1.03, seed=i + 50) for i in range(12)}
    notes = [note.code for note in compare(tmp_path, go(old), go(new)).notes]
    assert "moves-as-one" in notes


def test_an_interval_without_width_is_said_in_words(tmp_path):
    def interval(old, new):
        result = compare(tmp_path, go({"X": old}), go({"X": new}))
        row = result[0]
        return row, result.weighing.cell(0, "interval")

    row, text = interval([100] * 30, [100] * 22 + [123 + i for i in range(8)])
    assert row.p <= 0.05
    assert (row.change_low, row.change_high, row.change_low_open, row.change_high_open) == (0, 0, True, True)
    assert text == "0% (ties)"
    assert interval([100] * 10, [100.3] * 10)[1] == "+0.30% (exact)"
    near = [100 + i * 1e-4 for i in range(10)]
    assert interval(near, [value + 0.003 for value in near])[1] == "[+0.0027%, +0.0033%]"


def test_the_geometric_mean_is_that_of_the_typical_changes_shown(tmp_path):
    old = {f"B{i}": noisy(100 + i, seed=i, spread=0.1) for i in range(7)}
    new = {f"B{i}": [*noisy(103 + i, 9, seed=i + 50, spread=0.1), 500] for i in range(7)}
    result = compare(tmp_path, go(old), go(new))
    (summary,) = result.weighing.summaries()
    mean = math.prod(1 + row.change for row in result) ** (1 / len(result))
    assert summary["ratio"] == pytest.approx(mean, rel=1e-12)
    assert summary["low"] <= mean <= summary["high"]
    ends = _native.percent_ends(summary["low"] - 1, summary["high"] - 1)
    assert f"geometric mean: {_native.percent(mean - 1)} [{', '.join(ends)}]" in repr(result)


def test_the_geometric_mean_leaves_out_rows_without_a_ratio_and_says_so(tmp_path):
    old = {"X": {"B/op": [100] * 3}, "Y": {"B/op": [0] * 3}}
    new = {"X": {"B/op": [50] * 3}, "Y": {"B/op": [8] * 3}}
    result = compare(tmp_path, go(old), go(new))
    (summary,) = result.weighing.summaries()
    assert (summary["ratio"], summary["rows"], summary["without_ratio"]) == (pytest.approx(0.5), 1, 1)


def test_margins_per_metric_hold_for_that_metric_alone(tmp_path):
    old = {"X": {"ns/op": noisy(100), "MB/s": noisy(100)}}
    new = {"X": {"ns/op": noisy(104, seed=2), "MB/s": noisy(96, seed=2)}}
    rows = by_name(compare(tmp_path, go(old), go(new), policy=Policy(margins=(("ns/op", 0.1),))))
    assert rows["X", "sec/op"].verdict == "equivalent"
    assert rows["X", "B/s"].verdict == "worse"


def test_an_exact_count_keeps_its_own_margin_under_one_for_everything(tmp_path):
    sides = go({"X": [1000] * 3}, unit="allocs/op"), go({"X": [1001] * 3}, unit="allocs/op")
    assert compare(tmp_path, *sides, policy=Policy(margins=(("*", 0.1),)))[0].verdict == "worse"
    assert compare(tmp_path, *sides, policy=Policy(margins=(("allocs/op", 0.1),)))[0].verdict == "equivalent"


def test_the_medians_beside_the_typical_change_are_not_taken_for_it(tmp_path):
    old = [*noisy(100, 31, seed=1), *noisy(200, 29, seed=2)]
    new = [*noisy(99, 29, seed=3), *noisy(198, 31, seed=4)]
    chance = random.Random(1)  # noqa: S311
    row = one(tmp_path, *(chance.sample(side, len(side)) for side in (old, new)))
    assert row.contender_centre / row.baseline_centre - 1 > 0 > row.change
    assert "medians-disagree" in row.warnings


def test_medians_that_differ_from_the_typical_change_by_chance_say_nothing(tmp_path):
    names = [f"B{i}" for i in range(200)]
    sides = [go({n: noisy(100, 10, seed=seed + i, spread=0.1) for i, n in enumerate(names)}) for seed in (0, 1000)]
    rows = list(compare(tmp_path, *sides))
    signs = [(row.contender_centre - row.baseline_centre) * row.change for row in rows]
    assert sum(sign < 0 for sign in signs) > 10
    assert sum("medians-disagree" in row.warnings for row in rows) <= 4


def test_steps_of_a_timer_that_are_small_beside_the_margin_say_nothing(tmp_path):
    fine = [100, 100.1] * 10
    assert "few-distinct" not in one(tmp_path, fine, fine[::-1]).warnings
    margin = Policy(margins=(("*", 0.001),))
    assert "few-distinct" in one(tmp_path, fine, fine[::-1], policy=margin).warnings


@every(
    ("values", "warning"),
    [
        ([*noisy(100, 19), 200], "outliers"),
        ([100 + i for i in range(20)], "drift"),
        ([100] * 10 + [101] * 10, "few-distinct"),
    ],
)
def test_signs_that_values_are_not_what_the_test_takes_them_for_ride_on_the_row(tmp_path, values, warning):
    assert warning in one(tmp_path, values, noisy(100, 20, seed=9)).warnings


def test_plain_tables_know_no_direction_without_a_unit(tmp_path):
    old, new = (table([{"benchmark": "X", "value": v} for v in noisy(c, seed=int(c))]) for c in (100, 150))
    result = compare(tmp_path, old, new)
    assert result[0].verdict == "changed"
    assert "--better" in result.findings[0]
