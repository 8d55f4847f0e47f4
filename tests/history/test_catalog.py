"""A renamed benchmark keeps its series and what was decided about it; a series whose unit changed is refused."""

import pytest
from histories import TIME, add, analysed, commit, folder, job, measured, read
from projects import NOBODY, git
from projects import commit as committed

from statera import _native
from statera.history import catalog, comparison, upload, verify
from statera.history.alerts import EXPECT, STATE, alerts, event_on, expectations, state_of
from statera.history.analysis import analyse
from statera.history.catalog import names_now, renaming
from statera.history.compact import compact
from statera.history.folder import open_folder
from statera.support.errors import Stop
from statera.support.settings import Limits
from support import fails, go, noisy

RENAMED = [
    ([], {}),
    ([("a", "b")], {"a": "b"}),
    ([("a", "b"), ("b", "c")], {"a": "c", "b": "c"}),
    ([("a", "b"), ("b", "a")], {"b": "a"}),
    ([("a", "b"), ("b", "c"), ("c", "a")], {"b": "a", "c": "a"}),
    ([("a", "b"), ("a", "c")], {"a": "c"}),
    ([("a", "b"), ("a", "a")], {}),
    ([("a", "b"), ("c", "b")], {"a": "b", "c": "b"}),
    ([("a", "b"), ("b", "b")], {"a": "b"}),
]
CYCLES = ("time", "cycles", "count", "lower", False)


def grown(path, *parts, other=True):
    """A history of a benchmark that has several names one after another: (name, values) each."""
    made, number = folder(path), 0
    for name, values in parts:
        for value in values:
            add(made, number, {name: [value], **({"other": [2 + number * 37 % 11 / 1e6]} if other else {})})
            number += 1
    return made


def rename(made, old, new):
    made.record({**renaming(read(made), old, new), "who": "me"})


def tracks(made):
    return {track.name: track for track in analysed(made).tracks}


def state(made, number=0):
    analysis = analysed(made)
    alert = alerts(analysis)[number]
    return alert, state_of(alert, analysis.orders["main"], analysis.catalog, expectations(analysis.catalog))


def events(*pairs):
    stated = enumerate(pairs)
    return [(str(at), {"kind": "rename", "from": old, "to": new, "when": f"{at:03}"}) for at, (old, new) in stated]


def test_the_last_word_on_each_name_counts_and_nothing_leads_in_a_circle():
    assert [pairs for pairs, now in RENAMED if names_now(events(*pairs)) != now] == []
    damaged = [("1", {"kind": "rename", "from": 3, "to": "b"}), ("2", {"kind": "rename", "from": "a"})]
    assert names_now([*damaged, ("3", {"kind": "rename", "from": "a", "to": ""})]) == {}


def test_a_series_continues_under_the_new_name_with_the_change_between(tmp_path):
    made = grown(tmp_path / "h", ("old", noisy(1, 40)), ("new", noisy(1.3, 40, seed=2)))
    assert [len(track.changes) for track in tracks(made).values()] == [0, 0, 0]
    rename(made, "old", "new")
    found = tracks(made)
    assert sorted(found) == ["new", "other"]
    assert len(found["new"].found) == 80
    assert [change.place for change in found["new"].changes] == [40]


def test_a_benchmark_can_be_renamed_before_a_job_has_the_new_name(tmp_path):
    made = grown(tmp_path / "h", ("old", noisy(1, 20)))
    before = tracks(made)["old"]
    rename(made, "old", "new")
    after = tracks(made)["new"]
    assert (after.found.values, after.series.id) == (before.found.values, before.series.id)
    assert after.series.names == ("new", "old")


def test_what_was_decided_stays_decided_and_alerts_keep_their_names(tmp_path):
    made = grown(tmp_path / "h", ("a", noisy(1, 40) + noisy(1.2, 40, seed=2)))
    alert, before = state(made)
    order = analysed(made).orders["main"]
    made.record(event_on(alert, order, kind=STATE, state="wontfix", reason="wanted", when="2026-01-02"))
    assert before.word == "new"
    for old, new in (("a", "b"), ("b", "c"), ("c", "a"), ("a", "d")):
        rename(made, old, new)
        after, now = state(made)
        assert (after.id, now[:2], after.parts[0].track.series.benchmark) == (alert.id, ("wontfix", "wanted"), new)


