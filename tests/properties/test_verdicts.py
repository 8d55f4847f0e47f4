"""What must hold of every comparison, whatever the values. All designs, small samples, ties included."""

import itertools
import math
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import statera
from statera import Policy
from statera.comparison.codes import CHANGES
from statera.support.settings.policy import CORRECTIONS, OMNIBUS, SCALES
from support import compare, table, write

MIRROR = {"better": "worse", "worse": "better", "missing": "new", "new": "missing"}
POSITIVE = st.integers(1, 60)
ANY = st.integers(0, 5)
DISTINCT = st.floats(1e-3, 1e6)


def side(draw, design, count, values):
    """Rows of one variant: (benchmark, value, block, process)."""
    if design == "nested":
        return [(draw(values), "", f"p{i % count}") for i in range(count * 3)]
    if design == "paired":
        return [(draw(values), f"b{i}", "") for i in range(count)]
    return [(draw(values), "", "") for _ in range(count)]


@st.composite
def cases(draw, values=POSITIVE, designs=("independent", "paired", "nested", "single")):
    """Both variants as lists of (benchmark, value, block, process), of one design."""
    design = draw(st.sampled_from(designs))
    old, new = [], []
    for name in draw(st.sampled_from([("A",), ("A", "B"), ("A", "B", "C", "D")])):
        first, second = (1, 1) if design == "single" else (draw(st.integers(2, 9)), draw(st.integers(2, 9)))
        second = first if design == "paired" else second
        old += [(name, *row) for row in side(draw, design, first, values)]
        # A factor makes clear changes frequent.
        factor = draw(st.sampled_from([1, 1, 2]))
        new += [(name, value * factor, *rest) for value, *rest in side(draw, design, second, values)]
    return old, new


def text(rows, unit):
    keys = (
        ["benchmark", "value"]
        + (["block"] if any(r[2] for r in rows) else [])
        + (["process"] if any(r[3] for r in rows) else [])
    )
    return table(
        [
            {k: v for k, v in zip(("benchmark", "value", "block", "process"), row, strict=True) if k in keys}
            | {"unit": unit}
            for row in rows
        ]
    )


def weigh(case, unit="s", **policy):
    with tempfile.TemporaryDirectory() as folder:
        return compare(Path(folder), *(text(rows, unit) for rows in case), policy=Policy(**policy))


def same_p(one, other):
    return other.p == (None if one.p is None else pytest.approx(one.p, rel=1e-9))


@given(cases())
def test_swapping_the_variants_mirrors_everything(case):
    there, back = weigh(case), weigh(case[::-1])
    for one, other in zip(there, back, strict=True):
        assert other.verdict == MIRROR.get(one.verdict, one.verdict)
        assert (one.reason, one.design, one.method) == (other.reason, other.design, other.method)
        if one.p is not None:
            assert other.p == pytest.approx(one.p, rel=1e-9)
            assert (1 + one.change) * (1 + other.change) == pytest.approx(1)
            assert (1 + one.change_low) * (1 + other.change_high) == pytest.approx(1)
            assert one.superiority + other.superiority == pytest.approx(1)


@given(cases(ANY, ("independent", "paired", "nested")))
def test_swapping_never_leaves_better_better_where_zeros_forbid_ratios(case):
    for one, other in zip(weigh(case), weigh(case[::-1]), strict=True):
        assert other.verdict not in {"better", "worse"} or other.verdict != one.verdict
        assert same_p(one, other)


@given(cases(), st.sampled_from([2, 1000]))
def test_another_unit_changes_no_verdict(case, factor):
    scaled = tuple([(name, value * factor, *rest) for name, value, *rest in rows] for rows in case)
    one, other = weigh(case), weigh(scaled)
    assert [row.verdict for row in one] == [row.verdict for row in other]
    for a, b in zip(one, other, strict=True):
        assert same_p(a, b)
        assert b.change == pytest.approx(a.change, rel=1e-9, abs=1e-12)


@given(cases(ANY), st.sampled_from(["ms", "us", "min"]))
def test_another_unit_changes_no_verdict_on_differences(case, unit):
    one, other = weigh(case, scale="difference"), weigh(case, unit=unit, scale="difference")
    assert [row.verdict for row in one] == [row.verdict for row in other]
    for a, b in zip(one, other, strict=True):
        assert same_p(a, b)


@given(st.lists(st.tuples(st.integers(1000, 1040), st.integers(1000, 1040)), min_size=9, max_size=11))
def test_differences_that_tie_in_the_file_tie_in_any_unit(pairs):
    """Microseconds become seconds, where 0.001009 - 0.001004 is not 0.001008 - 0.001003."""
    case = tuple([("A", pair[k], f"b{i}", "") for i, pair in enumerate(pairs)] for k in (0, 1))
    differences = [new - old for old, new in pairs]
    assume(any(differences))
    (row,) = weigh(case, unit="us", scale="difference")
    want = exact_signed_rank(differences)
    assert row.p == pytest.approx(want, rel=1e-9)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=6, max_size=11))
