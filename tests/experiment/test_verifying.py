"""``statera run --verify`` with real commands: what got worse is measured anew, and stands."""

import json

import pytest

from forked import FORKS


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    words = ("run", "-r", "12", "-o", "first", "-n", "short", "-n", "long", "sleep 0.01", "sleep 0.1")
    assert FORKS.run(words, cwd=folder, stdin=b"", env=None).code == 0
    return folder / "first"


def test_a_real_difference_stands(run, first, tmp_path):
    done = run("run", "--verify", first, "-o", tmp_path / "again")
    assert done.code == 0
    assert "sleep, long, time stands: +" in done.out
    assert "[verify-stands]" in done.out
    plans = [json.loads((folder / "manifest.json").read_text())["plan"] for folder in (first, tmp_path / "again")]
    assert plans[0]["seed"] != plans[1]["seed"]
    assert plans[1]["rounds"]["number"] == 20


def test_a_run_without_worse_rows_has_nothing_to_verify(run):
    run("run", "-r", "6", "-o", "same", "-n", "a", "-n", "b", "true", "true")
    done = run("run", "--verify", "same")
    assert done.code == 2
    assert "[nothing-to-verify]" in done.err


def test_a_run_that_has_not_ended_is_refused(run, first, tmp_path):
    folder = tmp_path / "unfinished"
    folder.mkdir()
    (folder / "manifest.json").write_bytes((first / "manifest.json").read_bytes())
    lines = (first / "journal.ndjson").read_bytes().splitlines(keepends=True)
    (folder / "journal.ndjson").write_bytes(b"".join(lines[:-1]))
    done = run("run", "--verify", folder)
    assert done.code == 2
    assert "[run-unfinished]" in done.err


def test_a_folder_without_a_run_is_refused(run, tmp_path):
    done = run("run", "--verify", tmp_path)
    assert done.code == 2
    assert "holds no run" in done.err
