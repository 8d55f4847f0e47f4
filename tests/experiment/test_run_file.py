"""``statera run`` with an experiment file: builds, their faults, and what ends before anything runs."""

import os

import pytest
from repositories import commit, written

from statera.reading.store.run_folder import replay

FILE = """
rounds = 3
[factors]
rev = ["v1", "v2", "v3"]
[source]
revision = "{rev}"
[build]
command = { shell = "cat a.sh > $build/x; chmod +x $build/x; sh b.sh" }
artefacts = ["x"]
[[benchmark]]
name = "x"
command = ["{build}/x"]
"""


@pytest.fixture
def folder(tmp_path):
    """Three versions of a script, each of which builds well."""
    folder = tmp_path / "repository"
    for number in (1, 2, 3):
        commit(folder, f"v{number}", a_sh=f"#!/bin/sh\n: {number}\n", b_sh="exit 0")
    return folder


def start(run, folder, *options, text=FILE, **environment):
    written(folder, text)
    return run("run", "experiment.toml", *options, cwd=folder, env={**os.environ, **environment})


def version(folder, number, **files):
    """Make a version anew."""
    commit(folder, f"new-{number}", **files)
    return FILE.replace(f'"v{number}"', f'"new-{number}"')


def test_a_file_becomes_a_comparison(folder, run):
    result = start(run, folder, "-o", "results")
    assert result.code == 0, result.err
    assert "v1 (baseline)" in result.out
    again = run("compare", "results", cwd=folder)
    assert again.code == 0
    assert again.out.splitlines()[1] == "v1 (baseline) against v2, v3"


@pytest.mark.parametrize("script", ["echo broken >&2; exit 3", "sleep 1000"])
def test_variants_whose_build_fails_or_hangs_are_left_out_and_others_go_on(folder, run, script):
    text = version(folder, 2, b_sh=script).replace("artefacts", "timeout = 2\nartefacts")
    result = start(run, folder, "-o", "results", text=text)
    assert result.code == 2
    assert "the build of new-2 failed" in result.err
    assert "v3" in result.out
    measured = {each["variant"] for each in replay(folder / "results") if each["kind"] == "invocation"}
    assert measured == {"v1", "v3"}


@pytest.mark.parametrize("rev", ["v4", "v4^{tree}"])
def test_a_revision_that_is_not_there_ends_before_anything_runs(folder, run, rev):
    result = start(run, folder, "-o", "results", text=FILE.replace('"v3"', f'"{rev}"'))
    assert result.code == 2
    assert "experiment.toml:6: revision: " in result.err
    assert not (folder / "results").exists()


def test_without_git_nothing_runs(folder, run, tmp_path):
    result = start(run, folder, "-o", "results", PATH=str(tmp_path))
    assert result.code == 2
    assert "git is not installed" in result.err
    assert not (folder / "results").exists()


def test_builds_of_the_same_bytes_are_reported_before_the_rounds(folder, run):
    text = version(folder, 2, a_sh="#!/bin/sh\n: 1\n", b_sh="exit 0 # other sources")
    result = start(run, folder, "-o", "results", text=text)
    assert result.code == 0
    assert "v1 and new-2 run the same commands on the same bytes" in result.err


def test_build_only_builds(folder, run, cache):
    result = start(run, folder, "--build-only")
    assert result.code == 0, result.err
    assert len(list((cache / "builds").glob("*/x"))) == 3
    assert not (folder / "statera-runs").exists()


def test_build_only_of_a_build_that_fails(folder, run):
    result = start(run, folder, "--build-only", text=version(folder, 2, b_sh="exit 3"))
    assert result.code == 2
    assert "new-2" in result.err


def test_results_within_the_repository_do_not_change_the_tree_as_it_is(folder, run):
    text = FILE.replace('"v3"', '"."')
    assert start(run, folder, text=text).code == 0
    result = start(run, folder, text=text)
    assert result.code == 0, result.err


def test_init_writes_a_file_once(folder, run):
    assert run("run", "--init", cwd=folder).code == 0
    assert "[[benchmark]]" in (folder / "experiment.toml").read_text()
    (folder / "experiment.toml").write_text("mine")
    assert run("run", "--init", cwd=folder).code == 2
    assert (folder / "experiment.toml").read_text() == "mine"
