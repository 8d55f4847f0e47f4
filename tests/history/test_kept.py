"""What is kept for the next command changes no answer, whatever becomes of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import histories
import pytest

from statera.cli import history_place
from statera.history import analysis, answers, catalog, upload
from statera.history import site as sites
from statera.history.folder import open_folder
from statera.history.kept import CACHE, CHANGES, UPLOADS, Kept
from statera.history.material import gather
from statera.support.settings import Limits
from statera.support.settings.detector import Detector
from support import every

if TYPE_CHECKING:
    from pathlib import Path

    from statera.history.analysis import Analysis
    from statera.history.folder import Folder

# So many that keeping something is worth it.
JOBS, SERIES, LATE = 20, 1000, 16
ENDINGS = ("html", "js", "json")


def job(history: Folder, number: int) -> str:
    """Add a job; half of the series have a step. Return the hash of its upload."""
    chance = Random(number)
    levels = [1.5 if number >= LATE and at % 2 else 1.0 for at in range(SERIES)]
    of = {f"b{at}": [level * chance.gauss(1, 0.01) for _ in range(3)] for at, level in enumerate(levels)}
    return upload.store(history, histories.measured(of), ["{}"], histories.job(number)).hash


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A history of which something is kept."""
    history = histories.folder(tmp_path_factory.mktemp("kept") / "history")
    for number in range(JOBS):
        job(history, number)
    assert shown(history, Kept(history.path)).count("raised") > SERIES // 2
    assert {each.name for each in Kept(history.path).folder.iterdir()} == {UPLOADS, CHANGES, ".gitignore"}
    return history.path


@pytest.fixture
def history(made, tmp_path) -> Folder:
    """A history for one test, of which something is kept."""
    shutil.copytree(made, tmp_path / "history", ignore=shutil.ignore_patterns(CACHE))
    opened = open_folder(tmp_path / "history")
    shown(opened, Kept(opened.path))
    return opened


def shown(history: Folder, kept: Kept | None, detector: Detector | None = None) -> str:
    """All that an analysis shows, to the last digit."""
    held = catalog.read(history, Limits(), kept)
    found = analysis.analyse(held, history.about.lane, detector=detector)
    tracks = [(t.name, t.found.jobs, t.found.values, t.found.changes, t.corrected, t.changes) for t in found.tracks]
    return repr((held.series, held.jobs, held.problems, held.native.summaries(3), tracks, pages(found)))