def test_a_decision_about_the_new_name_alone_stays_when_the_old_one_joins(tmp_path):
    made = grown(tmp_path / "h", ("old", noisy(1, 30)), ("new", noisy(1, 30, seed=3) + noisy(1.3, 30, seed=4)))
    alert, _ = state(made)
    order = analysed(made).orders["main"]
    made.record(event_on(alert, order, kind=STATE, state="fixed", when="2026-01-02"))
    rename(made, "old", "new")
    assert state(made)[1].word == "fixed"


def test_an_announcement_under_the_old_name_still_silences(tmp_path):
    made = grown(tmp_path / "h", ("Parse/1", noisy(1, 40) + noisy(1.2, 40, seed=2)))
    made.record({"kind": EXPECT, "commits": [commit(40)], "text": "Parse/* +10%..+30% wanted", "when": "2026"})
    assert state(made)[1].word == "expected"
    rename(made, "Parse/1", "Read/1")
    assert state(made)[1].word == "expected"


def test_values_under_both_names_later_count_once_and_are_told(run, tmp_path):
    made = grown(tmp_path / "h", ("a", noisy(1, 20)), other=False)
    rename(made, "a", "b")
    add(made, 20, {"a": [7.0], "b": [1.5]})
    found = tracks(made)
    assert list(found) == ["b"]
    assert found["b"].found.values[-1] == 1.5
    done = run("history", "show", "--history", tmp_path / "h")
    assert "1 job has values of a and of b" in done.err
    held = read(made)
    [newest] = [each for each in held.held if each.job.commit == commit(20)]
    [older] = [each for each in held.held if each.job.commit == commit(19)]
    sides = [comparison.Side("old", [older]), comparison.Side("new", [newest])]
    both = comparison.observations_of(held, sides, (), Limits())
    assert (both.benchmarks, len(both)) == (["b"], 2)


def test_a_comparison_pairs_the_names(run, tmp_path):
    made = folder(tmp_path / "h")
    for number, name in enumerate(("old", "new")):
        add(made, number, {name: noisy(1 + number, 10, seed=number)})
    alone = run("history", "compare", f"{commit(0)}..{commit(1)}", "--history", tmp_path / "h", "-f", "csv")
    rename(made, "old", "new")
    done = run("history", "compare", f"{commit(0)}..{commit(1)}", "--history", tmp_path / "h", "-f", "csv")
    assert "worse" not in alone.out
    assert done.code == 0, done.err
    assert "new" in done.out
    assert "worse" in done.out


def test_taking_a_renaming_back_leaves_both_alone(tmp_path):
    made = grown(tmp_path / "h", ("a", noisy(1, 12)), ("b", noisy(1, 12, seed=2)))
    before = {name: track.series.id for name, track in tracks(made).items()}
    rename(made, "a", "b")
    assert sorted(tracks(made)) == ["b", "other"]
    rename(made, "a", "a")
    assert {name: track.series.id for name, track in tracks(made).items()} == before


def test_what_cannot_be_renamed_is_refused(run, tmp_path):
    made = grown(tmp_path / "h", ("was", noisy(1, 2)), ("a", noisy(1, 3)))
    rename(made, "was", "is")
    refused = [
        ("nothing", "b", "no-benchmark"), ("a*", "b*", "bad-option"), ("a", "b*", "bad-option"),
        ("a", "", "bad-option"), ("a", "a", "bad-option"), ("was", "other2", "no-benchmark"),
        ("a", "other", "both-measured"),
    ]  # fmt: skip
    for old, new, code in refused:
        fails(run("history", "rename", old, new, "--history", tmp_path / "h"), f"[{code}]")
    assert len(made.events()) == 1
    with pytest.raises(Stop, match=r"3 jobs measured both, the first that of commit \w{12}"):
        renaming(read(made), "a", "other")


def test_the_old_name_finds_the_series_and_the_answer_says_the_new_one(run, tmp_path):
    grown(tmp_path / "h", ("old\x1b[31m", noisy(1, 12)))
    done = run("history", "rename", "old\x1b[31m", "new", "--reason", "clearer", "--history", tmp_path / "h")
    assert done.code == 0, done.err
    assert "\x1b" not in done.err
    shown = run("history", "show", "old\x1b[31m", "--history", tmp_path / "h")
    assert "is now called new" in shown.err
    assert shown.out.startswith("new · time · main")
    assert "\x1b" not in shown.err
    assert run("history", "verify", "--history", tmp_path / "h").code == 0


