"""A check tells what the newest commit raised, lacks or no longer measures, and its gate fails for that alone."""

from datetime import UTC, datetime, timedelta

import pytest
from histories import add, analysed, commit, decide, folder, history, job, steps
from projects import asked

from statera.history import upload
from statera.history.alerts import alerts
from statera.history.check import Gate, check, gone, sentence, stopped, without_gone
from statera.reading import observations
from statera.support.errors import Stop
from support import every, fails, noisy

FIRST_LOOK = 11
START = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_check_tells_each_change_once_and_no_other(tmp_path):
    values = {"a": steps(1, 1.2, of=30), "b": steps(2, 2, 1.6, of=30, seed=4), "c": steps(3, 3, 3, of=30, seed=8)}
    made, told = folder(tmp_path / "h"), []
    for number in range(90):
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


def test_an_alarm_that_did_not_hold_is_said_where_its_commit_is_asked_for(run, tmp_path):
    made = history(tmp_path / "h", {"a": [0.0] * 24 + [6.0, 0.0] * 3 + [0.0] * 10, "b": noisy(2, 40)})
    said = "1 series with an alarm that later values did not confirm: a."
    assert said in run("history", "check", "--since", commit(20), "--history", made.path).out
    assert said not in run("history", "check", "--since", commit(30), "--history", made.path).out


def test_what_ended_is_told_at_its_first_commit_and_stays_told(run, tmp_path):
    made = history(tmp_path / "h", {"kept": [1.0] * 9, "lost": [2.0] * 4, "early": [2.0], "back": [4.0] * 2})
    add(made, 8, {"back": [4.0]})
    found = analysed(made)
    assert [(each.track.name, each.since) for each in stopped(found)] == [("lost", 4), ("early", 1)]
    newest = check(found, "main", FIRST_LOOK)
    assert ([track.name for track in newest.lacking], len(newest.stopped)) == ([], 2)
    # A check of several commits tells what any of them was the first to lack.
    since = check(found, "main", FIRST_LOOK, commit(2))
    assert [track.name for track in since.lacking] == ["lost"]
    assert [each.track.name for each in since.stopped] == ["early"]
    gate = run("history", "check", "--fail-on", "missing", "--history", made.path)
    assert (gate.code, "--fail-on missing: failed, 2 series missing" in gate.out) == (1, True)
    said = f"2 series no longer measured: lost (since {commit(4)[:8]}), early (since {commit(1)[:8]})."
    for verb in ("show", "check"):
        assert said in run("history", verb, "--history", made.path).out
        assert [each["since"] for each in asked(run, made.path, verb)["stopped"]] == [commit(4), commit(1)]
    several = run("history", "check", "--since", commit(2), "--history", made.path).out
    assert f"1 series missing from one of the commits up to {commit(8)[:8]}: lost." in several
    assert "no longer" not in run("history", "show", "kept", "--history", made.path).out
    assert run("history", "site", "-o", tmp_path / "s", "--history", made.path).code == 0
    assert said in (tmp_path / "s/index.html").read_text()


def test_what_is_gone_for_a_month_is_said_once(tmp_path):
    found = analysed(daily(tmp_path / "h", {"a": 59, "b": 28, "c": 27}))
    lost = gone(found)
    assert [each.track.name for each in without_gone(stopped(found), lost)] == ["b"]


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
    for since, why in {"nothing": "no such commit", "": "several commits"}.items():
        with pytest.raises(Stop, match=why):
            check(analysis, "main", FIRST_LOOK, since)
    with pytest.raises(Stop, match="no jobs of this branch"):
        check(analysis, "other", FIRST_LOOK)


