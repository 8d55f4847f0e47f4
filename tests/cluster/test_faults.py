"""Faults that runs have: none of them ends an analysis, and whatever is left out is told.

Which fault is told where stands in docs/cluster.md. Faults of single lines and streams are in test_read.py and
test_lines.py, those of the chain in test_chain.py, restarts in test_resources.py, disks and signals in
test_interruption.py.
"""

import json
import os
from pathlib import Path

import pytest
from generator.lines import Writer
from generator.run import generate
from generator.settings import Settings
from small import START, Cluster

from statera import _native
from statera.cluster import analysis
from statera.cluster.drill_down import errors
from statera.cluster.logs import events
from statera.cluster.views.analysis import listings

OPTIONS = analysis.Options()


def analysed(run, out):
    return analysis.analyse(run, out, OPTIONS)


def warned(document):
    """The warnings: what is told by code."""
    return {one["code"]: one["what"] for one in document["warnings"]}


def values(document):
    """The metrics without what only says where they come from."""
    return {
        key: metric["quantiles"] and list(metric["quantiles"].values()) for key, metric in document["metrics"].items()
    }


def rewrite(run, change):
    """Change the lines of every log of a run."""
    for path in run.glob("node-*/*.json"):
        path.write_text("".join(change(line) for line in path.read_text().splitlines(keepends=True)))


@pytest.fixture
def run(tmp_path):
    generate(tmp_path / "run", Settings(hosts=3, slots=300, block_rate=0.1), processes=1)
    return tmp_path / "run"


def describe(run, **changes):
    path = run / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_run_without_faults_is_warned_of_nothing(run, tmp_path):
    assert warned(analysed(run, tmp_path / "out")) == {}


def test_whatever_is_left_out_is_in_the_summary_and_among_the_errors(tmp_path):
    settings = Settings(
        hosts=8, slots=600, block_rate=0.1, tracing=("new", "array", "legacy", "mixed"), files=2,
        compression=("", ".gz", ".zst", ""), noise=0.01, broken=0.01, other=0.01, duplicates=0.01, disorder=0.01,
        battles=0.3, lost_forged=0.1, cut=8, restarts=2, clock_steps=1, missing=1, silent=2, truncated=3,
    )  # fmt: skip
    run, out = tmp_path / "run", tmp_path / "out"
    generate(run, settings, processes=1)
    (run / "stranger").mkdir()
    (run / "stranger/x.json").write_text("{}\n")
    document = analysed(run, out)
    told = warned(document)
    assert set(told) == {
        "host-without-logs", "host-without-events", "ignored-host", "truncated-log", "unknown-forger", "clocks",
    }  # fmt: skip
    assert document["ignoredHosts"] == ["stranger"]
    assert document["chain"]["length"] > 30
    assert document["chain"]["abandoned"]
    hosts = document["hosts"].values()
    assert sum(host["restarts"] for host in hosts) >= 2
    text = listings(errors(out), "terminal")
    for what in (
        *told,
        "noise",
        "broken",
        "cut",
        "other",
        "skipped",
        "Restarts",
        "no usable time",
        "risingEdge is false",
    ):
        assert what in text, what


def test_a_wrong_system_start_is_told_with_the_likely_one(run, tmp_path):
    describe(run, systemStart="2025-02-14T17:40:58Z")
    told = warned(analysed(run, tmp_path / "out"))
    assert "3600" in told["system-start"]
    assert "systemStart should be about 2025-02-14 18:40:58 UTC" in told["system-start"]
    assert "clocks" not in told


def test_a_wrong_slot_length_is_told_with_the_likely_one(run, tmp_path):
    describe(run, slotLength=0.5)
    assert "slots are 1 s long, not slotLength 0.5 s" in warned(analysed(run, tmp_path / "out"))["system-start"]


