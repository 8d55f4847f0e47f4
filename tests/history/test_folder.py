"""What goes wrong around a store: commands at the same time, kills, full disks, and files of strangers."""

import json
import os
import random
import shutil
import subprocess
import sys
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from histories import commit as sha
from histories import commits, job, read, shown, store
from histories import folder as new
from projects import results, start

from statera.history import catalog
from statera.history.alerts import expectations
from statera.history.analysis import analyse
from statera.history.compact import compact
from statera.history.folder import Folder, open_folder
from statera.support.errors import Stop
from statera.support.settings.limits import Limits
from support import ROOT

# Damaged files; STATERA_DAMAGED=3000 damages more.
DAMAGED = int(os.environ.get("STATERA_DAMAGED", "100"))
LATER = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def history(tmp_path):
    made = new(tmp_path / "h")
    for number in range(3):
        store(made, job(number), {"X": [1.0, 2.0]})
    return made


def add(where, number, path, *more):
    """Start to add the results of a commit that no repository has."""
    line = path.with_suffix(".line")
    line.write_text("\n".join(sha(each) for each in range(number, -1, -1)))
    words = ("--history", "h", "--branch", "main", "--project", "p", "--line", line, *more)
    return start(where, "add", path, *words)


def ended(process):
    _, said = process.communicate(timeout=120)
    return process.returncode, said.decode()


def in_python(script, *words, **options):
    """Run a script that finds the helpers of these tests."""
    begin = f"import sys; sys.path[:0] = [{str(ROOT / 'tests')!r}, {str(ROOT / 'tests/history')!r}]\n"
    command = [sys.executable, "-c", begin + script, *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120, **options)


def test_two_commands_that_make_and_fill_a_history_at_once(tmp_path):
    processes = [add(tmp_path, number, results(tmp_path / f"{number}.txt", 100 + number)) for number in range(4)]
    for process in processes:
        code, said = ended(process)
        assert code == 0, said
    assert commits(open_folder(tmp_path / "h")) == sorted(map(sha, range(4)))


def test_adding_while_another_command_compacts(history, tmp_path):
    processes = [add(tmp_path, number, results(tmp_path / f"{number}.txt", 100)) for number in range(3, 6)]
    processes += [start(tmp_path, "compact", "--history", "h", "--older", "0")]
    for process in processes:
        code, said = ended(process)
        assert code == 0, said
    assert commits(history) == sorted(map(sha, range(6)))


def test_reading_while_another_command_compacts(history, monkeypatch):
    """Uploads vanish between being listed and being read; the merged file has their jobs."""
    before, listing = shown(history), Folder.uploads
    analysis = analyse(read(history), history.about.lane)

    def late(self):
        found = listing(self)
        monkeypatch.setattr(Folder, "uploads", listing)
        assert len(compact(history, analysis, Limits(), 0, LATER).replaced) == 3
        return found

    monkeypatch.setattr(Folder, "uploads", late)
    assert shown(history) == before
    assert read(history).problems == []


def test_listing_while_another_command_compacts(history, monkeypatch):
    """The folder of the merged file was listed before it was there, and those of the others when they were gone."""
    analysis = analyse(read(history), history.about.lane)
    naming = Folder.named
    calls = []

    def late(self, kind):
        calls.append(kind)
        if calls != ["replaced", "uploads"]:
            return naming(self, kind)
        monkeypatch.setattr(Folder, "named", naming)
        compact(history, analysis, Limits(), 0, LATER)
        monkeypatch.setattr(Folder, "named", late)
        return []

    monkeypatch.setattr(Folder, "named", late)
    assert len(history.uploads()) == 1


KILLED = """
import os, signal
from pathlib import Path
import histories
from statera.history import folder
Path.replace = lambda *words: os.kill(os.getpid(), signal.SIGKILL)
histories.store(folder.open_folder(Path(sys.argv[1])), histories.job(9), {"X": [1.0]})
"""


