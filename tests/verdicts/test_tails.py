"""Rows whose typical value did not change, although slow runs or the spread did."""

import pytest

import statera
from statera import Policy
from statera.comparison.verdicts.catalogue import CATALOGUE
from support import compare, every, go, noisy, table, write

ELEVEN = {1, 4, 9, 12, 16, 18, 23, 27, 30, 34, 38}
WORDS = "tail slower: typical unchanged, slow runs more frequent (2.5% → 27.5%)"


def slow(places, *, count=40, times=2.0, seed=1, spread=0.005, centre=100):
    values = noisy(centre, count, seed=seed, spread=spread)
    return [value * (times if place in places else 1) for place, value in enumerate(values)]


@pytest.fixture
def eleven(tmp_path):
    return compare(tmp_path, go({"X": slow({7}, seed=2)}), go({"X": slow(ELEVEN)}))


def test_eleven_of_forty_runs_at_twice_the_time_are_no_equivalence(eleven):
    (row,) = eleven
    assert (row.verdict, row.reason) == ("tail-worse", None)
    assert -0.02 < row.change_low < row.change_high < 0.02
    assert (row.baseline_slow, row.contender_slow) == (1, 11)
    assert row.tail_p == pytest.approx(0.00325525, rel=1e-5)
    assert row.tail_p_corrected == pytest.approx(row.tail_p / 0.075)
    assert row.mean_change == pytest.approx(0.25, abs=0.03)
    assert 0.05 < row.mean_change_low < row.mean_change < row.mean_change_high
    assert row.tail_level == pytest.approx(0.875)
    assert 0.1 < row.tail_change_low < row.tail_change <= row.tail_change_high


def test_every_output_names_the_slow_runs(eleven):
    assert eleven.weighing.cell(0, "verdict") == WORDS
    (finding,) = eleven.findings
    assert finding.startswith("Tail slower: X (sec/op: slow runs 1 of 40 → 11 of 40, p = 0.043 corr")
    assert "mean +2" in finding
    assert "87.5% quantile +9" in finding
    assert "Tests of tails and spread are corrected separately, with 10% of alpha" in eleven.method
    assert "slow runs 1 of 40 → 11 of 40" in str(eleven)
    assert "tail slower" in eleven.to_markdown()
    assert "tail slower" in eleven._repr_html_()


def test_a_report_names_the_slow_runs(run, tmp_path):
    paths = write(tmp_path, old=go({"X": slow({7}, seed=2)}), new=go({"X": slow(ELEVEN)}))
    out = tmp_path / "report.html"
    assert run("report", *paths, "-o", str(out)).code == 0
    text = out.read_text()
    assert "X has a slower tail" in text
    assert "slow runs 1 of 40 → 11 of 40" in text


@every(
    ("unit", "factor", "words"),
    [
        ("MB/s", 0.5, "slow runs more frequent"),
        ("B/op", 2.0, "high values more frequent"),
        ("points", 2.0, "outer values more frequent"),
    ],
)
def test_the_words_follow_the_metric(tmp_path, unit, factor, words):
    old = {"X": {unit: slow({7}, times=factor, seed=2, spread=0.0002)}}
    new = {"X": {unit: slow(ELEVEN, times=factor, spread=0.0002)}}
    assert words in compare(tmp_path, go(old), go(new)).weighing.cell(0, "verdict")


def test_fewer_slow_runs_are_better_in_the_tail(tmp_path):
    result = compare(tmp_path, go({"X": slow(ELEVEN)}), go({"X": slow({7}, seed=2)}))
    assert result[0].verdict == "tail-better"
    assert result.findings[0].startswith("Tail faster: X")


def test_two_of_ten_withhold_equivalence_and_say_why(tmp_path):
    old, new = go({"X": slow(set(), count=10, seed=2)}), go({"X": slow({2, 6}, count=10)})
    result = compare(tmp_path, old, new)
    assert (result[0].verdict, result[0].reason) == ("inconclusive", "tail-undecided")
    assert result.weighing.cell(0, "verdict") == (
        "no clear change: typical unchanged; 2 of 10 new runs are slow, 0 of 10 old: too few to decide"
    )
    bursts = compare(tmp_path, old, go({"X": slow({2, 3}, count=10)}))
    assert "2 of 10 new runs are slow in one burst" in bursts.weighing.cell(0, "verdict")


