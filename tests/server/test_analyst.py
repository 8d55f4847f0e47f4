"""The process that analyses projects: it comes back, and leaves nothing behind."""

import os
import sys

from clusters import sqlite_alone as kind  # noqa: F401 - a fixture

from statera.history.folder import About
from statera.server import analyst, projects
from statera.server.analyst import Analyst
from waiting import until


def test_an_analysis_that_cannot_start_is_started_later(services, monkeypatch, caplog):
    own = Analyst("sqlite:///none.db", services.data)
    monkeypatch.setattr(sys, "executable", str(services.data / "none"))
    own.start()
    try:
        until(lambda: "cannot start" in caplog.text)
        monkeypatch.undo()
        until(lambda: own._process is not None)
    finally:
        own.stop()
    assert own._process.returncode is not None


def test_unfinished_copies_of_a_server_that_was_killed_vanish(services, shown_example):
    folder = services.data / "copies" / str(shown_example.id)
    folder.mkdir(parents=True)
    left, young = folder / ".part-left", folder / ".part-young"
    for each in (left, young):
        each.write_bytes(b"PAR1")
    os.utime(left, (0, 0))
    analyst.analyse_one(services.database, shown_example, services.data, services.limits)
    assert (left.exists(), young.exists()) == (False, True)


def test_a_new_address_of_commits_is_a_reason_to_analyse_what_there_is(services, shown_example):
    with services.database.writing() as connection:
        empty = projects.create(connection, About("empty"))
        for one, waits in ((shown_example, True), (empty, False)):
            changed = projects.change(connection, one.name, commit_url="https://example.org/{commit}")
            assert (changed.changed > changed.analysed) is waits
