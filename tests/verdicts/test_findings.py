"""The two or three sentences that matter most must be true as they stand."""

import math
import re

from support import compare, every, go, noisy


def test_a_suite_in_which_all_improved_names_no_change_for_the_worse(tmp_path):
    old = {f"B{i}": [100] for i in range(4)}
    new = {f"B{i}": [50 + i] for i in range(4)}
    found = compare(tmp_path, go(old), go(new))
    assert found.answer.line == "4 of 4 benchmarks not judged (one value per build)"
    assert found.findings == ["Not judged (one value per build): each improved or stayed the same."]


def test_the_worst_is_named_before_the_best(tmp_path):
    old = {"A": noisy(100), "B": noisy(100), "C": noisy(100)}
    new = {"A": noisy(110, seed=2), "B": noisy(300, seed=3), "C": noisy(20, seed=4)}
    findings = compare(tmp_path, go(old), go(new)).findings
    assert findings[0].startswith("Slower: ")
    assert findings[0].index("B ") < findings[0].index("A ")
    assert findings[1].startswith("Faster: ")
    assert "C " in findings[1]


def test_a_throughput_that_fell_most_is_the_worst(tmp_path):
    old = {"A": noisy(100), "B": noisy(100)}
    new = {"A": noisy(90, seed=2), "B": noisy(30, seed=3)}
    finding = compare(tmp_path, go(old, unit="MB/s"), go(new, unit="MB/s")).findings[0]
    assert finding.startswith("Lower: ")
    assert finding.index("B ") < finding.index("A ")


def test_what_was_shown_is_said_where_nothing_is_called_changed(tmp_path):
    text = go({"A": noisy(100, 20), "B": noisy(100, 20)})
    (finding,) = compare(tmp_path, text, text).findings
    assert finding == (
        "2 benchmarks unchanged: every interval lies within the margin. Slow runs are not visibly more frequent."
    )
    exact = go({"A": {"allocs/op": [7, 7, 7]}})
    (finding,) = compare(tmp_path, exact, exact).findings
    assert finding == "1 benchmark unchanged: the values do not differ beyond the margin."
    few = go({"A": noisy(100, 6, spread=0.0001)})
    assert compare(tmp_path, few, few).findings == [
        "1 benchmark unchanged: the interval lies within the margin. The runs are too few to look for slow ones."
    ]


def test_what_the_answer_says_alone_is_not_denied_by_a_sentence(tmp_path):
    # The medians do not move, so no sentence could add a value to the change in the answer.
    few = [i / 100 for i in range(14)]
    old, new = (
        [*(low + i for i in few), middle, *(high + i for i in few)] for low, middle, high in ((8, 31, 42), (10, 30, 50))
    )
    found = compare(tmp_path, go({"A": old}, unit="B/op"), go({"A": new}, unit="B/op"))
    assert found[0].contender_centre < found[0].baseline_centre
    assert found.answer.counts == {"worse": 1}
    assert found.findings == []


def test_what_could_not_be_decided_is_never_no_change(tmp_path):
    old, new = go({"A": noisy(100, 6, spread=0.3)}), go({"A": noisy(100, 6, seed=2, spread=0.3)})
    found = compare(tmp_path, old, new)
    assert re.fullmatch(
        r"A: slowdowns above \d+% are ruled out, no clear change, a change of \d+% would have been detected",
        found.answer.line,
    )
    (finding,) = found.findings
    said = re.fullmatch(r"To settle it, plan about ([\d,]+) runs per build \((.*)–(.*)\)\.", finding)
    # The same numbers as the row's, rounded alike.
    verdict = found.weighing.cell(0, "verdict")
    assert f"~{said[1]} runs ({said[2]}–{said[3]})".replace(",", "") in verdict


def test_one_row_is_one_and_two_are_two(tmp_path):
    one = compare(tmp_path, go({"A": noisy(100)}), go({"A": noisy(150, seed=2)})).answer.line
    assert re.fullmatch(r"A: slower \+[\d.]+% \[.*\]", one)
    both = {"A": noisy(100), "B": noisy(100)}
    two = compare(tmp_path, go(both), go({"A": noisy(150, seed=2), "B": noisy(150, seed=3)})).answer.line
    assert two.startswith("2 of 2 benchmarks slower (worst ")


@every("unit", ["qps", "req/s", "tps", "iops", "items/s"])
def test_more_done_in_a_time_is_no_harm(tmp_path, unit):
    old = {"Serve": {"ns/op": [1000], unit: [20000]}}
    new = {"Serve": {"ns/op": [900], unit: [30000]}}
    (finding,) = compare(tmp_path, go(old), go(new)).findings
    assert finding == "Not judged (one value per build): each improved or stayed the same."
    turned = compare(tmp_path, go(new), go(old)).findings[0]
    assert "for the worse" in turned
    assert unit in turned


