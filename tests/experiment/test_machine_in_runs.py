"""The machine in real runs: facts of the manifest, readings of rounds, the self-test, exact counts, the check."""

import json

import pytest
from starting import records

import statera
from statera.experiment import counters
from statera.experiment.counters import METRIC
from statera.experiment.readings import LIMITS

valgrind = pytest.mark.skipif(counters.missing() is not None, reason=f"valgrind: {counters.missing()}")


def test_a_run_records_its_machine(run, tmp_path):
    variables = {"MY_TOKEN": "secret-1", "PLAIN": "yes"}
    assert run("run", "-r", "2", "-o", "out", "true", "sh -c true", env=variables).code == 0
    text = (tmp_path / "out" / "manifest.json").read_text()
    manifest = json.loads(text)
    assert {"host", "kernel", "boot", "cores"} <= set(manifest["host"])
    assert "secret-1" not in text
    assert manifest["environment"]["PLAIN"] == "yes"
    rounds = records(tmp_path / "out", "round")
    assert len(rounds) == 2
    for each in rounds:
        assert {"steal", "other_work"} <= set(each["machine"])
        assert set(each["marks"]) <= set(LIMITS)


def test_the_baseline_runs_again_and_the_end_says_what_it_shows(run, tmp_path):
    done = run("run", "-r", "9", "--self-test", "-o", "out", "-n", "old", "-n", "new", "true", "sleep 0.01")
    assert done.code == 0
    assert {each["variant"] for each in records(tmp_path / "out", "invocation")} == {"old", "new", "old (again)"}
    assert "[self-test-agrees]" in done.out or "[self-test-differs]" in done.out


@valgrind
def test_equal_programs_have_equal_counts_and_others_differ_exactly(run, tmp_path):
    names = ("-n", "old", "-n", "same", "-n", "more")
    words = ("-r", "2", "--counters", "callgrind", "-o", "out", "--fail-on", "worse", *names)
    done = run("run", *words, "expr 1 + 1", "expr 1 + 1", "expr 1 + 1 + 1 + 1 + 1")
    assert (done.code, METRIC in done.out, METRIC in done.err) == (1, True, True)
    counts = records(tmp_path / "out", "count")
    assert len(counts) == 2 * 3
    found = {row.contender: row for row in statera.compare(tmp_path / "out", metrics=["instructions*"])}
    assert {row.design for row in found.values()} == {"exact"}
    assert found["same"].change == 0
    assert found["more"].change > 0
    # Without the last count and the end, as if it had been killed in between: what is left is counted.
    journal = tmp_path / "out" / "journal.ndjson"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-2]))
    assert run("run", "--resume", "out").code == 0
    assert records(tmp_path / "out", "count") == counts


def test_without_valgrind_the_run_says_why_nothing_is_counted(run, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "true").symlink_to("/bin/true")
    words = ("run", "-r", "2", "--counters", "callgrind", "-o", "out", "true", "true x")
    done = run(*words, env={"PATH": str(tmp_path / "bin")})
    assert done.code == 0
    assert "no instructions are counted: valgrind is not installed" in done.err
    assert records(tmp_path / "out", "count") == []


def test_the_check_is_a_mode_of_its_own(run, tmp_path):
    done = run("run", "--check")
    assert done.code == 0
    assert done.out.splitlines()[1].startswith("virtualisation ")
    assert list(tmp_path.iterdir()) == []
    assert run("run", "--check", "true").code == 2
