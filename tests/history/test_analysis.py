"""Lanes are never compared with each other, exact metrics need no detector, and only commits begin a change."""

import json
import re

import pytest
from histories import THROUGHPUT, add, analysed, commit, folder, history, job, read, steps
from projects import asked

from statera import stats
from statera.history import upload, wording
from statera.history.alerts import alerts
from statera.history.analysis import replaced
from statera.history.catalog import renaming
from statera.history.folder import open_folder
from statera.history.job import lane_name, lane_of
from statera.history.series import Series, names_of
from statera.reading import observations
from support import ROOT, go, noisy


def test_a_series_shows_what_the_library_finds_in_its_values(tmp_path):
    values = steps(1, 1.2)
    (track,) = analysed(history(tmp_path / "h", {"a": values})).tracks
    (point,) = stats.change_points(values).points
    (change,) = track.changes
    assert (change.place, change.first, change.last, change.raised) == (
        point.place,
        point.first,
        point.last,
        point.raised,
    )
    assert (change.size, change.low, change.high) == pytest.approx((point.change, point.size.low, point.size.high))
    assert change.p == point.p


def test_the_value_of_a_job_is_its_median(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(3):
        add(made, number, {"a": [3.0 + number, 1.0, 100.0]})
    assert analysed(made).tracks[0].found.values == [3.0, 4.0, 5.0]


def test_another_machine_is_another_line_and_no_change(tmp_path):
    made = folder(tmp_path / "h")
    for number, value in enumerate(steps(1, 1.2)):
        add(made, number, {"a": [value]}, environment={"cpu": "old" if number < 40 else "new", "runner": "rack"})
    split = analysed(made)
    assert [len(track.found) for track in split.tracks] == [40, 40]
    assert alerts(split) == []
    ((old, new),) = replaced(split.lines, split.orders)
    assert (lane_name(old.lane), lane_name(new.lane)) == ("old · rack", "new · rack")
    pooled = analysed(made, lane=())
    assert [len(track.found) for track in pooled.tracks] == [80]
    assert len(alerts(pooled)) == 1


def test_facts_that_nobody_knows_are_a_lane_of_their_own():
    assert lane_of({"host": "h", "cpu": ""}, ("cpu", "runner")) == (("cpu", ""), ("runner", "h"))
    assert lane_name(lane_of({}, ("cpu", "runner"))) == "any machine"


def test_every_other_value_of_an_exact_metric_is_a_change(tmp_path):
    made = folder(tmp_path / "h")
    for number, size in enumerate([64, 64, 80, 80, 64]):
        (tmp_path / "out").write_text(go({"A": {"ns/op": [100.0 + number] * 2, "B/op": [size] * 2}}))
        read = observations.read([tmp_path / "out"])
        upload.store(made, read, ["{}"] * len(read.contexts), job(number))
    times, sizes = analysed(made).tracks
    assert (times.found.exact, sizes.found.exact) == (False, True)
    assert times.changes == ()
    assert [(change.place, change.raised, change.returns) for change in sizes.changes] == [(2, 2, False), (4, 4, True)]
    assert [change.size for change in sizes.changes] == pytest.approx([0.25, -0.2])
    assert all(change.p is None and change.low == change.high and not change.weak for change in sizes.changes)


def test_an_alarm_begins_at_a_commit_and_not_within_one(tmp_path):
    made, values = folder(tmp_path / "h"), steps(1, 1.2, of=45)
    for number, value in enumerate(values):
        add(made, number // 3, {"a": [value]}, started=f"2026-01-01T00:{number // 60:02}:{number % 60:02}+00:00")
    (track,) = analysed(made).tracks
    (change,) = track.changes
    assert change.place == 15
    assert len(track.found) == 90


def test_directions_follow_the_metric(tmp_path):
    slower = alerts(analysed(history(tmp_path / "t", {"a": steps(1, 1.2)})))[0]
    faster = alerts(analysed(history(tmp_path / "r", {"a": steps(1, 1.2)}, THROUGHPUT)))[0]
    assert (slower.worse, faster.worse, faster.better) == (1, 0, 1)


def test_values_that_are_not_positive_change_by_differences(tmp_path):
    metric = ("balance", "1", "other", None, False)
    values = [value - 1.1 for value in steps(1, 1.2)]
    (track,) = analysed(history(tmp_path / "h", {"a": values}, metric)).tracks
    (change,) = track.changes
    assert not change.is_ratio
    assert change.size == pytest.approx(0.2, abs=0.01)
    assert change.is_worse(track.series) is None
    ends = [wording.interval(track, change._replace(low=low, high=high)) for low, high in ((-0.5, 0.0), (0.0, 0.25))]
    assert ends == ["−0.5000 to +0", "+0 to +0.2500"]


def test_names_leave_out_the_factors_that_all_series_share():
    def series(name, **levels):
        return Series(name, "time", "s", "time", "lower", None, json.dumps(levels))

    assert names_of([series("a", pkg="p"), series("b", pkg="p")]) == ["a", "b"]
    assert names_of([series("a", pkg="p", size="1"), series("a", pkg="p", size="2")]) == ["a [size=1]", "a [size=2]"]
    assert names_of([]) == []
    assert series("a", size="1").id != series("a", size="2").id


def test_the_noise_of_differences_has_the_unit_of_the_values(run, tmp_path):
    values = noisy(1, 40, spread=0.05)
    history(tmp_path / "h", {"offset": [value - 1 for value in values], "time": values})
    table = run("history", "show", "--history", tmp_path / "h").out
    [offset] = [line for line in table.splitlines() if line.startswith("offset")]
    [time] = [line for line in table.splitlines() if line.startswith("time")]
    assert " ms " in offset
    assert "%" not in offset
    assert "%" in time
    one = run("history", "show", "offset", "--history", tmp_path / "h").out
    assert re.search(r"noise \d+(\.\d+)? ms, 40 jobs", one)


# As examples/history/COMMANDS.md numbers the commits: what each makes slower or faster.
MADE = {17: ("sort", True), 29: ("words", False), 41: ("matrix", True)}


def test_the_alerts_are_the_changes_that_were_made():
    recorded = open_folder(ROOT / "examples/history/history")
    analysis = analysed(recorded)
    commits = analysis.orders["main"].commits
    found = {}
    for alert in alerts(analysis):
        assert alert.first == alert.last
        (names,) = {(part.track.series.benchmark, part.is_worse) for part in alert.parts}
        found[alert.first] = names
    assert len(commits) == 60
    assert found == MADE


def test_show_has_the_values_and_changes_of_each_series(run, tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2), "b\x1b": steps(3, 3, seed=7)})
    made.record({**renaming(read(made), "a", "c"), "who": ""})
    found = asked(run, tmp_path / "h", "show")
    assert (found["statera"], found["project"], found["gone"]) == ("history-show/1", "p", [])
    b, c = found["series"]
    assert (b["benchmark"], c["benchmark"], c["names"]) == ("b\x1b", "c", ["c", "a"])
    [track] = c["tracks"]
    [change] = track["changes"]
    assert change["commit"] == commit(40)
    assert (track["positions"], len(track["values"])) == ([*range(80)], 80)
    [only] = asked(run, tmp_path / "h", "show", "a")["series"]
    assert only == c
