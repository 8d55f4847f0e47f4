"""Percentiles are compared across runs, and runs that stand apart from all others are named."""

import csv
import json
import math
import random
from pathlib import Path

import pytest
import summaries

import statera
from statera.cli.cluster import examined
from statera.cluster.comparison import compare, percentiles, undecided
from statera.cluster.metrics import BY_KEY, METRICS
from statera.cluster.observations import Variant
from statera.cluster.samples import Analysed, Mean
from statera.cluster.views import comparison as text
from statera.comparison.verdicts.gate import Gate

FETCH, GCS = BY_KEY["cdfPeerFetch"], BY_KEY["GcsMajor"]


def run_of(seed, *, mean=1.0, p99=1.0, resolution=None):
    """Make a run in which every metric has values; the factors are those of the time to fetch a block."""
    chance = random.Random(seed)
    found, hosts, series = summaries.plain(run=f"run-{seed}"), {}, {}
    for metric in METRICS:
        near = 10 * math.exp(chance.gauss(0, 0.01)) * (mean if metric is FETCH else 1.0)
        far = 30 * math.exp(chance.gauss(0, 0.01)) * (p99 if metric is FETCH else 1.0)
        found["metrics"][metric.key] |= {
            "n": 100, "mean": near, "quantiles": {"0.5": 0.9 * near, "0.95": 1.5 * near, "0.99": far},
        }  # fmt: skip
        if metric.paired:
            hosts[metric.key] = {"a": Mean(near, 50), "b": Mean(near, 50)}
        else:
            series[metric.key] = [(near * 2, 2)] * 50
    if resolution:
        found["resolution"] = {"a": resolution}
    return Analysed(Path("run"), found, hosts, series)


def runs(seeds, **changes):
    return tuple(run_of(seed, **changes) for seed in seeds)


@pytest.fixture(scope="module")
def tail():
    """Give a comparison of five runs a build in which the slowest fetches of the second take 40 % longer."""
    return compare([Variant("old", runs(range(5))), Variant("new", runs(range(5, 10), p99=1.4))])


def test_a_tail_that_changed_alone_is_named_in_the_answer(tail):
    assert tail.answer.line.endswith(". 1 percentile changed without a change of the mean: Fetch duration, p99")
    assert not any(row.verdict == "worse" for row in tail.comparison)
    [row] = [row for row in tail.rows if row.metric is FETCH]
    assert [(cell.percentile, cell.word) for cell in (*row.cells, *row.percentiles[0]) if cell.changed] == [
        ("p99", "slower")
    ]
    [of_row] = [each for each in tail.tails if each.verdict == "worse"]
    assert (of_row.benchmark, of_row.metric, of_row.baseline_n) == ("cluster/p99", "cdfPeerFetch", 5)


def test_a_tail_that_got_worse_fails_the_gate(tail):
    code, lines = examined(tail, Gate(worse=True))
    assert (code, lines[0].endswith("percentiles do. Changed: Fetch duration, p99")) == (1, True), lines
    assert examined(tail, None) == (0, [])


def test_the_table_of_changes_shows_the_percentile_and_one_table_all_of_them(tail):
    said = text.compared(tail, "terminal")
    assert "Fetch duration, p99, s" in said
    [line] = [line for line in said.splitlines() if line.startswith("Fetch duration  ")]
    assert line.count("slower") == 1
    assert line.endswith("slower")
    assert "No metric changed" not in said


def test_csv_and_json_have_the_rows_of_percentiles_after_those_of_means(tail):
    rows = list(csv.DictReader(text.compared(tail, "csv").splitlines()))
    document = json.loads(text.compared(tail, "json"))
    assert [row["benchmark"] for row in rows[:2]] == ["cluster", "cluster"]
    assert len(rows) == len(document["rows"]) + len(document["percentiles"])
    for each in (rows, document["percentiles"]):
        assert [row["benchmark"] for row in each if row["verdict"] == "worse"] == ["cluster/p99"]
    changed = text.compared(tail, "csv", text.Look(changed=True)).splitlines()
    assert len(changed) == 2


def test_the_json_of_a_comparison_is_read_like_the_summaries_it_came_from(tail, tmp_path):
    (tmp_path / "compared.json").write_text(text.compared(tail, "json"))
    compared = statera.compare(tmp_path / "compared.json")
    [row] = [row for row in compared if row.metric == "cdfPeerFetch"]
    assert (row.baseline, row.contender, row.baseline_n, row.contender_n) == ("old", "new", 5, 5)
    means = sorted(run.summary["metrics"]["cdfPeerFetch"]["mean"] for run in tail.variants[0].runs)
    assert row.baseline_centre == pytest.approx(means[2])


def test_percentiles_need_several_runs_of_each_build_values_that_vary_and_a_clock_that_shows_them():
    chosen = dict.fromkeys(percentiles([Variant("old", runs((1, 2))), Variant("new", runs((3, 4)))], METRICS))
    assert ("cdfPeerFetch", "p95") in chosen
    # Counts jump by whole numbers.
    assert (GCS.key, "p95") not in chosen
    assert not list(percentiles([Variant("old", runs((1, 2))), Variant("new", runs((3,)))], METRICS))
    coarse = [Variant("old", runs((1, 2), resolution=10**10)), Variant("new", runs((3, 4), resolution=10**10))]
    assert {key for key, _ in percentiles(coarse, [FETCH])} == set()


def test_runs_that_move_a_mean_alone_are_named():
    slow = (*runs((5, 6, 7)), *runs((8, 9), mean=1.3))
    sentences = [
        sentence for sentence, _ in undecided(compare([Variant("old", runs(range(5))), Variant("new", slow)]), 0)
    ]
    assert sentences[0] == (
        "2 of 5 runs of new (run-8 and run-9) stand apart from all others in Fetch duration. Look for what was "
        "different there."
    )


def test_no_run_is_named_where_all_moved():
    every = compare([Variant("old", runs(range(5))), Variant("new", runs(range(5, 10), mean=1.3))])
    assert not [sentence for sentence, _ in undecided(every, 0) if "apart" in sentence]
