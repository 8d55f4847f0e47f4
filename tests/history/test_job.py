"""Jobs come back from their JSON; what a stranger wrote is checked."""

import json

import pytest
from histories import commit, job

from statera.history.job import fact_of, from_json, to_json
from statera.support.errors import Stop


def read(*changes, **keys):
    (stated,) = json.loads(to_json([("", job(3))]))
    stated.update(keys)
    for name in changes:
        del stated[name]
    return from_json(json.dumps([stated]), "x.parquet")


def test_a_job_comes_back():
    full = job(
        3,
        parents=(commit(2), commit(9)),
        url="https://example.com",
        who="someone",
        committed="2026-01-01T00:00:00+00:00",
        environment={"cpu": "Fast <b>", "runner": "µ"},
        expects=((commit(3), "a +5%..+6% why"),),
    )
    # Unknown parents are not no parents.
    jobs = [("", full), ("a" * 64, job(4)), ("b" * 64, job(0, parents=()))]
    assert [each.parents for _, each in jobs[1:]] == [None, ()]
    assert from_json(to_json(jobs), "x") == jobs


def lines(*numbers):
    """Jobs whose lines lead back over the commits of a branch."""
    return [
        (f"{number:064x}", job(number, line=tuple(commit(at) for at in range(number, max(number - most, -1), -1))))
        for number, most in numbers
    ]


def test_lines_of_several_jobs_come_back_whole_and_are_written_once():
    jobs = lines((40, 30), (39, 30), (41, 12), (41, 1), (7, 3), (45, 500))
    text = to_json(jobs)
    assert from_json(text, "x") == jobs
    assert text.count(commit(30)) <= 2
    assert len(text) < len(to_json(jobs[:1])) + sum(len(to_json(lines((number, 2)))) for number in range(6, 46)) / 4


def test_lines_that_contradict_each_other_come_back_as_they_are():
    shorter = job(9, line=(commit(9), commit(8), commit(2), commit(1)))
    jobs = [*lines((9, 10), (8, 10), (3, 10)), ("f" * 64, shorter)]
    assert from_json(to_json(jobs), "x") == jobs


def test_a_count_of_commits_that_no_line_has_ends_the_line():
    stated = json.loads(to_json(lines((3, 4), (9, 2))))
    for follow in (10**9, -1, "many", None):
        stated[1]["follow"] = follow
        assert [each.line for _, each in from_json(json.dumps(stated), "x")][1] == (commit(9), commit(8))
    stated[0] |= {"line": [commit(1), commit(2), commit(1)], "follow": 10**9}
    assert len(from_json(json.dumps(stated), "x")[0][1].line) == 500


WRONG = [
    ({"statera": "history/2"}, "reads 'history/1'"),
    ({"project": ""}, "project is empty"),
    ({"commit": 5}, "commit is not text"),
    ({"subject": "x" * 5000}, "subject is not text of at most"),
    ({"line": "abc"}, "line is not a list of commits"),
    ({"line": [""]}, "line is not a list of commits"),
    ({"parents": [1]}, "parents is not a list"),
    ({"environment": []}, "environment is not an object"),
    ({"environment": {"cpu": 5}}, "environment is not an object"),
    ({"environment": {str(number): "" for number in range(201)}}, "environment is not an object"),
    ({"expects": [["a"]]}, "expects is not a list"),
    ({"id": "../../etc"}, "id of a job is not a hash"),
]


def test_what_is_wrong_is_named():
    for keys, why in WRONG:
        with pytest.raises(Stop, match=r"x\.parquet: it is not an upload of statera") as caught:
            read(**keys)
        assert why in str(caught.value), keys
        assert caught.value.code == "bad-upload", keys


def test_what_is_no_list_of_jobs_is_refused():
    for text in ("", "{}", "[]", "null", "[5]", "[" * 100_000, '[{"statera": null}]'):
        with pytest.raises(Stop) as caught:
            from_json(text, "x")
        assert caught.value.code == "bad-upload", text[:20]


def test_a_fact_is_found_by_each_of_its_names_the_first_before_the_others():
    for names in ("cpu cpu_model_name machine", "runner host hostname", "os operatingSystem platform", "arch"):
        known = {}
        for name in reversed(names.split()):
            known[name] = f"of {name}"
            assert fact_of({"date": "any", **known}, names.split()[0]) == f"of {name}"
    assert fact_of({"cpu": "", "hostname": "rack"}, "cpu") == ""


def test_what_may_be_missing_is_empty():
    (_, made), *_ = read("subject", "url", "line", "parents", "environment", "expects", "committed", "started", "who")
    assert (made.subject, made.line, made.parents, made.environment) == ("", (), None, {})
