"""Drill-downs need the analysis of a single run, and names that can be names; else they say what to give."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from statera.cli import main
from support import ROOT

EXAMPLES = ROOT / "examples/cluster"
DRILLS = (("errors", "{path}"), ("host", "{path}", "node-1"), ("block", "{path}", "12"))


@pytest.fixture
def said(capsys):
    def run(*words):
        assert main(["cluster", *map(str, words)]) == 2
        return capsys.readouterr().err

    return run


@pytest.mark.parametrize("command", DRILLS, ids=lambda command: command[0])
class TestWhatIsNoSingleAnalysis:
    def test_of_several_runs_together_each_is_named(self, several, said, command):
        message = said(*(word.format(path=several / "pooled") for word in command))
        assert f"pooled: holds several runs pooled, without their lines; pass one of them: {several}/base-1, " in (
            message
        )
        assert message.endswith(f"{several}/slower-1 [not-analysed]\n")

    def test_they_are_named_from_within_too(self, several, said, command, monkeypatch):
        monkeypatch.chdir(several / "pooled")
        assert f"pass one of them: {several}/base-1, {several}/slower-1 [" in said(
            *(word.format(path=".") for word in command)
        )

    def test_of_a_directory_of_analyses_each_is_named(self, several, said, command):
        message = said(*(word.format(path=several) for word in command))
        assert (
            f"{several}: holds the analyses of 2 runs; pass one of them: {several}/base-1, {several}/slower-1 ["
            in message
        )

    def test_logs_are_to_be_analysed_into_another_directory(self, said, command):
        logs = EXAMPLES / "base-1"
        message = said(*(word.format(path=logs) for word in command))
        assert f"analyse them into another directory first (statera cluster analyse {logs} -o OUT)" in message
        assert f"-o {logs}" not in message

    def test_an_interrupted_analysis_is_to_be_made_again(self, several, said, command, tmp_path):
        out = shutil.copytree(several / "base-1", tmp_path / "out")
        (out / "summary.json").unlink()
        assert f"did not finish; run statera cluster analyse RUN -o {out} [" in said(
            *(word.format(path=out) for word in command)
        )

    def test_what_is_no_directory_is_told(self, said, command, tmp_path):
        for path in (tmp_path / "nothing", __file__):
            assert "there is no such directory" in said(*(word.format(path=path) for word in command))

    def test_any_other_directory_is_told(self, said, command, tmp_path):
        assert "has no summary.json; run statera cluster analyse RUN -o OUT" in said(
            *(word.format(path=tmp_path) for word in command)
        )


@pytest.mark.parametrize(("verb", "code"), [("host", "no-such-host"), ("block", "no-such-block")])
def test_names_that_are_none(several, said, verb, code):
    message = said(verb, several / "base-1", "")
    assert "is empty" in message
    assert message.endswith(f"[{code}]\n")
    for name in (os.fsdecode(b"\xff"), "\ud800", "ü", "\x1b[31m"):
        message = said(verb, several / "base-1", name)
        assert message.endswith(f"[{code}]\n")
        assert "\x1b" not in message


def test_a_directory_whose_name_is_no_text(said, tmp_path):
    assert "there is no such directory" in said("errors", os.fsdecode(bytes(tmp_path) + b"/\xff"))


def test_an_analysis_goes_to_a_directory_whose_name_is_no_text(several, capsys, tmp_path):
    out = os.fsdecode(bytes(tmp_path) + b"/\xff")
    assert main(["cluster", "analyse", str(EXAMPLES / "base-1"), "-o", out]) == 0
    assert r"Results: " in capsys.readouterr().out
    assert Path(out, "summary.json").read_bytes() == (several / "base-1/summary.json").read_bytes()
    for words in (("errors", out), ("host", out, "node-1"), ("compare", out, str(several / "slower-1"))):
        assert main(["cluster", *words]) == 0
    assert capsys.readouterr().err == ""
