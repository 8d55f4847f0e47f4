"""The forge loop: one value per host and slot."""

import pytest
from small import Cluster


@pytest.fixture
def run(tmp_path):
    return Cluster(tmp_path, "h0", "h1")


def slots(result, host=0):
    return {row["slot"]: row for row in result.table("host_slots") if row["host"] == host}


def test_every_slot_from_the_first_start_to_the_last_counts(run):
    run.start("h0", 5, 8)
    run.log("h0", "BlkCtx", 20, slot=20)
    result = run.analyse()
    assert {slot: row["starts"] for slot, row in slots(result).items()} == {5: 1, 6: 0, 7: 0, 8: 1}
    assert result.metric("cdfStarts")["mean"] == 0.5
    assert result.metric("cdfStarted")["n"] == 2


def test_a_host_without_start_has_no_population(run):
    run.start("h0", 5)
    run.log("h1", "Leader", 5, slot=5)
    result = run.analyse()
    assert result.metric("cdfStarts")["n"] == 1
    assert result.summary["manifest"]["slotsAnalysed"] == 0.5


def test_starts_are_counted_by_distinct_time(run):
    run.start("h0", 5, 5, 5, after=0.1)
    run.start("h0", 5, after=0.05)
    row = slots(run.analyse())[5]
    assert row["starts"] == 2
    assert row["started"] == 0.05


def test_the_phases_of_the_loop(run):
    for event, seconds in (("Start", 0.5), ("BlkCtx", 1.5), ("LgrState", 3.5), ("LgrView", 3.25), ("NotLeader", 6.25)):
        run.log("h0", event, 5 + seconds, slot=5)
    row = slots(run.analyse())[5]
    # The ledger view came before the ledger state: negative values are kept.
    assert [row[key] for key in ("started", "blk_ctx", "lgr_state", "lgr_view", "leadership")] == [0.5, 1, 2, -0.25, 3]


def test_leading_is_the_earlier_of_both_decisions(run):
    run.start("h0", 5)
    run.log("h0", "LgrView", 5.5, slot=5)
    run.log("h0", "NotLeader", 5.75, slot=5)
    run.log("h0", "Leader", 6, slot=5)
    assert slots(run.analyse())[5]["leadership"] == 0.25


def test_without_a_ledger_view_the_duration_is_null(run):
    run.start("h0", 5)
    run.log("h0", "Leader", 6, slot=5)
    assert slots(run.analyse())[5]["leadership"] is None


def test_density_is_that_of_the_first_start_else_of_the_first_ledger_metrics(run):
    run.log("h0", "Start", 5.2, slot=5, density=0.2)
    run.log("h0", "Start", 5.1, slot=5, density=0.1)
    run.log("h0", "LedgerMetrics", 5.0, slot=5, density=0.9)
    run.log("h0", "Start", 6, slot=6)
    run.log("h0", "Start", 6.1, slot=6, density=0.7)
    run.log("h0", "LedgerMetrics", 6.3, slot=6, density=0.4)
    run.log("h0", "LedgerMetrics", 6.2, slot=6, density=0.3)
    run.log("h0", "Start", 7, slot=7)
    run.log("h0", "LedgerMetrics", 7.1, slot=7)
    found = slots(run.analyse())
    assert [found[slot]["density"] for slot in (5, 6, 7)] == [0.1, 0.3, None]


def test_a_slot_with_metrics_alone_has_a_density_but_no_start(run):
    run.start("h0", 5, 7)
    run.log("h0", "LedgerMetrics", 6.1, slot=6, density=0.5)
    row = slots(run.analyse())[6]
    assert (row["starts"], row["started"], row["density"]) == (0, None, 0.5)


def test_slots_of_fractional_length(tmp_path):
    cluster = Cluster(tmp_path, "h0", slot_length=0.2)
    cluster.log("h0", "Start", 1.05, slot=5)
    result = cluster.analyse()
    assert slots(result)[5]["started"] == 0.05
    assert result.summary["manifest"]["analysedRunDuration"] == 0


def test_start_slots_that_span_too_much_leave_the_host_out(run):
    run.start("h0", 5, 6)
    run.log("h1", "Start", 5, slot=5)
    run.log("h1", "Start", 6, slot=10**8 + 5)
    result = run.analyse()
    assert result.metric("cdfStarts")["n"] == 2
    assert [warning["code"] for warning in result.summary["warnings"]] == ["slot-out-of-range", "no-chain"]


def test_a_slot_whose_time_cannot_be_told_is_left_out(run):
    run.start("h0", 5, 6)
    run.log("h0", "Start", 7, slot=2**62)
    result = run.analyse()
    assert result.metric("cdfStarts")["n"] == 2
    assert result.summary["warnings"][0]["what"].startswith("left out 1 event with times or slots out of range")
