"""What was decided about an alert stays with it: after more commits, after a recomputation, and only there."""

import pytest
from making import add, analysed, commit, folder, history

from statera.history.alerts import STATE, alerts, event_on, expectation, expectations, named, state_of
from statera.history.check import Gate, check
from statera.support.errors import Stop
from support import noisy

LONG = 120
FIRST_LOOK = 11


def steps(*levels, of=40, seed=1):
    """Levels one after another, with the same noise in each."""
    return [value for number, level in enumerate(levels) for value in noisy(level, of, seed=seed + number, spread=0.01)]


def state(analysis, number=0):
    alert = alerts(analysis)[number]
    return state_of(alert, analysis.orders["main"], analysis.catalog, expectations(analysis.catalog))


def decide(made, word, number=0, **words):
    analysis = analysed(made)
    alert = alerts(analysis)[number]
    made.record(event_on(alert, analysis.orders["main"], kind=STATE, state=word, when="2026-01-02", **words))
    return alert


def test_changes_that_may_be_the_same_commit_are_one_alert(tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2), "b": steps(5, 7, seed=5), "c": steps(3, 3, seed=9)})
    (alert,) = alerts(analysed(made))
    assert [part.track.name for part in alert.parts] == ["b", "a"]
    assert (alert.worse, alert.better, alert.first, alert.last) == (2, 0, 40, 40)


def test_changes_of_other_commits_are_other_alerts_newest_first(tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2, 1.2), "b": steps(5, 5, 4, seed=5)})
    found = alerts(analysed(made))
    assert [(alert.first, alert.parts[0].track.name, alert.better) for alert in found] == [(80, "b", 1), (40, "a", 0)]


def test_an_acknowledged_alert_stays_so_and_keeps_its_name(tmp_path):
    values = {"a": steps(1, 1.2, of=LONG), "b": steps(2, 2, of=LONG, seed=7)}
    young = history(tmp_path / "h", {name: series[: LONG + 20] for name, series in values.items()})
    alert = decide(young, "acknowledged", reason="seen", who="me")
    for number in range(LONG + 20, LONG + 70):
        add(young, number, {name: [series[number]] for name, series in values.items()})
    later = analysed(young)
    assert [each.id for each in alerts(later)] == [alert.id]
    assert state(later)[:3] == ("acknowledged", "seen", "me")


def test_a_change_that_comes_back_is_a_new_alert(tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2, 1)})
    old = decide(made, "noise", 1, reason="a cold machine")
    for number, value in enumerate(steps(1.2, seed=30), start=120):
        add(made, number, {"a": [value]})
    later = analysed(made)
    newest, returned, first = alerts(later)
    assert first.id == old.id
    assert [state(later, number).word for number in range(3)] == ["new", "new", "noise"]
    assert newest.first == commit_position(later, 120)
    assert returned.parts[0].change.returns


def commit_position(analysis, number):
    return analysis.orders["main"].position[commit(number)]


def test_the_last_decision_counts(tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2)})
    alert = decide(made, "acknowledged")
    analysis = analysed(made)
    order = analysis.orders["main"]
    made.record(event_on(alert, order, kind=STATE, state="fixed", when="2026-02-01"))
    made.record(event_on(alert, order, kind="link", url="https://example.com/1", when="2026-02-02"))
    assert (state(analysed(made)).word, state(analysed(made)).url) == ("fixed", "https://example.com/1")


def test_a_decision_about_another_series_or_branch_is_none_here(tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2)})
    analysis = analysed(made)
    event = event_on(alerts(analysis)[0], analysis.orders["main"], kind=STATE, state="noise")
    made.record({**event, "series": ["0" * 16]})
    made.record({**event, "branch": "other"})
    made.record({**event, "commits": [commit(3)]})
    assert state(analysed(made)).word == "new"


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("a +10%..+30% checks input", True),
        ("* +10%..+30% checks input", True),
        ("b +10%..+30% another benchmark", False),
        ("[a] +10%..+30% a class of characters", True),
        ("a +21%..+30% larger", False),
        ("a -30%..-10% the other way", False),
    ],
)
def test_an_announcement_silences_exactly_its_range(tmp_path, text, silent):
    made = folder(tmp_path / "h")
    for number, value in enumerate(steps(1, 1.2)):
        expects = ((commit(40), text),) if number == 40 else ()
        add(made, number, {"a": [value]}, expects=expects)
    assert state(analysed(made)).word == ("expected" if silent else "new")


def test_an_announcement_of_another_commit_silences_nothing(tmp_path):
    made = folder(tmp_path / "h")
    for number, value in enumerate(steps(1, 1.2)):
        add(made, number, {"a": [value]}, expects=((commit(45), "a +10%..+30% later"),) if number == 45 else ())
    assert state(analysed(made)).word == "new"


@pytest.mark.parametrize("text", ["", "a", "a 5%..10%", "a five..ten why", "a +10%..+5% turned round", "a +5% why"])
def test_an_announcement_that_cannot_be_read_is_refused(text):
    with pytest.raises(Stop, match="write PATTERN"):
        expectation([commit(1)], text)


def test_a_check_tells_each_change_once_and_no_other(tmp_path):
    values = {"a": steps(1, 1.2), "b": steps(2, 2, 1.6, seed=4), "c": steps(3, 3, 3, seed=8)}
    made, told = folder(tmp_path / "h"), []
    for number in range(120):
        add(made, number, {name: [series[number]] for name, series in values.items() if number < len(series)})
        found = check(analysed(made), "main", FIRST_LOOK)
        told += [(number, each.part.track.name, each.part.change.raised) for each in found.told]
    final = analysed(made)
    raised = sorted((part.change.raised, part.track.name) for alert in alerts(final) for part in alert.parts)
    assert sorted((number, name) for number, name, _ in told) == raised
    assert all(number == at for number, _, at in told)
    assert len(told) == 2