def test_ratios_that_tie_in_the_file_tie_on_the_scale_of_the_test(pairs):
    """From 1 to 2 is as far as from 3 to 6, though the logarithms differ in their last digit."""
    case = tuple([("A", pair[k], f"b{i}", "") for i, pair in enumerate(pairs)] for k in (0, 1))
    sizes = [Fraction(new, old) for old, new in pairs]
    assume(any(size != 1 for size in sizes))
    # The size of a ratio below one is its inverse; subtracting one keeps order, ties, zeros and sign.
    differences = [size - 1 if size >= 1 else 1 - 1 / size for size in sizes]
    (row,) = weigh(case)
    assert row.p == pytest.approx(exact_signed_rank(differences), rel=1e-9)


def exact_signed_rank(differences):
    """The definition: all signs equally likely, ranks of the sizes averaged over ties, zeros dropped."""
    kept = [d for d in differences if d]
    ranks = stats.rankdata([float(abs(d)) for d in kept])
    middle = ranks.sum() / 2
    seen = abs(sum(rank for rank, d in zip(ranks, kept, strict=True) if d > 0) - middle)
    sums = np.zeros(1)
    for rank in ranks:
        sums = np.concatenate([sums, sums + rank])
    return np.mean(np.abs(sums - middle) >= seen - 1e-9)


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_samples_changes_no_verdict(case, chance):
    shuffled = []
    for rows in case:
        copy = list(rows)
        chance.shuffle(copy)
        # The order of first appearance stays, since it is the order of the rows.
        shuffled.append(sorted(copy, key=lambda row: row[0]))
    for one, other in zip(weigh(case), weigh(shuffled), strict=True):
        assert (one.verdict, one.reason) == (other.verdict, other.reason)
        assert same_p(one, other)


@given(cases())
def test_the_other_direction_swaps_better_and_worse_and_nothing_else(case):
    lower, higher, none = (weigh(case, directions=(("value", way),)) for way in ("lower", "higher", "none"))
    for one, other, neither in zip(lower, higher, none, strict=True):
        assert other.verdict == MIRROR.get(one.verdict, one.verdict)
        assert neither.verdict == ("changed" if one.verdict in {"better", "worse"} else one.verdict)
        assert one.p == other.p == neither.p


def consistent(row, margin, alpha):
    """Whether a row's verdict follows from its own interval and p-value."""
    if row.verdict in {"better", "worse"}:
        assert not row.change_low < 0 < row.change_high
        assert (row.change > 0) == (row.verdict == "worse")
        assert row.p_corrected <= alpha
    if row.verdict == "equivalent":
        width = margin * abs(row.baseline_centre)
        low, high = (1 / (1 + margin) - 1, margin) if row.scale == "ratio" else (-width, width)
        assert low <= row.change_low <= row.change_high <= high
    if row.change_low is not None:
        assert row.change_low <= row.change <= row.change_high
        assert row.p_corrected >= row.p >= 0


@pytest.mark.parametrize("values", [POSITIVE, ANY, DISTINCT], ids=["ties", "zeros", "distinct"])
def test_no_verdict_contradicts_its_interval(values):
    @given(cases(values), st.sampled_from([0.0, 0.02, 0.5]), st.sampled_from([0.01, 0.05, 0.2]))
    def holds(case, margin, alpha):
        for row in weigh(case, margins=(("*", margin),), alpha=alpha):
            consistent(row, margin, alpha)

    holds()


@pytest.mark.parametrize("values", [POSITIVE, ANY, DISTINCT], ids=["ties", "zeros", "distinct"])
def test_nor_does_any_of_many_variants_under_any_correction(values):
    designs = st.sampled_from(["independent", "paired", "nested"])

    @given(st.data(), designs, st.sampled_from(CORRECTIONS), st.sampled_from(SCALES), st.sampled_from(OMNIBUS))
    def holds(data, design, correction, scale, omnibus):
        variants = data.draw(st.integers(2, 4))
        count, benchmarks = data.draw(st.integers(2, 7)), data.draw(st.sampled_from([1, 3, 12]))
        sides = []
        for _ in range(variants):
            rows = [(f"B{b}", *row) for b in range(benchmarks) for row in side(data.draw, design, count, values)]
            factor = data.draw(st.sampled_from([1, 1, 3]))
            sides.append([(name, value * factor, *rest) for name, value, *rest in rows])
        policy = {"correction": correction, "scale": scale, "omnibus": omnibus, "alpha": 0.1}
        with tempfile.TemporaryDirectory() as folder:
            texts = {f"v{i}.csv": text(rows, "s") for i, rows in enumerate(sides)}
            comparison = statera.compare(*write(Path(folder), **texts), pairs="all", policy=Policy(**policy))
        assert len(comparison) == benchmarks * variants * (variants - 1) // 2
        for row in comparison:
            consistent(row, 0.02, 0.1)
        for test in comparison.omnibus:
            assert 0 <= test["p"] <= test["p_corrected"] <= 1
            assert -1e-12 <= test["effect_size"] <= 1 + 1e-12

    holds()


