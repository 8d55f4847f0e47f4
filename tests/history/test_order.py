"""Jobs are ordered along the first parents of their branch, whenever they were measured."""

import pytest
from histories import add, analysed, commit, folder, job, read
from projects import NOBODY, git, results
from projects import commit as committed

from statera.history.checkout import Checkout
from statera.history.folder import open_folder
from statera.history.job import Stored
from statera.history.order import ordered


def stored(*jobs):
    return [Stored(f"{number:064x}", each, number, 0) for number, each in enumerate(jobs)]


def names(*numbers, of="main"):
    return [commit(number, of) for number in numbers]


def test_lines_of_jobs_join_to_the_line_of_the_branch():
    jobs = stored(job(0), job(3, line=tuple(names(3, 2, 1, 0))), job(4))
    assert ordered(jobs).commits == names(0, 1, 2, 3, 4)


def test_a_rewritten_branch_keeps_the_jobs_of_old_commits_apart():
    old = [job(number) for number in range(4)]
    new = [
        job(2, commit=commit(2, "new"), line=(commit(2, "new"), commit(1)), started="2026-02-01T00:00:00+00:00"),
        job(3, commit=commit(3, "new"), line=(commit(3, "new"), commit(2, "new")), started="2026-02-02T00:00:00+00:00"),
    ]
    order = ordered(stored(*old, *new))
    assert order.commits == [*names(0, 1), *names(2, 3, of="new")]
    assert [each.job.commit for each in order.off_line] == names(2, 3)
    assert order.unconnected == []


def test_a_clock_in_1970_makes_no_commit_older_than_those_before_it():
    days = [f"2026-01-{1 + number:02}T00:00:00+00:00" for number in range(4)]
    old = [job(number, committed=days[number]) for number in range(3)]
    new = job(2, commit=commit(2, "new"), line=(commit(2, "new"), commit(1)), committed=days[3])
    last = job(3, commit=commit(3, "new"), line=(commit(3, "new"), commit(2, "new")), committed="1970-01-01T00:00:00Z")
    assert ordered(stored(*old, new, last)).commits == [*names(0, 1), *names(2, 3, of="new")]


def test_jobs_that_nothing_connects_are_said_to_be_so():
    order = ordered(stored(job(0, line=names(0)), job(5)))
    assert order.commits == names(4, 5)
    assert [each.job.commit for each in order.unconnected] == names(0)
    assert order.off_line == []


def test_a_repository_connects_them():
    jobs = stored(job(0, line=names(0)), job(5))
    parents = {commit(number): commit(number - 1) for number in range(1, 6)} | {commit(0): None}
    order = ordered(jobs, parents)
    assert order.commits == names(0, 1, 2, 3, 4, 5)
    assert order.position[commit(5)] == 5


def test_lines_that_form_a_circle_end():
    order = ordered(stored(job(1, line=(commit(1), commit(2))), job(2, line=(commit(2), commit(1)))))
    assert sorted(order.commits) == sorted(names(1, 2))


def test_a_commit_that_another_branch_measured_first_connects_this_one(tmp_path):
    made = folder(tmp_path / "h")
    for number, branch, line in ((0, "main", (0,)), (1, "topic", (1, 0)), (2, "main", (2, 1))):
        add(made, number, {"a": [1.0]}, branch=branch, line=tuple(names(*line)))
    order = analysed(made).orders["main"]
    assert order.commits == names(0, 1, 2)
    assert order.unconnected == []