def test_a_change_without_a_known_direction_is_never_for_the_worse(tmp_path):
    old = {"A": {"ns/op": [100], "widgets": [10]}, "B": {"ns/op": [100], "widgets": [10]}}
    new = {"A": {"ns/op": [90], "widgets": [30]}, "B": {"ns/op": [90], "widgets": [1]}}
    found = compare(tmp_path, go(old), go(new))
    (finding,) = found.findings
    assert "for the worse" not in finding
    assert "each improved" not in finding
    # Of changes without a direction the largest stands first, whichever way it went.
    assert "in metrics without a known direction (--better METRIC=lower states it): B (widgets −90.0%" in finding
    assert [found.weighing.harm(row) for row in range(len(found)) if found[row].metric == "widgets"] == [0.0, 0.0]


def test_harm_is_found_wherever_it_stands_in_a_large_suite(tmp_path):
    names = [f"B{i}" for i in range(400)]
    old = {name: {"ns/op": [100], "B/op": [100]} for name in names}
    new = {name: {"ns/op": [90], "B/op": [101]} for name in names}
    assert "for the worse: B0 (B/op +1.00%" in compare(tmp_path, go(old), go(new)).findings[0]


def test_a_suite_without_a_direction_has_no_worst_and_no_best(tmp_path):
    old = {f"B{i}": [100] for i in range(30)}
    new = {f"B{i}": [100 + (i if i % 2 else -i)] for i in range(30)}
    shown = repr(compare(tmp_path, go(old, unit="widgets"), go(new, unit="widgets")))
    assert "worst" not in shown
    lines = [line.split()[0] for line in shown.splitlines() if line.startswith("B")]
    sizes = {name: abs(math.log(after / before)) for name, [before] in old.items() for [after] in [new[name]]}
    largest = sorted(sizes, key=sizes.__getitem__, reverse=True)
    assert lines[:6] == largest[:6]


def test_a_benchmark_that_lacks_one_metric_is_not_gone(tmp_path):
    both = {"ns/op": noisy(100), "B/op": noisy(200)}
    old, new = {"X": both, "Y": both}, {"X": {"ns/op": noisy(100)}, "Y": both}
    found = compare(tmp_path, go(old), go(new))
    assert found.answer.line.startswith("No difference found in 2 benchmarks")
    assert ". 1 lacks a metric" in found.answer.line
    assert "gone" not in found.answer.line
    assert found.findings[0] == "Gone in one metric: X (B/op)."


def test_a_new_metric_does_not_hide_what_was_compared(tmp_path):
    old, new = {"X": {"ns/op": noisy(100)}}, {"X": {"ns/op": noisy(200), "B/op": noisy(200)}}
    found = compare(tmp_path, go(old), go(new))
    assert found.answer.line.startswith("X: slower +100%")
    assert "new" not in found.answer.counts


def test_names_that_differ_only_in_a_key_are_told_with_the_option_that_pools_it(tmp_path):
    old, new = {"Encode/size=64-4": {"ns/op": noisy(100)}}, {"Encode/size=64-8": {"ns/op": noisy(100)}}
    found = compare(tmp_path, go(old), go(new))
    assert found.answer.line.startswith("Nothing could be compared")
    names = "as Encode/size=64-4 and Encode/size=64-8 do. --pool gomaxprocs compares them"
    assert found.answer.line.endswith(names)
    other = compare(tmp_path, go(old), go({"Encode/size=8-4": {"ns/op": noisy(100)}}))
    assert other.answer.line.endswith(". --pool size compares them")
    apart = compare(tmp_path, go(old), go({"Decode/size=64-8": {"ns/op": noisy(100)}}))
    assert "--rename Encode/size=64-4=Decode/size=64-8 compares" in apart.answer.line


def test_benchmarks_that_lack_several_metrics_are_named_with_all_of_them(tmp_path):
    metrics = {"ns/op": noisy(100), "B/op": noisy(200), "allocs/op": noisy(3)}
    found = compare(tmp_path, go({"X": metrics, "Y": metrics}), go({"X": {"ns/op": noisy(100)}, "Y": metrics}))
    assert found.answer.line.startswith("No difference found in 2 benchmarks")
    assert ". 1 lacks some metrics" in found.answer.line
    assert "Gone in some metrics: X (B/op, allocs/op)." in found.findings


def test_a_bound_holds_for_all_times_of_a_benchmark(tmp_path):
    old = {"X": {"ns/op": noisy(100), "p99-ns/op": [100, 120, 140, 90, 150]}}
    new = {"X": {"ns/op": noisy(100), "p99-ns/op": [101, 121, 139, 91, 151]}}
    found = compare(tmp_path, go(old), go(new))
    worst = max(row.change_high for row in found)
    least, most, _ = found.weighing.answer(False)["excluded"]  # noqa: FBT003 - compiled
    assert least == most == worst > 0.2


def test_a_comparison_that_lost_a_metric_of_its_only_benchmark_compared_the_others(tmp_path):
    old = {"X": {"ns/op": noisy(100), "B/op": noisy(200)}, "Y": {"ns/op": noisy(100)}}
    found = compare(tmp_path, go(old), go({"X": {"ns/op": noisy(100)}}))
    assert found.answer.line.startswith("1 of 2 benchmarks gone, 1 lacks a metric")