def test_the_gate_fails_for_open_changes_for_the_worse_of_its_size(tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2), "b": steps(2, 1.5, seed=4)})
    told = check(analysed(made), "main", FIRST_LOOK, commit(39)).told
    assert [each.part.track.name for each in told if Gate().fails(each)] == ["a"]
    assert not any(Gate(least=0.5).fails(each) for each in told)
    decide(made, "acknowledged")
    assert not any(Gate().fails(each) for each in check(analysed(made), "main", FIRST_LOOK, commit(39)).told)


def test_what_the_newest_commit_lacks_is_told_at_once(tmp_path):
    """Expected is what the two commits before have, on whatever machine."""
    made = history(tmp_path / "h", {"kept": [1.0] * 5, "lost": [2.0] * 4, "seldom": [3.0] * 2})
    add(made, 3, {"seldom": [3.0]})
    assert [track.name for track in check(analysed(made), "main", FIRST_LOOK).lacking] == ["lost"]
    add(made, 4, {"lost": [2.0]}, environment={"cpu": "Slow", "runner": "rack"})
    assert check(analysed(made), "main", FIRST_LOOK).lacking == []


def test_a_first_commit_lacks_nothing_and_the_second_what_the_first_has(tmp_path):
    made = history(tmp_path / "h", {"kept": [1.0], "lost": [2.0]})
    assert check(analysed(made), "main", FIRST_LOOK).lacking == []
    add(made, 1, {"kept": [1.0]})
    assert [track.name for track in check(analysed(made), "main", FIRST_LOOK).lacking] == ["lost"]


def test_a_weak_change_fails_only_a_gate_of_single_series(tmp_path):
    many = {f"{number}": steps(2, 2, seed=20 + 3 * number) for number in range(40)}
    made = history(tmp_path / "h", {"a": steps(1, 1.035, seed=2), **many})
    told = [each for each in check(analysed(made), "main", FIRST_LOOK, commit(39)).told if each.part.track.name == "a"]
    weak = [each for each in told if each.part.change.weak]
    assert weak == [each for each in told if Gate().fails(each) and not Gate(suite=True).fails(each)]


def test_a_check_counts_the_series_that_the_commits_measured(tmp_path):
    made = history(tmp_path / "h", {"a": noisy(1, 20), "b": noisy(2, 15)})
    for again in range(3):
        add(made, 19, {"a": [1.0]}, started=f"2026-05-0{again + 1}T00:00:00+00:00")
    analysis = analysed(made)
    newest = check(analysis, "main", FIRST_LOOK)
    assert ([track.name for track in newest.tracks], newest.commits) == (["a"], [commit(19)])
    later = check(analysis, "main", FIRST_LOOK, commit(12)[:10])
    assert sorted(track.name for track in later.tracks) == ["a", "b"]
    assert len(later.commits) == 7
    with pytest.raises(Stop, match="no such commit"):
        check(analysis, "main", FIRST_LOOK, "nothing")
    with pytest.raises(Stop, match="no jobs of this branch"):
        check(analysis, "other", FIRST_LOOK)


def test_series_that_are_too_short_are_said(tmp_path):
    found = check(analysed(history(tmp_path / "h", {"a": noisy(1, 7)})), "main", FIRST_LOOK)
    assert (len(found.young), found.missing, found.told) == (1, 4, [])


def test_a_name_with_the_characters_of_patterns_is_announced_by_itself(tmp_path):
    made = folder(tmp_path / "h")
    for number, value in enumerate(steps(1, 1.2)):
        expects = ((commit(40), "Sort[1024] +10%..+30% more"),) if number == 40 else ()
        add(made, number, {"Sort[1024]": [value]}, expects=expects)
    assert state(analysed(made)).word == "expected"


def test_two_changes_that_jobs_of_one_commit_tell_have_names_of_their_own(tmp_path):
    made = folder(tmp_path / "h")
    for number, value in enumerate(noisy(1, 20, seed=1, spread=0.01) + noisy(1.5, 8, seed=2, spread=0.01)):
        add(made, number, {"a": [value]})
    for again, value in enumerate(noisy(1, 100, seed=4, spread=0.01)):
        add(made, 28, {"a": [value]}, started=f"2026-05-01T00:{again // 60:02}:{again % 60:02}+00:00")
    analysis = analysed(made)
    found = alerts(analysis)
    assert [(alert.first, alert.raised) for alert in found] == [(28, 28), (20, 28)]
    assert len({alert.id for alert in found}) == 2
    assert [named(alert.id, analysis).first for alert in found] == [28, 20]


def test_a_whole_name_of_a_commit_wins_over_its_beginning(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(1, 13):
        add(made, number, {"a": [1.0]}, commit=str(number), line=(str(number), str(number - 1)))
    assert check(analysed(made), "main", FIRST_LOOK, "1").commits == [str(number) for number in range(2, 13)]


def test_nothing_is_ignored_without_a_reason(run, tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2)})
    [alert] = alerts(analysed(made))
    done = run("history", "ignore", alert.id, "--reason", " ", "--history", tmp_path / "h")
    assert (done.code, "[bad-option]" in done.err) == (2, True)
    assert state(analysed(made)).word == "new"


def test_a_state_that_no_alert_has_is_said_to_be_so(run, tmp_path):
    history(tmp_path / "h", {"a": steps(1, 1.2)})
    done = run("history", "points", "--state", "noise", "--history", tmp_path / "h")
    assert (done.code, done.out) == (0, "No alert is noise.\n")
