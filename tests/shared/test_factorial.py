"""Three builds under three compilers, replayed slot by slot: one command gives every figure of the reference."""

import json

import pytest
from study import BUILDS, COMPILERS


@pytest.fixture
def compared(run, manifest):
    def compare(*words):
        result = run("compare", "--variants", manifest, "--metric", "totalTime", "-f", "json", *words)
        assert result.code == 0, result.err
        return json.loads(result.out)

    return compare


def at(entries, compiler):
    return [entry for entry in entries if entry["group"] == f"ghc: {compiler}"]


def test_the_paired_omnibus_is_friedmans(compared, reference):
    result = compared("--by", "branch", "--within", "ghc", "--pairs", "all")
    for compiler in COMPILERS:
        (test,) = at(result["omnibus"], compiler)
        wanted = reference["friedman_by_branch"][compiler]
        assert (test["test"], test["n"], test["variants"]) == ("friedman", 122, 3)
        assert test["statistic"] == pytest.approx(wanted["chi2"], rel=1e-9)
        assert test["p"] == pytest.approx(wanted["p"], rel=1e-9)
    assert any(note["text"] == "Paired by slot." for note in result["notes"])


@pytest.mark.parametrize("scale", ["difference", "auto"])
def test_every_pair_has_the_reference_p(compared, reference, scale):
    result = compared("--by", "branch", "--within", "ghc", "--pairs", "all", "--scale", scale)
    for compiler in COMPILERS:
        rows = {(row["contender"], row["baseline"]): row for row in at(result["rows"], compiler)}
        for (one, other), row in rows.items():
            raw = reference["wilcoxon_signed_rank_raw_p"][compiler]
            on_logs = reference["wilcoxon_signed_rank_on_log_ratios"]["values"][compiler]
            name = f"{one} vs {other}" if f"{one} vs {other}" in raw else f"{other} vs {one}"
            wanted = raw[name] if scale == "difference" else on_logs[name]["p"]
            assert row["p"] == pytest.approx(wanted, rel=1e-9)
            if scale == "auto":
                ratio = 1 + row["change"] if name.startswith(one) else 1 / (1 + row["change"])
                assert ratio == pytest.approx(on_logs[name]["typical_ratio"], rel=1e-9)
        assert len(rows) == 3


def test_holm_within_each_compiler_decides_the_pairs(compared, reference):
    two_stages = ("--correction", "two-stage", "--scale", "difference")
    result = compared("--by", "branch", "--within", "ghc", "--pairs", "all", *two_stages)
    assert result["correction"]["how"] == "two-stage"
    assert (result["correction"]["families"], result["correction"]["selected"]) == (3, 3)
    for compiler in COMPILERS:
        rows = sorted(at(result["rows"], compiler), key=lambda row: row["p"])
        raw = sorted(reference["wilcoxon_signed_rank_raw_p"][compiler].values())
        holm = [min(1, max(p * (3 - i) for i, p in enumerate(raw[: k + 1]))) for k in range(3)]
        # All three compilers are selected, so that a pair stands at its Holm p, or at the p of all variants.
        (test,) = at(result["omnibus"], compiler)
        for row, wanted in zip(rows, holm, strict=True):
            assert row["p_corrected"] == pytest.approx(max(wanted, test["p_corrected"]), rel=1e-9)


def test_unpaired_is_kruskal_wallis_at_each_compiler_and_over_all_branches(compared, reference):
    apart = compared("--by", "branch", "--within", "ghc", "--unpaired")
    known = reference["kruskal"]
    for compiler in COMPILERS:
        (test,) = at(apart["omnibus"], compiler)
        wanted = known[f"by branch within {compiler}"]
        assert test["test"] == "kruskal-wallis"
        assert (test["statistic"], test["p"]) == pytest.approx((wanted["H"], wanted["p"]), rel=1e-9)
    assert any(note["code"] == "pairing-unused" for note in apart["notes"])
    pooled = compared("--by", "ghc", "--pool", "branch", "--unpaired")
    (test,) = pooled["omnibus"]
    wanted = known["by GHC, all branches pooled"]
    assert test["n"] == 9 * 122
    assert (test["statistic"], test["df"], test["p"]) == pytest.approx((wanted["H"], 2, wanted["p"]), rel=1e-9)


