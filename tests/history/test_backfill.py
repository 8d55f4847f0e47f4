"""Commits between the measured ones are built and measured, until a change begins at one of them."""

import signal

import pytest
from histories import add, analysed, commit, folder
from projects import NOBODY, git, repository, start

from statera.experiment import counters
from statera.history import backfill
from statera.history.alerts import alerts
from statera.history.folder import open_folder
from support import every, noisy
from waiting import until

HERE = counters.missing()
EVERY = 8
# So many jobs before the change and after it, and the commit that made it.
BEFORE, AFTER = 20, 12
SLOWER = BEFORE * EVERY - 2
MACHINE = {"cpu": "Fast", "runner": "rack"}
STATED = ("--environment", "cpu=Fast", "--environment", "runner=rack")
FILE = '[build]\ncommand = ["cp", "f", "{build}/f"]\n\n[[benchmark]]\nname = "a"\ncommand = ["cat", "{build}/f"]\n'
# Of the program of sixty commits: the one that makes it slower, one that does not build, and those that were measured.
AT, BROKEN, FIRST, LAST, APART = 37, 39, 3, 59, 8


def folder_of(path):
    return open_folder(path / "h")


def sparse(path, names=None, spread=0.01):
    """Every eighth commit was measured; one of those between two of them made it slower."""
    made = folder(path)
    name = names.__getitem__ if names else commit
    values = [*noisy(1, BEFORE, seed=1, spread=spread), *noisy(1.25, AFTER, seed=2, spread=spread)]
    for at, value in zip(range(0, len(values) * EVERY, EVERY), values, strict=True):
        line = tuple(name(each) for each in range(at, max(at - EVERY - 1, -1), -1))
        add(made, at, {"a": [value]}, commit=name(at), line=line, environment=MACHINE)
    return made


def narrowed(made, budget=3600.0, lost=(), benchmark="a", doubtful=()):
    """Bisect, by a program that is slower from a commit on; give how it ended, and the commits that were asked for."""
    analysis = analysed(made)
    (alert,) = alerts(analysis)
    asked = []

    def measure(step):
        number = analysis.orders["main"].position[step.commit]
        asked.append(number)
        if number not in lost:
            value = 1.2501 if number >= SLOWER else 1.0001
            if number in doubtful and asked.count(number) == 1:
                value = 1.118
            line = tuple(commit(each) for each in range(number, number - EVERY - 1, -1))
            add(made, number, {benchmark: [value]}, line=line, environment=MACHINE, url=f"job {len(asked)}")
        return number not in lost

    done = backfill.narrow(
        alert,
        analysis,
        measure=measure,
        again=lambda: analysed(made),
        told=lambda *_: None,
        budget=backfill.Budget(budget),
    )
    return done, asked


def test_seven_commits_need_three_measurements(tmp_path):
    done, asked = narrowed(sparse(tmp_path / "h"))
    assert (done.reason, done.alert.first, done.alert.last) == ("found", SLOWER, SLOWER)
    assert (asked, len(done.measured), backfill.about(8)) == ([SLOWER - 2, SLOWER, SLOWER - 1], 3, 3)
    assert done.chances[0][0] == commit(SLOWER)
    assert 0.95 <= done.chances[0][1] <= sum(chance for _, chance in done.chances) < 1.000001


def test_a_value_between_the_levels_is_measured_again(tmp_path):
    done, asked = narrowed(sparse(tmp_path / "h", spread=0.04), doubtful={SLOWER - 2})
    assert (done.reason, done.chances[0][0]) == ("found", commit(SLOWER))
    assert asked.count(SLOWER - 2) == 2 or {SLOWER - 3, SLOWER - 2, SLOWER - 1, SLOWER} <= set(asked)


def test_a_commit_that_cannot_be_measured_is_skipped_and_named(tmp_path):
    done, asked = narrowed(sparse(tmp_path / "h"), lost={SLOWER})
    assert (done.reason, done.alert.first, done.alert.last) == ("skipped", SLOWER, SLOWER + 1)
    assert done.skipped == (commit(SLOWER),)
    assert sorted(set(asked)) == sorted(asked)


def test_results_without_the_series_end_nowhere_else_than_at_the_last_commit(tmp_path):
    done, asked = narrowed(sparse(tmp_path / "h"), benchmark="other")
    assert (done.reason, len(done.skipped), len(asked)) == ("skipped", 7, 7)


def test_nothing_begins_after_the_budget_is_spent(tmp_path):
    done, asked = narrowed(sparse(tmp_path / "h"), budget=0.0)
    assert (done.reason, asked, done.alert.last - done.alert.first) == ("budget", [], 7)
    budget = backfill.Budget(3600)
    assert not budget.is_spent
    budget.took(7200)
    assert budget.is_spent


def clone(folder):
    """A clone with a history of it beside it, and an experiment file; give its commits."""
    names = repository(folder / "clone", (BEFORE + AFTER) * EVERY)
    (folder / "clone" / "experiment.toml").write_text(FILE)
    sparse(folder / "h", names)
    return names


