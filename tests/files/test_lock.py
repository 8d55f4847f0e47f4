"""Two commands never write to one directory of results: the second is told who is at it."""

import errno
import fcntl
import os
import re
import signal
import subprocess
import sys

import pytest

from statera.cli import main
from statera.support.errors import Stop
from statera.support.files.lock import locked
from support import ROOT

RUNS = [ROOT / "examples/cluster/base-1", ROOT / "examples/cluster/base-2"]


def held(folder):
    """Hold a directory from a process of its own, until it is killed."""
    folder.mkdir(parents=True, exist_ok=True)
    code = (
        "import sys, pathlib; from statera.support.files.lock import locked\n"
        "with locked(pathlib.Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    return holder


@pytest.mark.parametrize(
    ("place", "runs"), [("out", RUNS[:1]), ("out", RUNS), ("out/base-2", RUNS), ("out/pooled", RUNS)]
)
def test_the_second_is_refused_with_who_is_at_it(run, tmp_path, place, runs):
    with held(tmp_path / place) as holder:
        done = run("cluster", "analyse", *runs, "-o", "out")
        holder.kill()
    assert done.code == 2
    assert re.search(
        rf"{place}: process {holder.pid} on \S+ \(since \d{{4}}-.* UTC: -c .*\) writes there. Wait until it ends, or "
        r"name another directory \[in-use\]",
        done.err,
    )
    assert not (tmp_path / place / "summary.json").exists()


def test_whoever_ends_without_a_word_holds_nothing(run, tmp_path):
    with held(tmp_path / "out") as holder:
        holder.send_signal(signal.SIGKILL)
    assert (tmp_path / "out/.lock").exists()
    assert run("cluster", "analyse", RUNS[0], "-o", "out").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "blocks.csv", "events", "summary.json", "tables"
    ]  # fmt: skip


def test_a_lock_that_was_taken_away_meanwhile_is_none(tmp_path, monkeypatch):
    """Its holder ends between the moments when another opens and locks it: the file is no longer there."""
    real, opened = fcntl.flock, []

    def meanwhile(number, how):
        if not opened:
            (tmp_path / ".lock").unlink()
        opened.append(number)
        real(number, how)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    with locked(tmp_path):
        assert len(opened) == 2
        assert (tmp_path / ".lock").exists()
        with pytest.raises(Stop, match=f"process {os.getpid()} on"), locked(tmp_path):
            pass
    assert not (tmp_path / ".lock").exists()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_told(tmp_path, monkeypatch, number):
    def refused(_number, _how):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refused)
    with pytest.raises(Stop, match=r"has no locks \(.*--unlocked") as stop, locked(tmp_path):
        pass
    assert stop.value.code == "no-locks"
    with locked(tmp_path, required=False):
        pass
    assert not list(tmp_path.iterdir())


def test_who_has_patience_waits_for_the_other(tmp_path, monkeypatch):
    other = locked(tmp_path)
    other.__enter__()
    pauses = []

    def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            other.__exit__(None, None, None)

    monkeypatch.setattr("statera.support.files.lock.sleep", sleep)
    with locked(tmp_path, patience=600):
        assert len(pauses) == 3
    assert not (tmp_path / ".lock").exists()


def test_patience_ends(tmp_path):
    with locked(tmp_path), pytest.raises(Stop, match="writes there"), locked(tmp_path, patience=0.01):
        pass


def test_what_stands_in_the_place_of_the_lock_is_left_alone(tmp_path):
    (tmp_path / "precious").write_text("precious")
    with locked(tmp_path):
        # Whoever may write such a file may take the lock.
        assert (tmp_path / ".lock").stat().st_mode == (tmp_path / "precious").stat().st_mode
    (tmp_path / ".lock").symlink_to("precious")
    with pytest.raises(Stop) as stop, locked(tmp_path):
        pass
    assert stop.value.code == "cannot-write"
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_long_command_is_cut_and_its_process_still_named(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["statera", *(f"runs/\N{GRINNING FACE}{number}" for number in range(2000))])
    with (
        locked(tmp_path),
        pytest.raises(Stop, match=f"process {os.getpid()} on {os.uname().nodename} .*: statera ") as stop,
        locked(tmp_path),
    ):
        pass
    assert len(str(stop.value)) < len(str(tmp_path)) + 400


def test_a_full_disk_is_told_and_leaves_no_lock(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(Stop, match=r"\.lock: No space left on device") as stop, locked(tmp_path):
        pass
    assert stop.value.code == "disk-full"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("words", "code"), [((), 2), (("--unlocked",), 0)])
def test_unlocked_goes_on_where_a_file_system_has_no_locks(tmp_path, monkeypatch, capsys, words, code):
    def refused(_number, _how):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refused)
    assert main(["cluster", "analyse", str(RUNS[0]), "-o", str(tmp_path / "out"), *words]) == code
    assert ("[no-locks]" in capsys.readouterr().err) == (code == 2)
    assert (tmp_path / "out/summary.json").exists() == (code == 0)
