"""Files that can be made again at any time."""

import os

import pytest

from statera.support.errors import Stop
from statera.support.files import outputs


def test_what_is_the_same_stays_untouched_and_what_differs_keeps_its_mode(tmp_path):
    (tmp_path / "same").write_text("1")
    (tmp_path / "other").write_text("2")
    (tmp_path / "other").chmod(0o640)
    before = (tmp_path / "same").stat()
    assert outputs.renew(tmp_path, [("same", b"1"), ("other", b"3"), ("new", b"4")]) == 2
    assert (tmp_path / "same").stat() == before
    assert ((tmp_path / "other").read_text(), (tmp_path / "other").stat().st_mode & 0o777) == ("3", 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "other", "same"]
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    before = os.umask(0)
    os.umask(before)
    return before


def test_links_and_other_names_of_a_file_stay(tmp_path):
    for name in ("target", "first"):
        (tmp_path / name).write_text("old")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "second").hardlink_to(tmp_path / "first")
    assert outputs.renew(tmp_path, [("link", b"new"), ("first", b"new")]) == 2
    assert [(tmp_path / name).read_text() for name in ("target", "second")] == ["new", "new"]
    assert (tmp_path / "link").is_symlink()


def test_an_error_leaves_every_file(tmp_path):
    (tmp_path / "a").write_text("old")

    def contents():
        yield "a", b"new"
        raise Stop("bad-history", "it went")

    with pytest.raises(Stop, match="it went"):
        outputs.renew(tmp_path, contents())
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]
    with pytest.raises(Stop, match="not/there: No such file"):
        outputs.renew(tmp_path, [("a", b"new"), ("not/there", b"1")])
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_what_a_killed_command_left_is_removed_after_a_day(tmp_path):
    for name, age in ((".statera-old.part", 90_000), (".statera-new.part", 60), ("statera-old.part", 90_000)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "0").write_text("part")
        moment = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (moment, moment))
    outputs.forget(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".statera-new.part", "statera-old.part"]
