"""A change of machine hides no change of a benchmark, and is none of those that do what all do."""

import pytest
from histories import NEW, add, analysed, suite
from projects import asked

from statera.history.alerts import alerts
from statera.history.check import check
from statera.history.export import write
from statera.history.track import _CLIP, _likely


def told(found):
    """Names, places and sizes of all changes."""
    return [
        (part.track.name, part.change.first, part.change.place, part.change.last, round(part.change.size, 2))
        for alert in alerts(found)
        for part in alert.parts
    ]


def test_a_change_is_likeliest_where_the_values_leave_the_old_level():
    assert _likely([0, 0, 1, 1], 0, 1, 1) == [0, -1, -2, -1]
    # A value far off counts as one at the end of what is usual.
    assert _likely([0, 100, 0], 0, 1, 1) == _likely([0, 1 + _CLIP, 0], 0, 1, 1)


@pytest.mark.parametrize("seed", range(6))
def test_a_change_just_before_a_new_machine_is_told(tmp_path, seed):
    [(name, first, place, last, size)] = told(analysed(suite(tmp_path / "h", {"b3": 19}, seed=seed)))
    assert (name, place) == ("b3", 19)
    assert first <= 19 <= last <= 20
    assert 0.1 <= size <= 0.2


@pytest.mark.parametrize("seed", range(6))
def test_a_change_with_the_new_machine_is_told_at_its_third_job_and_nothing_else(tmp_path, seed):
    made = suite(tmp_path / "h", {"b3": 20}, seed=seed, after=2)
    assert told(analysed(made)) == []
    made = suite(tmp_path / "i", {"b3": 20}, seed=seed, after=3)
    found = analysed(made)
    [(name, first, place, last, size)] = told(found)
    assert (name, place) == ("b3", 20)
    assert first <= 20 == last
    assert 0.1 <= size <= 0.2
    [seen] = check(found, "main", 11).told
    assert (seen.part.change.raised, seen.part.is_worse) == (22, True)
    # Whatever comes later, it was told then.
    assert told(analysed(suite(tmp_path / "j", {"b3": 20}, seed=seed, after=3))) == told(found)


@pytest.mark.parametrize("seed", range(3))
def test_a_change_at_the_second_job_of_a_new_machine_is_told_there(tmp_path, seed):
    [(name, first, place, last, size)] = told(analysed(suite(tmp_path / "h", {"b3": 21}, seed=seed, noise=0.01)))
    assert (name, place) == ("b3", 21)
    assert first <= 21 == last
    assert 0.1 <= size <= 0.2


@pytest.mark.parametrize("at", [22, 23, 24])
def test_a_change_shortly_after_a_new_machine_is_told_by_three_values(tmp_path, at):
    for seed in range(3):
        made = suite(tmp_path / f"before-{seed}", {"b3": at}, seed=seed, noise=0.01, after=at - 20 + 1)
        assert told(analysed(made)) == []
        found = analysed(suite(tmp_path / f"h{seed}", {"b3": at}, seed=seed, noise=0.01, after=20))
        [(name, first, place, last, size)] = told(found)
        assert (name, place) == ("b3", at)
        assert first <= at <= last
        assert 0.1 <= size <= 0.2
        [alert] = alerts(found)
        assert alert.raised <= at + 2


def test_a_uniform_change_of_machine_and_one_that_each_benchmark_takes_differently_tell_nothing(tmp_path):
    for number, (spread, noise) in enumerate(((0, 0.02), (0.05, 0.02), (0.1, 0.001))):
        for seed in range(3):
            made = suite(tmp_path / f"{number}-{seed}", spread=spread, noise=noise, seed=seed)
            assert told(analysed(made)) == [], (spread, seed)


def test_too_few_benchmarks_or_values_have_nothing_in_common(tmp_path):
    assert told(analysed(suite(tmp_path / "h", {"b3": 20}, count=5))) == []
    assert told(analysed(suite(tmp_path / "i", {"b3": 4}, until=4))) == []
    assert len(told(analysed(suite(tmp_path / "j", {"b3": 5}, until=5)))) == 1


def test_a_later_change_that_takes_it_back_returns(tmp_path):
    made = suite(tmp_path / "h", {"b3": 20}, after=20, noise=0.005)
    for number in range(40, 60):
        add(made, number, {"b3": [4e-3 * 0.8 * (1 + number % 5 / 1000)]}, environment=NEW)
    [track] = [track for track in analysed(made).tracks if track.name == "b3" and len(track.changes) > 1]
    assert [(change.place, change.returns) for change in track.changes] == [(20, False), (40, True)]


def test_every_output_shows_it(tmp_path, run):
    made = suite(tmp_path / "h", {"b3": 19}, after=15, noise=0.01)
    shown = run("history", "show", "b3", "--history", made.path)
    assert (shown.code, "+1" in shown.out) == (0, True), shown.err
    points = run("history", "points", "--history", made.path)
    assert "b3 +1" in points.out
    [alert] = asked(run, made.path, "points")["alerts"]
    [change] = alert["changes"]
    assert change["to"] / change["from"] == pytest.approx(1 + change["size"])
    assert run("history", "site", "-o", tmp_path / "s", "--history", made.path).code == 0
    assert run("history", "bisect", alert["id"], "--history", made.path).code == 0
    assert run("history", "compact", "--older", "0", "--history", made.path).code == 0
    table = tmp_path / "t.csv"
    assert write(str(table), analysed(made), "p").rows == 350
    assert sum(f",{alert['id']}," in line for line in table.read_text().splitlines()) == 1
    assert asked(run, made.path, "points")["alerts"][0]["id"] == alert["id"]
