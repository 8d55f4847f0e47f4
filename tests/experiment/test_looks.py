"""The looks of an experiment, and what each look settles."""

import random
import re
from itertools import pairwise, product
from math import inf
from types import SimpleNamespace

import pytest

import statera
from statera import Policy
from statera.experiment.looks import LookOutcome, _is_hopeless, _width, examined
from statera.experiment.plan import Rounds
from statera.experiment.schedule import looks, share_of_last, width_looks
from support import ROOT, table, write


def decided(limit=60):
    return Rounds(None, "decided", None, *looks(limit))


def rounds(benchmarks, count, *, share=0.1, seed=1, metric="value", program=None):
    """Rounds of both variants: {benchmark: (change, noise)}; the noise of each value is independent."""
    chance = random.Random(seed)
    return [
        {
            "benchmark": name,
            "metric": metric,
            "unit": "s",
            "value": (1 + change * variant) * chance.lognormvariate(0, noise),
            "variant": "ab"[variant],
            "block": f"{i}",
            "process": f"{program}{metric}{name}{i}",
            "alpha_share": share,
            "program": program or "",
        }
        for name, (change, noise) in benchmarks.items()
        for i in range(count)
        for variant in range(2)
    ]


def compared(folder, lines, **settings):
    [file] = write(folder, **{"all.csv": table(lines)})
    return statera.compare(file, by="variant", policy=Policy(**settings))


def test_the_looks_that_the_documentation_names():
    assert looks() == ((9, 13, 19, 28, 41, 60), (0.1, 0.1, 0.1, 0.1, 0.1, 0.5))


def test_looks_ascend_to_the_limit_spend_all_of_alpha_and_come_when_their_test_can_be_significant():
    for limit, alpha in product((*range(1, 130), 200, 600, 5000), (0.2, 0.05, 0.01, 0.001)):
        numbers, shares = looks(limit, alpha)
        assert numbers[-1] == limit, (limit, alpha)
        assert all(before < after for before, after in pairwise(numbers)), (limit, alpha)
        assert sum(shares) == pytest.approx(1), (limit, alpha)
        assert min(shares) > 0, (limit, alpha)
        assert len(numbers) == len(shares) <= 6, (limit, alpha)
        if len(numbers) > 1:
            pairs = zip(numbers, shares, strict=True)
            assert all(2 / 2**n <= 0.9 * alpha * share for n, share in pairs), (limit, alpha)


def spent(limit):
    """The round in which each tenth of alpha is spent."""
    return [n for n, share in zip(*looks(limit), strict=True) for _ in range(round(10 * share))]


def test_one_round_more_at_the_limit_moves_no_tenth_of_alpha_by_more_than_a_round():
    for limit in range(1, 1000):
        moves = [after - before for before, after in zip(spent(limit), spent(limit + 1), strict=True)]
        assert {*moves} <= {0, 1}, limit


def test_the_last_look_spends_what_is_left():
    plan = decided()
    assert [share_of_last(plan, look) for look in range(1, 7)] == pytest.approx([1, 0.9, 0.8, 0.7, 0.6, 0.5])
    assert share_of_last(Rounds(None, "width", 0.01, *width_looks()), 3) == 0.6


def test_looks_at_widths_come_every_few_rounds():
    numbers, shares = width_looks()
    assert (numbers[0], numbers[-1], {*shares}) == (9, 60, {0.6})
    assert all(1 <= after - before <= 0.1 * before + 1 for before, after in pairwise(numbers))
    assert width_looks(4)[0] == (4,)


def test_the_simulation_has_the_same_looks():
    text = (ROOT / "crates/weighing/examples/calibrate/looks.rs").read_text()
    stated = re.search(r"const LOOKS: .*?= \[(.*?)\];", text, re.DOTALL)
    pairs = re.findall(r"\((\d+), ([\d.]+)\)", stated[1])
    assert [(int(n), float(share)) for n, share in pairs] == [*zip(*looks(), strict=True)]
    assert "const WIDTH_STEP: f64 = 1.1;\nconst WIDTH_SHARE: f64 = 0.6;" in text


def test_a_benchmark_is_settled_if_compare_calls_it_at_the_level_of_the_look(tmp_path):
    for seed, share in product(range(12), (0.1, 0.5)):
        chance = random.Random(seed)
        truth = {"X": (chance.choice([0, 0.01, 0.03, 0.05]), chance.choice([0.005, 0.01, 0.02]))}
        count = chance.choice([9, 13, 28])
        at_look = compared(tmp_path, rounds(truth, count, share=share, seed=seed))
        whole = compared(tmp_path, rounds(truth, count, share=1, seed=seed), alpha=0.05 * share)
        assert at_look[0].verdict == whole[0].verdict, (seed, share)
        undecided = examined(at_look, ["X"], decided(), 1).undecided
        assert (undecided == ()) == (whole[0].verdict not in {"inconclusive", "differs"}), (seed, share)


