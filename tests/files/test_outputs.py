"""The one writer of files: whole or as before, and links, modes and streams stay what they are."""

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from statera.support.errors import Stop
from statera.support.files import outputs
from support import every

BEFORE, AFTER = "what was there", "the new content\n"


@pytest.fixture
def target(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text(BEFORE)
    return path


def alone(folder):
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_mode_that_the_mask_leaves(tmp_path):
    mask = os.umask(0o027)
    try:
        outputs.write(tmp_path / "out.txt", AFTER)
    finally:
        os.umask(mask)
    assert (tmp_path / "out.txt").read_text() == AFTER
    assert stat.S_IMODE((tmp_path / "out.txt").stat().st_mode) == 0o640
    assert alone(tmp_path) == ["out.txt"]


def test_a_file_keeps_its_mode(target):
    target.chmod(0o604)
    outputs.write(target, AFTER)
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == (AFTER, 0o604)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody")
def test_a_file_keeps_its_owner(target):
    os.chown(target, 1234, 4321)
    outputs.write(target, AFTER)
    assert (target.stat().st_uid, target.stat().st_gid) == (1234, 4321)


def test_a_link_stays_a_link(tmp_path, target):
    (tmp_path / "inner").mkdir()
    first, second = tmp_path / "inner/first", tmp_path / "second"
    first.symlink_to("../out.txt")
    second.symlink_to(first)
    outputs.write(second, AFTER)
    assert (first.is_symlink(), second.is_symlink()) == (True, True)
    assert (target.is_symlink(), target.read_text()) == (False, AFTER)


def test_a_link_to_nothing_makes_what_it_names(tmp_path):
    (tmp_path / "link").symlink_to("made.txt")
    outputs.write(tmp_path / "link", AFTER)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "made.txt").read_text() == AFTER


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(Stop, match="symbolic links"):
        outputs.check(tmp_path / "a")


def test_a_file_of_several_names_keeps_them(tmp_path, target):
    os.link(target, tmp_path / "other")
    outputs.write(target, AFTER)
    assert (tmp_path / "other").read_text() == AFTER
    outputs.write(target, "x")
    assert (tmp_path / "other").read_text() == "x"


