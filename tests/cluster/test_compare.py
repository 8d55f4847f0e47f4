"""Runs compared: values, populations, verdicts."""

import csv
import io
import json

import pytest

from statera.cluster.comparison import compare
from statera.cluster.numbers import amount, difference, interval, percent
from statera.cluster.observations import Variant
from statera.cluster.views import comparison as text
from support import every


def rows(*variants):
    comparison = compare([Variant(label, tuple(runs)) for label, runs in variants])
    return comparison, {row.metric.key: row for row in comparison.rows}


def weighed(cell):
    return cell.unit, cell.row.baseline_n, cell.row.contender_n


@pytest.fixture(scope="module")
def pair(noisy):
    return noisy(seed=1), noisy(seed=2, size=1100, delay=0.05)


def test_values_are_those_of_unrounded_means(pair):
    old, new = pair
    _, found = rows(("old", [old]), ("new", [new]))
    cell = found["cdfStarted"].cells[0]
    means = [run.summary["metrics"]["cdfStarted"]["mean"] for run in pair]
    assert (cell.before.mean, cell.side.mean) == tuple(means)
    assert cell.delta == pytest.approx(means[1] - means[0], rel=1e-12)
    assert cell.delta_percent == pytest.approx(100 * (means[1] - means[0]) / means[0], rel=1e-12)
    assert (cell.row.baseline_centre, cell.row.contender_centre) == pytest.approx(means, rel=1e-14)
    assert (cell.before.n, cell.side.n) == (cell.row.baseline_values, cell.row.contender_values) == (180, 180)


def test_one_run_a_side_says_so_in_every_verdict(pair):
    _, found = rows(("old", pair[:1]), ("new", pair[1:]))
    cells = [row.cells[0] for row in found.values()]
    assert all("one-process" in cell.row.warnings for cell in cells if cell.unit)
    differing = [cell for cell in cells if cell.verdict == "differs"]
    assert differing != []
    assert {cell.words for cell in differing} == {"differs (one run per build)"}
    assert not {cell.verdict for cell in cells} & {"better", "worse", "changed"}
    # What lies within the margin is so for these runs; of two builds one run each shows nothing of the kind.
    assert "equivalent" not in {cell.verdict for cell in cells}
    assert found["cdfStarts"].cells[0].words == "no clear change: one run"


def test_metrics_of_hosts_are_paired_and_those_of_series_are_not(pair):
    _, found = rows(("old", pair[:1]), ("new", pair[1:]))
    started, size = found["cdfStarted"].cells[0], found["cdfBlockSize"].cells[0]
    assert weighed(started) == ("hosts", 3, 3)
    assert weighed(size) == ("blocks", 39, 39)
    assert size.words == "differs (one run per build)"
    assert size.low < size.delta < size.high
    # No value on either side: nothing to judge.
    assert found["cdfPeerFetch"].cells[0].words == "no value in either build"


def test_a_cluster_of_one_host_is_weighed_by_stretches_of_time(noisy):
    """The host's slots are a series, as blocks are; it need not have the same name in both runs."""
    old = noisy(seed=1, hosts=("h0",))
    new = noisy(seed=2, hosts=("other",), delay=0.12)
    _, found = rows(("old", [old]), ("new", [new]))
    started = found["cdfStarted"].cells[0]
    assert weighed(started) == ("stretches of time", 60, 60)
    assert started.low < started.delta < started.high
    assert started.words == "differs (one run per build)"
    # What there is one of a host and run has no series.
    assert found["cdfBlocksPerHost"].cells[0].reason == "fewer than two hosts in common"