def test_changed_and_equivalent_benchmarks_are_settled_and_noisy_ones_go_on(tmp_path):
    lines = rounds({"slow": (0.1, 0.01), "same": (0, 0.003), "noisy": (0, 0.2)}, 13)
    found = examined(compared(tmp_path, lines), ["noisy", "same", "slow", "never ran"], decided(), 2)
    assert found == LookOutcome(("noisy", "never ran"), ("noisy",))


def test_every_primary_metric_must_be_settled(tmp_path):
    lines = rounds({"X": (0.1, 0.01)}, 13) + rounds({"X": (0, 0.2)}, 13, metric="cpu", seed=2)
    assert examined(compared(tmp_path, lines), ["X"], decided(), 2).undecided == ("X",)
    lines = rounds({"X": (0.1, 0.01)}, 13) + rounds({"X": (0.1, 0.01)}, 13, metric="cpu", seed=2)
    assert examined(compared(tmp_path, lines), ["X"], decided(), 2).undecided == ()


def test_the_last_rows_of_a_program_settle_it(tmp_path):
    first = rounds({"Add": (0.1, 0.01), "Mul": (0.1, 0.01)}, 13, program="decimal")
    second = rounds({"Add2": (0.1, 0.01), "Mul2": (0, 0.2)}, 13, program="big", seed=3)
    found = examined(compared(tmp_path, first + second), ["decimal", "big"], decided(), 2)
    assert found == LookOutcome(("big",), ("big",))


def test_few_rounds_do_not_settle_by_a_t_test(tmp_path):
    result = compared(tmp_path, rounds({"X": (0.5, 0.01)}, 5, share=1))
    assert result[0].verdict == "differs"
    assert examined(result, ["X"], decided(5), 1).undecided == ("X",)


def test_a_variant_without_values_has_nothing_to_wait_for(tmp_path):
    lines = [
        line
        for line in rounds({"X": (0, 0.2), "Y": (0, 0.003)}, 13)
        if (line["benchmark"], line["variant"]) != ("X", "b")
    ]
    found = examined(compared(tmp_path, lines), ["X", "Y"], decided(), 1)
    assert found.undecided == ()


def test_what_the_limit_cannot_decide_is_named_from_the_second_look_on(tmp_path):
    result = compared(tmp_path, rounds({"noisy": (0, 0.2), "near": (0, 0.02)}, 13, seed=2))
    names = ["noisy", "near"]
    assert [examined(result, names, decided(), look).hopeless for look in (1, 2, 5, 6)] == [
        (),
        ("noisy",),
        ("noisy",),
        (),
    ]


def test_a_large_change_in_much_noise_is_not_given_up(tmp_path):
    result = compared(tmp_path, rounds({"X": (0.35, 0.35)}, 13, seed=4))
    assert result[0].verdict == "inconclusive"
    assert examined(result, ["X"], decided(), 2) == LookOutcome(("X",), ())


def test_a_row_without_a_forecast_or_a_change_is_not_given_up():
    rows = {(None, 0.1): False, (0, 0.1): False, (10**6, None): False, (10**6, 0.01): True}
    fixed = {"scale": "ratio", "margin": 0.02}
    comparison = SimpleNamespace(policy=Policy())
    for (needed, change), hopeless in rows.items():
        row = {**fixed, "runs_needed": needed, "change": change}
        assert _is_hopeless(comparison, row, decided(), 2, 1) == hopeless, row


def test_a_width_is_reached_by_each_interval(tmp_path):
    plan = Rounds(None, "width", 0.03, *width_looks())
    lines = rounds({"narrow": (0.05, 0.01), "wide": (0.05, 0.03), "hopeless": (0, 0.2)}, 13, share=0.6)
    result = compared(tmp_path, lines)
    found = examined(result, ["narrow", "wide", "hopeless"], plan, 5)
    assert found == LookOutcome(("wide", "hopeless"), ("hopeless",))
    width = {row.benchmark: (1 + row.change_high) / (1 + row.change_low) - 1 for row in result}
    assert width["narrow"] < 0.03 < width["wide"]


def test_the_width_of_an_interval_is_relative():
    rows = [
        ("ratio", -0.5, 0.5, 1.0, 2.0),
        ("ratio", 0.0, 0.25, 1.0, 0.25),
        ("ratio", -1.0, 0.5, 1.0, inf),
        ("ratio", None, 0.5, 1.0, inf),
        ("difference", -1.0, 3.0, -8.0, 0.5),
        ("difference", -1.0, 3.0, 0.0, inf),
    ]
    keys = ("scale", "change_low", "change_high", "baseline_centre")
    assert [_width(dict(zip(keys, row, strict=False))) for row in rows] == [row[-1] for row in rows]
