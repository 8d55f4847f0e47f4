"""What is one unit: values, runs with their costs, blocks, exact counts, variants and groups."""

import math

import pytest
from samples import chance, look, normal, runs
from scipy import stats

import statera
from support import go, noisy, table, write


def test_the_units_are_those_of_a_comparison(tmp_path):
    dice = chance(7)
    groups = [[(1 + 0.05 * level) * (1 + 0.01 * dice.gauss(0, 1)) for _ in range(12)] for level in (0, 1, 3, 2, 5, 4)]
    row = look(tmp_path, runs(groups))
    assert (row.sampled, row.n, row.values, row.runs, row.iterations) == ("runs", 6, 72, 6, 12)
    medians = [sorted(group) for group in groups]
    medians = [(group[5] + group[6]) / 2 for group in medians]
    assert row.normality == pytest.approx(stats.shapiro(medians)[0], rel=1e-9)
    (path,) = write(tmp_path, data=runs(groups))
    (compared,) = statera.compare(f"a={path}", f"b={path}")
    assert (compared.baseline_n, compared.baseline_centre) == (row.n, row.centre)
    assert row.icc > 0.9
    assert row.icc_low < row.icc < row.icc_high
    assert row.runs_p < 1e-6
    assert "runs-differ" in row.defects
    assert row.series == 6


def test_the_parts_of_the_variance_are_those_of_the_analysis_of_variance(tmp_path):
    dice = chance(8)
    groups = [[10 + dice.gauss(0, 1) for _ in range(9)] for _ in range(5)]
    row = look(tmp_path, runs(groups), policy=statera.Policy(scale="difference"))
    f, p = stats.f_oneway(*groups)
    assert row.runs_p == pytest.approx(p, rel=1e-9)
    assert row.icc == pytest.approx(max(0, (f - 1) / (f - 1 + 9)), abs=1e-9)


def test_iterations_are_weighed_against_their_cost(tmp_path):
    dice = chance(9)
    starts = [1 + 0.03 * dice.gauss(0, 1) for _ in range(8)]
    groups = [[start * (1 + 0.06 * dice.gauss(0, 1)) for _ in range(10)] for start in starts]
    unknown = look(tmp_path, runs(groups))
    assert (unknown.best_iterations, unknown.best_runs) == (None, None)
    assert unknown.break_even == pytest.approx(100 * (unknown.robust_between_sd / unknown.robust_within_sd) ** 2)
    known = look(tmp_path, runs(groups), cost_run=16.0)
    ratio = known.robust_within_sd / known.robust_between_sd
    assert known.best_iterations == pytest.approx(math.sqrt(16.0 / known.centre) * ratio, abs=0.5)
    assert known.best_seconds <= known.present_seconds
    assert known.best_seconds == pytest.approx(known.best_runs * (16 + known.best_iterations * known.centre))
    given = look(tmp_path, runs(groups), cost_run=1.0, cost_iteration=100.0)
    assert given.best_iterations == 1


def test_a_few_slow_iterations_do_not_hide_that_runs_differ(tmp_path):
    dice = chance(10)
    starts = [1 + 0.05 * dice.gauss(0, 1) for _ in range(10)]
    groups = [
        [s * (1 + 0.01 * dice.gauss(0, 1)) * (10 if dice.random() < 0.03 else 1) for _ in range(40)] for s in starts
    ]
    row = look(tmp_path, runs(groups), cost_run=1.0)
    assert row.icc < 0.2
    assert row.robust_share > 0.85
    assert row.robust_within_sd == pytest.approx(0.01, rel=0.2)
    assert row.robust_between_sd == pytest.approx(stats.tstd([math.log(s) for s in starts]), rel=0.5)
    # By the analysis of variance, tens of iterations would seem worth their cost.
    assert row.best_iterations == 1


def test_means_over_iterations_do_not_say_what_one_costs(tmp_path):
    paths = write(tmp_path, **{f"{k}.txt": go({"B": noisy(100, 10, seed=k)}) for k in range(4)})
    (row,) = statera.inspect(*(f"runs={path}" for path in paths), cost_run=1.0)
    assert row.sampled == "runs"
    assert row.best_iterations is None
    (row,) = statera.inspect(*(f"runs={path}" for path in paths), cost_run=1.0, cost_iteration=1.0)
    assert row.best_iterations >= 1


def test_two_and_three_runs_are_planned_by_the_t_test(tmp_path):
    groups = [[v * (1 + 0.01 * k) for v in normal(10, seed=k)] for k in range(3)]
    row = look(tmp_path, runs(groups))
    assert "few-processes" in row.defects
    assert 0 < row.detectable < 1
    one = look(tmp_path, runs(groups[:1]))
    assert "one-process" in one.defects
    assert one.sampled == "values"


def test_blocks_tell_of_the_work_and_not_of_the_noise(tmp_path):
    sizes = [10 ** (k % 5) for k in range(40)]
    rows = [{"benchmark": "B", "value": size, "unit": "s", "block": k} for k, size in enumerate(sizes)]
    row = look(tmp_path, table(rows))
    assert row.sampled == "blocks"
    assert row.defects == ("by-block",)
    assert row.grade == "fit"
    assert (row.detectable, row.runs_for_1) == (None, None)
    unpaired = look(tmp_path, table(rows), pair="unpaired")
    assert unpaired.sampled == "values"
    # Several replays: what is left when the blocks' own sizes are taken out.
    replays = [
        {"benchmark": "B", "value": repr(size * v), "unit": "s", "block": k, "process": run}
        for run in range(5)
        for k, (size, v) in enumerate(zip(sizes, normal(40, seed=run), strict=True))
    ]
    several = look(tmp_path, table(replays))
    assert (several.sampled, several.n) == ("runs", 5)
    assert several.cv < 0.02


def test_exact_counts_are_fit_whatever_they_are(tmp_path):
    text = go({"B": {"ns/op": noisy(100), "allocs/op": [7] * 10}})
    (path,) = write(tmp_path, data=text)
    rows = {row.metric: row for row in statera.inspect(path)}
    allocs = rows["allocs/op"]
    assert (allocs.exact, allocs.grade, allocs.defects, allocs.verdict) == (True, "fit", (), "fit: exact")
    assert allocs.detectable == 0
    assert not rows["sec/op"].exact


def test_variants_are_looked_at_alone_and_keys_that_vary_stay_apart(tmp_path):
    rows = [
        {"benchmark": "B", "value": repr(v * threads), "unit": "s", "threads": threads}
        for threads in (1, 4)
        for v in normal(12, seed=threads)
    ]
    (path,) = write(tmp_path, data=table(rows))
    inspection = statera.inspect(path)
    assert [row.group for row in inspection] == ["threads: 1", "threads: 4"]
    assert {row.grade for row in inspection} == {"fit"}
    by = statera.inspect(path, by="threads")
    assert [row.variant for row in by] == ["1", "4"]
    (pooled,) = statera.inspect(path, pool=["threads"])
    assert pooled.n == 24