@every("hosts, number, delay", [(("h0", "h1", "h2"), 3, 0.12), (("h0",), 2, 0.2)])
def test_several_runs_a_side_make_the_run_the_unit(noisy, hosts, number, delay):
    olds = [noisy(seed=k, hosts=hosts) for k in range(number)]
    news = [noisy(seed=10 + k, hosts=hosts, delay=delay) for k in range(number)]
    comparison, found = rows(("old", olds), ("new", news))
    cell = found["cdfStarted"].cells[0]
    assert weighed(cell) == ("runs", number, number)
    assert cell.words == "slower"
    assert cell.low < cell.delta < cell.high
    assert cell.side.n == 60 * len(hosts) * number
    assert "one run" not in text.compared(comparison, "terminal")


def test_one_run_is_judged_by_the_spread_between_several_of_the_other_side(noisy):
    olds = [noisy(seed=k) for k in range(3)]
    comparison, found = rows(("old", olds), ("new", [noisy(seed=9, delay=0.2)]))
    cell = found["cdfStarted"].cells[0]
    assert (weighed(cell), cell.words, cell.row.warnings) == (("runs", 3, 1), "slower", ())
    assert cell.low < cell.delta < cell.high
    assert "judged by a prediction interval" in text.compared(comparison, "terminal")
    assert "one run per build" not in text.compared(comparison, "terminal")


def test_every_output_has_every_row(pair):
    comparison, _ = rows(("old", pair[:1]), ("new", pair[1:]), ("again", pair[:1]))
    plain, marked = text.compared(comparison, "terminal"), text.compared(comparison, "markdown")
    for heading in (
        "2.1 Resource Usage",
        "2.2 Anomaly control",
        "2.3 Forging",
        "2.4 Individual peer",
        "2.5 End-to-end",
    ):
        assert plain.count(heading) == 2
    assert plain.count("+Forged to added to chain, s") == 2
    assert marked.count("\n| --- |") == 14
    # Numbers stand at the right, verdicts at the left.
    assert marked.count("\n" + "| --- |" + " ---: |" * 7 + " --- |\n") == 13
    written = list(csv.DictReader(io.StringIO(text.comma(comparison))))
    assert len(written) == 2 * sum(row.cells[0].row is not None for row in comparison.rows) == 20
    found = json.loads(text.json(comparison))
    assert (found["baseline"], found["runs"]) == ("old", ["new", "again"])
    assert len(found["metrics"]) == 57
    assert len(found["metrics"]["cdfStarts"]["runs"]) == 2
    assert len(found["rows"]) == 20


def test_labels_are_text(pair):
    comparison, _ = rows(("a|b<i>", pair[:1]), ("\x1b[31m_x_", pair[1:]))
    marked = text.compared(comparison, "markdown")
    assert r"a\|b&lt;i&gt;" in marked
    assert "\x1b" not in marked + text.compared(comparison, "terminal")


AMOUNTS = [
    (None, "-"), (0, "0"), (3, "3"), (4384.578947, "4,384.6"), (3.1026e-05, "0.000031026"), (12.5, "12.500"),
    (1e-12, "1.0000e-12"),
]  # fmt: skip


@every("value, wanted", AMOUNTS)
def test_amounts(value, wanted):
    assert amount(value) == wanted


def test_changes_are_never_shown_as_none_where_there_is_one():
    assert percent(0.0) == "0%"
    assert percent(0.004) == "+0.004%"
    assert percent(-1e-9) == "−0.000000001%"
    assert percent(25.64) == "+25.6%"
    assert percent(None) == "-"
    assert difference(0.0001) == "+0.000100"
    assert interval(-0.012, 0.5) == "[-0.012, +0.500]"
    assert interval(None, None) == "-"


def test_labels_are_no_formulas_of_csv(pair):
    comparison, _ = rows(("=old", pair[:1]), ("@new", pair[1:]))
    assert {tuple(row[4:6]) for row in csv.reader(io.StringIO(text.comma(comparison)))} >= {("'=old", "'@new")}
    assert {tuple(row[4:6]) for row in csv.reader(io.StringIO(text.comma(comparison, raw=True)))} >= {("=old", "@new")}
