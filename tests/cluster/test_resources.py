"""Resources: rates over intervals, gauges, restarts, CPU spans."""

import pytest
from small import Cluster


@pytest.fixture
def run(tmp_path):
    """A host that is in the forge loop from slot 0 to 99; epochs of 20 slots."""
    cluster = Cluster(tmp_path, "h0", epoch_length=20)
    cluster.start("h0", 0, 99)
    return cluster


def spans(result):
    return sorted((row["first_slot"], row["last_slot"], row["length"]) for row in result.table("spans"))


def burn(run, *busy, until=99, host="h0"):
    """Report every second, 50 ms into the slot; the intervals that close in ``busy`` slots take a whole core."""
    ticks = 0
    for slot in range(until + 1):
        ticks += 100 if slot in busy else 5
        run.use(host, slot + 0.05, CentiCpu=ticks)


def test_rates_are_changes_over_time(run):
    run.use("h0", 10.5, CentiCpu=100, Alloc=2**20, FsRd=1024, GcsMajor=1)
    run.use("h0", 12.5, CentiCpu=150, Alloc=5 * 2**20, FsRd=1024 * 9, GcsMajor=2)
    result = run.analyse()
    means = {key: result.metric(key)["mean"] for key in ("CentiCpu", "Alloc", "FsRd", "GcsMajor", "CentiGC")}
    assert means == {"CentiCpu": 25.0, "Alloc": 2.0, "FsRd": 4.0, "GcsMajor": 0.5, "CentiGC": None}
    assert result.metric("CentiGC")["n"] == 0


def test_the_order_of_lines_does_not_matter_and_equal_times_count_once(run):
    run.use("h0", 12, CentiCpu=30, RSS=2**20)
    run.use("h0", 12, CentiCpu=99, RSS=2**30)
    run.use("h0", 11, CentiCpu=10)
    result = run.analyse()
    assert result.metric("CentiCpu")["mean"] == 20
    assert (result.metric("RSS")["n"], result.metric("RSS")["mean"]) == (1, 1.0)


def test_a_counter_that_shrinks_is_a_restart_and_every_rate_is_null(tmp_path):
    """Each host has another counter that shrinks."""
    full = {"CentiCpu": 10, "CentiMut": 10, "GcsMajor": 10, "GcsMinor": 10, "Alloc": 10, "FsRd": 10}
    shrinking = ("CentiCpu", "CentiMut", "GcsMajor", "GcsMinor", "Alloc")
    cluster = Cluster(tmp_path, *shrinking)
    for counter in shrinking:
        cluster.start(counter, 0, 99)
        cluster.use(counter, 10, **full)
        cluster.use(counter, 11, **{**dict.fromkeys(full, 20), counter: 9})
    result = cluster.analyse()
    assert {host: one["restarts"] for host, one in result.summary["hosts"].items()} == dict.fromkeys(shrinking, 1)
    assert {key: result.metric(key)["n"] for key in full} == dict.fromkeys(full, 0)


def test_other_counters_that_shrink_are_null_by_themselves(tmp_path):
    """Each host has one of them beside a counter that rises."""
    shrinking = ("FsRd", "FsWr", "NetRd", "NetWr", "CentiGC")
    cluster = Cluster(tmp_path, *shrinking)
    for counter in shrinking:
        cluster.start(counter, 0, 99)
        cluster.use(counter, 10, CentiCpu=10, **{counter: 10})
        cluster.use(counter, 11, CentiCpu=20, **{counter: 9})
    result = cluster.analyse()
    assert {host: one["restarts"] for host, one in result.summary["hosts"].items()} == dict.fromkeys(shrinking, 0)
    assert result.metric("CentiCpu")["n"] == len(shrinking)
    assert {key: result.metric(key)["n"] for key in shrinking} == dict.fromkeys(shrinking, 0)


def test_a_counter_absent_on_one_side_gives_no_rate_and_no_restart(run):
    run.use("h0", 10, CentiCpu=10, Alloc=10)
    run.use("h0", 11, CentiCpu=20)
    run.use("h0", 12, CentiCpu=30, Alloc=5)
    result = run.analyse()
    assert result.metric("CentiCpu")["n"] == 2
    assert result.metric("Alloc")["n"] == 0
    assert result.summary["hosts"]["h0"]["restarts"] == 0


def test_an_interval_belongs_to_the_slot_in_which_it_closes(run):
    """The first closes in slot 0, the last beyond the population. Before the start slots are negative."""
    for seconds, ticks in ((-0.5, 0), (0.25, 30), (99.25, 129), (100.25, 139)):
        run.use("h0", seconds, CentiCpu=ticks, Heap=2**20)
    result = run.analyse()
    assert sorted(row["slot"] for row in result.table("usage")) == [-1, 0, 99, 100]
    assert result.metric("CentiCpu")["n"] == 2
    assert result.metric("CentiCpu")["max"] == 40
    assert result.metric("Heap")["n"] == 2