def test_an_upload_that_is_cut_in_the_middle_counts_for_nothing_and_is_swept_later(history):
    assert in_python(KILLED, history.path).returncode == -9
    [left] = history.path.glob(".part-*")
    assert left.stat().st_size > 0
    assert commits(history) == sorted(map(sha, range(3)))
    # Another command may write it still.
    store(history, job(3), {"X": [1.0]})
    assert left.exists()
    os.utime(left, (0, 0))
    store(history, job(4), {"X": [1.0]})
    assert not left.exists()


def test_the_same_upload_twice_is_one(history):
    before = history.uploads()
    assert store(history, job(1), {"X": [1.0, 2.0]}) in dict(before)
    assert history.uploads() == before


FULL = """
import resource, signal
from pathlib import Path
import histories
from statera.support.errors import Stop
from statera.history import folder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    of = folder.open_folder(Path(sys.argv[1]))
    histories.store(of, histories.job(9), {f"B{n}": [n + 0.5] * 5 for n in range(200)})
except Stop as stop:
    print(stop.code, stop)
"""


def test_a_full_disk_is_told_and_leaves_nothing_behind(history):
    for size in (0, 3, 1000, 8000):
        done = in_python(FULL, history.path, size)
        assert done.stdout.startswith("disk-full "), (size, done.stderr)
        assert str(history.path) in done.stdout, size
        assert list(history.path.glob(".part-*")) == [], size
        assert commits(history) == sorted(map(sha, range(3))), size


def placed(history, content):
    """Put bytes among the uploads, under the name that they should have."""
    with history.receiving() as part:
        part.write_bytes(content)
        return history.file_of(history.keep(part)[0])


def left_out(history, path):
    """Read a history; return why a file was left out, or None. All other jobs count in any case."""
    held = read(history)
    assert {sha(number) for number in range(3)} <= {each.job.commit for each in held.held}
    analyse(held, history.about.lane)
    return next((problem.what for problem in held.problems if problem.source == str(path)), None)


def test_a_file_that_is_cut_off_is_left_out_and_named(history):
    _, path = history.uploads()[0]
    whole = path.read_bytes()
    for size in (0, 1, 4, 8, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        cut = placed(history, whole[:size])
        assert left_out(history, cut), size
        cut.unlink()


def flip(draw, content):
    for _ in range(draw.choice((1, 2, 8))):
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)


def endless(draw, content):
    """Write the longest number that the encoding of the footer knows somewhere into it."""
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    at = draw.randrange(begin, len(content) - 8)
    content[at : at + 5] = b"\xff\xff\xff\xff\x0f"


@pytest.mark.parametrize("damage", [flip, endless])
def test_damage_never_ends_the_command(history, damage):
    """A flip in a value leaves a file that can be read; verify finds that one. All others are named."""
    whole = history.uploads()[0][1].read_bytes()
    draw = random.Random(7)
    for _ in range(DAMAGED):
        content = bytearray(whole)
        damage(draw, content)
        damaged = placed(history, bytes(content))
        assert left_out(history, damaged) != ""
        damaged.unlink()


def foreign(columns, jobs):
    sink = pa.BufferOutputStream()
    metadata = {} if jobs is None else {"statera.history": jobs}
    pq.write_table(pa.table(columns).replace_schema_metadata(metadata), sink, store_schema=True)
    return sink.getvalue().to_pybytes()


ONE = json.dumps([{"statera": "history/1", "project": "p", "branch": "main", "commit": "c"}])


def test_a_parquet_file_of_another_program_is_left_out_and_named(history):
    for columns, jobs in (({"a": [1]}, None), ({"a": [1]}, ONE), ({"job": ["x"]}, ONE), ({}, ONE)):
        path = placed(history, foreign(columns, jobs))
        assert "column job is missing or of another type" in left_out(history, path), (columns, jobs)
        path.unlink()


def with_job(table, number):
    return table.set_column(0, table.field(0), [pa.array([number], pa.uint32())])


