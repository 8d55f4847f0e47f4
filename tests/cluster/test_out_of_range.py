"""Values, times and slots that no run has: they are left out and told, and cost neither the run nor the machine."""

import json

import pytest
from small import SECOND, START, Cluster

from statera.cluster import analysis
from statera.support.errors import Stop
from support import every

COUNTERS = ("CentiCpu", "CentiGC", "CentiMut", "GcsMajor", "GcsMinor", "Alloc", "FsRd", "FsWr", "NetRd", "NetWr")


def warned(result):
    return {one["code"]: one["what"] for one in result.summary["warnings"]}


def used(folder, **changed):
    """A host that used a core all the time, but for what one of its lines says."""
    cluster = Cluster(folder, "h0")
    cluster.start("h0", *range(20))
    for second in range(20):
        rising = dict.fromkeys(COUNTERS, second * 100) | {"RSS": 2**30}
        cluster.use("h0", second + 0.5, **rising | (changed if second == 10 else {}))
    return cluster


@every("value", (-(2**63), 2**63 - 1, 2**62))
def test_a_counter_that_nothing_counts_to_is_missing(tmp_path, value):
    result = used(tmp_path / str(value), **dict.fromkeys(COUNTERS, value), RSS=value).analyse()
    assert [result.metric("CentiCpu")[key] for key in ("min", "max", "n")] == [100, 100, 17]
    assert (result.metric("RSS")["max"], result.metric("RSS")["n"]) == (1024, 19)
    what = warned(result)["value-out-of-range"]
    assert "1 value of CentiCpu, 1 value of CentiGC," in what
    assert what.endswith(" beyond 9,007,199,254,740,992, the largest number that is counted: treated as missing")


@every("value", (-1.7e308, 1e30))
def test_a_density_that_no_chain_has_is_missing(tmp_path, value):
    cluster = Cluster(tmp_path / str(value), "h0")
    for slot in range(5):
        cluster.log("h0", "Start", slot + 0.1, slot=slot, density=value if slot == 2 else 0.05)
    result = cluster.analyse()
    assert (result.metric("cdfDensity")["max"], result.metric("cdfDensity")["n"]) == (0.05, 4)
    assert warned(result)["value-out-of-range"].startswith("1 value of density beyond ")


def test_sums_without_room_end_with_a_message(tmp_path, monkeypatch):
    def refuse(_engine):
        raise OverflowError("no room")

    monkeypatch.setattr(analysis.statistics, "measure", refuse)
    with pytest.raises(Stop, match="values are too large to be summed: no room") as stop:
        used(tmp_path).analyse()
    assert stop.value.code == "value-out-of-range"


OTHER_TIMES = [(-START, "1970-01-01 00:00:00.000000000 UTC, 20,134 days before the first"),
 (10**15, "days after the last")]  # fmt: skip


@every("at, told", OTHER_TIMES)
def test_a_line_from_another_time_is_told(tmp_path, at, told):
    cluster = used(tmp_path / str(at))
    cluster.log("h0", "LedgerMetrics", at / SECOND, slot=3, density=0.05)
    what = warned(cluster.analyse())["far-times"]
    assert what.startswith("a line of h0 is from ")
    assert told in what
    assert what.endswith(" slot; run time and line rates include it, the metrics do not")


def test_lines_of_the_same_hours_are_not(tmp_path):
    cluster = used(tmp_path)
    cluster.log("h0", "LedgerMetrics", -1800, slot=3, density=0.05)
    cluster.log("h0", "LedgerMetrics", 1800, slot=3, density=0.05)
    assert "far-times" not in warned(cluster.analyse())


def test_a_few_slots_that_are_far_apart_take_no_rows_between_them(tmp_path):
    cluster = used(tmp_path)
    cluster.start("h0", 50_000_000)
    result = cluster.analyse()
    assert result.table("host_slots") == []
    assert "the Start events of h0 span slots 0 to 50000000" in warned(result)["slot-out-of-range"]


def test_spans_meet_the_boundaries_of_short_epochs_and_no_more_are_looked_for(tmp_path):
    """Far from slot 0, with an epoch a slot: boundaries before the run are of no span."""
    far = 10**9
    cluster = Cluster(tmp_path, "h0", epoch_length=1)
    cluster.start("h0", *range(far, far + 6))
    for second in range(6):
        cluster.use("h0", far + second + 0.5, CentiCpu=second * 100)
    result = cluster.analyse()
    found = sorted((row["epoch"], row["length"]) for row in result.table("epoch_spans"))
    [(first, last)] = [(row["first_slot"], row["last_slot"]) for row in result.table("spans")]
    # A boundary counts whose first four slots the span has one of; of an epoch of one slot that slot is the span.
    assert found == [(epoch, int(epoch >= first)) for epoch in range(first - 3, last + 1)]


@pytest.mark.parametrize("text", ["Listening on port 3001\nReady.\n", '{"level": "info", "text": "x"}\n', ""])
def test_a_run_of_nothing_but_noise_ends_with_what_was_looked_for(run, tmp_path, text):
    described = {"systemStart": "2025-02-14T18:40:58Z", "slotLength": 1, "epochLength": 9}
    (tmp_path / "logs/a").mkdir(parents=True)
    (tmp_path / "logs/run.json").write_text(json.dumps(described))
    (tmp_path / "logs/a/x.json").write_text(text)
    done = run("cluster", "analyse", "logs", "-o", "out")
    assert done.code == 2
    lines = text.count("\n")
    assert f"logs: no event of the mapping cardano in {lines} line{'' if lines == 1 else 's'} of 1 host" in done.err
    assert 'an object such as {"at": …, "ns": "Forge.Loop.StartLeadershipCheck", …}' in done.err
    assert ("as a/x.json:1" in done.err) == bool(text)
    assert done.err.endswith("[no-events]\n")
    assert not (tmp_path / "out/summary.json").exists()
