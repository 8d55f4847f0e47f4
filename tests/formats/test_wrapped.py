"""Results that a script wrapped in an object of its own are read as if they stood alone; nothing else in it is lost."""

import json

import format_cases
import pytest

import statera
from statera.support.errors import Stop
from support import write

INSIDE = {
    "hyperfine": {"results": [{"command": "ls", "times": [0.5, 0.25]}]},
    "benchmark.js-json": [{"name": "a", "cycles": 3, "stats": {"sample": [1e-3, 2e-3]}}],
    "benchmark-ips-json": [
        {"name": "a", "ips": 5, "central_tendency": 5.0, "cycles": 1, "iterations": 10, "stddev": 1}
    ],
    "pytest-benchmark": {
        "machine_info": {"node": "own"},
        "commit_info": {},
        "benchmarks": [{"name": "a", "fullname": "a", "stats": {"data": [0.5, 0.25]}}],
        "version": "5.1.0",
    },
}


def outcome(folder, content):
    path = folder / "x.json"
    path.write_text(json.dumps(content, indent=1))
    return format_cases.outcome(path)


@pytest.mark.parametrize("name", INSIDE)
def test_a_wrapper_is_taken_off_and_its_fields_are_keys(tmp_path, name):
    bare = outcome(tmp_path, INSIDE[name])
    assert bare["format"] == name
    for key in ("results", "benchmarks", "data", "payload"):
        wrapped = {"host": "ci-7", key: INSIDE[name], "tool": {"version": 3, "note": None}, "tags": ["a", "b"]}
        found = outcome(tmp_path, wrapped)
        assert found["format"] == name
        added = {"host": "ci-7", "tool.version": "3", "tags": '["a","b"]'}
        assert [{k: v for k, v in row.items() if k not in {*added, "line"}} for row in found["rows"]] == [
            {k: v for k, v in row.items() if k != "line"} for row in bare["rows"]
        ]
        assert all(added.items() <= row.items() for row in found["rows"])


def test_values_keep_their_lines(tmp_path):
    write(tmp_path, **{"x.json": '{"host": "a",\n"data":\n{"results": [\n{"command": "ls", "times": [0.5]}]}}\n'})
    (row,) = format_cases.rows(statera.read(tmp_path / "x.json"))
    assert row["line"] == 4


@pytest.mark.parametrize(
    "content",
    [
        {"old": INSIDE["hyperfine"], "new": INSIDE["hyperfine"]},
        {"data": INSIDE["hyperfine"], "more": [{"a": 1}]},
        {"data": INSIDE["hyperfine"], "more": {"deep": {"a": 1}}},
        {"data": {"data": INSIDE["hyperfine"]}},
        [INSIDE["hyperfine"]],
    ],
)
def test_what_has_more_in_it_is_of_no_format(tmp_path, content):
    (tmp_path / "x.json").write_text(json.dumps(content))
    with pytest.raises(Stop, match="none of the"):
        statera.inspect(tmp_path / "x.json")


def test_a_key_of_the_results_is_not_overwritten(tmp_path):
    found = outcome(tmp_path, {"hostname": "wrapper", "data": INSIDE["pytest-benchmark"]})
    assert {row["hostname"] for row in found["rows"]} == {"own"}


QUOTED = "# Run\n\n```sh\nmake bench\n```\n\n```csv\nname,time_ms\nparse,12\n```\n"


def test_the_only_table_that_a_document_quotes_is_read(tmp_path):
    write(tmp_path, **{"x.md": QUOTED, "two.md": QUOTED + QUOTED})
    (row,) = format_cases.rows(statera.read(tmp_path / "x.md"))
    assert (row["benchmark"], row["value"], row["line"]) == ("parse", 0.012, 9)
    with pytest.raises(Stop, match="none of the"):
        statera.read(tmp_path / "two.md")


def test_records_that_are_no_json_beside_the_table_are_no_silent_loss(tmp_path):
    ruby = "```\n{benchmark: parse, time_ms: 23.5}\n{benchmark: write, time_ms: 41.25}\n```\n"
    write(tmp_path, **{"x.md": ruby + '```\n{"benchmark": "parse", "time_ms": 29.5}\n```\n'})
    found = statera.read(tmp_path / "x.md")
    assert [row["value"] for row in format_cases.rows(found)] == [0.0295]
    assert [(problem.line, problem.code) for problem in found.problems] == [(2, "malformed-record")]
