"""Results stand where they cannot be taken for logs, nor for those of another time."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from statera.cluster import analysis
from statera.support.errors import Stop
from support import ROOT, fails
from waiting import until

EXAMPLE = ROOT / "examples/cluster"


@pytest.fixture
def run(here):
    return here


@pytest.fixture
def logs(tmp_path):
    return shutil.copytree(EXAMPLE / "base-1", tmp_path / "logs")


@pytest.mark.parametrize("place", ["logs", "logs/node-1"])
def test_among_the_logs_nothing_is_written(logs, run, place):
    before = sorted(logs.rglob("*"))
    fails(run("cluster", "analyse", "logs", "-o", place), f"{place}: holds logs of the run")
    assert sorted(logs.rglob("*")) == before


def test_below_the_run_they_are_no_host_the_next_time(logs, run, tmp_path):
    (logs / "run.json").write_text((logs / "run.json").read_text().replace('"hosts"', '"formerly"'))
    assert run("cluster", "analyse", "logs", "-o", "logs/out").code == 0
    assert run("cluster", "analyse", "logs", "-o", "again").code == 0
    assert (tmp_path / "again/summary.json").read_bytes() == (logs / "out/summary.json").read_bytes()


def test_one_run_and_several_do_not_stand_in_one_place(run, tmp_path):
    one, two = EXAMPLE / "base-1", EXAMPLE / "base-2"
    assert run("cluster", "analyse", one, "-o", "one").code == 0
    fails(run("cluster", "analyse", one, two, "-o", "one"), "one: holds the analysis of one run")
    assert run("cluster", "analyse", one, two, "-o", "both").code == 0
    fails(run("cluster", "analyse", one, "-o", "both"), "both: holds the analysis of several runs")
    assert not (tmp_path / "both/summary.json").exists()


@pytest.mark.parametrize(
    ("runs", "beside", "what"),
    [(("base-1",), "pooled/summary.json", "several runs"), (("base-1", "base-2"), "summary.json", "one run")],
)
def test_results_that_another_command_wrote_meanwhile_are_seen(tmp_path, monkeypatch, runs, beside, what):
    """It ended just before this one got the lock."""
    real = analysis.locked

    @contextmanager
    def after_another(folder, **words):
        (tmp_path / "out" / beside).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / beside).write_text("{}")
        with real(folder, **words):
            yield

    monkeypatch.setattr(analysis, "locked", after_another)
    with pytest.raises(Stop, match=f"out: holds the analysis of {what}"):
        analysis.analyse_all([EXAMPLE / run for run in runs], tmp_path / "out", analysis.Options())
    assert (tmp_path / "out" / beside).read_text() == "{}"


def test_a_file_that_is_none_of_ours_stays(run, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/summary.json").write_text("precious")
    done = run("cluster", "analyse", EXAMPLE / "base-1", "-o", "out")
    fails(done, "out/summary.json: is not a summary of an analysis")
    assert (tmp_path / "out/summary.json").read_text() == "precious"


def test_what_stands_in_the_way_is_named(run, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/events").write_text("")
    fails(run("cluster", "analyse", EXAMPLE / "base-1", "-o", "out"), "out/events: File exists")


def test_all_runs_are_looked_at_before_the_first_is_read(run, tmp_path):
    fails(run("cluster", "analyse", EXAMPLE / "base-1", "nowhere", "-o", "out"), "nowhere: there is no such directory")
    assert not (tmp_path / "out").exists()


def test_an_end_that_is_asked_for_leaves_nothing_behind(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "statera", "cluster", "compare", EXAMPLE / "base-1", EXAMPLE / "slower-1"]
    with subprocess.Popen(command, env={**os.environ, "TMPDIR": str(scratch)}, stdout=subprocess.DEVNULL) as started:
        until(lambda: any(scratch.iterdir()), pause=0.01)
        started.send_signal(signal.SIGTERM)
        assert started.wait(60) == 128 + signal.SIGTERM
    assert not any(scratch.iterdir())


def test_a_run_whose_name_is_no_utf_8_gives_results_that_can_be_read(run, tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/b\xff")
    shutil.copytree(EXAMPLE / "slower-1", name)
    assert run("cluster", "analyse", name, "-o", "out").code == 0
    text = (tmp_path / "out/summary.json").read_text(encoding="utf-8")
    assert '"run": "b\\\\xFF"' in text
    assert run("cluster", "errors", "out").code == 0