def stating(table, jobs):
    """The bytes of an upload whose metadata states these jobs."""
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({} if jobs is None else {"statera.history": jobs}), sink)
    return sink.getvalue().to_pybytes()


def test_an_upload_that_says_something_else_is_left_out_and_named(history):
    table = pq.read_table(history.uploads()[0][1])
    said = [
        (with_job(table, 7), ONE, "a job that it does not name"),
        (table, None, "it names no job"),
        (table, "{", "not a JSON list"),
        (table, "[" * 100_000, "not a JSON list"),
        (table, "[]", "does not name"),
        (table, "[1]", "its jobs are of version None"),
        (table, ONE.replace("history/1", "history/2"), "Use a newer one"),
        (table, ONE.replace('"c"', '""'), "commit is empty"),
    ]
    for changed, jobs, why in said:
        path = placed(history, stating(changed, jobs))
        assert why in left_out(history, path), why
        path.unlink()


def test_an_upload_of_a_newer_statera_keeps_nobody_from_adding(run, history, tmp_path):
    _, path = history.uploads()[0]
    placed(history, stating(pq.read_table(path), ONE.replace("history/1", "history/2")))
    before = history.commits()
    assert len(before) == 3
    (tmp_path / "out.txt").write_text("BenchmarkX 1000 100.1 ns/op\n")
    (tmp_path / "line").write_text(f"{'9' * 40}\n{min(before)}\n")
    words = ("--project", history.about.project, "--branch", "main", "--line", tmp_path / "line", "--foreign")
    done = run("history", "add", tmp_path / "out.txt", "--history", history.path, *words)
    assert done.code == 0, done.err
    assert history.commits() == {*before, "9" * 40}


def test_a_file_that_says_it_is_huge_is_left_out(history):
    held = catalog.read(history, Limits(bytes=10))
    assert len(held.problems) == 3
    assert all("more than the limits allow" in problem.what for problem in held.problems)


def test_links_in_the_store_are_not_followed(history, tmp_path):
    _, path = history.uploads()[0]
    elsewhere = tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    os.mkfifo(path.with_name("a" * 64 + ".parquet"))
    assert len(history.uploads()) == 2
    upload = store(new(tmp_path / "other"), job(7), {"X": [1.0]})
    shutil.rmtree(history.path / "uploads" / upload[:2], ignore_errors=True)
    (history.path / "uploads" / upload[:2]).symlink_to(tmp_path)
    with pytest.raises(Stop, match=rf"uploads/{upload[:2]} is a link, and a history holds none"):
        store(history, job(7), {"X": [1.0]})
    assert not list(tmp_path.glob("*.parquet"))


def test_a_folder_that_cannot_be_read_is_named(history):
    script = """
import os
from pathlib import Path
from statera.support.errors import Stop
from statera.history import folder
of = folder.open_folder(Path(sys.argv[1]))
os.chmod(of.path / "uploads", 0)
os.setuid(65534) if os.getuid() == 0 else None
try:
    of.uploads()
except Stop as stop:
    print(stop)
"""
    for above in (history.path, *history.path.parents[:-2]):
        above.chmod(above.stat().st_mode | 0o055)
    said = in_python(script, history.path).stdout
    (history.path / "uploads").chmod(0o755)
    assert said == f"{history.path}/uploads: Permission denied\n"


def test_a_file_in_the_place_of_a_folder_is_named(history):
    (history.path / "events").write_text("")
    with pytest.raises(Stop, match="events: Not a directory"):
        history.events()


def test_84000_series_fit_into_an_upload(tmp_path):
    history = new(tmp_path / "h")
    for number in range(2):
        store(history, job(number), {f"B{each}": [each + 1.0] for each in range(84_000)})
    held = read(history)
    assert len(held.series) == 84_000
    assert len(analyse(held, history.about.lane).tracks) == 84_000


def test_an_expectation_of_a_stranger_that_cannot_be_read_announces_nothing(history):
    history.record({"kind": "expect", "commits": [sha(1)], "text": "nonsense"})
    assert expectations(read(history)) == []
