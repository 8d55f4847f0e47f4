"""The sample runs, and real lines of every kind."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from statera.cluster.run import read_run

CLASSES = ("lines", "noise", "broken", "cut", "other", "emitted", "analysed", "skipped")


@pytest.mark.parametrize("name", ["base", "variant", "workbench"])
def test_the_lines_of_the_samples_are_counted_as_stated(shared, tmp_path, name):
    run = shared / "data/cluster" / name
    expected = json.loads((run / "expected.json").read_text())
    read = read_run(run, tmp_path)
    assert not read.warnings
    assert {host.host for host in read.hosts} == set(expected["hosts"])
    for host in read.hosts:
        stated = expected["hosts"][host.host]
        assert {key: getattr(host.counts, key) for key in CLASSES} == {key: stated[key] for key in CLASSES}
    runtime = [(host.counts.last - host.counts.first) / 1e9 for host in read.hosts]
    assert sum(runtime) / len(runtime) == pytest.approx(expected["manifest"]["hostRunTime"], rel=1e-12)


# What real lines of these kinds are; the others are not events.
EVENTS = {
    "AddedToCurrentChain": "Tip",
    "SwitchedToAFork": "Tip",
    "ChainSyncServerUpdate": "Announced",
    "ServerHeaderUpdate": "Announced",
    "CompletedBlockFetch": "Fetched",
    "SendFetchRequest": "Requested",
    "SendBlock": "Sending",
    "TraceDownloadedHeader": "Noticed",
    "DownloadedHeader": "Noticed",
    "TraceForgedBlock": "Forged",
    "ForgedBlock": "Forged",
    "TraceNodeIsLeader": "Leader",
    "NodeIsLeader": "Leader",
    "NodeNotLeader": "NotLeader",
    "TraceStartLeadershipCheck": "Start",
    "StartLeadershipCheck": "Start",
    "StartLeadershipCheckPlus": "Start",
    "AdoptedBlock": "AdoptedBlock",
    "BlockContext": "BlkCtx",
    "LedgerState": "LgrState",
    "LedgerView": "LgrView",
    "ForgeTickedLedgerState": "Ticked",
    "ForgingMempoolSnapshot": "MemSnap",
    "LedgerMetrics": "LedgerMetrics",
    "Resources": "Resources",
}
UNMAPPED = {"MempoolRemoveTxs", "ForgingStats", "TookSnapshot"}


def test_real_lines_are_events_or_counted(shared, tmp_path):
    run = tmp_path / "run"
    stated = {"systemStart": "2026-08-25T18:08:33Z", "slotLength": 1, "epochLength": 1000}
    sources = sorted((shared / "data/cardano-lines").glob("*.jsonl"))
    for source in sources:
        host = run / source.stem
        host.mkdir(parents=True)
        shutil.copyfile(source, host / "x.json")
    (run / "run.json").write_text(json.dumps(stated))
    read = read_run(run, tmp_path / "out")
    assert len(read.hosts) == len(sources) > 25
    for host in read.hosts:
        counts = host.counts
        kind = host.host.rpartition(".")[2]
        assert counts.lines == counts.emitted == len(Path(run / host.host / "x.json").read_text().splitlines())
        if host.host.startswith("worked-example"):
            assert counts.analysed + sum(name.lines for name in counts.unmapped) == counts.lines
        elif kind in UNMAPPED:
            assert sum(name.lines for name in counts.unmapped) == counts.lines
        else:
            assert counts.mapped == counts.lines
            assert {event.reason for event in counts.events} <= {EVENTS[kind]}
            assert all(skip.reason == "risingEdge is false" for skip in counts.skips)
            assert counts.analysed + counts.skipped == counts.lines
        lines = sum(sum(pq.read_table(path)["lines"].to_pylist()) for path in host.tables.values())
        assert lines == counts.analysed
