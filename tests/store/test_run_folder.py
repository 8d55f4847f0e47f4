"""A run's folder takes one run, from one process at a time; what is in it is never overwritten."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from recorded import Invoked, begin, end, invocation, manifest, plan, round_end
from statera.reading.store import run_folder
from statera.support.errors import Stop

MANIFEST = manifest(plan())


def started(path):
    with run_folder.started(path, MANIFEST) as run:
        run.journal.append(begin())
        run.journal.append(invocation(1, Invoked(1, "work", "old")))


def stop(manager):
    with pytest.raises(Stop) as raised, manager:
        pass
    return raised.value


def test_what_was_written_comes_back(tmp_path):
    path = tmp_path / "run"
    started(path)
    assert sorted(entry.name for entry in path.iterdir()) == ["journal.ndjson", "manifest.json", "raw"]
    with run_folder.resumed(path) as run:
        assert run.manifest == MANIFEST
        assert [record["kind"] for record in run.records] == ["session", "invocation"]
        run.journal.append(end(1))
    assert [record["kind"] for record in run_folder.replay(path)] == ["session", "invocation", "end"]


def test_a_finished_run_takes_nothing_more(tmp_path):
    path = tmp_path / "run"
    started(path)
    raised = stop(run_folder.started(path, MANIFEST))
    assert (raised.code, f"--resume {path}" in str(raised)) == ("folder-has-content", True)
    with run_folder.resumed(path) as run:
        # A record after the end does not open it again.
        run.journal.append(end(1), round_end(2))
    before = (path / "journal.ndjson").read_bytes()
    raised = stop(run_folder.resumed(path))
    assert (raised.code, "-o FOLDER" in str(raised)) == ("run-finished", True)
    assert (path / "journal.ndjson").read_bytes() == before


def test_a_folder_with_other_content_stays_as_it_is(tmp_path):
    for name in ("notes.txt", ".hidden", "raw/000001.txt"):
        file = tmp_path / name / "run" / name
        file.parent.mkdir(parents=True)
        file.write_text("mine")
        assert stop(run_folder.started(tmp_path / name / "run", MANIFEST)).code == "folder-has-content", name
        assert [each for each in (tmp_path / name / "run").rglob("*") if each.is_file()] == [file]
    # A file is no folder.
    assert stop(run_folder.started(file, MANIFEST)).code == "folder-has-content"
    assert file.read_text() == "mine"


def test_what_a_process_left_that_was_killed_before_its_manifest_is_nothing(tmp_path):
    path = tmp_path / "run"
    (path / "raw").mkdir(parents=True)
    (path / "lock").write_text("{}")
    (path / ".statera-1-0.part").write_text("half a manif")
    started(path)
    assert run_folder.is_run(path)


def test_a_run_in_use_is_refused_with_who_is_at_it(tmp_path):
    path = tmp_path / "run"
    code = (
        "import sys, pathlib; from statera.reading.store import run_folder; from recorded import manifest, plan\n"
        "with run_folder.started(pathlib.Path(sys.argv[1]), manifest(plan())):\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        for attempt in (run_folder.resumed(path), run_folder.started(path, MANIFEST)):
            raised = stop(attempt)
            assert raised.code == "in-use"
            assert f"process {holder.pid} on" in str(raised)
        holder.send_signal(signal.SIGKILL)
    with run_folder.resumed(path) as run:
        assert run.records == []


def test_a_folder_without_a_run_is_none_and_is_not_made(tmp_path):
    assert not run_folder.is_run(tmp_path)
    raised = stop(run_folder.resumed(tmp_path / "absent"))
    assert raised.code == "no-run"
    assert not (tmp_path / "absent").exists()


def test_a_manifest_that_cannot_be_used_is_told(tmp_path):
    started(tmp_path / "run")
    path = tmp_path / "run/manifest.json"
    document = json.loads(path.read_text())
    without = {key: document[key] for key in document if key != "plan"}
    for text, code, said in [
        (json.dumps(document | {"statera": "run/2"}), "newer-run", "run/2"),
        (json.dumps(document | {"statera": 1}), "no-run", "run/1"),
        (json.dumps(without), "damaged-run", "`plan` is missing"),
        (json.dumps(document | {"host": []}), "damaged-run", "`host` is not an object"),
        ("[]", "no-run", "run/1"),
        *((text, "damaged-run", "it is not JSON") for text in ("", "{", "[" * 100_000, '{"statera": "run/1", "\xff')),
    ]:
        path.write_text(text, encoding="latin-1")
        raised = stop(run_folder.resumed(tmp_path / "run"))
        assert (raised.code, str(path) in str(raised), said in str(raised)) == (code, True, True), text[:80]


def test_names_of_outputs_are_within_the_folder(tmp_path):
    folder = run_folder.RunFolder(tmp_path)
    assert [folder.output(7), folder.output(1_234_567), folder.output(7, folder=True)] == [
        "raw/000007.txt", "raw/1234567.txt", "raw/000007"
    ]  # fmt: skip
