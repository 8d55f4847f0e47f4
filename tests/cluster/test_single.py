"""Drill-downs need the analysis of a single run, and names that can be names; else they say what to give."""

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


@pytest.fixture
def messages(said):
    """Give what each drill-down says of a path."""
    return lambda path: [said(*(word.format(path=path) for word in command)) for command in DRILLS]


def test_of_several_runs_together_each_is_named(several, messages, monkeypatch):
    both = f"Pass one of them: {several}/base-1, {several}/slower-1 [not-analysed]\n"
    for message in messages(several / "pooled"):
        assert message.endswith(f"pooled: holds several runs pooled, without their lines. {both}")
    for message in messages(several):
        assert f"{several}: holds the analyses of 2 runs. {both}" in message
    # From within they are named too.
    monkeypatch.chdir(several / "pooled")
    assert all(message.endswith(both) for message in messages("."))


def test_logs_are_to_be_analysed_into_another_directory(messages):
    logs = EXAMPLES / "base-1"
    for message in messages(logs):
        assert f"Analyse them into another directory first (statera cluster analyse {logs} -o OUT)" in message
        assert f"-o {logs}" not in message


def test_an_interrupted_analysis_is_to_be_made_again(several, messages, tmp_path):
    out = shutil.copytree(several / "base-1", tmp_path / "out")
    (out / "summary.json").unlink()
    assert all(f"did not finish. Run statera cluster analyse RUN -o {out} [" in message for message in messages(out))


def test_what_is_no_directory_or_any_other_is_told(messages, tmp_path):
    for path in (tmp_path / "nothing", __file__):
        assert all("there is no such directory" in message for message in messages(path))
    told = "has no summary.json. Run statera cluster analyse RUN -o OUT"
    assert all(told in message for message in messages(tmp_path))


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
