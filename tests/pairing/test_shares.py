"""Results that were looked at several times: the share of alpha that a row may spend."""

import json

import pytest

import statera
from statera import Policy, Stop
from support import by_name, every, noisy, table, write

SHARE = "alpha_share"


def rounds(benchmarks, factor=1.0, seed=1):
    """A table of rounds: for each benchmark its number of rounds and its share of alpha (None: not stated)."""
    lines = []
    for place, (name, (count, share)) in enumerate(benchmarks.items()):
        for i, value in enumerate(noisy(100 * factor, count, seed=seed + place, spread=0.01)):
            lines.append({"benchmark": name, "value": value, "unit": "s", "block": f"r{i}", "process": f"{name}{i}"})
            lines[-1][SHARE] = "" if share is None else share
    return table(lines)


def compared(folder, benchmarks, factor=1.03, **settings):
    paths = write(folder, **{"old.csv": rounds(benchmarks), "new.csv": rounds(benchmarks, factor, seed=50)})
    return statera.compare(*paths, policy=Policy(**settings))


def notes(result, code):
    return [note for note in result.notes if note.code == code]


def test_p_is_divided_by_the_share_and_the_interval_is_as_much_wider(tmp_path):
    whole = compared(tmp_path, {"X": (20, None)})[0]
    row = compared(tmp_path, {"X": (20, 0.1)})[0]
    assert row.p == pytest.approx(10 * whole.p)
    assert row.least_p == pytest.approx(10 * whole.least_p)
    assert row.p_corrected == pytest.approx(10 * whole.p_corrected)
    assert whole.change_level < 0.96
    assert row.change_level >= 0.995
    assert row.change_low < whole.change_low < whole.change_high < row.change_high
    stricter = compared(tmp_path, {"X": (20, None)}, alpha=0.005)[0]
    assert (row.change_low, row.change_high) == (stricter.change_low, stricter.change_high)
    assert row.runs_needed == stricter.runs_needed


@every("share", [None, 1, "1.0"])
def test_a_share_of_one_changes_no_number(tmp_path, share):
    whole = compared(tmp_path, {"X": (20, None), "Y": (13, None)})
    assert [*compared(tmp_path, {"X": (20, share), "Y": (13, share)})] == [*whole]


def test_rounds_may_differ_and_are_one_family(tmp_path):
    result = compared(tmp_path, {"X": (9, 0.1), "Y": (60, 0.5), "Z": (19, 0.1)})
    rows = by_name(result)
    assert [rows[name].baseline_n for name in "XYZ"] == [9, 60, 19]
    assert result.weighing.family == 3
    assert rows["X"].change_level >= 0.995
    assert 0.975 <= rows["Y"].change_level < 0.98
    [note] = notes(result, "looks")
    assert "2 rows at 99.5% (0.1 of alpha), 1 row at 97.5% (0.5 of alpha)" in note.text
    assert "each divided by its look's share of alpha" in result.method


def test_the_share_is_no_configuration_of_the_measurement(tmp_path):
    result = compared(tmp_path, {"X": (9, 0.1), "Y": (60, 0.5)})
    assert len(result) == 2
    codes = {note.code for note in result.notes}
    assert not codes & {"configuration-differs", "pooled", "measured-elsewhere"}
    assert SHARE not in result.arrangement.common


def test_the_heading_of_the_interval_states_its_level(tmp_path):
    assert "99.5 % interval" in repr(compared(tmp_path, {"X": (12, 0.1)}))
    mixed = repr(compared(tmp_path, {"X": (9, 0.1), "Y": (60, 0.5)}))
    assert "interval" in mixed
    assert "% interval" not in mixed
    assert "95 % interval" in repr(compared(tmp_path, {"X": (12, None)}))


def test_the_smallest_share_of_a_rows_values_holds(tmp_path):
    old, new = write(tmp_path, **{"old.csv": rounds({"X": (20, 0.5)}), "new.csv": rounds({"X": (20, 0.1)}, 1.03, 50)})
    both = statera.compare(old, new)[0]
    assert both.p == pytest.approx(compared(tmp_path, {"X": (20, 0.1)})[0].p)


