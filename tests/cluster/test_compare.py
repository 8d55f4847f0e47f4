"""Runs compared: values, populations, verdicts."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest
from small import Cluster

from statera.cluster import weighing
from statera.cluster.compare import Variant, compare, document
from statera.cluster.samples import load
from statera.cluster.views import text
from statera.cluster.views.numbers import amount, difference, interval, percent
from statera.settings import Policy


def make(folder, *, seed=1, size=1000, delay=0.1, hosts=("h0", "h1", "h2"), blocks=40):
    """Analyse a run of so many blocks, with noise of its own."""
    chance = random.Random(seed)
    cluster = Cluster(folder, *hosts)
    before = "f"
    for number in range(blocks):
        name = f"{number:02x}f"
        forger = hosts[number % len(hosts)]
        cluster.forge(forger, name, number * 10, number, before)
        cluster.log(forger, "AdoptedBlock", number * 10 + 1, name, size=round(size * (1 + 0.01 * chance.gauss(0, 1))))
        before = name
    for place, host in enumerate(hosts):
        level = delay * (1 + place)
        for slot in range(60):
            cluster.start(host, slot, after=level * (1 + 0.01 * chance.gauss(0, 1)))
    cluster.analyse()
    return load(folder)


def rows(*variants):
    comparison = compare([Variant(label, tuple(runs)) for label, runs in variants], Policy())
    return comparison, {row.metric.key: row for row in comparison.rows}


@pytest.fixture
def pair(tmp_path):
    return make(tmp_path / "old", seed=1), make(tmp_path / "new", seed=2, size=1100, delay=0.05)


def test_values_are_those_of_unrounded_means(pair):
    old, new = pair
    _, found = rows(("old", [old]), ("new", [new]))
    cell = found["cdfStarted"].cells[0]
    means = [run.summary["metrics"]["cdfStarted"]["mean"] for run in pair]
    assert cell.delta == means[1] - means[0]
    assert cell.delta_percent == 100 * (means[1] - means[0]) / means[0]
    assert (found["cdfStarted"].base.n, cell.side.n) == (180, 180)


def test_one_run_a_side_says_so_in_every_verdict(pair):
    comparison, _ = rows(("old", pair[:1]), ("new", pair[1:]))
    found = document(comparison)["metrics"]
    assert all(metric["runs"][0]["verdict"].endswith("(one run each)") for metric in found.values())


def test_metrics_of_hosts_are_paired_and_those_of_series_are_not(pair):
    _, found = rows(("old", pair[:1]), ("new", pair[1:]))
    started, size = found["cdfStarted"].cells[0], found["cdfBlockSize"].cells[0]
    assert (started.weighed.unit, started.weighed.samples) == ("hosts", (3, 3))
    assert (size.weighed.unit, size.weighed.samples) == ("blocks", (39, 39))
    assert size.words == "changed (one run each)"
    assert size.weighed.low < size.delta < size.weighed.high
    # No value on either side: nothing to judge.
    assert found["cdfPeerFetch"].cells[0].words == "inconclusive: fewer than 20 blocks a side (one run each)"


def test_hosts_that_move_alike_show_what_their_spread_would_hide():
    old = {f"h{k}": 1.0 + k for k in range(10)}
    new = {host: mean + 0.1 + 0.001 * k for k, (host, mean) in enumerate(old.items())}
    found = weighing.of_hosts(old, new, 0.1045, 0.95)
    assert found.low < 0.1045 < found.high
    assert found.high - found.low < 0.005
    assert found.p < 1e-6
    assert weighing.of_hosts({"a": 1.0}, {"a": 2.0}, 1.0, 0.95).reason == "fewer than two hosts in common"
    assert weighing.of_hosts({"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0}, 0.0, 0.95).p == 1.0


def test_blocks_that_follow_their_neighbours_widen_the_interval():
    """Series with the same spread: one of independent values, one in runs of 10 equal ones."""
    chance = random.Random(3)
    loose = [(chance.gauss(0, 1), 1) for _ in range(900)]
    levels = [chance.gauss(0, 1) for _ in range(90)]
    sticky = [(levels[k // 10], 1) for k in range(900)]
    widths = []
    for series in (loose, sticky):
        found = weighing.of_series(series, series, 0.0, 0.95)
        widths.append(found.high - found.low)
    assert widths[1] > 2 * widths[0]


def test_blocks_that_are_too_few_or_too_much_alike_have_no_interval():
    chance = random.Random(4)
    independent = [(chance.gauss(0, 1), 1) for _ in range(100)]
    walk = [(sum(value for value, _ in independent[:k]), 1) for k in range(1, 101)]
    assert weighing.of_series(independent, independent, 0.0, 0.95).low is not None
    assert weighing.of_series(independent[:19], independent, 0.0, 0.95).reason == "fewer than 20 blocks a side"
    found = weighing.of_series(independent, walk, 0.0, 0.95)
    assert (found.low, found.reason) == (None, "too few blocks for how much they depend on one another")


def test_a_cluster_of_one_host_is_weighed_by_stretches_of_time(tmp_path):
    """The host's slots are a series, as blocks are; it need not have the same name in both runs."""
    old = make(tmp_path / "old", seed=1, hosts=("h0",))
    new = make(tmp_path / "new", seed=2, hosts=("other",), delay=0.12)
    _, found = rows(("old", [old]), ("new", [new]))
    started = found["cdfStarted"].cells[0]
    assert (started.weighed.unit, started.weighed.samples) == ("stretches of time", (60, 60))
    assert started.weighed.low < started.delta < started.weighed.high
    assert started.words == "worse (one run each)"
    # What there is one of a host and run has no series.
    assert found["cdfBlocksPerHost"].cells[0].weighed.reason == "fewer than two hosts in common"


