"""The two or three sentences that matter most must be true as they stand."""

from typing import get_args

from statera.row import Verdict
from statera.verdicts import VERDICTS
from support import compare, go, noisy


def test_a_suite_in_which_all_improved_names_no_change_for_the_worse(tmp_path):
    old = {f"B{i}": [100] for i in range(4)}
    new = {f"B{i}": [50 + i] for i in range(4)}
    findings = " ".join(compare(tmp_path, go(old), go(new)).findings)
    assert "not judged" in findings
    assert "for the worse" not in findings


def test_the_worst_is_named_before_the_best(tmp_path):
    old = {"A": noisy(100), "B": noisy(100), "C": noisy(100)}
    new = {"A": noisy(110, seed=2), "B": noisy(300, seed=3), "C": noisy(20, seed=4)}
    findings = compare(tmp_path, go(old), go(new)).findings
    assert "worse" in findings[0]
    assert findings[0].index("B ") < findings[0].index("A ")
    assert "better" in findings[1]
    assert "C " in findings[1]


def test_a_throughput_that_fell_most_is_the_worst(tmp_path):
    old = {"A": noisy(100), "B": noisy(100)}
    new = {"A": noisy(90, seed=2), "B": noisy(30, seed=3)}
    finding = compare(tmp_path, go(old, unit="MB/s"), go(new, unit="MB/s")).findings[0]
    assert "worse" in finding
    assert finding.index("B ") < finding.index("A ")


def test_nothing_changed_is_said_as_such(tmp_path):
    text = go({"A": noisy(100, 20)})
    assert compare(tmp_path, text, text).findings == ["Nothing changed beyond the margin."]


def test_what_could_not_be_decided_is_never_no_change(tmp_path):
    old, new = go({"A": noisy(100, 6, spread=0.3)}), go({"A": noisy(100, 6, seed=2, spread=0.3)})
    (finding,) = compare(tmp_path, old, new).findings
    assert finding.startswith("1 row undecided")
    assert "Nothing changed" not in finding


def test_one_row_is_one_and_two_are_two(tmp_path):
    one = compare(tmp_path, go({"A": noisy(100)}), go({"A": noisy(150, seed=2)})).findings[0]
    assert one.startswith("1 benchmark is worse")
    both = {"A": noisy(100), "B": noisy(100)}
    two = compare(tmp_path, go(both), go({"A": noisy(150, seed=2), "B": noisy(150, seed=3)})).findings[0]
    assert two.startswith("2 benchmarks are worse")


def test_the_verdicts_are_named_once_and_alike():
    assert set(VERDICTS) == set(get_args(Verdict))
