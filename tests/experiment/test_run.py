"""``statera run`` with an experiment file: builds and their faults; and what ends before anything runs."""

import os

import pytest
from repositories import commit, written

from statera.reading.store.run_folder import replay
from support import fails

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
    assert "\nv1 → v2, v3   " in result.out
    again = run("compare", "results", cwd=folder)
    assert again.code == 0
    assert again.out.splitlines()[1].startswith("v1 → v2, v3   statera run, ")


def test_variants_whose_build_fails_or_hangs_are_left_out_and_others_go_on(folder, run):
    text = version(folder, 2, b_sh="echo broken >&2; exit 3")
    commit(folder, "new-3", b_sh="sleep 1000")
    text = text.replace('"v3"', '"new-3", "v1^{commit}", "v3"').replace("artefacts", "timeout = 2\nartefacts")
    fails(
        start(run, folder, "-o", "results", text=text),
        "the build of new-2 failed",
        "the build of new-3 failed",
        "v1 and v1^{commit} run the same commands on the same bytes",
    )
    measured = {each["variant"] for each in replay(folder / "results") if each["kind"] == "invocation"}
    assert measured == {"v1", "v1^{commit}", "v3"}


def test_a_revision_that_is_not_there_ends_before_anything_runs(folder, run, tmp_path):
    for rev in ("v4", "v4^{tree}"):
        result = start(run, folder, "-o", "results", text=FILE.replace('"v3"', f'"{rev}"'))
        fails(result, "experiment.toml:6: revision: ")
    fails(start(run, folder, "-o", "results", PATH=str(tmp_path)), "git is not installed")
    assert not (folder / "results").exists()


def test_build_only_builds(folder, run, cache):
    result = start(run, folder, "--build-only")
    assert result.code == 0, result.err
    assert len(list((cache / "builds").glob("*/x"))) == 3
    assert not (folder / "statera-runs").exists()
    fails(start(run, folder, "--build-only", text=version(folder, 2, b_sh="exit 3")), "new-2")


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


def test_an_input_is_not_overwritten(run, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / "link").symlink_to("precious")
    for option in ("--output", "--export-json"):
        words = ["-r", "2", "-o", tmp_path / "out", "--input", precious, option, tmp_path / "link"]
        done = run("run", *words, "cat", "true")
        assert (done.code, precious.read_text(), "output-is-input" in done.err) == (2, "precious", True)
    assert not (tmp_path / "out").exists()
    file = tmp_path / "experiment.toml"
    file.write_text('[factors]\nms = ["0", "1"]\n[[benchmark]]\nname = "a"\ncommand = ["sleep", "{ms}"]\n')
    text = file.read_text()
    done = run("run", file, "-o", tmp_path / "out", "--export-json", file)
    assert (done.code, file.read_text(), "output-is-input" in done.err) == (2, text, True)


def test_commands_and_times_are_not_written_over_the_run_but_into_another_file(run, tmp_path):
    out = tmp_path / "out"
    for name in ("journal.ndjson", "manifest.json", "raw/000001.txt"):
        done = run("run", "-r", "2", "-o", out, "--output", out / name, "echo x", "true")
        assert (done.code, "is in the folder of the run" in done.err, out.exists()) == (2, True, False)
    assert run("run", "-r", "2", "-o", out, "--output", tmp_path / "printed", "echo x", "echo y").code == 0
    assert (tmp_path / "printed").read_text() in {"x\n", "y\n"}
    before = (out / "manifest.json").read_bytes()
    for mode in ("--resume", "--verify"):
        done = run("run", mode, out, "--export-json", out / "manifest.json")
        assert (done.code, (out / "manifest.json").read_bytes()) == (2, before)
        assert "output-is-input" in done.err
