"""The design decides the test: what the data is must be seen, and said."""

import pytest

import statera
from statera import Stop
from support import by_name, compare, every, go, noisy, table, write


def blocks(values, name="X", unit="s", start=0):
    return table(
        [{"benchmark": name, "value": v, "unit": unit, "block": f"b{i + start}"} for i, v in enumerate(values)]
    )


def processes(groups, unit="s"):
    rows = [
        {"benchmark": "X", "value": v, "unit": unit, "process": f"p{i}"}
        for i, values in enumerate(groups)
        for v in values
    ]
    return table(rows)


def note(comparison, code):
    return [n.text for n in comparison.notes if n.code == code]


def test_samples_without_more_are_independent(tmp_path):
    result = compare(tmp_path, go({"X": noisy(100)}), go({"X": noisy(100, seed=2)}))
    assert result[0].design == "independent"
    assert note(result, "runs-not-said")


def test_few_runs_whose_medians_a_coarse_clock_makes_equal_are_judged(tmp_path):
    def runs(median):
        return processes([[0.001 * (median + off) for off in (-2, -1, 0, 0, 0, 1, 3 + run)] for run in range(3)])

    row = compare(tmp_path, runs(121), runs(24))[0]
    assert (row.design, row.verdict, row.baseline_n) == ("nested", "differs", 3)
    assert row.change_low < row.change < row.change_high < -0.7
    # One step of the clock may be rounding alone.
    assert compare(tmp_path, runs(24), runs(25))[0].verdict == "inconclusive"


def test_few_runs_without_any_spread_are_not_judged(tmp_path):
    row = compare(tmp_path, processes([[0.5] * 5] * 3), processes([[0.75] * 5] * 3))[0]
    assert (row.verdict, row.reason) == ("inconclusive", "no-spread"), row


def test_blocks_pair_and_the_output_says_by_what(tmp_path):
    sizes = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
    old = [size * f for size, f in zip(sizes, noisy(1, 7), strict=True)]
    new = [size * 1.1 * f for size, f in zip(sizes, noisy(1, 7, seed=2), strict=True)]
    paired = compare(tmp_path, blocks(old), blocks(new))
    assert (paired[0].design, paired[0].verdict) == ("paired", "worse")
    assert note(paired, "paired") == ["Paired by block."]
    unpaired = compare(tmp_path, blocks(old), blocks(new), pair="unpaired")
    assert (unpaired[0].design, unpaired[0].verdict) == ("independent", "inconclusive")
    assert note(unpaired, "pairing-unused")


def test_pairs_are_made_by_key_not_by_place(tmp_path):
    values = [float(10**i) for i in range(8)]
    shuffled = table(
        [
            {"benchmark": "X", "value": v * 2, "unit": "s", "block": f"b{i}"}
            for i, v in reversed(list(enumerate(values)))
        ]
    )
    row = compare(tmp_path, blocks(values), shuffled)[0]
    assert row.change == pytest.approx(1)
    assert (row.change_low, row.change_high) == pytest.approx((1, 1))


def test_blocks_without_a_partner_are_dropped_and_counted(tmp_path):
    row = compare(tmp_path, blocks(noisy(5, 10)), blocks(noisy(5, 10), start=3))[0]
    assert (row.design, row.baseline_n, row.pairs_dropped) == ("paired", 7, 6)
    assert "pairs-dropped" in row.warnings


def test_a_pairing_that_was_asked_for_and_cannot_hold_names_the_key(tmp_path):
    with pytest.raises(Stop, match=r"X, value: 3 pairing keys are missing in the contender, the first is `b0`") as stop:
        compare(tmp_path, blocks(noisy(5, 10)), blocks(noisy(5, 10), start=3), pair="block")
    assert stop.value.code == "cannot-pair"
    twice = blocks([1.0, 2.0]) + "X,3.0,s,b1\n"
    with pytest.raises(Stop, match=r"`b1` occurs more than once in the baseline"):
        compare(tmp_path, twice, blocks([1.0, 2.0]), pair="block")


def test_pairing_by_block_needs_blocks(tmp_path):
    with pytest.raises(Stop, match="no format that was read has pairing keys"):
        compare(tmp_path, go({"X": [1]}), go({"X": [1]}), pair="block")


def test_pairing_by_order_takes_what_was_interleaved(tmp_path):
    load = [100, 150, 220, 130, 400, 310, 180, 260, 120]
    old, new = go({"X": load}), go({"X": [round(v * 1.05, 3) for v in load]})
    assert compare(tmp_path, old, new)[0].verdict == "inconclusive"
    row = compare(tmp_path, old, new, pair="order")[0]
    assert (row.design, row.verdict) == ("paired", "worse")
    assert row.change == pytest.approx(0.05, rel=1e-3)


