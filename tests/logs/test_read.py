"""From the logs of a run to its events: every line counted, and the same however it is read."""

import functools
import gzip
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import oracle
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from generator.lines import Writer
from generator.run import generate
from generator.settings import Settings

from statera.cluster import run as runs
from statera.cluster.logs import events as module
from statera.cluster.logs.mapping import load
from statera.support.errors import Stop
from support import ROOT, every

FAULTS = Settings(
    hosts=6,
    slots=400,
    tracing=("new", "array", "legacy", "mixed"),
    compression=("", ".gz", ".zst", ""),
    files=2,
    noise=0.01,
    broken=0.01,
    other=0.01,
    duplicates=0.01,
    disorder=0.01,
    battles=0.3,
    cut=4,
    restarts=2,
    clock_steps=1,
    missing=1,
)


@functools.cache
def unfolded():
    """The built-in mapping with a row for each line, in a file."""
    text = (ROOT / "src/statera/cluster/logs/mappings/cardano.toml").read_text()
    path = Path(tempfile.mkdtemp()) / "unfolded.toml"
    path.write_text(re.sub(r"^\[folds\..*?(?=^\[|^#)", "", text, flags=re.MULTILINE | re.DOTALL))
    return path


def read_run(run, out, mapping=None):
    """Read a run, as it stands in its lines."""
    return runs.read_run(run, out, mapping or unfolded())


def rows(events, *tables):
    """The rows of tables, host by host in reading order."""
    found = []
    for host in events.hosts:
        of = [path for table, path in host.tables.items() if table in tables or (not tables and table != "resources")]
        found += sorted((row for path in of for row in pq.read_table(path).to_pylist()), key=lambda row: row["seq"])
    return found


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    run = tmp_path_factory.mktemp("faulty") / "run"
    return run, generate(run, FAULTS, processes=1)


def test_every_line_is_counted_as_what_it_is(faulty, tmp_path):
    run, truth = faulty
    read = read_run(run, tmp_path)
    assert [host.host for host in read.hosts] == [f"node-{number}" for number in range(6)]
    for host in read.hosts[:5]:
        counts = asdict(host.counts)
        assert {key: counts[key] for key in truth[host.host]} == truth[host.host]
        assert sum(skip.lines for skip in host.counts.skips) == host.counts.skipped
        assert sum(other.lines for other in host.counts.others) == host.counts.other
        assert sum(name.lines for name in host.counts.unmapped) == host.counts.emitted - host.counts.mapped
        events = sum(len(pq.read_table(path)) for path in host.tables.values())
        assert events == host.counts.analysed == sum(event.lines for event in host.counts.events)
        assert all(Counter(one.reason for one in host.counts.examples)[why] for why in ("noise", "broken", "other"))


def test_a_host_without_logs_is_there_and_told(faulty, tmp_path):
    read = read_run(faulty[0], tmp_path)
    missing = read.hosts[5]
    assert not missing.live
    assert not missing.tables
    assert [warning.code for warning in read.warnings] == ["host-without-logs"]
    assert len(read.tables("slots")) == 5


def test_events_say_where_they_stand(faulty, tmp_path):
    read = read_run(faulty[0], tmp_path)
    for host in read.hosts[:2]:
        table = rows(replace(read, hosts=(host,)))
        files = [faulty[0] / name for name in host.files]
        raw = [file.read_bytes() for file in files]
        lines = [(gzip.decompress(one) if one[0] == 0x1F else one).split(b"\n") for one in raw]
        assert [row["seq"] for row in table] == sorted({row["seq"] for row in table})
        for row in table:
            line = json.loads(lines[row["file"]][row["line"] - 1])
            data = line["data"].get("val", line["data"])
            slot = data.get("slot", data.get("current slot"))
            assert row["host"] == host.host
            assert slot in {row["slot"], None} or row["event"] == "AdoptedBlock"
            of = row.get("block")
            block = str(data.get("block", data.get("head", data.get("addBlock", data.get("newtip", of)))))
            assert of in {block[:64], None}