def test_tails_and_equivalence_follow_the_share(tmp_path):
    def side(slow, share):
        lines = [
            {"benchmark": "X", "value": v * (2 if i < slow else 1), "unit": "s", SHARE: share}
            for i, v in enumerate(noisy(100, 40, spread=0.001))
        ]
        return table(lines)

    def row(slow, share):
        return statera.compare(
            *write(tmp_path, **{"old.csv": side(0, share), "new.csv": side(slow, share)}), policy=policy
        )[0]

    policy = Policy(session=0.0)
    assert row(8, 0.1).tail_p == pytest.approx(min(1, 10 * row(8, 1).tail_p))
    assert row(0, 1).verdict == row(0, 0.1).verdict == "equivalent"
    assert row(0, 1).spread_p is None or row(0, 0.1).spread_p >= row(0, 1).spread_p


def test_a_margin_between_both_intervals_is_equivalent_at_one_level_only(tmp_path):
    whole, look = (compared(tmp_path, {"X": (20, share)}, 1.0)[0] for share in (None, 0.02))
    reach = [max(abs(row.change_low), abs(row.change_high)) for row in (whole, look)]
    assert reach[0] < reach[1]
    margin = sum(reach) / 2 * 1.02
    found = [compared(tmp_path, {"X": (20, share)}, 1.0, margin_time=margin)[0].verdict for share in (None, 0.02)]
    assert found == ["equivalent", "inconclusive"]


@every("correction", ["auto", "westfall-young", "two-stage", "holm", "benjamini-hochberg", "none"])
def test_every_correction_spends_the_share(tmp_path, correction):
    plain = compared(tmp_path, {"X": (12, None), "Y": (12, None)}, 1.008, correction=correction)
    look = compared(tmp_path, {"X": (12, 0.1), "Y": (12, 0.1)}, 1.008, correction=correction)
    for before, after in zip(plain, look, strict=True):
        assert after.p_corrected == pytest.approx(min(1, 10 * before.p_corrected))


def test_tests_over_all_variants_spend_it_too(tmp_path):
    def omnibus(share):
        texts = {f"{k}.csv": rounds({"X": (12, share)}, 1.005**k, seed=k) for k in range(3)}
        return statera.compare(*write(tmp_path, **texts)).omnibus[0]["p"]

    assert omnibus(0.1) == pytest.approx(min(1, 10 * omnibus(1)))


@every("share", ["0", "-0.1", "1.5", "nan", "inf", "a tenth"])
def test_anything_else_is_refused_by_name(tmp_path, share):
    with pytest.raises(Stop, match=f"old.csv: alpha_share is '{share}': it must be .* above 0 and at most 1") as stop:
        compared(tmp_path, {"X": (9, share)})
    assert stop.value.code == "bad-share"


def test_the_gate_the_report_and_converted_results_apply_it(run, tmp_path):
    names = ["old.csv", "new.csv"]
    benchmarks = {"X": (9, 0.01)}
    paths = write(tmp_path, **dict(zip(names, (rounds(benchmarks), rounds(benchmarks, 1.03, 50)), strict=True)))
    assert run("compare", *paths, "--fail-on", "worse").code == 0
    plain = {"X": (9, None)}
    strict = write(tmp_path, **{"a.csv": rounds(plain), "b.csv": rounds(plain, 1.03, 50)})
    assert run("compare", *strict, "--fail-on", "worse").code == 1
    whole = str(tmp_path / "all.csv")
    assert run("convert", f"old={paths[0]}", f"new={paths[1]}", "-o", whole).code == 0
    again = json.loads(run("compare", whole, "--by", "variant", "-f", "json").out)
    assert again["rows"][0]["p"] == statera.compare(*paths)[0].p


def test_an_interaction_spends_it_too(tmp_path):
    def interaction(share):
        lines = [
            {"benchmark": "X", "value": value * factor, "unit": "s", "block": f"r{i}", "size": size, "variant": name}
            | {SHARE: share}
            for seed, (name, size, factor) in enumerate(
                [("a", "small", 1), ("b", "small", 1.01), ("a", "large", 1), ("b", "large", 1.02)]
            )
            for i, value in enumerate(noisy(100, 12, seed=seed + 3, spread=0.01))
        ]
        [file] = write(tmp_path, **{"all.csv": table(lines)})
        [found] = statera.compare(file, by="variant", within=["size"]).interactions
        return found["p"]

    assert interaction(0.1) == pytest.approx(min(1, 10 * interaction(1)))
    assert interaction(0.5) == pytest.approx(2 * interaction(1))
