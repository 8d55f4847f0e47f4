"""The command as a user gives it: quiet, with its own Spark, of which nothing stays."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from generator.run import generate
from generator.settings import Settings
from running_spark import need_java

from waiting import until

pytestmark = pytest.mark.later


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    need_java()
    folder = tmp_path_factory.mktemp("command")
    generate(folder / "run", Settings(hosts=2, slots=60, seed=9), 1)
    return folder


def left_now(process):
    return [stat for stat in Path("/proc").glob("[0-9]*/stat") if session_of(stat) == str(process.pid)]


def session_of(stat):
    try:
        return stat.read_text().rpartition(")")[2].split()[3]
    except OSError:
        return None


@pytest.fixture
def started(folder, tmp_path):
    """Start an analysis; at the end no process of its group is left."""
    # Java that runs in the background has the same group.
    words = ["cluster", "analyse", str(folder / "run"), "-o", str(tmp_path / "out"), "--engine", "spark"]
    process = subprocess.Popen(
        [sys.executable, "-m", "statera", *words, "--master", "local[2]"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        yield process
        process.kill()
    until(lambda: not left_now(process), what=lambda: left_now(process), pause=0.1)


def test_an_analysis_says_what_it_found_and_leaves_results_alone(started, folder, tmp_path):
    out, err = started.communicate(timeout=300)
    assert (started.returncode, err) == (0, "")
    assert out.startswith("run: 2 machines, 60 slots")
    assert f"Results: {tmp_path / 'out'}/summary.json" in out
    assert json.loads((tmp_path / "out/summary.json").read_text())["metrics"]["cdfStarts"]["n"] > 100
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert sorted(path.name for path in folder.iterdir()) == ["run"]


def test_interrupted_in_the_middle(started, tmp_path):
    events = tmp_path / "out/events"
    while started.poll() is None and not list(events.glob("node-*")):
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=120)
    assert started.returncode == 130, err
    assert (out, "Traceback" in err, "Exception" in err) == ("", False, False), err
    assert not (tmp_path / "out/summary.json").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


def test_interrupted_while_it_starts(started, tmp_path):
    while started.poll() is None and not list(Path(tmp_path).glob("statera-spark-*/said")):
        time.sleep(0.05)
    # When Java runs, and has not answered yet.
    while started.poll() is None and len(left_now(started)) < 2:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    assert started.wait(120) == 130