def test_a_wider_spread_is_a_change_of_shape(tmp_path):
    result = compare(tmp_path, go({"X": noisy(100, 40, spread=0.01)}), go({"X": noisy(100, 40, seed=4, spread=0.04)}))
    assert result[0].verdict == "shape-changed"
    assert result.weighing.cell(0, "verdict").startswith("less steady: typical unchanged, spread wider (")
    assert result.findings[0].startswith("Less steady: X (sec/op: ")


def test_a_paired_row_names_its_pairs(tmp_path):
    rows = [
        {"benchmark": "X", "value": value, "unit": "s", "variant": variant, "block": f"b{block}", "process": block}
        for variant, places in (("old", set()), ("new", ELEVEN))
        for block, value in enumerate(slow(places, count=80, seed=len(places), spread=0.002))
    ]
    (path,) = write(tmp_path, all=table(rows))
    result = statera.compare(path, by="variant", pair="order")
    assert (result[0].design, result[0].verdict) == ("paired", "tail-worse")
    assert "slow pairs 0 of 80 → 11 of 80" in result.weighing.cell(0, "tail")


def test_the_mean_of_every_row_is_shown_on_request(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100, 10)}), new=go({"X": noisy(100, 10, seed=2)}))
    assert "mean" not in run("compare", *paths, "--all-rows").out
    assert "  mean\n" in run("compare", *paths, "--all-rows", "--mean").out
    out = tmp_path / "report.html"
    assert run("report", *paths, "--mean", "-o", str(out)).code == 0
    assert "mean change" in out.read_text()
    row = statera.compare(*paths, policy=Policy(mean=True))[0]
    assert row.mean_change_low < row.mean_change < row.mean_change_high
    assert statera.compare(*paths)[0].mean_change is None


@every("code", ["tail-worse", "tail-better", "shape-changed", "tail-undecided"])
def test_each_outcome_is_explained(code):
    assert CATALOGUE[code].what_to_do


def test_an_explicit_correction_leaves_typical_values_as_they_are(tmp_path):
    old = {"X": slow({7}, seed=2), "Y": noisy(100, 40)}
    new = {"X": slow(ELEVEN), "Y": noisy(104, 40, seed=5)}
    plain = compare(tmp_path, go(old), go(new), policy=Policy(correction="none"))
    assert all(row.p_corrected == row.p for row in plain)
    assert [row.verdict for row in plain] == ["tail-worse", "worse"]


def nested(slow, *, runs=8, values=40, times=20.0):
    """Runs of many values each, of which a share takes longer: {build: share} as a table."""
    lines = ["benchmark,build,process,time (ms)"]
    for build, share in slow.items():
        for run in range(runs):
            drawn = noisy(10, values, seed=len(lines))
            late = round(share * values)
            drawn = [value * times if place < late else value for place, value in enumerate(drawn)]
            lines += [f"Get,{build},{build}{run},{value}" for value in drawn]
    return "\n".join(lines) + "\n"


@every("share, verdict", [(0.0, "equivalent"), (0.05, "tail-worse")])
def test_slow_values_within_runs(tmp_path, share, verdict):
    (path,) = write(tmp_path, **{"table.csv": nested({"old": 0.0, "new": share})})
    (row,) = statera.compare(path, by="build")
    assert (row.design, row.verdict, row.contender_slow) == ("nested", verdict, round(320 * share))


def test_slow_values_within_few_runs_leave_it_open(tmp_path):
    (path,) = write(tmp_path, **{"table.csv": nested({"old": 0.0, "new": 0.1}, runs=4)})
    (row,) = statera.compare(path, by="build", policy=Policy(margin_time=0.2))
    assert (row.verdict, row.reason) == ("inconclusive", "tail-undecided")


def test_the_mean_of_runs_is_that_of_their_values(tmp_path):
    (path,) = write(tmp_path, **{"table.csv": nested({"old": 0.0, "new": 0.1})})
    (row,) = statera.compare(path, by="build", policy=Policy(mean=True))
    assert 1.5 < row.mean_change < 2.3