@given(st.lists(DISTINCT, min_size=2, max_size=14, unique=True), st.integers(1, 13))
def test_p_is_scipys_exact_mann_whitney(values, cut):
    assume(cut < len(values))
    # Sorted values say nothing about their order of measurement, and so about their dependence.
    old, new = sorted(values[:cut]), sorted(values[cut:])
    assume(len({math.log(value) for value in values}) == len(values))
    assume(len(old) > 1 or len(new) > 1)
    row = weigh(([("A", v, "", "") for v in old], [("A", v, "", "") for v in new]))[0]
    # So few values are tested by t.
    assume(row.method != "t")
    want = stats.mannwhitneyu(new, old, alternative="two-sided", method="exact")
    assert row.p == pytest.approx(want.pvalue, rel=1e-9)
    assert row.superiority == pytest.approx(want.statistic / (len(old) * len(new)))


@given(st.lists(st.tuples(DISTINCT, DISTINCT), min_size=2, max_size=16))
def test_p_is_scipys_exact_signed_rank(pairs):
    differences = [math.log(new) - math.log(old) for old, new in pairs]
    sizes = sorted(abs(d) for d in differences)
    assume(sizes[0] > 1e-9)
    assume(all(b - a > 1e-9 for a, b in itertools.pairwise(sizes)))
    sides = ([("A", pair[k], f"b{i}", "") for i, pair in enumerate(pairs)] for k in (0, 1))
    row = weigh(tuple(sides))[0]
    assert row.design == "paired"
    assume(row.method != "t")
    assert row.p == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue, rel=1e-9)
    walsh = [(a + b) / 2 for a, b in itertools.combinations_with_replacement(differences, 2)]
    assert row.change == pytest.approx(np.expm1(np.median(walsh)), rel=1e-9, abs=1e-12)


@given(cases(DISTINCT, ("independent",)))
def test_the_typical_change_is_the_median_of_all_pairwise_log_differences(case):
    for row in (row for row in weigh(case) if row.method != "t"):
        old, new = (np.log([value for name, value, *_ in rows if name == row.benchmark]) for rows in case)
        assert row.change == pytest.approx(np.expm1(np.median(np.subtract.outer(new, old))), rel=1e-9, abs=1e-12)


@given(cases())
def test_corrected_p_is_scipys_false_discovery_control(case):
    for name, method in (("benjamini-hochberg", "bh"), ("benjamini-yekutieli", "by")):
        rows = [row for row in weigh(case, correction=name) if row.p is not None]
        if rows:
            want = stats.false_discovery_control([row.p for row in rows], method=method)
            assert [row.p_corrected for row in rows] == pytest.approx(list(want), rel=1e-9)


@given(cases())
def test_correction_only_ever_turns_a_verdict_into_inconclusive(case):
    for free, corrected in zip(weigh(case, correction="none"), weigh(case), strict=True):
        assert corrected.verdict in {free.verdict, "inconclusive"}
        assert free.change == corrected.change
        if corrected.p is None or corrected.verdict == "inconclusive":
            assert (free.change_low, free.change_high) == (corrected.change_low, corrected.change_high)
        else:
            # A called row has a wider interval, on the same side of no change.
            assert corrected.change_low <= free.change_low
            assert corrected.change_high >= free.change_high
            assert corrected.change_low * corrected.change_high >= 0


@given(cases(), st.sampled_from(["name", "effect", "p", "worst"]))
def test_what_is_displayed_is_a_part_of_the_whole_in_another_order(case, order):
    result = weigh(case)
    everything = list(range(len(result)))
    assert sorted(result.weighing.order(everything, order, changed=False)) == everything
    changed = result.weighing.order(everything, order, changed=True)
    # What differs without a decision is a change that more data may take back.
    assert {result[i].verdict for i in changed} <= set(CHANGES)
    again = weigh(case)
    assert [(r.verdict, r.p_corrected) for r in again] == [(r.verdict, r.p_corrected) for r in result]


@given(cases(DISTINCT, ("independent",)))
def test_centres_are_medians(case):
    for row in weigh(case):
        for rows, centre in zip(case, (row.baseline_centre, row.contender_centre), strict=True):
            assert centre == pytest.approx(np.median([v for name, v, *_ in rows if name == row.benchmark]))


@given(st.lists(st.integers(1, 9), min_size=3, max_size=6), st.integers(1, 9), st.integers(1, 9))
def test_exact_counts_differ_or_they_do_not(sizes, old, new):
    case = ([("A", old, "", "")] * len(sizes), [("A", new, "", "")] * len(sizes))
    (row,) = weigh(case, unit="allocs/op")
    assert row.design == "exact"
    assert row.verdict == ("equivalent" if old == new else "worse" if new > old else "better")
    assert row.change == pytest.approx(new / old - 1)