def test_the_commits_are_listed_before_they_are_measured(run, tmp_path):
    names = clone(tmp_path)
    shown = run("history", "backfill", "--dry-run", "--history", tmp_path / "h", *STATED, cwd=tmp_path / "clone")
    assert shown.code == 0, shown.err
    (alert,) = alerts(analysed(folder_of(tmp_path)))
    lines = shown.out.splitlines()
    assert lines[0].startswith(f"Alert {alert.id}: a +2")
    assert lines[1] == "About 3 measurements of these 7 commits, in about this order, or more if they are noisy:"
    assert lines[2] == f"  {names[SLOWER - 2]}  Commit {SLOWER - 2} (A)"
    assert len(folder_of(tmp_path).uploads()) == BEFORE + AFTER


def test_what_cannot_be_measured_here_is_refused_before_anything_is(run, tmp_path):
    clone(tmp_path)
    (alert,) = alerts(analysed(folder_of(tmp_path)))
    inside, history = tmp_path / "clone", ("--history", tmp_path / "h")
    (inside / "plain.toml").write_text('[[benchmark]]\nname = "a"\ncommand = ["true"]\n')
    (inside / "two.toml").write_text(f'[factors]\ngc = ["1", "2"]\n\n{FILE}')

    @every(
        "words, where, said",
        [
            ((alert.id,), inside, "[other-machine]"),
            (("zzz", *STATED), inside, "[no-alert]"),
            ((alert.id, *STATED, "--budget", "soon"), inside, "--budget soon: write a length of time"),
            ((alert.id, *STATED, "--experiment", "none.toml"), inside, "statera run --init [missing-file]"),
            ((alert.id, *STATED), tmp_path, "Run this in a clone [no-commit]"),
            ((alert.id, *STATED, "--experiment", "plain.toml"), inside, "plain.toml: neither [source] nor [build]"),
            ((alert.id, *STATED, "--experiment", "two.toml"), inside, "-L FACTOR LEVEL [several-variants]"),
        ],
    )
    def refused(words, where, said):
        done = run("history", "backfill", *words, *history, cwd=where)
        assert done.code == 2, done.out
        assert said in done.err, done.err

    refused()
    other = run("history", "backfill", *history, cwd=inside)
    assert (other.code, other.out) == (0, "No open alert may begin at several commits.\n")
    assert "1 alert is of other machines" in other.err
    assert len(folder_of(tmp_path).uploads()) == BEFORE + AFTER


def program(path):
    """A repository of a script that is slower from one commit on, and of which another does not build."""
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    (path / "build.sh").write_text('cp work.sh "$1/work.sh"\n')
    (path / "experiment.toml").write_text(
        'rounds = 1\ncounters = ["callgrind"]\n\n[build]\ncommand = ["sh", "build.sh", "{build}"]\n\n'
        '[[benchmark]]\nname = "work"\ncommand = ["sh", "{build}/work.sh"]\n'
    )
    names = []
    for number in range(60):
        turns = 2500 if number >= AT else 2000
        (path / "work.sh").write_text(f"i=0\nwhile [ $i -lt {turns} ]; do i=$((i+1)); done\n# {number}\n")
        (path / "build.sh").write_text("exit 3\n" if number == BROKEN else 'cp work.sh "$1/work.sh"\n')
        git(path, "add", "-A")
        git(path, "commit", "-q", "-m", f"Commit {number}")
        names.append(git(path, "rev-parse", "HEAD"))
    return names


@pytest.mark.later
def test_eight_of_sixty_commits_are_measured_and_backfill_finds_the_one(run, tmp_path, monkeypatch):
    if HERE is not None:
        pytest.skip(f"valgrind: {HERE}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, value in NOBODY.items():
        monkeypatch.setenv(name, value)
    names, where = program(tmp_path / "p"), tmp_path / "p"
    history = ("--history", tmp_path / "h")
    for number in range(FIRST, LAST + 1, APART):
        git(where, "checkout", "-q", names[number])
        assert run("run", "experiment.toml", "-o", tmp_path / f"run-{number}", cwd=where).code == 0
        assert run("history", "add", tmp_path / f"run-{number}", *history, "--branch", "main", cwd=where).code == 0
    git(where, "checkout", "-q", "main")
    shown = run("history", "points", *history, cwd=where)
    assert "(8 commits)" in shown.out

    # An interruption keeps what was measured before it.
    going = start(where, "backfill", *history)
    uploads = len(folder_of(tmp_path).uploads())
    until(lambda: len(folder_of(tmp_path).uploads()) > uploads or going.poll() is not None)
    going.send_signal(signal.SIGINT)
    said = going.communicate()[1].decode()
    assert going.returncode == 130, said
    assert "the history keeps 1 job of this command. The same command with alert " in said, said

    done = run("history", "backfill", *history, "--budget", "1h", cwd=where)
    assert done.code == 0, done.err
    assert f"{names[AT]}  Commit {AT} (t)" in done.out
    assert f"begins at {names[AT][:8]} with " in done.out
    assert f"{names[BROKEN][:8]} is skipped" in said + done.err
    assert names[AT][:8] in run("history", "points", *history, cwd=where).out
    jobs = analysed(folder_of(tmp_path))
    assert {line.branch for line in jobs.lines} == {"main"}
    assert len(jobs.lines) == 1
    assert git(where, "status", "--porcelain") == ""