def test_times_and_counters_far_off_do_not_end_the_analysis(run):
    for seconds, ticks in ((-8.7e9, 0), (10, 2**62), (10 + 1e-9, 2**63 - 1), (7e9, 5)):
        run.use("h0", seconds, CentiCpu=ticks, RSS=2**62)
    run.log("h0", "BlkCtx", -1e10, slot=5)
    result = run.analyse()
    assert (result.metric("CentiCpu")["n"], result.metric("RSS")["n"]) == (0, 0)
    far, large = (one["what"] for one in result.summary["warnings"][:2])
    assert far.startswith("left out 3 events")
    assert large.startswith("2 values of CentiCpu, 2 values of RSS beyond")


def test_restarts_count_outside_the_population_too(run):
    run.use("h0", 200, CentiCpu=10)
    run.use("h0", 201, CentiCpu=5)
    assert run.analyse().summary["hosts"]["h0"]["restarts"] == 1


def test_spans_are_runs_of_slots_above_85_per_cent(run):
    burn(run, 3, 4, 5, 9)
    assert spans(run.analyse()) == [(3, 5, 3), (9, 9, 1)]


# The processor time of a host in ticks, by second, and the spans of busy slots.
BUSY = {
    "85 per cent is not above 85": ({10: 0, 11: 85, 12: 171}, [(12, 12, 1)]),
    "of intervals that close in one slot the last counts": (
        {10.1: 0, 10.5: 40, 10.9: 41, 11.9: 42, 12.1: 43, 12.5: 83}, [(12, 12, 1)],
    ),
    "a slot that an interval covers is as busy as the interval": ({10.5: 0, 14.5: 400}, [(11, 14, 4)]),
    # The restart in slot 12 gives no rate: the span breaks there.
    "a slot without data is not busy": ({10.5: 0, 11.5: 100, 12.5: 0, 13.5: 100}, [(11, 11, 1), (13, 13, 1)]),
}  # fmt: skip


def test_spans_follow_the_intervals(tmp_path):
    """All in one run, a host each."""
    cluster = Cluster(tmp_path, *BUSY)
    for host, (ticks, _) in BUSY.items():
        cluster.start(host, 0, 99)
        for second, count in ticks.items():
            cluster.use(host, second, CentiCpu=count)
    found = cluster.analyse().table("spans")
    # Hosts are numbered in the order of their names.
    of = {
        host: sorted((row["first_slot"], row["last_slot"], row["length"]) for row in found if row["host"] == number)
        for number, host in enumerate(sorted(BUSY))
    }
    assert of == {host: spans_of for host, (_, spans_of) in BUSY.items()}


def test_an_interval_that_covers_more_than_the_population_is_clipped(tmp_path):
    cluster = Cluster(tmp_path, "h0", "h1")
    cluster.start("h0", 5, 9)
    cluster.start("h1", 0, 50)
    cluster.use("h0", 1.5, CentiCpu=0)
    cluster.use("h0", 40.5, CentiCpu=3900)
    assert spans(cluster.analyse()) == [(5, 9, 5)]


def test_slots_that_fail_a_condition_break_spans(run):
    burn(run, *range(10, 20))
    result = run.analyse("SlotGEq 12", "SlotLEq 15")
    assert spans(result) == [(12, 15, 4)]


def test_spans_at_an_epoch_boundary(run):
    """Boundaries at 20, 40, 60, 80. 18-25 and 43 touch one, 44-45 begins too late, 70-85 reaches into 80."""
    burn(run, *range(18, 26), 43, *range(65, 67), *range(70, 86))
    result = run.analyse()
    found = sorted((row["epoch"], row["length"]) for row in result.table("epoch_spans"))
    assert found == [(1, 6), (2, 1), (4, 6)]
    assert result.metric("cdfSpanLensCpuEpoch")["mean"] == pytest.approx(13 / 3)


def test_a_span_over_several_boundaries_counts_at_each_up_to_the_end_of_its_epoch(run):
    burn(run, *range(30, 90))
    found = sorted((row["epoch"], row["length"]) for row in run.analyse().table("epoch_spans"))
    assert found == [(2, 20), (3, 20), (4, 10)]


def test_the_beginning_of_the_run_is_no_boundary(run):
    burn(run, 1, 2, 3)
    assert run.analyse().metric("cdfSpanLensCpuEpoch")["n"] == 0
