"""A site replaces and removes its own files only, and leaves alone what did not change."""

import json
import re
import sys

import pytest
from sites import add, make, steady, written

from statera.history.site import rendering
from statera.support.errors import Stop

SERIES = {"Parse": steady(1e-3, (40, 1.2)), "Emit": steady(2e-6, seed=2)}


@pytest.fixture
def history(tmp_path):
    return make(tmp_path / "h", 60, SERIES)


def test_a_site_that_is_written_again_leaves_its_files_untouched(history, tmp_path):
    site = written(history, tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in site.folder.rglob("*")}
    again = written(history, tmp_path / "out").written
    assert again.changed == 0
    assert {path: path.stat().st_mtime_ns for path in site.folder.rglob("*")} == before


def test_a_new_job_changes_the_pages_that_show_it(history, tmp_path):
    written(history, tmp_path / "out")
    add(history, 60, {"Parse": SERIES["Parse"]})
    site = written(history, tmp_path / "out")
    emit = next(track for track in site.material.analysis.tracks if track.series.benchmark == "Emit")
    assert 0 < site.written.changed < site.written.files
    # A series without a new value keeps its document.
    assert written(history, tmp_path / "out").written.changed == 0
    assert (site.folder / f"series/{emit.series.id}.html").exists()


def test_pages_that_are_gone_are_removed_and_files_of_strangers_stay(history, tmp_path):
    target = tmp_path / "out"
    first = written(history, target)
    strangers = [target / "CNAME", target / "series/notes.txt", target / "series/0123456789abcdef.html"]
    for path in strangers:
        path.write_text("mine")
    other = make(tmp_path / "other", 20, {"Scan": steady(1e-3, seed=5)})
    second = written(other, target)
    gone = {track.series.id for track in first.material.analysis.tracks}
    assert second.written.removed > 0
    assert not any((target / f"series/{name}.html").exists() for name in gone)
    assert [path.read_text() for path in strangers] == ["mine"] * 3


def test_a_page_of_a_stranger_is_not_replaced(history, tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    (target / "index.html").write_text("mine")
    with pytest.raises(Stop, match="did not write this file"):
        written(history, target)
    assert [path.name for path in target.iterdir()] == ["index.html"]


@pytest.mark.parametrize("text", ["no list", "[]", '{"statera": "something-else/1"}'])
def test_a_list_of_files_that_is_none_stops_the_writing(history, tmp_path, text):
    target = tmp_path / "out"
    target.mkdir()
    (target / "files.json").write_text(text)
    with pytest.raises(Stop, match="not a list of the files of a site"):
        written(history, target)


def test_a_list_cannot_name_other_files(history, tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    victim = tmp_path / "victim.html"
    victim.write_text("mine")
    (target / "notes.html").write_text("mine")
    names = ["../victim.html", str(victim), "notes.html", "series/../../victim.html", 7]
    (target / "files.json").write_text(json.dumps({"statera": "history-files/1", "files": names}))
    assert written(history, target).written.removed == 0
    assert victim.read_text() == (target / "notes.html").read_text() == "mine"


def test_a_writing_that_was_cut_short_can_be_repeated(history, tmp_path, monkeypatch):
    from statera.support.files import outputs  # noqa: PLC0415 - to be replaced

    whole = outputs.write

    def failing(path, content):
        if "feed" in str(path):
            raise Stop("disk-full", "no space")
        whole(path, content)

    monkeypatch.setattr(outputs, "write", failing)
    with pytest.raises(Stop, match="no space"):
        written(history, tmp_path / "out")
    monkeypatch.undo()
    site = written(history, tmp_path / "out")
    assert (site.folder / "feed.xml").exists()
    assert set(json.loads((site.folder / "files.json").read_text())["files"]) == {
        str(path.relative_to(site.folder)) for path in site.folder.rglob("*.*") if path.name != "files.json"
    }


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(Stop, match=r"jinja2.*pip install 'statera\[report\]'"):
        rendering.check()


def test_values_at_the_ends_of_all_numbers_have_pages_and_documents(tmp_path):
    largest, least = sys.float_info.max, 5e-324
    series = {
        "large": [largest] * 60,
        "both": [largest * (-1) ** number for number in range(60)],
        "far": [least if number < 40 else 1e300 for number in range(60)],
        "small": [least] * 60,
        "falling": [1e300 if number < 40 else -largest for number in range(60)],
    }
    site = written(
        make(tmp_path / "h", 60, {name: values.__getitem__ for name, values in series.items()}), tmp_path / "out"
    )
    for path in site.folder.rglob("*.json"):
        json.loads(path.read_text(), parse_constant=pytest.fail)
    for path in (site.folder / "series").glob("*.html"):
        labels = re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text())
        assert all(len(label) < 24 for label in labels)