def test_a_clock_that_is_behind_is_told_by_headers_that_come_before_their_blocks(tmp_path):
    cluster = Cluster(tmp_path, "h0", "slow")
    before = "f"
    for number in range(5):
        cluster.start("h0", number)
        cluster.forge("h0", f"a{number}", number, number, before)
        # It was noticed 0.1 s later, by a clock that is 2 s behind.
        cluster.log("slow", "Noticed", number + 0.6 - 2, f"a{number}", slot=number, block_no=number)
        before = f"a{number}"
    told = warned(cluster.analyse().summary)["clocks"]
    # No block of the slow host went back, so that the other clock may as well be ahead.
    assert told.startswith("4 times a host noticed a block before it was forged, by up to 1.9 s: the clocks of hosts")


def test_what_the_two_decimals_of_old_logs_cut_off_is_no_wrong_clock(tmp_path):
    cluster = Cluster(tmp_path, "h0", "h1")
    for number in range(3):
        cluster.forge("h0", f"a{number}", number, number, f"a{number - 1}" if number else "f", seconds=0.509)
        cluster.log("h1", "Noticed", number + 0.5, f"a{number}", slot=number, block_no=number)
    assert "clocks" not in warned(cluster.analyse().summary)


def test_a_clock_that_steps_back_is_told(tmp_path):
    cluster = Cluster(tmp_path, "h0")
    cluster.start("h0", *range(60))
    for second in range(60):
        cluster.use("h0", second - 10 * (second >= 30), CentiCpu=second * 10)
    result = cluster.analyse()
    assert (
        "1 Resources lines have an earlier time than the line above, by up to 9 s" in warned(result.summary)["clocks"]
    )
    # Every interval ends later than it begins, and none lasts less than nothing.
    assert all(row["seconds"] > 0 for row in result.table("intervals"))
    assert all(row["cpu"] is None or row["cpu"] >= 0 for row in result.table("intervals"))


def test_a_clock_that_is_set_back_under_a_forge_loop_is_told(tmp_path):
    cluster = Cluster(tmp_path, "h0", "h1")
    for host in ("h0", "h1"):
        cluster.start(host, *range(20))
    cluster.start("h1", 20, 21, after=-0.3)
    what = warned(cluster.analyse().summary)["clocks"]
    assert what == "2 forge loops begin before their slot, by up to 0.3 s, most on h1: its clock was set back"


def test_a_block_that_names_itself_as_parent_is_told(tmp_path):
    cluster = Cluster(tmp_path, "h0")
    for number, name, parent in ((0, "a", "9"), (1, "b", "b"), (2, "c", "b")):
        cluster.forge("h0", name, number + 1, number, parent)
    summary = cluster.analyse().summary
    assert summary["chain"]["length"] == 2
    assert warned(summary)["circular-chain"] == (
        "1 block of the main chain whose line names the block itself or one above it as parent: bridged there"
    )


def test_no_block_is_told(tmp_path):
    cluster = Cluster(tmp_path, "h0")
    cluster.start("h0", 1, 2)
    assert warned(cluster.analyse().summary)["no-chain"].startswith("no block was forged")
    cluster.forge("h0", "a", 1, 0, "9")
    assert warned(cluster.analyse().summary)["no-chain"].startswith("only the last block")


def test_lines_that_are_there_twice_change_no_value(run, tmp_path):
    once = analysed(run, tmp_path / "once")
    rewrite(run, lambda line: line * 2)
    twice = analysed(run, tmp_path / "twice")
    assert values(twice) == values(once)
    assert twice["chain"] == once["chain"]
    assert twice["manifest"]["totalLogObjectsAnalysed"] == 2 * once["manifest"]["totalLogObjectsAnalysed"]


def test_a_fork_at_the_tip_is_settled_by_adopters(tmp_path):
    """Two blocks of the greatest height: the one that more hosts adopted leads down the chain."""
    cluster = Cluster(tmp_path, "h0", "h1", "h2")
    cluster.forge("h0", "a", 1, 0, "9")
    cluster.forge("h0", "b1", 2, 1, "a")
    cluster.forge("h1", "b2", 3, 1, "a")
    cluster.forge("h0", "c1", 4, 2, "b1")
    cluster.forge("h1", "c2", 5, 2, "b2")
    for host in ("h1", "h2"):
        cluster.adopt(host, 6, "c2")
    chain = cluster.analyse().summary["chain"]
    assert [chain["dropped"][:2], chain["tip"][:2]] == ["c2", "b2"]
    assert [block[:2] for block in chain["abandoned"]] == ["b1"]


