"""A site replaces its own files only; its charts draw the values, levels and changes of the analysis."""

import errno
import itertools
import json
import re
import sys

import histories
import pytest
from sites import add, commit, make, steady, written

from statera.history.material import courses, stretch
from statera.history.site import rendering
from statera.history.site.chart import STEPS, Scale, Texts, chart, extent, scale
from statera.support.errors import Stop
from statera.support.files import outputs

SERIES = {"Parse": steady(1e-3, (40, 1.2)), "Emit": steady(2e-6, seed=2)}
ATOM = "{http://www.w3.org/2005/Atom}"
NAME = "a]]><b>&amp;\x07\u202e"


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
    # What a later site removes is what this one wrote.
    listed = json.loads((target / "files.json").read_text())["files"]
    assert not [name for name in listed if not (target / name).exists()]


def test_a_page_of_a_stranger_is_not_replaced(history, tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    (target / "index.html").write_text("mine")
    with pytest.raises(Stop, match="did not write this file"):
        written(history, target)
    assert [path.name for path in target.iterdir()] == ["index.html"]


def test_a_list_of_files_that_is_none_stops_the_writing(history, tmp_path):
    (tmp_path / "out").mkdir()
    for text in ("no list", "[]", '{"statera": "something-else/1"}'):
        (tmp_path / "out/files.json").write_text(text)
        with pytest.raises(Stop, match="not a list of the files of a site"):
            written(history, tmp_path / "out")


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
    whole = outputs._fill

    def failing(path, content, mode):
        if b"<feed" in content:
            raise OSError(errno.ENOSPC, "no space")
        whole(path, content, mode)

    monkeypatch.setattr(outputs, "_fill", failing)
    with pytest.raises(Stop, match="no space"):
        written(history, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["files.json"]
    monkeypatch.undo()
    site = written(history, tmp_path / "out")
    assert (site.folder / "feed.xml").exists()
    assert set(json.loads((site.folder / "files.json").read_text())["files"]) == {
        str(path.relative_to(site.folder)) for path in site.folder.rglob("*.*") if path.name != "files.json"
    }


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(Stop, match=r"jinja2.*pip install '\.\[report\]'"):
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


@pytest.fixture
def drawn(tmp_path):
    """Give the courses of the only series of a history."""

    numbers = itertools.count()

    def draw(count, value, **facts):
        place = tmp_path / str(next(numbers))
        site = written(make(place / "h", count, {"Parse": value}, **facts), place / "out")
        analysis = site.material.analysis
        return courses([stretch(track) for track in analysis.tracks], site.material.following)

    return draw


def test_a_branch_stands_beside_main_from_their_last_common_commit_on(tmp_path):
    made = histories.folder(tmp_path / "h")
    for number in range(40):
        histories.add(made, number, {"Parse": [1.0 if number < 10 else 1.5]})
    for number in range(1, 6):
        own = [histories.commit(each, "b") for each in range(number, 0, -1)]
        line = (*own, *(histories.commit(each) for each in range(30, 20, -1)))
        facts = {"branch": "fast", "commit": own[0], "line": line}
        histories.add(made, 40 + number, {"Parse": [1.2]}, **facts)
        histories.add(made, 50 + number, {"Parse": [9.0]}, **facts, environment={"cpu": "Slow", "runner": "rack"})
    site = written(made, tmp_path / "out")
    analysis = site.material.analysis
    found = courses([stretch(track) for track in analysis.tracks], site.material.following)
    beside = {(each.newest.track.line.branch, each.newest.found.values[0]): each.beside for each in found}
    # Main stands alone, and the other machine measured nothing of it.
    assert {key for key, each in beside.items() if each} == {("fast", 1.2)}
    [course] = [each for each in found if each.beside]
    position = course.newest.track.order.position
    assert course.beside.fork == position[histories.commit(30)]
    # Ten commits before the fork are known on the branch; twenty of main are drawn, and all after it.
    assert course.beside.positions == list(range(course.beside.fork - 20, course.beside.fork + 10))
    drawing = svg(course)
    own = scale(course)
    values = course.beside.stretch.found.values[course.beside.begin :]
    assert dots(drawing, "dots other") == [*zip(course.beside.positions, map(own.step, values), strict=True)]
    assert drawing.count('class="level other"') == 1
    left, right = extent(course)
    assert left < course.beside.fork - 20
    assert right > course.beside.fork + 9
    page = (site.folder / f"series/{course.newest.track.series.id}.html").read_text()
    assert page.count('class="legend"') == 1
    assert "main is at 1.500 s (−20.0% here)." in page


def svg(course):
    return chart(course, scale(course), Texts("title", "about", []), "chart-0", 300)


def dots(drawing, kind="dots"):
    """Give the places of the dots of a kind."""
    [path] = re.findall(rf'<path class="{kind}" d="([^"]*)"', drawing)
    places, at = [], (0, 0)
    for x, y in re.findall(r"m(-?\d+) ?(-?\d+)h0", path):
        at = at[0] + int(x), at[1] + int(y)
        places.append(at)
    return places


def test_every_value_is_a_dot_at_its_commit(drawn):
    [course] = drawn(60, steady(1e-3, (40, 1.2)))
    own = scale(course)
    [only] = course.stretches
    assert dots(svg(course)) == [(number, own.step(value)) for number, value in enumerate(only.found.values)]
    left, right = extent(course)
    assert left < 0
    assert right > 59


def test_levels_are_medians_between_changes_with_the_interval_of_the_change(drawn):
    [course] = drawn(60, steady(1e-3, (40, 1.2)))
    [only] = course.stretches
    [change] = only.track.changes
    first, second = only.levels
    assert (first.begin, first.end, second.end) == (0, change.place, 60)
    assert first.low is None
    assert [second.low, second.high] == pytest.approx([first.value * (1 + end) for end in (change.low, change.high)])
    assert first.value == sorted(only.found.values[:40])[20] / 2 + sorted(only.found.values[:40])[19] / 2
    assert f'class="edge worse" d="M{change.place - 0.5:g} 0v100"' in svg(course)
    assert "+" in re.search(r'<text class="worse"[^>]*>([^<]*)<', svg(course))[1]


def test_a_replaced_machine_is_marked_and_nothing_is_claimed_across_it(drawn):
    found = drawn(60, steady(1e-3, (30, 0.5)), cpu=lambda number: "old" if number < 30 else "new")
    [course] = found
    assert [len(each.found) for each in course.stretches] == [30, 30]
    assert not any(each.track.changes for each in course.stretches)
    drawing = svg(course)
    assert drawing.count('class="machine" d="M29.5 0v100"') == 1
    assert "machine changed" in drawing
    assert 'class="edge' not in drawing


def test_machines_that_take_turns_are_charts_of_their_own(drawn):
    found = drawn(60, steady(1e-3), cpu=lambda number: "even" if number % 2 == 0 else "odd")
    assert [len(course.stretches) for course in found] == [1, 1]


def test_a_far_value_is_marked_at_the_edge_and_does_not_press_the_others_flat(drawn):
    plain = steady(1e-3)
    [course] = drawn(60, lambda number: plain(number) * (20 if number == 50 else 1))
    own = scale(course)
    assert own.high < 2e-3
    assert 'class="beyond" d="M50 0v' in svg(course)


def test_a_calm_series_is_drawn_calm(drawn):
    [course] = drawn(60, steady(1e-3, noise=0.001))
    steps = [scale(course).step(value) for value in course.newest.found.values]
    assert max(steps) - min(steps) < 0.75 * STEPS


def test_a_series_of_one_value_has_a_scale(drawn):
    for value in (0.0, -5.0, 1e-300, 1e300, 3.0):
        [course] = drawn(2, lambda _, value=value: value)
        own = scale(course)
        assert own.low < value < own.high
        assert 0 < own.step(value) < STEPS, value
        assert own.ticks(), value


def test_ticks_are_round_numbers():
    for low, high, labels in (
        (0.96e-3, 1.21e-3, "1.00 1.05 1.10 1.15 1.20"),
        (0.0, 10e-3, "0 2 4 6 8 10"),
        (-0.5e-12, 3.6e-12, "0.000000000 0.000000001 0.000000002 0.000000003"),
        (-0.5e-13, 3.6e-13, "0 1e-10 2e-10 3e-10"),
        (0.9e9, 2.6e9, "1e+12 1.5e+12 2e+12 2.5e+12"),
    ):
        ticks = Scale(low, high, 1e-3, "ms").ticks()
        assert [label for _, label in ticks] == [f"{label} ms" for label in labels.split()]
        assert [step for step, _ in ticks] == sorted((step for step, _ in ticks), reverse=True)


def test_commits_that_were_not_measured_have_their_place(drawn):
    [course] = drawn(60, lambda number: 1e-3 if number % 3 == 0 else None)
    assert [x for x, _ in dots(svg(course))] == list(range(0, 60, 3))
    assert course.newest.track.order.commits[course.newest.found.positions[1]] == commit(3)


def test_labels_that_would_touch_on_a_phone_are_hidden_the_older_first(drawn):
    for begins, hidden in ((28, ""), (31, 'visibility="hidden"')):
        cpu = {number: "old" if number < begins else "new" for number in range(100)}
        [course] = drawn(100, steady(1e-3, (60, 1.3)), cpu=cpu.get)
        labels = re.findall(r'<text class="(\w+)"[^>]*?(visibility="hidden")?>', svg(course))
        assert labels == [("worse", ""), ("machine", hidden)]
