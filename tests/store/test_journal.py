"""A journal keeps each record from the moment it was written, and forgives nothing but an incomplete last one."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from recorded import Invoked, begin, end, invocation, look, round_end
from statera.reading.store import journal
from support import stopped

RECORDS = [
    begin(),
    invocation(1, Invoked(1, "work \N{GRINNING FACE}", "old\nnew")),
    {"kind": "failure", "number": 2, "round": 1, "order": 2, "benchmark": "work", "variant": "new",
     "reason": "exit", "message": "exit code 2"},
    round_end(1, "steal"),
    look(1, 9, 0.1, ["work"]),
    {"kind": "build", "key": "0" * 16, "ok": True, "cached": False, "seconds": 2, "message": "",
     "artefacts": {"a": "b"}},
    end(1),
]  # fmt: skip


def written(path, records=RECORDS):
    with journal.opened(path) as open_journal:
        for record in records:
            open_journal.append(record)
    return path


def test_every_kind_of_record_comes_back(tmp_path):
    path = written(tmp_path / "journal.ndjson")
    assert journal.read(path) == (RECORDS, path.stat().st_size)
    assert path.read_text().count("\n") == len(RECORDS)


def test_a_journal_that_does_not_exist_is_empty(tmp_path):
    assert journal.read(tmp_path / "journal.ndjson") == ([], 0)


def test_one_write_for_each_record(tmp_path, monkeypatch):
    writes, real = [], os.write
    monkeypatch.setattr(os, "write", lambda handle, data: writes.append(bytes(data)) or real(handle, data))
    path = written(tmp_path / "journal.ndjson")
    assert b"".join(writes) == path.read_bytes()
    assert len(writes) == len(RECORDS)
    assert all(each.endswith(b"\n") for each in writes)


def test_wherever_the_last_record_is_torn_the_others_stand(tmp_path):
    path = written(tmp_path / "journal.ndjson", RECORDS[:3])
    whole = path.read_bytes()
    last = whole.rfind(b"\n", 0, -1) + 1
    for cut in range(last + 1, len(whole)):
        path.write_bytes(whole[:cut])
        replay = journal.read(path)
        assert replay == (RECORDS[:2], last)
        with journal.opened(path, replay.length) as again:
            again.append(RECORDS[2])
        assert path.read_bytes() == whole


def test_zeros_that_a_power_cut_left_at_the_end_are_torn_too(tmp_path):
    path = written(tmp_path / "journal.ndjson", RECORDS[:2])
    length = path.stat().st_size
    with path.open("ab") as file:
        file.write(bytes(4096))
    assert journal.read(path) == (RECORDS[:2], length)


def test_damage_elsewhere_is_told_with_its_line(tmp_path):
    path = written(tmp_path / "journal.ndjson")
    lines = path.read_bytes().split(b"\n")
    for line, said in [
        (b'{"kind": "round"', "it is not JSON"),
        (b"\xff", "it is not JSON"),
        (b"", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "it is not an object with a `kind`"),
        (b'{"kind": "end", "reason": "complete", "rounds": 3}', "`missing` is missing"),
        (b'{"kind": "end", "reason": "tired", "rounds": 3, "missing": 0}', "`reason` is 'tired'"),
        (b'{"kind": "end", "reason": "time", "rounds": true, "missing": 0}', "`rounds` is True"),
        (b'{"kind": "session", "started": "", "boot": 3, "process": 0}', "`boot` is 3"),
        (b'{"kind": "round", "round": 1, "seconds": 1, "machine": {"a": "b"}, "marks": []}', "`machine` is"),
        (b'{"kind": "round", "round": 1, "seconds": NaN, "machine": {}, "marks": []}', "`seconds` is nan"),
        (b'{"kind": "round", "round": 1, "seconds": 1e999, "machine": {}, "marks": []}', "`seconds` is inf"),
        (
            b'{"kind": "round", "round": 1, "seconds": 1' + b"0" * 400 + b', "machine": {}, "marks": []}',
            "`seconds` is 1",
        ),
        (b'{"kind": "end", "reason": "time", "rounds": -1, "missing": 0}', "`rounds` is -1"),
        (b'{"kind": "end", "reason": "time", "rounds": 9223372036854775808, "missing": 0}', "`rounds` is 922"),
    ]:
        path.write_bytes(b"\n".join([*lines[:2], line, *lines[2:]]))
        message = stopped(journal.read, path)
        assert f"{path}:3: " in message, line
        assert said in message, line
        assert "remove this line" in message
        assert message.endswith("[damaged-run]")


def test_kinds_of_later_versions_are_skipped(tmp_path):
    path = written(tmp_path / "journal.ndjson", [RECORDS[0], {"kind": "weather", "sun": True}, RECORDS[1]])
    assert journal.read(path).records == RECORDS[:2]


def test_a_full_disk_is_told_and_leaves_whole_records(tmp_path):
    path = tmp_path / "journal.ndjson"
    size = written(path, RECORDS[:2]).stat().st_size
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from recorded import round_end; from statera.support.errors import Stop\n"
        "from statera.reading.store import journal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 20}, resource.RLIM_INFINITY))\n"
        "try:\n"
        f"    with journal.opened(Path(sys.argv[1]), {size}) as each: each.append(round_end(1))\n"
        "except Stop as stop: print(stop.code, stop)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.startswith(f"disk-full {path}: ")
    assert f"--resume {tmp_path}" in done.stdout
    assert journal.read(path) == (RECORDS[:2], size)


def test_a_killed_writer_leaves_what_it_wrote(tmp_path):
    path = tmp_path / "journal.ndjson"
    code = (
        "import sys; from pathlib import Path\n"
        "from recorded import round_end; from statera.reading.store import journal\n"
        "with journal.opened(Path(sys.argv[1])) as each:\n"
        "    for number in range(1, 10**9): each.append(round_end(number)); print(number, flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True, env=environment
    ) as one:
        for _ in range(200):
            last = int(one.stdout.readline())
        one.send_signal(signal.SIGKILL)
    assert [record["round"] for record in journal.read(path).records][:last] == list(range(1, last + 1))


def test_synced_at_most_once_a_second_unless_forced(tmp_path, monkeypatch):
    synced, now = [], [0.0]
    monkeypatch.setattr(os, "fdatasync", synced.append)
    handle = os.open(tmp_path / "journal.ndjson", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    each = journal.Journal(tmp_path / "journal.ndjson", handle, 0, clock=lambda: now[0])
    for seconds, count in ((0.5, 0), (1.0, 1), (1.5, 1), (2.0, 2)):
        now[0] = seconds
        each.append(RECORDS[0])
        each.sync()
        assert len(synced) == count
    each.sync(force=True)
    assert len(synced) == 2
    each.append(RECORDS[0])
    each.sync(force=True)
    assert len(synced) == 3
    os.close(handle)


def test_a_disk_that_loses_data_is_told(tmp_path, monkeypatch):
    def lost(_handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fdatasync", lost)
    message = stopped(written, tmp_path / "journal.ndjson")
    assert "Input/output error" in message
    assert message.endswith("[cannot-write]")


def test_a_journal_that_was_removed_is_told(tmp_path):
    path = tmp_path / "journal.ndjson"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT)
    writing = journal.Journal(path, handle, 0)
    writing.append(begin())
    path.unlink()
    assert stopped(writing.sync).endswith("[run-removed]")
    os.close(handle)


def test_a_link_is_no_journal(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "journal.ndjson").symlink_to("precious")
    assert stopped(written, tmp_path / "journal.ndjson")
    assert (tmp_path / "precious").read_text() == "precious"


def test_texts_that_are_not_unicode_are_escaped(tmp_path):
    path = written(tmp_path / "journal.ndjson", [invocation(1, Invoked(1, "w\udc80", "v"))])
    (record,) = journal.read(path).records
    assert record["benchmark"] == r"w\x80"


def test_a_record_has_its_required_keys_and_may_lack_the_others():
    record = {"kind": "round", "round": 1, "seconds": 1.5, "machine": {"steal": 0.5}, "marks": []}
    assert journal.fault_of(record) is None
    faults = {key: journal.fault_of({name: value for name, value in record.items() if name != key}) for key in record}
    assert faults == {key: f"`{key}` is missing" for key in record} | {"kind": "it is not an object with a `kind`"}
    assert journal.fault_of({**record, "round": "1"}) == "`round` is '1'"
    assert journal.fault_of({"kind": "other"}) == ""


def test_what_a_run_writes_are_records(run, tmp_path):
    done = run("run", "-o", tmp_path / "out", "-n", "a", "-n", "b", "true", "true", "--max-runs", "6")
    assert done.code == 0, done.err
    records = [json.loads(line) for line in (tmp_path / "out/journal.ndjson").read_text().splitlines()]
    assert [record for record in records if journal.fault_of(record) is not None] == []
    assert {"session", "invocation", "round", "look", "end"} <= {record["kind"] for record in records}
    looks = [record["look"] for record in records if record["kind"] == "look"]
    assert looks == list(range(1, len(looks) + 1))
