"""A report of a run, or of its analysis, bears the date of the newest log that was read."""

from __future__ import annotations

import os
import shutil

import pytest

from statera.cli import main
from support import ROOT

WHEN = 1_577_880_000  # 1 January 2020, 12:00 UTC


@pytest.fixture
def logs(tmp_path):
    """A run whose logs are of 2020; every other file of it is newer."""
    run = shutil.copytree(ROOT / "examples/cluster/base-1", tmp_path / "logs")
    read = sorted(run.glob("node-*/*"))
    assert read
    for number, path in enumerate(reversed(read)):
        os.utime(path, (WHEN, WHEN - number))
    return run


@pytest.fixture
def dated(tmp_path):
    def report(*words):
        out = tmp_path / "dated.md"
        assert main(["cluster", "report", *map(str, words), "-o", str(out)]) == 0
        [line] = [line for line in out.read_text(encoding="utf-8").splitlines() if "results of" in line]
        return line.partition("results of ")[2].rstrip("*_ ")

    return report


def test_the_run_and_its_analysis_give_the_date_of_the_newest_log(logs, dated, tmp_path):
    (logs / "report.html").write_text("of last year")
    assert main(["cluster", "analyse", str(logs), "-o", str(tmp_path / "out")]) == 0
    assert dated(logs) == dated(tmp_path / "out") == "1 January 2020"


def test_of_several_runs_the_newest_log_counts(logs, dated, tmp_path):
    newer = shutil.copytree(logs, tmp_path / "newer")
    log = min(newer.glob("node-*/*"))
    os.utime(log, (WHEN + 86_400, WHEN + 86_400))
    assert dated(logs, newer) == dated(newer, logs) == "2 January 2020"


def test_source_date_epoch_stands_for_it(logs, dated, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert dated(logs) == "2 January 1970"