def test_a_node_that_goes_over_to_another_tracing_and_era_in_mid_run_is_one_host(run, tmp_path):
    """Old tracing wraps its data; a slot is a number in one era's lines and an object in another's."""
    whole = analysed(run, tmp_path / "whole")
    half = START + 150 * 10**9

    def older(line):
        parsed = json.loads(line)
        name = parsed["ns"] if isinstance(parsed["ns"], str) else ".".join(parsed["ns"])
        if name.startswith("Forge.Loop") and _native.log_time(parsed["at"]) < half:
            data = parsed["data"]
            if "slot" in data:
                data["slot"] = {"unSlotNo": data["slot"]}
            parsed = {"at": parsed["at"], "ns": ["Cardano.Node." + name], "data": {"credentials": "C", "val": data}}
        return json.dumps(parsed) + "\n"

    rewrite(run, older)
    assert values(analysed(run, tmp_path / "mixed")) == values(whole)


def test_a_resource_that_is_no_number_spoils_its_line_alone(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text(
        json.dumps({"systemStart": "2025-02-14T18:40:58Z", "slotLength": 1, "epochLength": 9})
    )
    writer, second = Writer("a", "new"), 10**9
    lines = [writer.line("Start", START + slot * second, f'"slot":{slot}') for slot in range(6)]
    texts = (
        '"CentiCpu":1,"RSS":1048576', '"CentiCpu":NaN,"RSS":1', '"CentiCpu":Infinity', '"CentiCpu":null,"RSS":2097152',
        '"CentiCpu":"7"', '"CentiCpu":41,"RSS":1.5',
    )  # fmt: skip
    lines += [writer.line("Resources", START + slot * second, text) for slot, text in enumerate(texts)]
    (run / "a.json").write_text("\n".join(lines) + "\n")
    document = analysed(run, tmp_path / "out")
    host = document["hosts"]["a"]
    assert (host["broken"], host["skipped"], host["analysed"]) == (2, 1, 9)
    assert [document["metrics"]["RSS"][key] for key in ("min", "max", "n")] == [1, 2, 2]
    # 1 and 41 ticks, with a line between them that has none: no rate over either half.
    assert document["metrics"]["CentiCpu"]["n"] == 0


def unread(tmp_path, make):
    """A run of which the second file of a host cannot be read."""
    run = tmp_path / "run"
    generate(run, Settings(hosts=1, slots=20), processes=1)
    make(run / "node-0/node-0-01.json")
    document = analysed(run, tmp_path / "out")
    assert document["hosts"]["node-0"]["slots"] == 20
    assert warned(document).keys() >= {"truncated-log"}
    assert "node-0-01.json" in next(one["source"] for one in document["warnings"] if one["code"] == "truncated-log")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there is no file at hand that cannot be read")
def test_a_file_that_cannot_be_read_is_told(tmp_path):
    unread(tmp_path, lambda path: path.symlink_to("/proc/self/mem"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_told(tmp_path):
    def make(path):
        path.write_text("{}\n")
        path.chmod(0)

    unread(tmp_path, make)


def test_a_file_that_changes_while_it_is_read_is_told_and_read_anew(run, tmp_path, monkeypatch):
    log = run / "node-1/node-1-00.json"
    real = events._native.read_logs

    def meanwhile(plan, hosts, finished):
        # Without hosts it only checks the mapping.
        if hosts:
            with log.open("a") as file:
                file.write("one more\n")
        real(plan, hosts, finished)

    with monkeypatch.context() as patched:
        patched.setattr(events._native, "read_logs", meanwhile)
        first = analysed(run, tmp_path / "out")
    assert warned(first)["changed-log"].startswith("changed while it was read")
    second = analysed(run, tmp_path / "out")
    assert warned(second) == {}
    assert second["hosts"]["node-1"]["noise"] == 1