def test_a_whole_name_of_a_commit_wins_over_its_beginning(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(1, 13):
        add(made, number, {"a": [1.0]}, commit=str(number), line=(str(number), str(number - 1)))
    assert check(analysed(made), "main", FIRST_LOOK, "1").commits == [str(number) for number in range(2, 13)]


def day(number):
    return (START + timedelta(days=number)).isoformat()


def daily(path, last, *, until=60, **facts):
    """A history with a job a day: each benchmark up to its last day."""
    made = folder(path)
    for number in range(until):
        add(made, number, {name: [1.0] for name, end in last.items() if number <= end}, started=day(number), **facts)
    return made


def test_31_days_count(tmp_path):
    made = daily(tmp_path / "h", {"a": 59, "b": 28, "c": 27})
    assert [each.track.name for each in gone(analysed(made))] == ["c"]


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


def test_nothing_is_said_of_what_another_machine_measures(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(60):
        machine = {"cpu": "Old" if number < 5 else "New"}
        add(made, number, {"a": [1.0]}, started=day(number), environment=machine)
    assert gone(analysed(made)) == []
    assert sentence([]) == ""
    assert check(analysed(made), "main", 11).gone == []


def test_an_old_commit_that_is_measured_today_says_nothing_of_the_present(tmp_path):
    made = daily(tmp_path / "h", {"a": 59, "b": 3})
    add(made, 2, {"b": [1.0]}, started=day(400))
    assert [each.track.name for each in gone(analysed(made))] == ["b"]


def test_metrics_that_nobody_watches_jobs_without_a_time_and_other_branches_are_no_loss(tmp_path):
    made = daily(tmp_path / "h", {"a": 59})
    add(made, 1, {"b": [1.0]}, started=day(1), branch="topic")
    for number in range(3):
        add(made, number, {"timeless": [1.0]}, started="", committed="")
    (tmp_path / "r.csv").write_text(
        "benchmark,metric,unit,value,traits\na,aside,s,1,secondary\na,aside,s,2,secondary\n"
    )
    aside = observations.read([str(tmp_path / "r.csv")])
    upload.store(made, aside, ["{}"] * len(aside.contexts), job(0, started=day(0)))
    found = analysed(made)
    assert {"aside", "time"} == {track.series.metric for track in found.tracks}
    assert {"a", "b", "timeless"} == {track.series.benchmark for track in found.tracks}
    assert gone(found) == []


def test_check_has_what_was_raised_and_whether_the_gate_failed(run, tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2), "b": steps(3, 3, seed=7)})
    quiet = asked(run, tmp_path / "h", "check")
    assert (quiet["commits"], quiet["changes"], quiet["gate"]) == ([commit(79)], [], None)
    found = asked(run, tmp_path / "h", "check", "--since", commit(39), "--fail-on", "worse:5%", code=1)
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
    found = asked(run, tmp_path / "h", "check")
    assert [each["benchmark"] for each in found["suspects"]] == ["a"]
    assert ([each["benchmark"] for each in found["young"]], found["missing"]) == (["new"], 14)
    [gone] = found["gone"]
    assert (gone["benchmark"], gone["last"]) == ("old", "2026-01-03T00:00:00+00:00")
    assert [each["benchmark"] for each in asked(run, tmp_path / "h", "show")["gone"]] == ["old"]


def test_what_the_newest_commit_lacks_fails_a_gate_that_counts_it(run, tmp_path):
    made = history(tmp_path / "h", {"a": noisy(1, 4), "lost": noisy(2, 4)})
    add(made, 4, {"a": [1.0]})
    done = run("history", "check", "--history", tmp_path / "h", "--fail-on", "worse:5%,missing")
    assert done.code == 1
    assert f"1 series missing from {commit(4)[:8]}: lost." in done.out
    assert "--fail-on worse:5%,missing: failed, no change for the worse of at least 5% and 1 series missing" in done.out
    found = asked(run, tmp_path / "h", "check", "--fail-on", "missing", code=1)
    assert [each["benchmark"] for each in found["lacking"]] == ["lost"]
    assert found["gate"] == {"fail_on": "missing", "failed": True, "changes": 1}
    done = run("history", "check", "--history", tmp_path / "h", "--fail-on", "worse")
    said = "passed, no change for the worse, 1 of 1 series with fewer than 15 jobs, in which a change may not be told"
    assert (done.code, said in done.out) == (0, True)
    fails(run("history", "check", "--history", tmp_path / "h", "--fail-on", "missing:5%"), "it takes worse or worse:M")
    done = run("history", "check", "--history", tmp_path / "h", "--fail-on", "missing", "--family", "suite")
    fails(done, "--family suite is of changes")


def test_a_fact_that_no_job_states_keeps_no_machines_apart_and_is_refused(run, tmp_path):
    history(tmp_path / "h", {"a": noisy(1, 4)})
    done = run("history", "check", "--history", tmp_path / "h", "--lane", "runer")
    fails(done, "--lane runer: no job states this fact about its machine; did you mean runner?; they state: cpu")
    assert run("history", "check", "--history", tmp_path / "h", "--lane", "runner").code == 0


def test_margins_of_the_settings_say_which_changes_matter(run, tmp_path):
    """A pattern is of benchmarks if it fits no metric, as in a comparison; an amount is in the metric's unit."""
    values = {"Doc/a": steps(1, 1.2), "Doc/b": steps(3, 3.6, seed=8), "Load": steps(2, 2.4, seed=4)}
    made = history(tmp_path / "h", values)

    def told(margin):
        (tmp_path / "statera.toml").write_text(margin)
        since = ("--since", commit(39))
        return run("history", "check", *since, "--fail-on", "worse", "--history", made.path, cwd=tmp_path)

    @every(
        "margin, failed",
        [
            ("", 3),
            ('margin = { "Doc/*" = "30%" }', 1),
            ('margin = { "Doc/*" = "400ms" }', 2),
            ('margin = { "Load" = "1%", "time" = "30%" }', 3 - 2),
            ('margin = "30%"', 0),
            ("margin_time = 0.3", 3),
        ],
    )
    def counts(margin, failed):
        done = told(margin)
        assert done.code == (1 if failed else 0), done.err
        assert done.out.count("slower") == failed + (failed > 0), done.out
        assert done.out.count("below its margin") == 3 - failed

    counts()
    assert "margin time: 16B is no amount of time" in told('margin = { "time" = "16B" }').err


def test_a_series_is_young_while_a_change_in_it_may_not_be_told_yet(run, tmp_path):
    values = [value * (1 if number < 7 else 1.2) for number, value in enumerate(noisy(1, 12, spread=0.02))]
    history(tmp_path / "h", {"a": values})
    said = run("history", "check", "--history", tmp_path / "h").out
    assert ": nothing new in 1 series.\n" in said
    assert "1 young series: a change may not be told before 15 jobs, up to 3 more." in said
