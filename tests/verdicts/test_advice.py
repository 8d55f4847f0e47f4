"""The forecasts of a row: the change that its runs could have shown, and the runs that would find a change."""

import math
import statistics

from statera import Policy
from support import by_name, compare, go, noisy


def needed(tmp_path, runs, seeds=range(40), rows=1, **options):
    """Return the median of the runs that unchanged pilots of so many runs ask for."""
    found = []
    for seed in seeds:
        sides = [
            {f"B{i}": noisy(100, runs, seed=1000 * seed + 2 * i + side, spread=0.03) for i in range(rows)}
            for side in (0, 1)
        ]
        row = by_name(compare(tmp_path, go(sides[0]), go(sides[1]), **options))["B0"]
        found.append(row.runs_needed)
    return statistics.median(found)


def test_pilots_of_few_runs_ask_for_no_fewer_runs_than_larger_ones(tmp_path):
    few, four, more = (needed(tmp_path, runs) for runs in (3, 4, 20))
    assert 0.7 * four < few < 2 * four
    assert 0.7 * more < four < 2 * more


def test_one_row_of_many_needs_the_runs_that_its_correction_asks_for(tmp_path):
    policy = Policy(correction="holm", session=0.0)
    alone, among = needed(tmp_path, 10), needed(tmp_path, 10, range(8), rows=50, policy=policy)
    # The ratio of (z(1 - alpha / 2) + z(power))^2 at alpha and at alpha / 50.
    assert 1.7 < among / alone < 3


def test_the_runs_needed_have_a_range_that_narrows_with_the_pilot(tmp_path):
    for runs, wide in ((4, 3), (40, 1.2)):
        row = compare(
            tmp_path, go({"X": noisy(100, runs, spread=0.05)}), go({"X": noisy(100, runs, seed=5, spread=0.05)})
        )[0]
        assert row.runs_needed_low <= row.runs_needed <= row.runs_needed_high
        assert wide < row.runs_needed_high / row.runs_needed_low < 3 * wide


def test_runs_that_cannot_show_any_change_have_no_detectable_change(tmp_path):
    row = compare(tmp_path, go({"X": [100]}), go({"X": [200, 201, 202]}))[0]
    assert row.least_p > 0.05
    assert row.detectable is None
    assert row.runs_needed >= 4


def test_a_row_whose_correction_no_outcome_could_pass_has_no_detectable_change(tmp_path):
    sides = [{f"B{i}": noisy(100, 5, seed=2 * i + side, spread=0.05) for i in range(60)} for side in (0, 1)]
    forced = compare(tmp_path, go(sides[0]), go(sides[1]), policy=Policy(correction="bonferroni", session=0.0))
    assert {row.detectable for row in forced} == {None}
    # 2 / C(2n, n) is at most 0.05 / 60 from seven runs on.
    assert all(row.runs_needed >= 7 for row in forced)


def test_the_detectable_change_is_the_one_that_the_runs_needed_find(tmp_path):
    row = compare(tmp_path, go({"X": noisy(100, 30)}), go({"X": noisy(100, 30, seed=7)}))[0]
    margin = row.detectable * 1.0001
    other = compare(
        tmp_path,
        go({"X": noisy(100, 30)}),
        go({"X": noisy(100, 30, seed=7)}),
        policy=Policy(margin_time=margin, session=0.0),
    )[0]
    assert other.runs_needed == 30
    assert math.isclose(other.detectable, row.detectable)


def test_an_outlier_asks_for_no_more_runs_than_it_costs(tmp_path):
    old, new = noisy(100, 20, spread=0.03), noisy(100, 20, seed=8, spread=0.03)
    plain = compare(tmp_path, go({"X": old}), go({"X": new}))[0]
    spiky = compare(tmp_path, go({"X": [*old[1:], 1000]}), go({"X": new}))[0]
    assert 0.8 * plain.runs_needed < spiky.runs_needed < 2 * plain.runs_needed
