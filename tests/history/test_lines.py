"""The order of results comes from commits: late, repeated, merged, rewritten and shallow ones have their place."""

import pytest
from stores import NOBODY, clone, commit, git, read, results

from statera.history.analysis import analyse
from statera.history.checkout import Checkout
from statera.history.folder import open_folder


@pytest.fixture
def project(tmp_path):
    """A repository with five commits, and their names."""
    path = tmp_path / "project"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    return path, [commit(path, f"commit {number}") for number in range(5)]


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
    history = open_folder(where.parent / "h")
    [track] = analyse(read(history), history.about.lane, **parents).tracks
    return [round(value * 1e9) for value in track.found.values]


def test_a_commit_that_is_measured_after_its_successors_has_its_place(run, project):
    path, names = project
    for number in (0, 1, 4, 2, 3):
        done = added(run, path, names[number], 100 + number)
        assert done.code == 0, done.err
    assert values(path) == [100, 101, 102, 103, 104]


def test_a_clock_in_1970_changes_no_order(run, project):
    path, names = project
    for number, name in enumerate(names):
        started = "1970-01-01T00:00:00+00:00" if number in {0, 3} else "2026-01-01T00:00:00+00:00"
        assert added(run, path, name, 100 + number, "--started", started).code == 0
    assert values(path) == [100, 101, 102, 103, 104]


def test_two_jobs_of_a_commit_are_two_values_in_the_order_of_their_start(run, project):
    path, names = project
    added(run, path, names[0], 100)
    added(run, path, names[1], 102, "--started", "2026-01-01T00:00:02+00:00")
    added(run, path, names[1], 101, "--started", "2026-01-01T00:00:01+00:00")
    assert values(path) == [100, 101, 102]


def test_a_merge_follows_its_first_parent(run, project):
    path, names = project
    git(path, "checkout", "-q", "-b", "topic", names[2])
    aside = commit(path, "aside")
    git(path, "checkout", "-q", "main")
    git(path, "merge", "-q", "--no-ff", "-m", "merge", "topic")
    merged = git(path, "rev-parse", "HEAD")
    for number, name in enumerate(names):
        added(run, path, name, 100 + number)
    added(run, path, aside, 999, "--started", "2026-01-01T00:00:00+00:00")
    added(run, path, merged, 105)
    assert values(path) == [100, 101, 102, 103, 104, 105]
    history = open_folder(path.parent / "h")
    [order] = analyse(read(history), history.about.lane).orders.values()
    assert [each.job.commit for each in order.off_line] == [aside]


def test_a_branch_that_was_rewritten_leaves_the_old_commits_behind_and_loses_no_job(run, project):
    path, names = project
    for number, name in enumerate(names):
        added(run, path, name, 100 + number, "--started", "2026-01-01T00:00:00+00:00")
    git(path, "reset", "-q", "--hard", names[2])
    other = commit(path, "instead")
    added(run, path, other, 200, "--started", "2026-01-02T00:00:00+00:00")
    assert values(path) == [100, 101, 102, 200]
    history = open_folder(path.parent / "h")
    held = read(history)
    [order] = analyse(held, history.about.lane).orders.values()
    assert sorted(each.job.commit for each in order.off_line) == sorted(names[3:])
    assert len(held.held) == 6


def test_a_shallow_clone_is_refused_with_what_to_do_and_a_list_of_commits_helps(run, project, tmp_path):
    path, names = project
    added(run, path, names[0], 100)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{path}", "shallow")
    done = added(run, shallow, "HEAD", 104)
    assert done.code == 2
    assert "[shallow-clone]" in done.err
    assert "git fetch --unshallow" in done.err
    assert "--line FILE" in done.err
    line = tmp_path / "line"
    line.write_text("\n".join(reversed(names)) + "\n")
    done = added(run, shallow, names[4], 104, "--line", line)
    assert done.code == 0, done.err
    assert values(path) == [100, 104]


def test_the_first_job_of_a_shallow_clone_is_not_the_beginning_of_the_project(run, project, tmp_path):
    path, names = project
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{path}", "shallow")
    assert added(run, tmp_path / "shallow", "HEAD", 104).code == 0
    added(run, path, names[0], 100)
    assert added(run, path, commit(path, "next"), 105).code == 0
    history = open_folder(tmp_path / "h")
    parents = Checkout(path).first_parents(each.job.commit for each in read(history).held)
    assert values(path, parents=parents) == [100, 104, 105]


def test_a_clone_that_has_all_commits_needs_no_list(run, project, tmp_path):
    path, names = project
    added(run, path, names[0], 100)
    assert added(run, clone(path, tmp_path / "whole"), "HEAD", 104).code == 0
    assert values(path) == [100, 104]