def test_a_pipe_takes_the_bytes(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    taken = []
    reader = threading.Thread(target=lambda: taken.append(pipe.read_text()))
    reader.start()
    outputs.write(pipe, AFTER)
    reader.join(60)
    assert taken == [AFTER]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(("how", "expected"), [(">", AFTER), (">>", BEFORE + AFTER), ("|cat>", AFTER)])
def test_standard_output_has_a_name(target, how, expected):
    code = "import sys; from statera.support.files import outputs; outputs.write('/dev/stdout', sys.argv[1])"
    subprocess.run(
        ["bash", "-c", f'"$0" -c "$1" "$2" {how} "$3"', sys.executable, code, AFTER, target], check=True, timeout=60
    )
    assert target.read_text() == expected


def test_a_full_device_is_a_full_disk():
    with pytest.raises(Stop, match="/dev/full: No space left on device") as stop:
        outputs.write("/dev/full", AFTER)
    assert stop.value.code == "disk-full"


@pytest.mark.parametrize("names", [1, 2])
def test_a_full_disk_leaves_what_was_there(tmp_path, target, names):
    """A limit on the size of files stands for the disk; of a file with another name too."""
    if names > 1:
        os.link(target, tmp_path / "other")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(Stop) as stop:
            outputs.write(target, "x" * 8192)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert stop.value.code == "disk-full"
    assert str(target) in str(stop.value)
    assert target.read_text() == BEFORE
    assert alone(tmp_path) == ["other", "out.txt"][2 - names :]


def test_what_cannot_replace_a_file_of_several_names_is_kept(tmp_path, target, monkeypatch):
    os.link(target, tmp_path / "other")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

    def full(_handle):
        raise OSError(28, "No space left on device")

    # The first flush is that of the new file, the second that of the one that is overwritten.
    monkeypatch.setattr("os.fsync", lambda _: monkeypatch.setattr("os.fsync", full))
    with pytest.raises(Stop, match="the complete output is in") as stop:
        outputs.write(target, AFTER)
    (kept,) = temporary.iterdir()
    assert str(kept) in str(stop.value)
    assert kept.read_text() == AFTER


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_ends_amid_leaves_what_was_there(target, signal_number):
    code = (
        "import os, sys\nfrom statera.support.files import outputs\n"
        "with outputs.writing(sys.argv[1]) as part:\n"
        "    file = open(part, 'w'); file.write('half'); file.flush(); os.kill(os.getpid(), int(sys.argv[2]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, target, str(signal_number.value)], check=False, capture_output=True, timeout=60
    )
    assert ended.returncode == -signal_number
    assert target.read_text() == BEFORE


def test_an_error_amid_leaves_nothing_behind(tmp_path, target):
    with pytest.raises(KeyError), outputs.writing(target):
        raise KeyError
    with pytest.raises(KeyboardInterrupt), outputs.writing(target):
        raise KeyboardInterrupt
    assert (target.read_text(), alone(tmp_path)) == (BEFORE, ["out.txt"])


def test_two_writers_at_once_each_have_their_own(tmp_path, target):
    with outputs.writing(target) as first, outputs.writing(target) as second:
        assert first != second
        for part, text in ((first, "first"), (second, "second")):
            Path(part).write_text(text)
    assert (target.read_text(), alone(tmp_path)) == ("first", ["out.txt"])


def test_the_longest_name_can_be_written(tmp_path):
    name = "n" * 251 + ".txt"
    outputs.write(tmp_path / name, AFTER)
    assert alone(tmp_path) == [name]


def test_a_name_that_is_not_text_can_be_written(tmp_path):
    name = os.fsdecode(bytes(tmp_path) + b"/\xff.txt")
    outputs.write(name, AFTER)
    assert [os.fsencode(path.name) for path in tmp_path.iterdir()] == [b"\xff.txt"]


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [
        ("", "bad-option", "empty"),
        ("hdfs://host/out.csv", "bad-option", "not to hdfs://. Name a path"),
        ("s3://bucket/out.csv", "bad-option", "not to s3://. Name a path"),
        ("file:///tmp/out.csv", "bad-option", "not to file://. Name a path"),
        ("abfs+x.1-2://a/out.csv", "bad-option", "Name a path"),
        ("absent/out.csv", "cannot-write", "No such file or directory"),
        ("folder", "cannot-write", "is a folder"),
        ("file/out.csv", "cannot-write", "Not a directory"),
        ("n" * 256, "cannot-write", "File name too long"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch, name, code, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text(BEFORE)
    with pytest.raises(Stop, match=why) as stop:
        outputs.check(name)
    assert stop.value.code == code
    assert alone(tmp_path) == ["file", "folder"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to everything")
def test_a_file_without_the_right_to_write_is_refused(tmp_path, target):
    target.chmod(0o444)
    with pytest.raises(Stop, match="is not writable"):
        outputs.check(target)
    target.chmod(0o644)
    tmp_path.chmod(0o555)
    try:
        outputs.write(target, AFTER)
        assert target.read_text() == AFTER
        with pytest.raises(Stop, match="Permission denied"):
            outputs.check(tmp_path / "new.txt")
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.parametrize("source", ["out.txt", "./out.txt", "link", "other", ".", "*.txt", "**/out.txt", "?[u]t.*"])
def test_an_input_is_no_output(tmp_path, target, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("out.txt")
    os.link(target, tmp_path / "other")
    with pytest.raises(Stop, match="is one of the inputs") as stop:
        outputs.check("out.txt", [source])
    assert stop.value.code == "output-is-input"


@pytest.mark.parametrize("source", [".", "*.txt", "**/*.txt", "ne?.txt"])
def test_what_would_be_read_the_next_time_is_no_output(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Stop, match="the next run would read it with them"):
        outputs.check("new.txt", [source])


@pytest.mark.parametrize("source", ["in.txt", "in*", "absent", "-", "inner", "hidden"])
def test_another_file_is_no_input(tmp_path, target, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text(BEFORE)
    (tmp_path / "inner").mkdir()
    outputs.check("out.txt", [source])
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden/.out.txt").write_text(BEFORE)
    outputs.check("hidden/.out.txt", [source])
    assert target.read_text() == BEFORE


@every("name", ["out", "./hdfs:/out", "/s3://x", "c:/x", "a b://x", "x:y", "://x", "1x://"])
def test_a_path_is_no_address(name):
    outputs.refuse_scheme(name)
