"""Jobs are ordered along the first parents of their branch, whenever they were measured."""

from making import commit, job

from statera.history.job import Stored
from statera.history.order import by_position, ordered


def stored(*jobs):
    return [Stored(f"{number:064x}", each, number, 0) for number, each in enumerate(jobs)]


def names(*numbers, of="main"):
    return [commit(number, of) for number in numbers]


def test_lines_of_jobs_join_to_the_line_of_the_branch():
    jobs = stored(job(0), job(3, line=tuple(names(3, 2, 1, 0))), job(4))
    assert ordered(jobs).commits == names(0, 1, 2, 3, 4)


def test_a_commit_that_is_measured_after_its_successors_stands_before_them():
    late = job(1, started="2026-03-01T00:00:00+00:00")
    jobs = stored(job(0), job(2), late)
    order = ordered(jobs)
    assert [each.job.commit for each in by_position(jobs, order)] == names(0, 1, 2)


def test_a_clock_in_1970_changes_no_order():
    jobs = stored(job(0), job(1), job(2, started="1970-01-01T00:00:00+00:00"))
    order = ordered(jobs)
    assert [each.job.commit for each in by_position(jobs, order)] == names(0, 1, 2)


def test_jobs_of_one_commit_stand_in_the_order_of_their_starts():
    first, second = job(1), job(1, started="2026-02-01T00:00:00+00:00")
    jobs = stored(job(0), second, first)
    assert [each.job.started for each in by_position(jobs, ordered(jobs))][1:] == [first.started, second.started]


def test_a_merge_counts_for_its_first_parent_only():
    merge = job(2, parents=(commit(1), commit(9)), line=tuple(names(2, 1)))
    jobs = stored(job(0), job(1), job(9, line=(commit(9), commit(0))), merge)
    order = ordered(jobs)
    assert order.commits == names(0, 1, 2)
    assert [each.job.commit for each in order.off_line] == names(9)


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