def test_a_folded_table_has_the_first_line_of_each_event(faulty, tmp_path):
    """The built-in mapping folds; what it gives is worked out here from every line."""
    unfolded_events, folded = read_run(faulty[0], tmp_path / "lines"), runs.read_run(faulty[0], tmp_path / "folds")
    for one, other in zip(unfolded_events.hosts[:5], folded.hosts, strict=False):
        lines = rows(replace(unfolded_events, hosts=(one,)))
        resources = rows(replace(unfolded_events, hosts=(one,)), "resources")
        for name, wanted in oracle.tables_of(one.host, lines, resources).items():
            found = pq.read_table(other.tables[name]).to_pylist()
            assert len(found) > 10
            by = "at" if name == "resources" else "key"
            used = [{key: row[key] for key in wanted.column_names} for row in sorted(found, key=lambda row: row[by])]
            assert used == sorted(wanted.to_pylist(), key=lambda row: row[by]), (one.host, name)


def test_the_number_of_threads_changes_nothing(tmp_path):
    # Large enough for several pieces of the one host.
    run = tmp_path / "run"
    generate(run, Settings(hosts=1, slots=4000, noise=0.001, cut=1), processes=1)
    code = "import sys; from pathlib import Path; from statera.cluster.run import read_run; "
    code += "print(read_run(Path(sys.argv[1]), Path(sys.argv[2])).hosts[0].counts)"
    told = []
    for threads in ("1", "4"):
        out = tmp_path / threads
        environment = os.environ | {"RAYON_NUM_THREADS": threads}
        command = [sys.executable, "-c", code, run, out]
        told.append(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
    assert told[0] == told[1]
    for table, least in (("slots", 3000), ("blocks", 100), ("resources", 3000)):
        one, four = (tmp_path / threads / "events/node-0" / f"{table}.parquet" for threads in ("1", "4"))
        assert one.read_bytes() == four.read_bytes()
        assert pq.read_table(one).num_rows > least


def small_run(tmp_path, files, **description):
    """Write a run of files with given bytes."""
    run = tmp_path / "run"
    run.mkdir()
    stated = {"systemStart": "2025-02-14T18:40:58Z", "slotLength": 1, "epochLength": 10} | description
    (run / "run.json").write_text(json.dumps(stated))
    for name, content in files.items():
        path = run / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return run


def slots(*numbers):
    writer = Writer("n", "new")
    return "".join(writer.line("Start", slot * 10**9, f'"slot":{slot}') + "\n" for slot in numbers).encode()


def zst(content):
    return pa.compress(content, codec="zstd", asbytes=True)


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".zst", zst)])
def test_members_one_behind_the_other_are_one_stream(tmp_path, ending, pack):
    # The second line is cut between the two.
    whole = slots(1, 2, 3)
    run = small_run(tmp_path, {f"a/x.json{ending}": pack(whole[:300]) + pack(whole[300:])})
    read = read_run(run, tmp_path / "out")
    assert [row["slot"] for row in rows(read)] == [1, 2, 3]
    assert not read.warnings


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".zst", zst)])
def test_a_truncated_stream_gives_what_it_holds_and_a_warning(tmp_path, ending, pack):
    packed = pack(slots(*range(20_000)))
    run = small_run(tmp_path, {f"a/x.json{ending}": packed[: len(packed) // 2], "a/y.json": slots(30_000)})
    read = read_run(run, tmp_path / "out")
    found = [row["slot"] for row in rows(read)]
    assert found == [*range(len(found) - 1), 30_000]
    assert 2_000 < len(found) < 18_000
    assert [warning.code for warning in read.warnings] == ["truncated-log"]
    assert read.warnings[0].source.endswith(f"x.json{ending}")
    # It is told again when the events are taken from disk.
    assert read_run(run, tmp_path / "out").warnings == read.warnings


def test_what_only_calls_itself_compressed_is_told(tmp_path):
    run = small_run(tmp_path, {"a/x.json.gz": slots(1), "a/y.json.zst": b"", "a/z.json": slots(2)})
    read = read_run(run, tmp_path / "out")
    assert [row["slot"] for row in rows(read)] == [2]
    assert {warning.code for warning in read.warnings} == {"truncated-log"}


def test_files_are_read_in_the_order_of_their_names(tmp_path):
    run = small_run(
        tmp_path, {"a/b.json": slots(3), "a/a-10.json": slots(1), "a/a-9.json": slots(2), "a.log": slots(0)}
    )
    assert [row["slot"] for row in rows(read_run(run, tmp_path / "out"))] == [0, 1, 2, 3]


def test_a_host_without_events_is_told(tmp_path):
    run = small_run(tmp_path, {"a/x.json": b"nothing\n", "b/x.json": b""})
    read = read_run(run, tmp_path / "out")
    assert [warning.code for warning in read.warnings] == ["host-without-events"] * 2
    assert rows(read) == []
    assert read.hosts[0].counts.first is None


def long_line(megabytes):
    """A line of a slot that is valid, and padded."""
    return slots(2).replace(b'{"', b"{" + b" " * (megabytes << 20) + b'"', 1)


def own_mapping(folder, longest):
    """The same with another limit."""
    text = unfolded().read_text()
    path = folder / "own.toml"
    path.write_text(text.replace("[line]\n", f"[line]\nlongest = {longest}\n"))
    return path


@pytest.mark.parametrize("end", [b"", slots(3)])
def test_a_line_that_is_too_long_is_told_with_the_limit_and_what_sets_it(tmp_path, end):
    run = small_run(tmp_path, {"a/x.json": slots(1) + long_line(34) + end})
    read = read_run(run, tmp_path / "out")
    assert [(row["slot"], row["line"]) for row in rows(read)] == [(1, 1), (3, 3)][: 1 + bool(end)]
    counts = read.hosts[0].counts
    assert [(one.reason, one.lines) for one in counts.others] == [
        ("longer than 32 MiB ([line] longest of the mapping)", 1)
    ]
    assert (counts.other, counts.broken, counts.lines) == (1, 0, 2 + bool(end))
    [example] = counts.examples
    assert (example.reason, example.line, example.text[:2]) == ("other", 2, "{ ")


def test_a_mapping_says_how_long_lines_may_be(tmp_path):
    run = small_run(tmp_path, {"a/x.json": slots(1) + long_line(3) + slots(3)})
    read = read_run(run, tmp_path / "out", own_mapping(tmp_path, 1))
    assert [row["slot"] for row in rows(read)] == [1, 3]
    read = read_run(run, tmp_path / "out", own_mapping(tmp_path, 5))
    assert [row["slot"] for row in rows(read)] == [1, 2, 3]


@every("longest", (0, 1025, '"1MiB"', 1.5, "true"))
def test_a_limit_that_is_none_is_refused(tmp_path, longest):
    with pytest.raises(Stop, match=r"own.toml.*longest.* from 1 to 1024") as stop:
        load(own_mapping(tmp_path, longest))
    assert stop.value.code == "event-mapping"


def stamps(out):
    return {path.parent.name: path.stat().st_mtime_ns for path in out.glob("events/*/host.json")}


def test_what_is_there_is_used_again(tmp_path):
    run = small_run(tmp_path, {"a/x.json": slots(1), "b/x.json": slots(2), "c/x.json": slots(3)})
    out = tmp_path / "out"
    first = read_run(run, out)
    before = stamps(out)
    assert read_run(run, out) == first
    assert stamps(out) == before
    (run / "a/x.json").write_bytes(slots(1, 4))
    events = out / "events/b/slots.parquet"
    events.write_bytes(events.read_bytes()[:-1])
    second = read_run(run, out)
    after = stamps(out)
    assert [row["slot"] for row in rows(second)] == [1, 4, 2, 3]
    assert {host for host in before if before[host] != after[host]} == {"a", "b"}


def test_events_of_hosts_that_are_gone_are_removed_and_nothing_else(tmp_path):
    run = small_run(tmp_path, {"a/x.json": slots(1), "b/x.json": slots(2)})
    read_run(run, tmp_path / "out")
    (tmp_path / "out/events/own").mkdir()
    shutil.rmtree(run / "b")
    read_run(run, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out/events").iterdir()) == ["a", "own"]


@pytest.mark.parametrize("tick", [-1, 10**18])
def test_a_file_is_told_again_by_its_bytes_not_by_its_size_and_time(tmp_path, monkeypatch, tick):
    # At rest for longer than a tick of the clock, or changed within it.
    monkeypatch.setattr("statera.cluster.logs.files._TICK", tick, raising=False)
    run = small_run(tmp_path, {"a/x.json": slots(1, 2)})
    log = run / "a/x.json"
    before = log.stat()
    assert [row["slot"] for row in rows(read_run(run, tmp_path / "out"))] == [1, 2]
    log.write_bytes(slots(3, 4))
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = log.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert [row["slot"] for row in rows(read_run(run, tmp_path / "out"))] == [3, 4]


@pytest.mark.parametrize("name", ["x.json", "x.json.gz", "x.json.zst"])
def test_a_copy_of_the_logs_is_not_read_again(tmp_path, name):
    packed = {"gz": gzip.compress, "zst": lambda text: pa.compress(text, codec="zstd", asbytes=True)}
    run = small_run(tmp_path, {f"a/{name}": packed.get(name.rpartition(".")[2], bytes)(slots(1, 2))})
    first = read_run(run, tmp_path / "out")
    before = stamps(tmp_path / "out")
    shutil.copytree(run, tmp_path / "copy" / run.name)
    again = read_run(tmp_path / "copy" / run.name, tmp_path / "out")
    assert stamps(tmp_path / "out") == before
    assert rows(again) == rows(first)


def test_another_mapping_makes_other_events(tmp_path):
    run = small_run(tmp_path, {"a/x.json": slots(1)})
    mapping = tmp_path / "other.toml"
    mapping.write_text("""
[line]
time = "at"
name = "ns"
[tables.checks]
slot = "natural"
[[events]]
event = "Checked"
names = ["Forge.Loop.StartLeadershipCheckPlus"]
fields = { slot = ['data.slot'] }
""")
    assert read_run(run, tmp_path / "out").tables("checks") == []
    read = read_run(run, tmp_path / "out", mapping)
    assert [(row["event"], row["slot"]) for row in rows(read, "checks")] == [("Checked", 1)]


def test_names_that_are_no_file_names_are_hosts_all_the_same(tmp_path):
    run = small_run(tmp_path, {"a[1]*%/x.json": slots(1), "..b/x.json": slots(2)}, hosts=["a[1]*%", "../c", "", "é\n"])
    read = read_run(run, tmp_path / "out")
    assert [row["host"] for row in rows(read)] == ["a[1]*%"]
    assert sorted(path.name for path in (tmp_path / "out/events").iterdir()) == ["a%5B1%5D%2A%25"]


def test_a_full_disk_ends_it_and_leaves_nothing_half_written(tmp_path):
    run = tmp_path / "run"
    generate(run, Settings(hosts=1, slots=4000), processes=1)
    code = "import sys; from statera.cluster.run import read_run; from pathlib import Path\n"
    code += "from statera.support.errors import Stop\n"
    code += "try: read_run(Path(sys.argv[1]), Path(sys.argv[2]))\nexcept Stop as stop: print(stop.code)"

    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    command = [sys.executable, "-c", code, run, tmp_path / "out"]
    ended = subprocess.run(command, check=True, capture_output=True, preexec_fn=small_disk, text=True)
    assert ended.stdout == "disk-full\n", ended.stderr
    assert list((tmp_path / "out/events").iterdir()) == []
    assert len(rows(read_run(run, tmp_path / "out"))) > 20_000


def test_what_an_earlier_time_left_half_written_goes(tmp_path):
    run = small_run(tmp_path, {"a/x.json": slots(1)})
    (tmp_path / "out/events/.partial-xyz-a").mkdir(parents=True)
    (tmp_path / "out/events/.partial-1-b").mkdir()
    read_run(run, tmp_path / "out")
    # Process 1 is always there: another command may be at work on the same run.
    assert sorted(path.name for path in (tmp_path / "out/events").iterdir()) == [".partial-1-b", "a"]


def test_an_interruption_leaves_the_hosts_that_are_complete(tmp_path, monkeypatch):
    run = small_run(tmp_path, {f"{host}/x.json": slots(1) for host in "abcdef"})

    whole = []

    def replace(made, place):
        whole.append(place)
        if len(whole) > 2:
            raise KeyboardInterrupt
        made.rename(place)

    monkeypatch.setattr(module, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        read_run(run, tmp_path / "out")
    assert len(list((tmp_path / "out/events").iterdir())) == 2


def test_an_output_that_cannot_be_written_ends_it(tmp_path):
    run = small_run(tmp_path, {"a/x.json": slots(1)})
    (tmp_path / "out").write_text("")
    with pytest.raises(Stop, match="out") as stop:
        read_run(run, tmp_path / "out")
    assert stop.value.code == "cannot-write"


def test_the_mapping_of_the_tests_in_rust_is_the_built_in_one():
    assert json.loads((ROOT / "crates/logs/tests/cardano.json").read_text()) == json.loads(load().plan)
