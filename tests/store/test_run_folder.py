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
        assert not run.torn
        run.journal.append(end(1))
    assert [record["kind"] for record in run_folder.replay(path)] == ["session", "invocation", "end"]


def test_a_finished_run_takes_nothing_more(tmp_path):
    path = tmp_path / "run"
    started(path)
    with run_folder.resumed(path) as run:
        run.journal.append(end(1))
    before = (path / "journal.ndjson").read_bytes()
    raised = stop(run_folder.resumed(path))
    assert raised.code == "run-finished"
    assert "-o FOLDER" in str(raised)
    assert (path / "journal.ndjson").read_bytes() == before


def test_a_record_after_the_end_does_not_open_a_finished_run(tmp_path):
    path = tmp_path / "run"
    started(path)
    with run_folder.resumed(path) as run:
        run.journal.append(end(1), round_end(2))
    assert stop(run_folder.resumed(path)).code == "run-finished"


def test_a_folder_with_a_run_is_not_started_again(tmp_path):
    path = tmp_path / "run"
    started(path)
    raised = stop(run_folder.started(path, MANIFEST))
    assert raised.code == "folder-has-content"
    assert f"--resume {path}" in str(raised)


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "raw/000001.txt"])
def test_a_folder_with_other_content_stays_as_it_is(tmp_path, name):
    file = tmp_path / "run" / name
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    assert stop(run_folder.started(tmp_path / "run", MANIFEST)).code == "folder-has-content"
    assert [each for each in (tmp_path / "run").rglob("*") if each.is_file()] == [file]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "run").write_text("mine")
    assert stop(run_folder.started(tmp_path / "run", MANIFEST)).code == "folder-has-content"
    assert (tmp_path / "run").read_text() == "mine"


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


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (lambda document: document | {"statera": "run/2"}, "newer-run", "run/2"),
        (lambda document: document | {"statera": 1}, "no-run", "run/1"),
        (
            lambda document: {key: document[key] for key in document if key != "plan"},
            "damaged-run",
            "`plan` is missing",
        ),
        (lambda document: document | {"host": []}, "damaged-run", "`host` is not an object"),
        (lambda _document: [], "no-run", "run/1"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_told(tmp_path, change, code, said):
    started(tmp_path / "run")
    path = tmp_path / "run/manifest.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    raised = stop(run_folder.resumed(tmp_path / "run"))
    assert raised.code == code
    assert str(path) in str(raised)
    assert said in str(raised)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"statera": "run/1", "\xff'])
def test_a_manifest_that_is_not_json_is_told(tmp_path, text):
    started(tmp_path / "run")
    (tmp_path / "run/manifest.json").write_text(text, encoding="latin-1")
    assert stop(run_folder.resumed(tmp_path / "run")).code == "damaged-run"


def test_names_of_outputs_are_within_the_folder(tmp_path):
    folder = run_folder.RunFolder(tmp_path)
    assert [folder.output(7), folder.output(1_234_567), folder.output(7, folder=True)] == [
        "raw/000007.txt", "raw/1234567.txt", "raw/000007"
    ]  # fmt: skip
