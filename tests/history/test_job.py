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