def test_the_findings_in_words_are_the_right_ones(run, manifest, compared):
    result = compared("--by", "branch", "--within", "ghc")
    verdicts = {(row["group"], row["contender"]): row["verdict"] for row in result["rows"]}
    assert verdicts == {
        ("ghc: 8.10.7", "SplitUMElem"): "differs",
        ("ghc: 8.10.7", "NoFailT"): "inconclusive",
        ("ghc: 9.2", "SplitUMElem"): "differs",
        ("ghc: 9.2", "NoFailT"): "differs",
        ("ghc: 9.6.2", "SplitUMElem"): "differs",
        ("ghc: 9.6.2", "NoFailT"): "differs",
    }
    # Each build was replayed once, in one process.
    slower = {key for key, row in zip(verdicts, result["rows"], strict=True) if row["change_low"] > 0}
    assert slower == {("ghc: 8.10.7", "SplitUMElem"), ("ghc: 9.2", "NoFailT"), ("ghc: 9.6.2", "NoFailT")}
    (row,) = [row for row in at(result["rows"], "8.10.7") if row["contender"] == "NoFailT"]
    assert (row["change_low"], row["change_high"]) == pytest.approx((-0.012, 0.006), abs=0.001)
    assert all("one-process" in row["warnings"] for row in result["rows"])
    shown = run("compare", "--variants", manifest, "--metric", "totalTime", "--by", "branch", "--within", "ghc")
    assert "5 differ (worst ledger-ops of NoFailT at ghc: 9.2 +4.79%, one process per build)" in shown.out
    told = [line for line in shown.out.splitlines() if line.startswith("ledger-ops  ")]
    assert [line.count("differs") for line in told] == [2, 1, 2]
    assert "Does the effect of branch depend on ghc?" in shown.out
    assert {each["p_corrected"] < 1e-6 for each in result["interactions"]} == {True}


def test_medians_quartiles_and_percentiles(compared, reference):
    result = compared("--by", "branch", "--within", "ghc", "--quantiles=5,10,50,90,95")
    for compiler in COMPILERS:
        for entry in at(result["quantiles"], compiler):
            build = entry["variant"]
            wanted = reference["median_iqr"][compiler][build]
            assert [entry["median"] * 1e6, entry["iqr"] * 1e6] == pytest.approx(wanted, rel=1e-9)
            wanted = reference["percentiles_5_10_50_90_95"][compiler][build]
            assert [value * 1e6 for value in entry["quantiles"]] == pytest.approx(wanted, rel=1e-9)


def table(result):
    return {(entry["group"], entry["variant"]): entry["quantiles"] for entry in result["quantiles"]}


def test_the_two_tables_of_speed_up(compared, reference):
    deciles = "--quantiles=" + ",".join(str(level) for level in range(0, 101, 10))
    known = reference["speedup_percent_at_deciles_0_to_100"]
    own = compared("--by", "ghc", "--within", "branch", deciles)
    for build in BUILDS:
        wanted = known["each_branch_against_its_own_8.10.7"][build]
        speed = {entry["contender"]: entry["speed_up"] for entry in own["speed_ups"] if entry["group"].endswith(build)}
        assert [100 * value for value in speed["9.2"]] == pytest.approx(wanted["speedup92"], rel=1e-9)
        assert [100 * value for value in speed["9.6.2"]] == pytest.approx(wanted["speedup96"], rel=1e-9)
        first = table(own)[f"branch: {build}", "8.10.7"]
        assert [value * 1e6 for value in first] == pytest.approx(wanted["GHC810"], rel=1e-9)
    whole = compared("--by", "branch,ghc", "--baseline", "baseline/8.10.7", deciles)
    speed = {entry["contender"]: entry["speed_up"] for entry in whole["speed_ups"]}
    for name, wanted in known["each_against_the_8.10.7_baseline"].items():
        ours = speed[name.replace(" ", "/")]
        assert [100 * value for value in ours] == pytest.approx(wanted, rel=1e-9)