def test_a_site_has_one_page_and_the_old_address(run, tmp_path):
    made = grown(tmp_path / "h", ("old", noisy(1, 12)), ("new", noisy(1, 12, seed=2)))
    page = f"series/{tracks(made)['old'].series.id}.html"
    rename(made, "old", "new")
    done = run("history", "site", "-o", tmp_path / "site", "--history", tmp_path / "h")
    assert done.code == 0, done.err
    assert "<title>new" in (tmp_path / "site" / page).read_text()
    assert len(list((tmp_path / "site/series").glob("*.html"))) == 2


def test_other_units_and_factors_stay_series_of_their_own(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(3):
        upload.store(made, measured({"a": [1.0]}), ['{"size": "1"}'], job(number))
        upload.store(made, measured({"a": [2.0]}), ['{"size": "2"}'], job(number))
        add(made, number, {"a": [3.0]}, ("time", "cycles", "time", "lower", False))
    rename(made, "a", "b")
    found = analysed(made).tracks
    assert {(each.series.benchmark, each.series.unit, each.series.factors) for each in found} == {
        ("b", TIME[1], '{"size": "1"}'),
        ("b", TIME[1], '{"size": "2"}'),
        ("b", "cycles", "{}"),
    }
    assert len({each.series.id for each in found}) == 3


def test_compaction_retires_by_the_whole_series(tmp_path):
    made = folder(tmp_path / "h", samples=5, around=0)
    for number in range(20):
        add(made, number, {"old" if number < 10 else "new": noisy(1, 4, seed=number)})
    rename(made, "old", "new")
    before = tracks(made)["new"].found.values
    held = read(made)
    assert compact(made, analyse(held, made.about.lane), Limits(), 0).months
    after = read(made)
    assert tracks(made)["new"].found.values == before
    files = sorted({*after.files})
    assert len(files) == 1
    kept = _native.upload_samples(
        after.native, [(files[0], place, place, "job", 0, []) for place in range(20)], Limits(), catalog.most(Limits())
    )
    # Five jobs keep their four values, of the others one stands for all.
    assert len(kept) == 5 * 4 + 15
    assert not verify.verify(made, Limits()).problems


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "project"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    committed(path)
    return path


def added(run, where, unit, *words, name="X"):
    out = where / "out.txt"
    out.write_text(go({name: {unit: [3.0, 4.0]}}, config={"cpu": "Test"}))
    committed(where)
    return run("history", "add", out, "--history", where.parent / "h", "--project", "p", *words, cwd=where, env=NOBODY)


def test_another_unit_is_refused_with_what_to_do_and_accepted_on_request(run, project, tmp_path):
    assert added(run, project, "things").code == 0
    table = tmp_path / "t.csv"
    rows = ["benchmark,metric,unit,value\n", *["X,things,other,3\n"] * 3]
    table.write_text("".join(rows))
    words = ("history", "add", table, "--history", tmp_path / "h", "--project", "p", "--environment", "cpu=Test")
    committed(project)
    fails(run(*words, cwd=project, env=NOBODY), "[other-unit]", "--new-unit")
    assert len(open_folder(tmp_path / "h").uploads()) == 1
    assert run(*words, "--new-unit", cwd=project, env=NOBODY).code == 0
    # Both are known now.
    committed(project)
    assert run(*words, cwd=project, env=NOBODY).code == 0
    assert added(run, project, "things").code == 0
    # The same unit with another prefix is the same.
    assert added(run, project, "ns/op", name="Y").code == 0
    assert added(run, project, "ms/op", name="Y").code == 0


def test_renamed_benchmarks_keep_their_units_and_new_ones_and_other_factors_have_any(tmp_path):
    made = folder(tmp_path / "h")
    add(made, 0, {"old": [1.0], "b": [1.0]})
    made.record({**renaming(read(made), "old", "new"), "who": ""})

    def stored(*names, factors="{}"):
        return upload.store(made, measured({name: [1.0] for name in names}, CYCLES), [factors], job(1), Limits()).new

    for names, why in (
        (["old"], "and the history s:"),
        (["new"], "and the history s:"),
        (["old", "b"], "2 series in all"),
    ):
        with pytest.raises(Stop, match=f"unit cycles, .*{why}"):
            stored(*names)
    assert stored("other")
    assert stored("b", factors='{"size": "1"}')
