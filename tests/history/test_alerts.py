"""Changes with one cause are an alert; what was decided stays with it, and only there."""

import json
from types import SimpleNamespace

import pytest
from histories import add, analysed, commit, decide, folder, history, state, steps
from projects import asked, repository

from statera.history import wording
from statera.history.alerts import STATE, Cause, alerts, bisect, event_on, expectation, named, pooled, state_of
from statera.history.issues import body
from statera.support.errors import Stop
from support import fails, noisy

LONG = 120
FIRST_LOOK = 11
EVERY = 8


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
    assert newest.first == later.orders["main"].position[commit(120)]
    assert returned.parts[0].change.returns


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


def test_an_announcement_silences_exactly_its_commit_names_and_range(tmp_path):
    announced = [
        (40, "a +10%..+30% checks input", True),
        (45, "a +10%..+30% later", False),
        (40, "* +10%..+30% checks input", True),
        (40, "b +10%..+30% another benchmark", False),
        (40, "[a] +10%..+30% a class of characters", True),
        (40, "a +21%..+30% larger", False),
        (40, "a -30%..-10% the other way", False),
    ]
    analysis = analysed(history(tmp_path / "h", {"a": steps(1, 1.2)}))
    [alert] = alerts(analysis)
    for number, text, silent in announced:
        found = state_of(alert, analysis.orders["main"], analysis.catalog, [expectation([commit(number)], text)])
        assert found.word == ("expected" if silent else "new"), text


def test_an_announcement_that_cannot_be_read_is_refused():
    for text in ("", "a", "a 5%..10%", "a five..ten why", "a +10%..+5% turned round", "a +5% why"):
        with pytest.raises(Stop, match="write PATTERN"):
            expectation([commit(1)], text)


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
    assert [(alert.first, alert.raised) for alert in found] == [(28, 28), (20, 22)]
    assert len({alert.id for alert in found}) == 2
    assert [named(alert.id, analysis).first for alert in found] == [28, 20]


def test_nothing_is_ignored_without_a_reason(run, tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2)})
    [alert] = alerts(analysed(made))
    fails(run("history", "ignore", alert.id, "--reason", " ", "--history", tmp_path / "h"), "[bad-option]")
    assert state(analysed(made)).word == "new"


def test_a_state_that_no_alert_has_is_said_to_be_so(run, tmp_path):
    history(tmp_path / "h", {"a": steps(1, 1.2)})
    done = run("history", "points", "--state", "noise", "--history", tmp_path / "h")
    assert (done.code, done.out) == (0, "No alert is noise.\n")


@pytest.fixture
def sparse(tmp_path):
    """Every eighth commit was measured; one of the eight up to number 320 made it slower."""
    made = folder(tmp_path / "h")
    values = [*noisy(1, 40, seed=1, spread=0.01), *noisy(1.25, 40, seed=2, spread=0.01)]
    for number, value in enumerate(values):
        at = number * EVERY
        line = tuple(commit(each) for each in range(at, max(at - EVERY - 1, -1), -1))
        add(made, at, {"a": [value]}, line=line)
    return made


def test_a_change_between_two_measured_commits_begins_at_any_of_those_after_the_first(run, sparse, tmp_path):
    (alert,) = alerts(analysed(sparse))
    assert (alert.first, alert.last) == (313, 320)
    said = f"{commit(312)[:8]}..{commit(320)[:8]} (8 commits)"
    for words in (("points",), ("show", "a"), ("check", "--since", commit(0)), ("bisect", alert.id)):
        assert said in run("history", *words, "--history", "h").out, words
    assert said in body(analysed(sparse), alert).replace("&#8203;", "")
    assert run("history", "site", "-o", "pages", "--history", "h").code == 0
    document = json.loads((tmp_path / "pages" / "alerts" / f"{alert.id}.json").read_text())
    assert [document[key] for key in ("first", "last", "candidates")] == [commit(313), commit(320), 8]
    assert [each["commit"] for each in document["commits"]] == [commit(number) for number in range(313, 321)]
    (change,) = document["changes"]
    assert (change["first"], change["commit"], change["last"]) == (commit(313), commit(320), commit(320))
    for page in (f"alerts/{alert.id}", f"series/{analysed(sparse).tracks[0].series.id}"):
        assert commit(312)[:8] in (tmp_path / "pages" / f"{page}.html").read_text(), page


