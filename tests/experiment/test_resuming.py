"""Runs that are killed and continued: nothing on disk changes, nothing runs twice, nothing stays out, nothing is left.

STATERA_KILLS=100 kills more often, at other moments.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from starting import records

from statera.experiment import schedule
from statera.experiment.launcher import VARIABLE
from statera.experiment.plan import from_json
from support import fails

KILLS = int(os.environ.get("STATERA_KILLS", "12"))
PYTHON = [sys.executable, "-m", "statera", "run"]
# Each round has four invocations of a few milliseconds; a benchmark of two commands for each parameter.
WORDS = ["-r", "15", "-w", "1", "--seed", "5", "-L", "ms", "3,5", "sleep 0.00{ms}", "sleep 0.0{ms}1"]


def start(folder, words):
    """Start a run in ``folder``, or continue the one that is there."""
    begun = (folder / "manifest.json").exists()
    more = ["--resume", str(folder)] if begun else ["-o", str(folder), *words]
    # In a session of its own, as from a shell: a signal reaches nothing else.
    return subprocess.Popen([*PYTHON, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def planned(folder):
    """The invocations of an undisturbed run, by its plan alone."""
    plan = from_json(json.loads((folder / "manifest.json").read_text())["plan"], "plan")
    everything = range(len(plan.benchmarks))
    return [
        (current.round, plan.benchmarks[place.benchmark], plan.variants[place.variant].name, place.order)
        for current in schedule.passes(plan)
        for step in schedule.steps(plan, current, everything)
        for place in step
    ]


def made(folder):
    names = ("round", "benchmark", "variant", "order")
    return [tuple(each[name] for name in names) for each in records(folder) if each["kind"] == "invocation"]


def processes(folder):
    """The processes that a run started and that still run."""
    entry = f"{VARIABLE}={json.loads((folder / 'manifest.json').read_text())['id']}".encode()
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                found += [process.name] if entry in (process / "environ").read_bytes().split(b"\0") else []
            except OSError:
                continue
    return found


def complete(content):
    return content[: content.rfind(b"\n") + 1]


def killed_until_the_end(folder, words, kills, chance):
    """Kill the run at random moments; return how often it was killed."""
    count, before = 0, b""
    while True:
        process = start(folder, words)
        try:
            out, err = process.communicate(timeout=chance.uniform(0.02, 0.6) if count < kills else 120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            count += 1
        journal = folder / "journal.ndjson"
        after = journal.read_bytes() if journal.exists() else b""
        assert after.startswith(before)
        before = complete(after)
        if process.returncode != -signal.SIGKILL:
            assert process.returncode == 0, (out, err)
            return count


def test_a_killed_run_ends_as_an_undisturbed_one(tmp_path):
    folder = tmp_path / "run"
    kills = 0
    chance = random.Random(int(os.environ.get("STATERA_SEED", "1")))
    for attempt in range(KILLS):
        folder = tmp_path / f"run{attempt}"
        kills += killed_until_the_end(folder, WORDS, min(4, KILLS - kills), chance)
        rounds = [each for each in made(folder) if each[0] > 0]
        assert rounds == planned(folder)
        assert len(made(folder)) - len(rounds) == 4
        numbers = [each["number"] for each in records(folder) if each["kind"] == "invocation"]
        assert numbers == list(range(1, len(numbers) + 1))
        assert records(folder)[-1] == {"kind": "end", "reason": "complete", "rounds": 15, "missing": 0}
        assert processes(folder) == []
        if kills >= KILLS:
            break
    assert kills >= KILLS // 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_says_how_to_continue_and_leaves_no_process(tmp_path, number, code):
    folder = tmp_path / "run"
    # The first command tells that it runs, and then never ends by itself.
    os.mkfifo(tmp_path / "runs")
    process = start(folder, ["-r", "5", "true", f"sh -c 'echo > {tmp_path / 'runs'}; sleep 1000'"])
    (tmp_path / "runs").read_text()
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert f"continue this run with: statera run --resume {folder}" in err.decode()
    assert "Traceback" not in err.decode()
    assert processes(folder) == []
    kinds = [each["kind"] for each in records(folder)]
    assert kinds[0] == "session"
    assert "end" not in kinds


def test_what_a_killed_statera_left_running_is_ended_by_the_resumption(tmp_path, run):
    folder = tmp_path / "run"
    os.mkfifo(tmp_path / "runs")
    here, runs = tmp_path / "here", tmp_path / "runs"
    once = f"sh -c 'test -e {here} && exit; touch {here}; echo > {runs}; sleep 1000'"
    process = start(folder, ["-r", "2", once, "true"])
    (tmp_path / "runs").read_text()
    process.kill()
    process.communicate()
    done = run("run", "--resume", folder)
    assert done.code == 0, done.err
    assert made(folder) == planned(folder)
    assert processes(folder) == []


def test_a_torn_record_runs_again_and_other_damage_is_refused(tmp_path, run):
    folder = tmp_path / "run"
    begun = run("run", "-r", "3", "-o", folder, "true", "sleep 0.001")
    assert begun.code == 0, begun.err
    # A folder with a run takes no other one; a finished run is shown again.
    again, resumed = run("run", "-r", "2", "-o", folder, "true", "false"), run("run", "--resume", folder)
    fails(again, "folder-has-content")
    assert (resumed.code, resumed.out) == (0, begun.out)
    journal = folder / "journal.ndjson"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:4]) + lines[4][:30])
    done = run("run", "--resume", folder)
    assert done.code == 0, done.err
    assert made(folder) == planned(folder)
    assert journal.read_bytes().startswith(b"".join(lines[:4]))
    journal.write_bytes(lines[0] + lines[1][:30] + b"\n" + b"".join(lines[2:-1]))
    fails(run("run", "--resume", folder), "journal.ndjson:2")


def test_a_folder_in_use_takes_no_other_run(tmp_path, run):
    folder = tmp_path / "run"
    os.mkfifo(tmp_path / "runs")
    process = start(folder, ["-r", "2", "--order", "abba", f"sh -c 'echo > {tmp_path / 'runs'}; sleep 1000'", "true"])
    (tmp_path / "runs").read_text()
    done, status = run("run", "--resume", folder), run("run", "--status", folder)
    process.kill()
    process.communicate()
    assert (done.code, "in-use" in done.err, "continue this run" in done.err) == (2, True, False)
    assert (status.code, status.out.splitlines()[0]) == (0, "starting")


def test_a_run_continues_on_its_machine_alone_and_says_if_that_was_started_again(tmp_path, run):
    folder = tmp_path / "run"
    assert run("run", "-r", "4", "-o", folder, "true", "sleep 0.001").code == 0
    # The state of a run is shown at any time.
    status = run("run", "--status", folder)
    assert (status.code, status.out.startswith("all rounds are done: 4 rounds")) == (0, True)
    assert re.search(r"time: [-+×÷]\S+ \[.*\] \w+", status.out)
    journal, manifest = folder / "journal.ndjson", folder / "manifest.json"
    session, *others = journal.read_bytes().splitlines(keepends=True)
    before = {**json.loads(session), "boot": "another"}
    journal.write_bytes(json.dumps(before).encode() + b"\n" + b"".join(others[:5]))
    assert run("run", "--status", folder).out.startswith("1 of 4 rounds done")
    text = manifest.read_text()
    document = json.loads(text)
    document["host"]["host"] = "elsewhere"
    manifest.write_text(json.dumps(document))
    fails(run("run", "--resume", folder), "began on a machine whose host is elsewhere")
    manifest.write_text(text)
    done = run("run", "--resume", folder)
    assert done.code == 0, done.err
    assert "the machine was started again" in done.err
