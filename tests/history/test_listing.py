"""The JSON of show, points and check says what the terminal says, and is JSON whatever the names are."""

import json

from making import add, analysed, commit, folder, history
from stores import read

from statera.history.alerts import alerts
from statera.history.catalog import renaming
from support import noisy


def step(*levels, of=40, seed=1):
    return [value for number, level in enumerate(levels) for value in noisy(level, of, seed=seed + number, spread=0.01)]


def asked(run, tmp_path, verb, *words, code=0):
    done = run("history", verb, *words, "-f", "json", "--history", tmp_path / "h")
    assert done.code == code, done.err
    return json.loads(done.out)


def test_show_has_the_values_and_changes_of_each_series(run, tmp_path):
    made = history(tmp_path / "h", {"a": step(1, 1.2), "b\x1b": step(3, 3, seed=7)})
    made.record({**renaming(read(made), "a", "c"), "who": ""})
    found = asked(run, tmp_path, "show")
    assert (found["statera"], found["project"], found["gone"]) == ("history-show/1", "p", [])
    b, c = found["series"]
    assert (b["benchmark"], c["benchmark"], c["names"]) == ("b\x1b", "c", ["c", "a"])
    [track] = c["tracks"]
    [change] = track["changes"]
    assert change["commit"] == commit(40)
    assert (track["positions"], len(track["values"])) == ([*range(80)], 80)
    [only] = asked(run, tmp_path, "show", "a")["series"]
    assert only == c


def test_points_has_the_alerts_with_their_changes_and_decisions(run, tmp_path):
    made = history(tmp_path / "h", {"a": step(1, 1.2), "b": step(3, 4, seed=7)})
    [alert] = alerts(analysed(made))
    run("history", "ack", alert.id, "--reason", "seen", "--history", tmp_path / "h")
    assert asked(run, tmp_path, "points")["alerts"] == []
    [found] = asked(run, tmp_path, "points", "--all")["alerts"]
    assert (found["id"], found["state"], found["reason"], found["open"]) == (alert.id, "acknowledged", "seen", False)
    assert [change["benchmark"] for change in found["changes"]] == ["b", "a"]
    assert [decision["reason"] for decision in found["decisions"]] == ["seen"]


def test_check_has_what_was_raised_and_whether_the_gate_failed(run, tmp_path):
    made = history(tmp_path / "h", {"a": step(1, 1.2), "b": step(3, 3, seed=7)})
    quiet = asked(run, tmp_path, "check")
    assert (quiet["commits"], quiet["changes"], quiet["gate"]) == ([commit(79)], [], None)
    found = asked(run, tmp_path, "check", "--since", commit(39), "--fail-on", "worse:5%", code=1)
    [change] = found["changes"]
    assert (change["benchmark"], change["worse"], change["open"], change["state"]) == ("a", True, True, "new")
    assert found["gate"] == {"fail_on": "worse:5%", "failed": True, "changes": 1}
    assert found["series"] == 2
    [alert] = alerts(analysed(made))
    assert change["alert"] == alert.id


def test_check_names_what_is_young_suspect_and_gone(run, tmp_path):
    made = folder(tmp_path / "h")
    for number, value in enumerate(noisy(1, 60, spread=0.01)):
        values = {"a": [value if number < 59 else 3.0], **({"old": [value]} if number < 3 else {})}
        add(made, number, values, started=f"2026-{1 + number // 28:02}-{1 + number % 28:02}T00:00:00+00:00")
    add(made, 59, {"new": [1.0]}, started="2026-03-05T00:00:00+00:00")
    found = asked(run, tmp_path, "check")
    assert [each["benchmark"] for each in found["suspects"]] == ["a"]
    assert ([each["benchmark"] for each in found["young"]], found["missing"]) == (["new"], 10)
    [gone] = found["gone"]
    assert (gone["benchmark"], gone["last"]) == ("old", "2026-01-03T00:00:00+00:00")
    assert [each["benchmark"] for each in asked(run, tmp_path, "show")["gone"]] == ["old"]


def test_what_the_newest_commit_lacks_fails_a_gate_that_counts_it(run, tmp_path):
    made = history(tmp_path / "h", {"a": noisy(1, 4), "lost": noisy(2, 4)})
    add(made, 4, {"a": [1.0]})
    done = run("history", "check", "--history", tmp_path / "h", "--fail-on", "worse:5%,missing")
    assert done.code == 1
    assert f"1 series missing from {commit(4)[:8]}: lost." in done.out
    assert "--fail-on worse:5%,missing: failed, no change for the worse of at least 5% and 1 series missing" in done.out
    found = asked(run, tmp_path, "check", "--fail-on", "missing", code=1)
    assert [each["benchmark"] for each in found["lacking"]] == ["lost"]
    assert found["gate"] == {"fail_on": "missing", "failed": True, "changes": 1}
    assert run("history", "check", "--history", tmp_path / "h", "--fail-on", "worse").code == 0
    refused = run("history", "check", "--history", tmp_path / "h", "--fail-on", "missing:5%")
    assert (refused.code, "it takes worse or worse:M" in refused.err) == (2, True)
    idle = run("history", "check", "--history", tmp_path / "h", "--fail-on", "missing", "--family", "suite")
    assert (idle.code, "--family suite is of changes" in idle.err) == (2, True)


def test_a_fact_that_no_job_states_keeps_no_machines_apart_and_is_refused(run, tmp_path):
    history(tmp_path / "h", {"a": noisy(1, 4)})
    done = run("history", "check", "--history", tmp_path / "h", "--lane", "runer")
    assert done.code == 2
    assert "--lane runer: no job states this fact about its machine; did you mean runner?; they state: cpu" in done.err
    assert run("history", "check", "--history", tmp_path / "h", "--lane", "runner").code == 0
