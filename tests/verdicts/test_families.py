"""Many variants and many rows: the tests over all variants, the two stages, the joint relabelings, the interactions."""

import random

import numpy as np
import pytest
from scipy import stats

import statera
from statera import Policy
from support import every, go, noisy, table, write


def files(folder, variants):
    """One Go file a variant: {name: {benchmark: values}}."""
    return write(folder, **{f"{name}.txt": go(benchmarks) for name, benchmarks in variants.items()})


def blocked(folder, rows):
    """A table of (variant, level, block, value)."""
    names = ("variant", "level", "block", "value")
    text = table([{"benchmark": "X", **dict(zip(names, row, strict=True))} for row in rows])
    (path,) = write(folder, **{"t.csv": text})
    return path


COLUMNS = {"variant": "variant", "block": "block", "value": "value"}


def test_independent_variants_have_kruskal_and_wallis(tmp_path):
    samples = [noisy(100 + shift, 9, seed=shift, spread=0.02) for shift in (0, 1, 3)]
    paths = files(tmp_path, {f"v{i}": {"X": sample} for i, sample in enumerate(samples)})
    (test,) = statera.compare(*paths).omnibus
    wanted = stats.kruskal(*samples)
    assert (test["test"], test["design"], test["n"]) == ("kruskal-wallis", "independent", 27)
    assert (test["statistic"], test["p"]) == pytest.approx((wanted.statistic, wanted.pvalue), rel=1e-9)
    assert test["effect_size"] == pytest.approx(wanted.statistic / 26)


def grid(seed, blocks=12):
    """Values of three variants on blocks of very different size."""
    chance = random.Random(seed)  # noqa: S311 - noise, no secret
    return [
        [10 ** chance.uniform(0, 3) * (1 + 0.05 * v) * chance.uniform(0.97, 1.03) for v in range(3)]
        for _ in range(blocks)
    ]


@every("omnibus", ["friedman", "quade"])
def test_paired_variants_have_friedman_or_quade(tmp_path, omnibus):
    values = grid(1)
    rows = [(f"v{v}", "1", f"b{b}", repr(x)) for b, block in enumerate(values) for v, x in enumerate(block)]
    policy = Policy(omnibus=omnibus)
    (test,) = statera.compare(blocked(tmp_path, rows), by="variant", columns=COLUMNS, policy=policy).omnibus
    assert (test["test"], test["design"], test["n"], test["blocks_dropped"]) == (omnibus, "paired", 12, 0)
    if omnibus == "friedman":
        wanted = stats.friedmanchisquare(*np.transpose(values))
        assert (test["statistic"], test["p"]) == pytest.approx((wanted.statistic, wanted.pvalue), rel=1e-9)
        assert test["effect_size"] == pytest.approx(wanted.statistic / (12 * 2))
        return
    # Quade (1979) by its definition, on logarithms.
    logs = np.log(values)
    weights = stats.rankdata(np.ptp(logs, axis=1))
    scores = weights[:, None] * (stats.rankdata(logs, axis=1) - 2)
    total, between = (scores**2).sum(), (scores.sum(axis=0) ** 2).sum() / 12
    f = 11 * between / (total - between)
    assert test["statistic"] == pytest.approx(f, rel=1e-9)
    assert test["p"] == pytest.approx(stats.f.sf(f, 2, 22), rel=1e-9)


def test_blocks_that_a_variant_lacks_are_counted(tmp_path):
    rows = [(f"v{v}", "1", f"b{b}", repr(x)) for b, block in enumerate(grid(2)) for v, x in enumerate(block)]
    (test,) = statera.compare(blocked(tmp_path, rows[1:]), by="variant", columns=COLUMNS).omnibus
    assert (test["n"], test["blocks_dropped"]) == (11, 1)


def found_by_definition(families, alpha):
    """Benjamini & Bogomolov: the pairs found at alpha, given each family's p and those of its pairs."""
    order = sorted(range(len(families)), key=lambda i: families[i][0])
    count = len(families)
    selected = max((k for k, i in enumerate(order, 1) if families[i][0] <= alpha * k / count), default=0)
    found = set()
    for i in order[:selected]:
        pairs = sorted(families[i][1], key=families[i][1].get)
        for k, pair in enumerate(pairs):
            if families[i][1][pair] > alpha * selected / count / (len(pairs) - k):
                break
            found.add((i, pair))
    return found


def test_two_stages_find_at_each_alpha_what_their_definition_finds(tmp_path):
    chance = random.Random(7)  # noqa: S311
    shifts = {f"B{b}": [0, chance.choice([0, 1, 2, 4]), chance.choice([0, 1, 3])] for b in range(12)}
    variants = {
        f"v{v}": {b: noisy(100 + s[v], 8, seed=hash_of(b, v), spread=0.012) for b, s in shifts.items()}
        for v in range(3)
    }
    policy = Policy(correction="two-stage")
    comparison = statera.compare(*files(tmp_path, variants), pairs="all", policy=policy)
    assert comparison.family["how"] == "two-stage"
    names = [test["benchmark"] for test in comparison.omnibus]
    families = [
        (test["p"], {(row.baseline, row.contender): row.p for row in comparison if row.benchmark == test["benchmark"]})
        for test in comparison.omnibus
    ]
    for alpha in (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 1e-4):
        ours = {
            (names.index(row.benchmark), (row.baseline, row.contender))
            for row in comparison
            if row.p_corrected <= alpha * (1 + 1e-12)
        }
        assert ours == found_by_definition(families, alpha), alpha
    assert all(row.p_corrected >= row.p for row in comparison)


