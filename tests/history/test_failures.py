"""Failures that begin are an alert, and what is faster with them is invalid."""

import pytest
from histories import FAILS, HALVED, analysed, failing, job
from projects import asked

from statera.history.alerts import alerts
from support import fails


def test_failures_that_begin_are_worse_and_a_time_that_they_halve_is_invalid(tmp_path, run):
    made = failing(tmp_path, FAILS, HALVED)
    (alert,) = alerts(analysed(made))
    assert [(each.track.series.metric, each.word, each.is_worse) for each in alert.parts] == [
        ("failed", "more", True),
        ("time", "invalid", True),
    ]
    (failed,) = [track for track in analysed(made).tracks if track.series.metric == "failed"]
    assert failed.found.values == [float(code) for code in FAILS]
    checked = run("history", "check", "--since", job(20).commit, "--fail-on", "worse", "--history", made.path)
    assert (checked.code, "1 more, 1 invalid of 2 series" in checked.out) == (1, True)
    changes = asked(run, made.path, "check", "--since", job(20).commit)["changes"]
    assert [(each["metric"], each["worse"], each["invalid"]) for each in changes] == [
        ("failed", True, False),
        ("time", True, True),
    ]


@pytest.mark.parametrize(
    "exits",
    [
        [1] * 24,
        [0] * 24,
        # Failures before the time changed, which stay, are not of this change.
        [0] * 8 + [1] * 16,
        # Too few for an alert of their own.
        [*[0] * 20, 1, 1, 0, 1],
    ],
)
def test_a_gain_is_one_unless_more_fails_with_it(tmp_path, exits):
    made = failing(tmp_path, exits, HALVED)
    (time,) = [track for track in analysed(made).tracks if track.series.metric == "time"]
    assert [change.word(time.series) for change in time.changes] == ["faster"]


def test_where_no_history_is_the_command_that_makes_one_names_the_place(run):
    fails(run("history", "check", "--history", "a b"), "there is no history. ", "--history 'a b' makes one")
