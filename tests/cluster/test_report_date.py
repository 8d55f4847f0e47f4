"""A report of a run, or of its analysis, bears the date of the newest log that was read."""

import os
import shutil

import pytest

from statera.cli import main
from statera.output.report import byline
from statera.output.report.model import Document
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
def dated(tmp_path, monkeypatch):
    """Give the date that the command hands to the document, which is not made."""
    given = []

    def document(_material, options):
        given.append(options.date)
        return Document("", "", "", (), options.date)

    monkeypatch.setattr("statera.cluster.report.document", document)

    def report(*words):
        assert main(["cluster", "report", *map(str, words), "-o", str(tmp_path / "dated.md")]) == 0
        return byline(given.pop()).partition("results of ")[2]

    return report


def test_the_run_and_its_analysis_give_the_date_of_the_newest_log(logs, dated, tmp_path):
    (logs / "report.html").write_text("of last year")
    assert main(["cluster", "analyse", str(logs), "-o", str(tmp_path / "out")]) == 0
    assert dated(logs) == dated(tmp_path / "out") == "1 January 2020"


def test_of_several_runs_the_newest_log_counts_unless_source_date_epoch_stands_for_it(
    logs, dated, tmp_path, monkeypatch
):
    newer = shutil.copytree(logs, tmp_path / "newer")
    log = min(newer.glob("node-*/*"))
    os.utime(log, (WHEN + 86_400, WHEN + 86_400))
    analysed = tmp_path / "out"
    assert main(["cluster", "analyse", str(logs), str(newer), "-o", str(analysed)]) == 0
    runs = [analysed / "logs", analysed / "newer"]
    assert dated(*runs) == dated(*reversed(runs)) == "2 January 2020"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert dated(*runs) == "2 January 1970"