def pages(found: Analysis) -> list[str]:
    """What the site of an analysis says of one series, in all its files."""
    files = sites.files(gather("acme/parser", found, {}, ""))
    name = found.tracks[len(found.tracks) // 2].series.id
    return [files[f"series/{name}.{kind}"]() for kind in ENDINGS]


def same(history: Folder) -> None:
    """An analysis shows the same with what is kept, twice, and without."""
    plain = shown(history, None)
    assert shown(history, Kept(history.path)) == plain
    assert shown(history, Kept(history.path)) == plain


def removed(history: Folder) -> None:
    shutil.rmtree(Kept(history.path).folder)


def emptied(history: Folder) -> None:
    for name in (UPLOADS, CHANGES):
        Kept(history.path).path(name).write_bytes(b"")


def truncated(history: Folder) -> None:
    for name in (UPLOADS, CHANGES):
        path = Kept(history.path).path(name)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damaged(history: Folder) -> None:
    """A byte in a hundred differs, also in what stands before the end."""
    for name in (UPLOADS, CHANGES):
        path = Kept(history.path).path(name)
        content = bytearray(path.read_bytes())
        for at in range(50, len(content) - 100_000, 100):
            content[at] ^= 255
        path.write_bytes(content)


def added(history: Folder) -> None:
    job(history, JOBS)


def added_between(history: Folder) -> None:
    """A second job of a commit in the middle."""
    job(history, 5)


def upload_removed(history: Folder) -> None:
    history.uploads()[3][1].unlink()


def upload_edited(history: Folder) -> None:
    """The file of an upload has the content of another one."""
    first, second = (path for _, path in history.uploads()[:2])
    second.write_bytes(first.read_bytes())


def upload_damaged(history: Folder) -> None:
    path = history.uploads()[3][1]
    path.write_bytes(path.read_bytes()[:-500])


@every(
    "what", [removed, emptied, truncated, damaged, added, added_between, upload_removed, upload_edited, upload_damaged]
)
def test_nothing_depends_on_what_is_kept(history, what):
    what(history)
    same(history)


def test_other_constants_and_versions_find_nothing(history, monkeypatch):
    other = Detector()._replace(base=1.0)
    assert shown(history, Kept(history.path), other) == shown(history, None, other)
    content = Kept(history.path).path(CHANGES).read_bytes()
    monkeypatch.setattr(Kept, "version", "another one")
    same(history)
    assert b"another one" in Kept(history.path).path(CHANGES).read_bytes()[:100]
    assert content != Kept(history.path).path(CHANGES).read_bytes()


def test_what_is_known_is_read_and_not_computed(history):
    content = Kept(history.path).path(UPLOADS).read_bytes()
    job(history, JOBS)
    same(history)
    # One job of twenty is a notable part.
    assert Kept(history.path).path(UPLOADS).read_bytes() != content


@pytest.mark.later
def test_several_commands_at_once(history):
    words = [sys.executable, "-m", "statera", "history", "check", "--no-config", "--history", str(history.path)]
    removed(history)
    started = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert len({each.communicate()[0] for each in started}) == 1
    assert all(each.returncode == 0 for each in started)
    same(history)


@pytest.mark.later
def test_several_commands_write_pages_at_once(tmp_path):
    place = histories.history(tmp_path / "h", {f"b{at}": histories.steps(1, 1.5, of=12) for at in range(40)}).path
    words = [sys.executable, "-m", "statera", "history", "site", "--no-config", "--history", str(place), "-o"]
    subprocess.run([*words, tmp_path / "alone"], check=True, capture_output=True)
    started = [subprocess.Popen([*words, tmp_path / "site"], stderr=subprocess.DEVNULL) for _ in range(3)]
    assert [each.wait() for each in started] == [0, 0, 0]
    assert contents(tmp_path / "site") == contents(tmp_path / "alone")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_link_leads_nowhere(history, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    removed(history)
    Kept(history.path).folder.symlink_to(elsewhere)
    same(history)
    assert not list(elsewhere.iterdir())
    Kept(history.path).folder.unlink()
    Kept(history.path).folder.mkdir()
    file = tmp_path / "file"
    file.write_text("mine")
    for name in (UPLOADS, CHANGES, ".gitignore"):
        Kept(history.path).path(name).symlink_to(file)
    same(history)
    assert file.read_text() == "mine"


def test_a_small_history_keeps_nothing(tmp_path):
    small = histories.history(tmp_path / "small", {"a": [1.0] * 12})
    same(small)
    assert not Kept(small.path).folder.exists()


def test_an_answer_is_given_again_until_anything_changes(tmp_path, run, monkeypatch):
    monkeypatch.setattr(answers, "_LEAST", 10)
    history = histories.history(tmp_path / "history", {name: histories.steps(1, 1.5, of=12) for name in "ab"})
    computed = []
    analyse = history_place.analyse
    monkeypatch.setattr(history_place, "analyse", lambda *a, **k: computed.append(1) or analyse(*a, **k))

    def said(*words: str, new: bool) -> tuple:
        computed.clear()
        found = run("history", *words, "--no-config", "--history", str(history.path))
        assert bool(computed) is new, words
        return found.code, found.out

    first = said("check", new=True)
    assert said("check", new=False) == first
    failed = said("check", "--fail-on", "worse", "--since", histories.commit(11), new=True)
    assert failed[0] == 1
    assert said("check", "--fail-on", "worse", "--since", histories.commit(11), new=False) == failed
    site = str(tmp_path / "site")
    said("site", "-o", site, new=True)
    said("site", "-o", site, new=False)
    (tmp_path / "site" / "index.html").write_text("mine")
    said("site", "-o", site, new=True)
    assert "mine" not in (tmp_path / "site" / "index.html").read_text()
    said("check", new=True)
    (history.path / CACHE / "check.json").write_text("{")
    said("check", new=True)
    histories.add(history, 24, {"a": [1.0]})
    assert said("check", new=True) != first
    history.uploads()[0][1].unlink()
    said("check", new=True)
    # What is left out is said every time.
    said("check", new=True)
