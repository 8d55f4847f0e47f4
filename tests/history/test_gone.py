"""A benchmark that is no longer measured is told in one line; one that another machine measures is not gone."""

from datetime import UTC, datetime, timedelta

import pytest
from making import add, analysed, folder, job

from statera.history import upload
from statera.history.check import check, gone, sentence
from statera.reading import observations

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number):
    return (START + timedelta(days=number)).isoformat()


def daily(path, last, *, until=60, **facts):
    """A history with a job a day: each benchmark up to its last day."""
    made = folder(path)
    for number in range(until):
        add(made, number, {name: [1.0] for name, end in last.items() if number <= end}, started=day(number), **facts)
    return made


@pytest.mark.parametrize(("last", "is_gone"), [(28, False), (27, True)])
def test_31_days_count(tmp_path, last, is_gone):
    made = daily(tmp_path / "h", {"a": 59, "b": last})
    assert [each.track.name for each in gone(analysed(made))] == (["b"] if is_gone else [])


def test_it_is_one_line_however_many_in_show_and_in_check(run, tmp_path):
    daily(tmp_path / "h", {"a": 59, **{f"b{number}": 3 for number in range(6)}, "c\x1b[31m": 20})
    said = "7 series without a value in the 31 days before the newest job: c"
    for verb in ("show", "check"):
        done = run("history", verb, "--history", tmp_path / "h")
        assert done.code == 0, done.err
        [line] = [line for line in done.out.splitlines() if line.startswith(said)]
        assert "(2026-01-21), " in line
        assert line.endswith("and 3 more.")
        assert "\x1b" not in done.out
    assert "without a value" not in run("history", "show", "a", "--history", tmp_path / "h").out


def test_nothing_is_said_of_what_is_measured(tmp_path):
    made = daily(tmp_path / "h", {"a": 59})
    assert gone(analysed(made)) == []
    assert sentence([]) == ""
    assert check(analysed(made), "main", 11).gone == []


def test_a_machine_that_was_replaced_takes_no_series_away(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(60):
        machine = {"cpu": "Old" if number < 5 else "New"}
        add(made, number, {"a": [1.0]}, started=day(number), environment=machine)
    assert gone(analysed(made)) == []


def test_an_old_commit_that_is_measured_today_says_nothing_of_the_present(tmp_path):
    made = daily(tmp_path / "h", {"a": 59, "b": 3})
    add(made, 2, {"b": [1.0]}, started=day(400))
    assert [each.track.name for each in gone(analysed(made))] == ["b"]


def test_metrics_that_nobody_watches_are_no_loss(tmp_path):
    made = daily(tmp_path / "h", {"a": 59})
    (tmp_path / "r.csv").write_text(
        "benchmark,metric,unit,value,traits\na,aside,s,1,secondary\na,aside,s,2,secondary\n"
    )
    aside = observations.read([str(tmp_path / "r.csv")])
    upload.store(made, aside, ["{}"] * len(aside.contexts), job(0, started=day(0)))
    assert "aside" in {track.series.metric for track in analysed(made).tracks}
    assert gone(analysed(made)) == []


def test_jobs_without_a_time_say_nothing(tmp_path):
    made = daily(tmp_path / "h", {"a": 59})
    for number in range(3):
        add(made, number, {"b": [1.0]}, started="", committed="")
    assert gone(analysed(made)) == []


def test_branches_do_not_count_for_each_other(tmp_path):
    made = daily(tmp_path / "h", {"a": 59})
    add(made, 1, {"b": [1.0]}, started=day(1), branch="topic")
    assert gone(analysed(made)) == []