def test_commits_to_measure_are_described_where_a_clone_has_them(run, tmp_path):
    names = repository(tmp_path / "clone", 80 * EVERY)
    made = folder(tmp_path / "h")
    for number, value in enumerate([*noisy(1, 40, seed=1, spread=0.01), *noisy(1.25, 40, seed=2, spread=0.01)]):
        at = number * EVERY
        line = tuple(reversed(names[max(at - EVERY, 0) : at + 1]))
        add(made, at, {"a": [value]}, commit=names[at], line=line)
    (alert,) = alerts(analysed(made))
    assert f"  {names[317]}\n" in run("history", "bisect", alert.id, "--history", "h").out
    shown = run("history", "bisect", alert.id, "--history", tmp_path / "h", cwd=tmp_path / "clone").out
    assert f"  {names[317]}  Commit 317 (A)\n" in shown


def test_what_another_machine_measured_does_not_say_where_a_change_begins(tmp_path):
    made = folder(tmp_path / "h", lane=("runner",))
    line = [*noisy(1, 40, seed=1, spread=0.01), *noisy(1.25, 40, seed=2, spread=0.01)]
    for number in range(0, 80 * EVERY, EVERY):
        parents = tuple(commit(each) for each in range(number, max(number - EVERY - 1, -1), -1))
        add(made, number, {"a": [line[number // EVERY]]}, line=parents)
        # This machine measures halfway, and another benchmark only.
        between = number + EVERY // 2
        inner = tuple(commit(each) for each in range(between, number - 1, -1))
        add(made, between, {"b": [1 + number % 7 / 1000]}, line=inner, environment={"runner": "other"})
    analysis = analysed(made)
    (alert,) = alerts(analysis)
    assert (alert.first, alert.last) == (313, 320)
    assert set(bisect(alert, analysis).commits) == {commit(number) for number in range(313, 320)}


def test_the_unmeasured_commits_up_to_the_change_are_listed_by_halves(sparse):
    analysis = analysed(sparse)
    (alert,) = alerts(analysis)
    found = bisect(alert, analysis)
    assert found.measured == 1
    assert set(found.commits) == {commit(number) for number in range(313, 320)}
    assert found.commits[:3] == [commit(316), commit(314), commit(318)]
    assert found.jobs == 1


def test_noise_asks_for_several_jobs(tmp_path):
    made = folder(tmp_path / "h")
    for number, value in enumerate([*noisy(1, 90, seed=1, spread=0.05), *noisy(1.12, 90, seed=2, spread=0.05)]):
        add(made, number, {"a": [value]})
    analysis = analysed(made)
    found = bisect(alerts(analysis)[0], analysis)
    assert found.commits == []
    assert found.measured >= 1
    assert found.jobs > 1


def test_a_change_that_can_begin_at_one_commit_alone_needs_no_measurement(run, tmp_path):
    made = folder(tmp_path / "h")
    for number, value in enumerate([*noisy(1, 40, seed=1, spread=0.01), *noisy(2, 40, seed=2, spread=0.01)]):
        add(made, number, {"a": [value]})
    (alert,) = alerts(analysed(made))
    assert run("history", "bisect", alert.id, "--history", "h").out.endswith("It begins at no other commit.\n")


def test_the_command_names_commits_and_what_measures_them(run, sparse, tmp_path):
    (alert,) = alerts(analysed(sparse))
    done = run("history", "bisect", alert.id[:5], "--history", "h", "--experiment", "my bench.toml")
    assert done.code == 0, done.err
    assert "7 commits not measured; 1 job of each" in done.out
    assert f"git worktree add --detach ../bisect-{commit(316)[:12]} {commit(316)}" in done.out
    assert f"statera run 'my bench.toml' -o run-1 && statera history add run-1 --history {tmp_path / 'h'}" in done.out
    for stated in (["--history", "h"], ["--history=h"]):
        said = run("history", "bisect", "zzz", *stated).err
        assert said.endswith("; statera history points --history h --all lists them [no-alert]\n")


def test_the_badge_counts_what_is_open(run, sparse, tmp_path):
    assert run("history", "badge", "-o", "b.svg", "--history", "h").code == 0
    assert ">1 worse</text>" in (tmp_path / "b.svg").read_text()
    (alert,) = alerts(analysed(sparse))
    run("history", "ack", alert.id, "--history", "h")
    run("history", "badge", "-o", "b.svg", "--history", "h")
    assert ">no open change</text>" in (tmp_path / "b.svg").read_text()
    assert run("history", "badge", "-o", "b.png", "--history", "h").code == 2


def test_points_has_the_alerts_with_their_changes_and_decisions(run, tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2), "b": steps(3, 4, seed=7)})
    [alert] = alerts(analysed(made))
    run("history", "ack", alert.id, "--reason", "seen", "--history", tmp_path / "h")
    assert asked(run, tmp_path / "h", "points")["alerts"] == []
    [found] = asked(run, tmp_path / "h", "points", "--all")["alerts"]
    assert (found["id"], found["state"], found["reason"], found["open"]) == (alert.id, "acknowledged", "seen", False)
    assert [change["benchmark"] for change in found["changes"]] == ["b", "a"]
    assert [decision["reason"] for decision in found["decisions"]] == ["seen"]


def shifted(path, changed, *, count=6, machines=1, factor=1.2):
    """A history of benchmarks on machines, on which some change at commit 30: the name of each and its machine."""
    made = folder(path)
    for machine in range(machines):
        values = {f"b{name}": steps(1 + name, 1 + name, of=30, seed=10 * name + machine) for name in range(count)}
        for number in range(60):
            now = {
                name: [value[number] * (factor if number >= 30 and (name, machine) in changed else 1)]
                for name, value in values.items()
            }
            environment = {"cpu": f"cpu {machine}", "runner": "r"}
            add(made, number, now, environment=environment, started=f"2026-0{machine + 1}-01T00:{number:02}:00+00:00")
    return made


def test_a_change_of_everything_or_of_a_machine_is_told_as_one(run, tmp_path):
    every = {(f"b{name}", machine) for name in range(6) for machine in range(2)}
    first = {each for each in every if each[1] == 0}
    cases = {
        "suite": (every, 2, "all 12 series at once, the worst b"),
        "machine": (first, 2, "all 6 series on cpu 0 · r alone, the worst b"),
        "": ({("b1", 0), ("b2", 1)}, 2, "b"),
    }
    for scope, (changed, machines, headline) in cases.items():
        made = shifted(tmp_path / f"h{scope}", changed, machines=machines)
        found = analysed(made)
        [alert] = alerts(found)
        assert (alert.scope, alert.changed) == (scope, len(changed))
        assert wording.headline(alert).startswith(headline)
        [document] = asked(run, made.path, "points")["alerts"]
        assert document["scope"] == (scope or None)
        said = run("history", "check", "--since", commit(20), "--history", made.path).out
        assert said.count("Look first for a change of") == bool(scope), scope
    five = shifted(tmp_path / "five", first - {("b5", 0)})
    assert wording.headline(alerts(analysed(five))[0]).startswith("5 of 6 series at once, the worst b")
    four = shifted(tmp_path / "four", {(f"b{name}", 0) for name in range(4)}, count=4)
    assert alerts(analysed(four))[0].scope == ""
    some = shifted(tmp_path / "some", {(f"b{name}", 0) for name in range(5)}, count=8)
    assert alerts(analysed(some))[0].scope == ""


def group(first, last, count=1, *, is_worse=True):
    """So many changes at these commits."""
    return Cause([SimpleNamespace(is_worse=is_worse)] * count, first, last)


def joined(*causes):
    return [(each.first, each.last, len(each.parts)) for each in pooled(causes)]


def test_small_groups_beside_a_large_one_join_it_and_keep_their_commits_possible():
    assert joined(group(661, 661, 14), group(663, 663, 40)) == [(661, 663, 54)]
    assert joined(group(661, 661, 40), group(663, 663, 40)) == [(661, 663, 80)]
    # A straggler does not widen the range, a long interval reaches farther, and the other direction is another cause.
    assert joined(group(659, 661), group(663, 663, 40)) == [(663, 663, 41)]
    assert joined(group(620, 650), group(660, 660, 40)) == [(660, 660, 41)]
    assert joined(group(638, 648), group(660, 660, 40)) == [(638, 648, 1), (660, 660, 40)]
    assert joined(group(661, 661, is_worse=False), group(663, 663, 40)) == [(661, 661, 1), (663, 663, 40)]
    # Nothing is large enough to be what the suite did.
    assert joined(group(661, 661), group(663, 663, 2)) == [(661, 661, 1), (663, 663, 2)]