def test_a_pairing_by_order_that_would_help_is_suggested(tmp_path):
    load = [100, 150, 220, 130, 400, 310, 180, 260, 120, 500, 610, 90]
    result = compare(tmp_path, go({"X": load}), go({"X": [v + 1 for v in load]}))
    assert "order-correlation" in result[0].warnings
    assert "--pair order" in note(result, "order-correlation")[0]


def test_sides_of_different_length_cannot_be_paired_by_order(tmp_path):
    with pytest.raises(Stop, match="10 values and 9 values"):
        compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(1, 9)}), pair="order")


def test_a_configuration_key_pairs(tmp_path):
    def side(factor):
        return "".join(go({"X": [10**i * factor]}, config={"input": f"in{i}"}) for i in range(8))

    row = compare(tmp_path, side(1), side(1.2), pair="input")[0]
    assert (row.design, row.baseline_n, row.verdict) == ("paired", 8, "worse")


def test_a_key_to_pair_by_that_is_not_there_lists_those_that_are(tmp_path):
    text = go({"X": noisy(1)}, config={"cpu": "a", "goos": "linux"})
    with pytest.raises(Stop, match="no configuration key of this name; there are: cpu, goos"):
        compare(tmp_path, text, text, pair="slot")


def test_iterations_of_a_process_count_as_one(tmp_path):
    # Two processes that differ, many iterations: a test on iterations would be sure of a change.
    old = processes([noisy(100, 20, seed=1), noisy(110, 20, seed=2)])
    new = processes([noisy(112, 20, seed=3), noisy(118, 20, seed=4)])
    row = compare(tmp_path, old, new)[0]
    assert (row.design, row.method, row.baseline_n, row.baseline_values) == ("nested", "t", 2, 40)
    assert row.verdict == "inconclusive"
    assert "parametric" in row.warnings


def test_four_processes_a_side_are_ranked(tmp_path):
    old = processes([noisy(100, 5, seed=s) for s in range(4)])
    new = processes([noisy(120, 5, seed=s + 9) for s in range(4)])
    row = compare(tmp_path, old, new)[0]
    assert (row.design, row.method, row.baseline_n) == ("nested", "exact", 4)
    assert row.p == pytest.approx(2 / 70)
    assert row.verdict == "worse"


def test_one_process_a_side_is_said_on_every_verdict_and_never_equivalent(tmp_path):
    result = compare(tmp_path, processes([noisy(100, 30)]), processes([noisy(100, 30, seed=2)]))
    assert "one-process" in result[0].warnings
    assert (result[0].verdict, result[0].reason) == ("inconclusive", "one-process")
    apart = compare(tmp_path, processes([noisy(100, 30)]), processes([noisy(150, 30, seed=2)]))
    assert apart[0].verdict == "differs"
    assert repr(apart).startswith("X: differs +49.7% [+49.3%, +50.1%] (one process per build).")
    assert apart.findings[0].startswith("Differs for the worse: X (")
    assert apart.with_verdict("differs") == [apart[0]]


