"""What is there under another kernel, compiler or any other circumstance did not vanish."""

import pytest

from statera.support.errors import Stop
from support import by_name, compare, every, go, noisy, write


def measured(*parts):
    """One text of several parts, each measured under its own configuration."""
    return "".join(go(benchmarks, config=config) for config, benchmarks in parts)


def at(value, key="kernel"):
    return {key: value}


X = {"X": noisy(100)}
AGAIN = {"X": noisy(100, seed=2)}


def codes(comparison):
    return {note.code for note in comparison.notes}


# A key that the machine states, one that tells platforms apart, one that nobody knows.
@every("key", ["kernel", "goos", "governor"])
def test_a_benchmark_under_another_circumstance_is_named_and_not_missing(tmp_path, key):
    old = measured((at("5.10", key), {**X, "A": noisy(50)}), (at("6.1", key), {"A": noisy(50)}))
    new = measured((at("5.10", key), {"A": noisy(50)}), (at("6.1", key), {**AGAIN, "A": noisy(50)}))
    found = compare(tmp_path, old, new)
    assert {row.verdict for row in found} == {"equivalent"}
    (note,) = (note for note in found.notes if note.code == "measured-elsewhere")
    assert f"X (old at {key}: 5.10; new at {key}: 6.1). --pool {key} compares" in note.text
    assert not any("Vanished" in finding for finding in found.findings)
    assert by_name(compare(tmp_path, old, new, pool=[key]))["X"].verdict == "equivalent"


def test_the_gate_does_not_fail_on_what_is_there(run, tmp_path):
    old = measured((at("5.10"), X), (at("6.1"), AGAIN))
    paths = write(tmp_path, old=old, new=measured((at("6.1"), {"X": noisy(100, seed=3)})))
    result = run("compare", *paths, "--fail-on", "missing")
    assert (result.code, result.err) == (0, "statera: --fail-on missing: 0 gone, 0 with no clear change\n")
    assert "\n⚠ These benchmarks have no row, because the other build was measured under other circumstances: X (" in (
        result.out
    )
    assert "gone" not in result.out


def test_what_is_nowhere_on_the_other_side_is_missing_all_the_same(run, tmp_path):
    old = measured((at("5.10"), {**X, "Gone": noisy(7)}), (at("6.1"), X))
    paths = write(tmp_path, old=old, new=measured((at("5.10"), AGAIN), (at("6.1"), AGAIN)))
    result = run("compare", *paths, "--fail-on", "missing")
    assert result.code == 1
    assert "\n  1 gone: Gone at kernel: 5.10\n" in result.out


def test_a_benchmark_of_another_package_is_another_benchmark(tmp_path):
    old = measured((at("a", "pkg"), X), (at("b", "pkg"), X))
    found = compare(tmp_path, old, measured((at("b", "pkg"), AGAIN)))
    assert sorted(row.verdict for row in found) == ["equivalent", "missing"]
    assert "measured-elsewhere" not in codes(found)


def test_a_level_that_was_asked_for_keeps_its_missing_benchmarks(tmp_path):
    old = measured((at("5.10"), X), (at("6.1"), X))
    found = compare(tmp_path, old, measured((at("6.1"), AGAIN)), within=["kernel"])
    assert sorted(row.verdict for row in found) == ["equivalent", "missing"]


def test_a_metric_that_vanished_is_missing_though_the_benchmark_is_elsewhere(tmp_path):
    old = measured((at("5.10"), {"X": {"ns/op": noisy(9), "widgets": noisy(5)}}), (at("6.1"), X))
    found = compare(tmp_path, old, measured((at("6.1"), X)))
    assert [(row.metric, row.verdict) for row in found if row.verdict == "missing"] == [("widgets", "missing")]


def test_where_nothing_has_a_partner_the_stop_says_how_to_pair(tmp_path):
    old = measured((at("1"), X), (at("2"), X), (at("3"), {"Y": noisy(5)}))
    new = measured((at("3"), AGAIN), (at("1"), {"Y": noisy(5)}), (at("2"), {"Y": noisy(5)}))
    with pytest.raises(Stop, match=r"X \(old at kernel: 1; .*pool kernel compares them anyway") as stop:
        compare(tmp_path, old, new)
    assert stop.value.code == "no-shared-level"


def test_a_benchmark_that_is_paired_over_two_kernels_is_noted(tmp_path):
    old = measured((at("5.10"), {**X, "Y": noisy(5)}))
    new = measured((at("6.1"), AGAIN), (at("5.10"), {"Y": noisy(5)}))
    found = compare(tmp_path, old, new)
    assert {row.verdict for row in found} == {"equivalent"}
    (note,) = (note for note in found.notes if note.code == "machine-differs")
    assert "kernel differs between the builds (5.10 / 5.10, 6.1)" in note.text