def hash_of(benchmark, variant):
    return int(benchmark[1:]) * 10 + variant


@every("correction", ["auto", "westfall-young"])
def test_relabelings_only_ever_add_doubt(tmp_path, correction):
    old = {f"B{i}": noisy(100, 5, seed=i, spread=0.02) for i in range(40)}
    new = {f"B{i}": noisy(100 + (10 if i < 3 else 0), 5, seed=i + 99, spread=0.02) for i in range(40)}
    comparison = statera.compare(*files(tmp_path, {"old": old, "new": new}), policy=Policy(correction=correction))
    assert comparison.family["how"] == {"auto": "pooled-null"}.get(correction, correction)
    assert all(row.p_corrected >= row.p for row in comparison)
    found = {row.benchmark for row in comparison if row.verdict == "worse"}
    assert found == {"B0", "B1", "B2"}
    assert all(row.change_low > 0 for row in comparison if row.verdict == "worse")


def slower(runs, slow, factor, variants=2):
    """A hundred benchmarks with noise of 2 %, of which the first are slower in the second variant."""
    return [
        {
            f"B{i}": noisy(100 * (factor if v == 1 and i < slow else 1), runs, seed=i + 1000 * v, spread=0.02)
            for i in range(100)
        }
        for v in range(variants)
    ]


def worse(folder, sides):
    comparison = statera.compare(*files(folder, {f"side{i}": side for i, side in enumerate(sides)}))
    assert comparison.family["how"] == "pooled-null"
    return {row.benchmark for row in comparison if row.verdict == "worse"}


FIVE = {f"B{i}" for i in range(5)}


def test_one_run_more_or_less_or_a_third_variant_leaves_the_other_verdicts(tmp_path):
    base, new = slower(5, 5, 1.1)
    assert worse(tmp_path, [base, new]) == FIVE
    for benchmark in ("B0", "B50"):
        ragged = {**new, benchmark: new[benchmark][:-1]}
        assert worse(tmp_path, [base, ragged]) >= FIVE - {"B0"}
    assert worse(tmp_path, slower(5, 5, 1.1, variants=3)) == FIVE
    assert worse(tmp_path, [{**base, "More": noisy(1, 5)}, {**new, "More": noisy(1, 5, seed=2)}]) == FIVE


@every("runs", [4, 5, 7, 8, 10, 20])
def test_one_changed_row_of_many_is_found_with_any_number_of_runs(tmp_path, runs):
    assert worse(tmp_path, slower(runs, 1, 1.2)) == {"B0"}


def test_three_runs_per_build_differ_by_a_parametric_test(tmp_path):
    old = {f"B{i}": noisy(100, 3, seed=i) for i in range(5)}
    new = {f"B{i}": noisy(1000, 3, seed=i + 9) for i in range(5)}
    comparison = statera.compare(*files(tmp_path, {"old": old, "new": new}))
    assert {(row.verdict, row.method, row.warnings) for row in comparison} == {("differs", "t", ("parametric",))}
    assert all(8.5 < row.change_low <= row.change <= row.change_high < 9.5 for row in comparison)
    same = statera.compare(*files(tmp_path, {"old": old, "new": {**old, "B0": noisy(100, 3, seed=7)}}))
    assert {row.verdict for row in same} == {"inconclusive"}
    one = statera.compare(*files(tmp_path, {"old": {"B": [1.0]}, "new": {"B": [2.0, 2.1, 2.2]}}))
    assert {(row.verdict, row.reason) for row in one} == {("inconclusive", "too-few")}
    (note,) = [note for note in one.notes if note.code == "too-few-runs"]
    assert note.text == "1 + 3 runs cannot show any change: the smallest possible p is 0.5. 4 + 4 runs can."
    table = "benchmark,block,variant,time (s)\nB,1,old,1\nB,1,new,2\nC,1,old,1\nC,1,new,2\n"
    (tmp_path / "t.csv").write_text(table)
    (note,) = [note for note in statera.compare(tmp_path / "t.csv", by="variant").notes if note.code == "too-few-runs"]
    assert note.text.startswith("1 pair cannot show any change")


@every("levels", [2, 3])
def test_effects_on_the_same_blocks_are_compared_block_by_block(tmp_path, levels):
    chance = random.Random(levels)  # noqa: S311
    rows, effects = [], []
    for b in range(15):
        effects.append([])
        for level in range(levels):
            size = 10 ** chance.uniform(0, 2)
            new = size * (1 + 0.1 * level) * chance.uniform(0.98, 1.02)
            rows += [("old", f"l{level}", f"b{b}", repr(size)), ("new", f"l{level}", f"b{b}", repr(new))]
            effects[-1].append(np.log(new / size))
    path = blocked(tmp_path, rows)
    comparison = statera.compare(path, by="variant", within=["level"], columns=COLUMNS)
    (found,) = comparison.interactions
    assert found["blocks"] == 15
    if levels == 2:
        wanted = stats.wilcoxon(*np.transpose(effects), method="exact").pvalue
        assert (found["test"], found["p"]) == ("signed-rank", pytest.approx(wanted, rel=1e-9))
        return
    wanted = stats.friedmanchisquare(*np.transpose(effects))
    assert (found["test"], found["statistic"]) == ("friedman", pytest.approx(wanted.statistic, rel=1e-9))
    assert found["p"] == pytest.approx(wanted.pvalue, rel=1e-9)