def test_the_newest_commit_stays_so_if_another_branch_begins_there_and_an_old_one_runs_again(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(5):
        add(made, number, {"a": [1.0]})
    add(made, 5, {"a": [1.0]}, branch="topic", line=tuple(names(5, 4)))
    add(made, 2, {"a": [1.0]}, started="2026-03-01T00:00:00+00:00")
    for parents in ({}, {commit(number): commit(number - 1) for number in range(1, 6)}):
        order = analysed(made, parents=parents).orders["main"]
        assert order.commits == names(0, 1, 2, 3, 4)
        assert order.off_line == []


def test_a_job_of_a_commit_that_left_the_branch_does_not_bring_it_back():
    dates = {"old": "2026-01-02T09:00:00+05:00", "new": "2026-01-02T05:00:00+00:00"}
    old = [job(number, committed=dates["old"]) for number in range(4)]
    line = (commit(2, "new"), commit(1))
    new = job(2, commit=line[0], line=line, committed=dates["new"], started="2026-02-01T00:00:00+00:00")
    again = job(3, committed=dates["old"], started="2026-03-01T00:00:00+00:00")
    order = ordered(stored(*old, new, again))
    assert order.commits == [*names(0, 1), line[0]]
    assert len(order.off_line) == 3


def test_a_commit_that_others_follow_at_a_distance_is_never_the_newest():
    old = job(0, started="2026-05-01T00:00:00+00:00", committed="2026-05-01T00:00:00+00:00", line=names(0))
    new = job(4, parents=(commit(3),), committed="2026-01-01T00:00:00+00:00", line=tuple(names(4, 3, 2, 1, 0)))
    for jobs in (stored(old, new), stored(new, old)):
        assert ordered(jobs).commits == names(0, 1, 2, 3, 4)


@pytest.fixture
def project(tmp_path):
    """A repository with five commits, and their names."""
    path = tmp_path / "project"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    return path, [committed(path, f"commit {number}") for number in range(5)]


def added(run, where, name, value, *words):
    out = results(where.parent / "out.txt", value, count=1)
    history = where.parent / "h"
    return run(
        *("history", "add", out, "--history", history, "--commit", name, "--branch", "main", "--project", "p"),
        *words,
        cwd=where,
        env=NOBODY,
    )


def values(where, **parents):
    """The values of the one series, in the order of the analysis, without digits that tests do not set."""
    [track] = analysed(open_folder(where.parent / "h"), **parents).tracks
    return [round(value * 1e9) for value in track.found.values]


def test_jobs_have_the_place_of_their_commits_in_git(run, project):
    """Late and repeated jobs, a clock in 1970, a merge, and a branch that was rewritten."""
    path, names = project
    git(path, "checkout", "-q", "-b", "topic", names[2])
    aside = committed(path, "aside")
    git(path, "checkout", "-q", "main")
    git(path, "merge", "-q", "--no-ff", "-m", "merge", "topic")
    merged = git(path, "rev-parse", "HEAD")
    starts = {number: f"2026-01-01T00:00:0{number}+00:00" for number in (0, 1, 4, 2)} | {3: "1970-01-01T00:00:00+00:00"}
    for number, started in starts.items():
        done = added(run, path, names[number], 100 + number, "--started", started)
        assert done.code == 0, done.err
    added(run, path, names[1], 110, "--started", "2026-01-01T00:00:05+00:00")
    added(run, path, aside, 999, "--started", "2026-01-01T00:00:08+00:00")
    added(run, path, merged, 105, "--started", "2026-01-01T00:00:09+00:00")
    assert values(path) == [100, 101, 110, 102, 103, 104, 105]
    assert off_line(path) == [aside]
    git(path, "reset", "-q", "--hard", names[2])
    other = committed(path, "instead")
    added(run, path, other, 200, "--started", "2026-01-02T00:00:00+00:00")
    assert values(path) == [100, 101, 110, 102, 200]
    assert off_line(path) == sorted([*names[3:], merged, aside])


def off_line(where):
    [order] = analysed(open_folder(where.parent / "h")).orders.values()
    return sorted(each.job.commit for each in order.off_line)


def test_the_first_job_of_a_shallow_clone_is_not_the_beginning_of_the_project(run, project, tmp_path):
    path, names = project
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{path}", "shallow")
    assert added(run, tmp_path / "shallow", "HEAD", 104).code == 0
    added(run, path, names[0], 100)
    assert added(run, path, committed(path, "next"), 105).code == 0
    parents = Checkout(path).first_parents(each.job.commit for each in read(open_folder(tmp_path / "h")).held)
    assert values(path, parents=parents) == [100, 104, 105]
