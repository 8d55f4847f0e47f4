"""What the first line of a comparison claims is true of all rows of which it speaks."""

import re

from statera import Policy
from statera.comparison.verdicts.answer import _shown
from support import compare, every, go, noisy


def line(folder, old, new):
    return compare(folder, go({"X": old}), go({"X": new})).answer.line


def few(centre):
    return noisy(centre, 3, spread=0.001)


def test_of_what_could_be_shown_more_than_tenfold_is_not_named():
    assert [_shown(0.5, most) for most in (0.5, 9.0, 9.01)] == ["50%", "50% to ×10", "50% or more"]


def test_what_differs_for_the_worse_is_not_hidden_by_what_is_better(tmp_path):
    old, new = {"ns/op": few(100), "B/op": [64] * 3}, {"ns/op": few(150), "B/op": [48] * 3}
    found = compare(tmp_path, go({"X": old, "Y": old}), go({"X": new, "Y": new}))
    assert found.answer.line.startswith("2 of 2 benchmarks differ (worst ")
    assert {found[row].metric for row in found.answer.suspects} == {"sec/op"}


def test_of_several_times_the_one_that_got_worse_most_speaks_and_is_named(tmp_path):
    old = {"p50-ns/op": noisy(100), "p99-ns/op": noisy(900), "MB/s": noisy(50)}
    new = {"p50-ns/op": noisy(110), "p99-ns/op": noisy(3600), "MB/s": noisy(50)}
    found = compare(tmp_path, go({"X": old, "Y": old}), go({"X": new, "Y": new}))
    assert found.answer.line == "2 of 2 benchmarks slower in p99-sec/op (worst X +300%)"


def test_harm_of_a_time_and_of_a_size_are_counted_apart(tmp_path):
    old = {"X": {"ns/op": noisy(100)}, "Y": {"ns/op": noisy(100), "B/op": noisy(100)}}
    new = {"X": {"ns/op": noisy(105)}, "Y": {"ns/op": noisy(100), "B/op": noisy(900)}}
    assert "slower (X +5.00%), 1 more B/op (Y +800%)" in compare(tmp_path, go(old), go(new)).answer.line


def test_the_largest_change_of_rows_that_differ_for_the_better_is_named(tmp_path):
    old = {"X": {"ns/op": few(100)}, "Y": {"ns/op": few(100)}}
    new = {"X": {"ns/op": few(90)}, "Y": {"ns/op": few(40)}}
    assert "(most Y −60.0%, few runs)" in compare(tmp_path, go(old), go(new)).answer.line


def test_the_second_metric_that_got_worse_is_in_the_line_and_in_a_sentence(tmp_path):
    old, new = {"ns/op": noisy(100), "B/op": noisy(100)}, {"ns/op": noisy(110), "B/op": noisy(900)}
    found = compare(tmp_path, go({"X": old}), go({"X": new}))
    assert found.answer.line.endswith(", also B/op more +800%")
    assert any(said.startswith("More: X (B/op +800%") for said in found.findings)


def test_a_line_goes_on_behind_a_metric_that_begins_with_a_capital(tmp_path):
    old, new = {"B/op": noisy(100), "allocs/op": noisy(100)}, {"B/op": noisy(50), "allocs/op": noisy(60)}
    line = compare(tmp_path, go({"X": old}), go({"X": new})).answer.line
    assert re.fullmatch(r"X: B/op less −50\.0%.*, also allocs/op less −40\.0%", line), line


def test_times_that_moved_both_ways_give_no_factor(tmp_path):
    old, new = {"ns/op": noisy(100), "p99-ns/op": noisy(100)}, {"ns/op": noisy(50), "p99-ns/op": noisy(200)}
    found = compare(tmp_path, go({"X": old}), go({"X": new}))
    assert not any("times faster" in said or "times slower" in said for said in found.findings)


def test_single_values_and_new_benchmarks_are_not_among_those_without_a_change(tmp_path):
    old = {"X": {"ns/op": noisy(100)}, "Y": {"ns/op": noisy(100)}, "One": {"ns/op": [100]}}
    new = {**old, "One": {"ns/op": [150]}, "New": {"ns/op": noisy(1)}}
    said = compare(tmp_path, go(old), go(new)).answer.line
    assert said.startswith("2 benchmarks unchanged. Slowdowns above ")
    assert " are ruled out in all of them. 1 not judged (one value per build)" in said


def test_what_was_not_judged_of_the_only_benchmark_is_stated(tmp_path):
    said = line(tmp_path, {"ns/op": noisy(100), "B/op": [100]}, {"ns/op": noisy(100), "B/op": [900]})
    assert said.endswith(", not judged (one value per build): B/op +800%")


@every(
    ("old", "new"),
    [([100, 100.2], [100.1]), ([100, 101, 102, 103], [100.5])],
    ids=["an interval at a low level", "a build of one value"],
)
def test_an_interval_that_does_not_hold_the_level_excludes_nothing(tmp_path, old, new):
    said = line(tmp_path, {"ns/op": old}, {"ns/op": new})
    assert "ruled out" not in said
    assert "would have been detected" not in said


def test_nothing_that_stayed_zero_is_the_largest_change(tmp_path):
    old, new = {"ns/op": [100], "B/op": [0]}, {"ns/op": [90], "B/op": [0]}
    found = compare(tmp_path, go({"X": old, "Y": old}), go({"X": new, "Y": new}))
    assert "B/op" not in found.answer.line
    assert found.weighing.harmed(range(len(found))) == []


def test_a_pattern_that_selects_nothing_is_named_with_the_nearest(tmp_path):
    old = {"Encode": {"ns/op": noisy(100)}, "Decode": {"ns/op": noisy(100)}}
    policy = Policy(directions=(("NS/OP", "higher"), ("ns/op", "lower")))
    found = compare(tmp_path, go(old), go(old), benchmarks=["Encode", "Zzz", "!Decod"], policy=policy)
    unused = [note.text.partition(" selects nothing")[0] for note in found.notes if note.code == "pattern-unused"]
    assert unused == ["--benchmark Zzz", "--better NS/OP"]


def test_the_only_metric_is_not_named_even_if_it_is_no_time(tmp_path):
    old, new = {"X": noisy(100), "Y": noisy(5)}, {"X": noisy(120), "Y": noisy(5, seed=3)}
    found = compare(tmp_path, go(old, unit="B/op"), go(new, unit="B/op"))
    assert found.answer.line.startswith("1 of 2 benchmarks more (X +20.0%)")
    both = [
        {name: {"B/op": values, "allocs/op": noisy(5, len(values))} for name, values in of.items()} for of in (old, new)
    ]
    assert compare(tmp_path, *map(go, both)).answer.line.startswith("1 of 2 benchmarks more B/op (X +20.0%)")


def test_a_time_that_is_better_the_longer_it_is_is_no_matter_of_speed(tmp_path):
    old, new = ("\n".join(["benchmark,battery_life_s", *(f"x,{value}" for value in noisy(at))]) for at in (100, 120))
    for ends, word in (((old, new), "higher"), ((new, old), "lower")):
        found = compare(tmp_path, *ends)
        assert found.answer.line.startswith(f"x: {word} ")
        assert word == {"better": "higher", "worse": "lower"}[found[0].verdict]
