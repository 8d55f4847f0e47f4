"""`statera plot`: endings, themes, and what it refuses."""

import json

import pytest

from support import ROOT, fails

FILES = (ROOT / "examples/go-decimal/old", ROOT / "examples/go-decimal/new")


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<!doctype html>")])
def test_the_ending_tells_the_format(run, tmp_path, ending, begins):
    target = tmp_path / f"out.{ending}"
    result = run("plot", "strip", *FILES, "--benchmark", "Div*", "-o", target)
    assert result.code == 0, result.err
    assert target.read_bytes().startswith(begins)
    assert "--metric draws another one: B/op, allocs/op" in result.err


def test_the_specification_is_complete(run, tmp_path):
    target = tmp_path / "out.json"
    result = run("plot", "ecdf", *FILES, "--benchmark", "Div*", "--theme", "dark", "-o", target)
    assert result.code == 0, result.err
    spec = json.loads(target.read_text())
    assert spec["$schema"].endswith("v6.json")
    assert spec["config"]["background"] == "#161a21"


def test_one_result_is_enough_for_values(run, tmp_path):
    result = run("plot", "histogram", FILES[0], "--benchmark", "Div*", "-o", tmp_path / "out.svg")
    assert result.code == 0, result.err


def test_what_is_not_drawn_is_said(run, tmp_path):
    result = run("plot", "strip", *FILES, "--metric", "sec/op", "--most", "3", "-o", tmp_path / "out.svg")
    assert "3 of 20 benchmarks" in result.err


@pytest.mark.parametrize(
    "words",
    [
        ("-o", "out.pdf"),
        ("-o", "out.svg", "--width", "9"),
        ("-o", "out.png", "--zoom", "0"),
        ("-o", "out.svg", "--most", "0"),
        ("-o", "no/such/folder/out.svg"),
    ],
)
def test_what_cannot_be_is_refused(run, tmp_path, words, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("plot", "strip", *FILES, *words)
    assert result.code == 2
    assert "[bad-option]" in result.err or "[cannot-write]" in result.err


def test_files_stand_behind_options_and_the_picture_has_the_name_of_its_kind(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("plot", "strip", "--width", "400", *FILES)
    assert result.code == 0
    assert result.err.startswith("statera: the picture is in strip.svg\n")
    assert (tmp_path / "strip.svg").read_text().startswith("<svg")
    fails(run("plot", "strip", *FILES, "--facet", "os"), "--facet chooses the panels of speedup")


def test_files_of_one_build_are_drawn_together_and_only_kinds_that_compare_refuse_them(run, tmp_path):
    files = [f"runs={path}" for path in FILES]
    drawn = run("plot", "strip", *files, "-o", tmp_path / "out.svg")
    assert drawn.code == 0, drawn.err
    fails(run("plot", "forest", *files, "-o", tmp_path / "out.svg"), "[one-variant]")