@every("pair", ["auto", "order"])
@every("new", [1, 5])
def test_one_process_of_a_side_is_never_better_or_worse(tmp_path, pair, new):
    several = [noisy(150, 30 // new, seed=seed) for seed in range(new)]
    for sides in ((processes([noisy(100, 30)]), processes(several)), (processes(several), processes([noisy(100, 30)]))):
        [row] = compare(tmp_path, *sides, pair=pair)
        assert (row.verdict, row.warnings[0]) == ("differs", "one-process")


def test_one_value_a_side_is_shown_and_not_judged(tmp_path):
    result = compare(tmp_path, go({"X": [100]}), go({"X": [150]}))
    row = result[0]
    assert (row.design, row.verdict, row.p, row.change_low) == ("suite", "one-value", None, None)
    assert row.change == pytest.approx(0.5)


def test_counts_that_agree_within_each_side_are_exact(tmp_path):
    rows = by_name(
        compare(
            tmp_path,
            go({"Up": {"allocs/op": [4] * 3}, "Same": {"allocs/op": [4] * 3}, "Down": {"allocs/op": [4] * 3}}),
            go({"Up": {"allocs/op": [5] * 3}, "Same": {"allocs/op": [4] * 3}, "Down": {"allocs/op": [3] * 3}}),
        )
    )
    assert {name: row.verdict for name, row in rows.items()} == {"Up": "worse", "Same": "equivalent", "Down": "better"}
    assert all(row.design == "exact" and row.p is None and row.change_low is None for row in rows.values())


@every(
    ("unit", "old", "new"),
    [("allocs/op", [4, 4], [5, 5]), ("allocs/op", [4, 4, 4, 5], [5, 5, 5, 5]), ("ns/op", [4] * 5, [5] * 5)],
)
def test_two_samples_a_count_that_varies_and_time_are_never_exact(tmp_path, unit, old, new):
    assert compare(tmp_path, go({"X": old}, unit=unit), go({"X": new}, unit=unit))[0].design == "independent"


def test_a_file_may_state_that_a_unit_is_exact(tmp_path):
    old = go({"X": [4]}, unit="bytes/page", units={"bytes/page": "assume=exact better=lower"})
    new = go({"X": [5]}, unit="bytes/page")
    assert compare(tmp_path, old, new)[0].design == "exact"


def test_a_unit_that_is_stated_as_exact_and_varies_is_tested_and_marked(tmp_path):
    text = go({"X": noisy(4, 8, spread=0.2)}, unit="widgets", units={"widgets": "assume=exact better=lower"})
    row = compare(tmp_path, text, text)[0]
    assert row.design == "independent"
    assert "exact-varies" in row.warnings


def test_a_factor_is_never_pooled_silently(tmp_path):
    text = go({"X": noisy(100)}, config={"pkg": "a"}) + go({"X": noisy(900)}, config={"pkg": "b"})
    result = compare(tmp_path, text, text)
    assert [row.group for row in result] == ["pkg: a", "pkg: b"]
    pooled = compare(tmp_path, text, text, pool=["pkg"])
    assert [(row.group, row.baseline_values) for row in pooled] == [("", 20)]
    assert note(pooled, "pooled")[0].startswith("Values are pooled over pkg (2 levels).")


def test_runs_are_pooled_and_it_is_said_unless_they_are_to_stay_apart(tmp_path):
    text = go({"X": noisy(100)}, config={"date": "mon"}) + go({"X": noisy(100)}, config={"date": "tue"})
    assert note(compare(tmp_path, text, text), "pooled")
    apart = compare(tmp_path, text, text, within=["date"])
    assert [row.group for row in apart] == ["date: mon", "date: tue"]


def test_what_any_two_builds_differ_in_is_no_caution(tmp_path):
    days = {"date": ("2026-01-02T10:00:00Z", "2026-01-02T23:59:59Z")}
    for key, values in {"commit": ("a", "b"), "executable": ("./a", "./b"), **days}.items():
        old, new = (go({"X": noisy(100)}, config={key: value}) for value in values)
        assert note(compare(tmp_path, old, new), "configuration-differs") == [], key
    old, new = (go({"X": noisy(100)}, config={"date": f"2026-01-0{day}T10:00:00Z"}) for day in (2, 3))
    assert len(note(compare(tmp_path, old, new), "configuration-differs")) == 1


def test_machines_that_differ_are_warned_of(tmp_path):
    old, new = (go({"X": noisy(100)}, config={"cpu": cpu, "toolchain": cpu}) for cpu in ("a", "b"))
    result = compare(tmp_path, old, new)
    assert "cpu differs between the builds (a / b)" in note(result, "machine-differs")[0]
    assert note(result, "configuration-differs") == ["toolchain differs between the builds: a / b."]


def test_the_machine_is_named_behind_however_many_other_keys(tmp_path):
    """Of many keys that differ only the first are shown; one that tells machines apart always is."""
    many = [*(f"key{number:02}" for number in range(20)), "cpu"]
    sides = [go({"A": noisy(10)}, config=dict.fromkeys(many, side)) for side in ("a", "b")]
    result = compare(tmp_path, *sides)
    assert "cpu differs between the builds (a / b)" in note(result, "machine-differs")[0]
    assert "more keys differ" in " ".join(note(result, "configuration-differs"))


def test_units_that_differ_between_the_sides_are_not_compared_with_each_other(tmp_path):
    result = compare(
        tmp_path,
        table([{"benchmark": "X", "value": 5, "unit": "ms"}]),
        table([{"benchmark": "X", "value": 5, "unit": "kB"}]),
    )
    assert {(row.unit, row.verdict) for row in result} == {("s", "missing"), ("B", "new")}


def test_one_unit_written_in_two_ways_is_one_unit(tmp_path):
    old = table([{"benchmark": "X", "value": v, "unit": "ms"} for v in (5, 5.1, 5.2)])
    new = table([{"benchmark": "X", "value": v, "unit": "us"} for v in (5000, 5100, 5200)])
    row = compare(tmp_path, old, new)[0]
    assert (row.unit, row.change) == ("s", pytest.approx(0, abs=1e-12))
    assert row.baseline_centre == pytest.approx(row.contender_centre) == pytest.approx(0.0051)


def test_three_variants_are_each_compared_with_the_first(tmp_path):
    write(tmp_path, a=go({"X": noisy(100)}), b=go({"X": noisy(120, seed=2)}), c=go({"X": noisy(80, seed=3)}))
    result = statera.compare(*(tmp_path / name for name in "abc"))
    assert [(r.contender, r.verdict) for r in result] == [("b", "worse"), ("c", "better")]
    assert result.weighing.family == 2


def test_a_time_below_a_cycle_is_told(tmp_path):
    old = go({"Sum": noisy(2.5), "Size": noisy(100)})
    found = compare(tmp_path, old, go({"Sum": noisy(0.25, seed=2), "Size": noisy(100, seed=3)}))
    (told,) = note(found, "removed-work")
    assert "removed the work of Sum: " in told
