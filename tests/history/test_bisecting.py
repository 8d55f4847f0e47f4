"""The commits to measure lie where the change may begin, and each halves what is left."""

import pytest
from making import add, analysed, commit, folder

from statera.history.alerts import alerts, bisect
from support import noisy

EVERY = 8


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


def test_the_unmeasured_commits_up_to_the_change_are_listed_by_halves(sparse):
    analysis = analysed(sparse)
    (alert,) = alerts(analysis)
    found = bisect(alert, analysis)
    assert found.measured == 1
    assert set(found.commits) == {commit(number) for number in range(313, 320)}
    assert found.commits[:3] == [commit(317), commit(315), commit(319)]
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


def test_the_command_names_commits_and_what_measures_them(run, sparse, tmp_path):
    (alert,) = alerts(analysed(sparse))
    done = run("history", "bisect", alert.id[:5], "--history", "h", "--experiment", "my bench.toml")
    assert done.code == 0, done.err
    assert "7 commits not measured; 1 job of each" in done.out
    assert f"git worktree add --detach ../bisect-{commit(317)[:12]} {commit(317)}" in done.out
    assert f"statera run 'my bench.toml' -o run-1 && statera history add run-1 --history {tmp_path / 'h'}" in done.out
    assert "[no-alert]" in run("history", "bisect", "zzz", "--history", "h").err


def test_the_badge_counts_what_is_open(run, sparse, tmp_path):
    assert run("history", "badge", "-o", "b.svg", "--history", "h").code == 0
    assert ">1 worse</text>" in (tmp_path / "b.svg").read_text()
    (alert,) = alerts(analysed(sparse))
    run("history", "ack", alert.id, "--history", "h")
    run("history", "badge", "-o", "b.svg", "--history", "h")
    assert ">no open change</text>" in (tmp_path / "b.svg").read_text()
    assert run("history", "badge", "-o", "b.png", "--history", "h").code == 2