def test_one_host_against_several_has_no_interval(tmp_path):
    one = make(tmp_path / "one", hosts=("h0",))
    several = make(tmp_path / "several")
    _, found = rows(("one", [one]), ("several", [several]))
    assert found["cdfStarted"].cells[0].weighed.reason == "fewer than two hosts in common"


def test_two_runs_a_side_are_weighed_as_runs(tmp_path):
    olds = [make(tmp_path / f"old{k}", seed=k, hosts=("h0",)) for k in range(2)]
    news = [make(tmp_path / f"new{k}", seed=10 + k, delay=0.2, hosts=("h0",)) for k in range(2)]
    _, found = rows(("old", olds), ("new", news))
    started = found["cdfStarted"].cells[0]
    assert (started.weighed.unit, started.weighed.samples) == ("runs", (2, 2))
    assert started.weighed.low < started.delta < started.weighed.high
    assert started.words == "worse"


def test_several_runs_a_side_make_the_run_the_unit(tmp_path):
    olds = [make(tmp_path / f"old{k}", seed=k) for k in range(3)]
    news = [make(tmp_path / f"new{k}", seed=10 + k, delay=0.12) for k in range(3)]
    comparison, found = rows(("old", olds), ("new", news))
    cell = found["cdfStarted"].cells[0]
    assert (cell.weighed.unit, cell.weighed.samples) == ("runs", (3, 3))
    assert cell.words == "worse"
    assert cell.side.n == 540
    assert "one run" not in text.terminal(comparison)


def test_several_runs_against_one_say_which_is_single(tmp_path):
    olds = [make(tmp_path / f"old{k}", seed=k) for k in range(2)]
    _, found = rows(("old", olds), ("new", [make(tmp_path / "new", seed=9)]))
    assert found["cdfStarted"].cells[0].words.endswith("(one run of new)")


def test_every_output_has_every_row(pair):
    comparison, _ = rows(("old", pair[:1]), ("new", pair[1:]), ("again", pair[:1]))
    plain, marked = text.terminal(comparison), text.markdown(comparison)
    for heading in (
        "2.1 Resource Usage",
        "2.2 Anomaly control",
        "2.3 Forging",
        "2.4 Individual peer",
        "2.5 End-to-end",
    ):
        assert plain.count(heading) == 2
    assert plain.count("+Forged to added to chain, s") == 2
    assert marked.count("\n| --- |") == 13
    # Numbers stand at the right, verdicts at the left.
    assert marked.count("\n" + "| --- |" + " ---: |" * 7 + " --- |\n") == 12
    written = list(csv.DictReader(io.StringIO(text.comma(comparison))))
    assert len(written) == 2 * 57
    found = json.loads(text.json(comparison))
    assert (found["baseline"], found["runs"]) == ("old", ["new", "again"])
    assert len(found["metrics"]["cdfStarts"]["runs"]) == 2


def test_labels_are_text(pair):
    comparison, _ = rows(("a|b<i>", pair[:1]), ("\x1b[31m_x_", pair[1:]))
    marked = text.markdown(comparison)
    assert r"a\|b&lt;i&gt;" in marked
    assert "\x1b" not in marked + text.terminal(comparison)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (None, "-"),
        (0, "0"),
        (3, "3"),
        (4384.578947, "4384.6"),
        (3.1026e-05, "0.000031026"),
        (12.5, "12.500"),
        (1e-12, "1.0000e-12"),
    ],
)
def test_amounts(value, wanted):
    assert amount(value) == wanted


def test_changes_are_never_shown_as_none_where_there_is_one():
    assert percent(0.0) == "0%"
    assert percent(0.004) == "+<0.01%"
    assert percent(-1e-9) == "-<0.01%"
    assert percent(25.64) == "+25.6%"
    assert percent(None) == "-"
    assert difference(0.0001) == "+0.000100"
    assert interval(-0.012, 0.5) == "[-0.012, +0.500]"
    assert interval(None, None) == "-"


def test_labels_are_no_formulas_of_csv(pair):
    comparison, _ = rows(("=old", pair[:1]), ("@new", pair[1:]))
    assert {tuple(row[4:6]) for row in csv.reader(io.StringIO(text.comma(comparison)))} >= {("'=old", "'@new")}
    assert {tuple(row[4:6]) for row in csv.reader(io.StringIO(text.comma(comparison, raw=True)))} >= {("=old", "@new")}
