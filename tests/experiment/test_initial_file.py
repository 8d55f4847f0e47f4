"""The experiment file to begin with can be used as it is."""

import os
import shutil

import pytest
from repositories import commit, written

from statera.experiment.builds import make
from statera.experiment.file import planned
from statera.experiment.initial_file import initial
from statera.experiment.launcher import Launcher
from statera.support.files.names import as_text

KINDS = {
    "go.mod": ("module example.com/x\n", "go"),
    "Cargo.toml": ('[package]\nname = "some-tool"\nversion = "1.0.0"\n', "cargo"),
    "dune-project": ("(lang dune 3.0)\n", "dune"),
    "CMakeLists.txt": ("project(x)\nadd_executable(some-tool main.c)\n", "/bin/sh"),
    "other": ("", "cc"),
}


def plan(folder):
    return planned(written(folder, initial(folder)))


def test_the_file_fits_the_project(tmp_path):
    for name, (text, program) in KINDS.items():
        folder = tmp_path / name
        commit(folder, "v1")
        (folder / name).write_text(text)
        made = plan(folder)
        assert [each.name for each in made.variants] == ["HEAD", "."]
        assert {each.command.arguments[0] for each in made.builds} == {program}
        assert made.rounds.until == "decided"
        assert "#" in initial(folder)
        # The program has the name that the project states.
        assert ('name = "some-tool"' in initial(folder)) == ("some-tool" in text)
        assert ("/some-tool" in initial(folder)) == ("some-tool" in text)


def test_a_folder_of_any_name(tmp_path):
    for name in ('a "b"', "{x}", "{", "ünï", "back\\slash", "@NAME@", "@BUILD@", "\udcff", "\N{SNAKE}"):
        folder = tmp_path / name
        commit(folder, "v1")
        (folder / "CMakeLists.txt").write_text("broken {")
        assert plan(folder).benchmarks == (as_text(name),)


def test_a_cargo_file_that_names_no_program(tmp_path):
    for text in ("[package]\nname = 3\n", "broken [", "[workspace]\n"):
        (tmp_path / "Cargo.toml").write_text(text)
        assert f'name = "{tmp_path.name}"' in initial(tmp_path)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_project_in_c_builds(tmp_path):
    folder = tmp_path / "project"
    commit(folder, "v1", main_c="int main(void) { return 0; }\n")
    each = plan(folder)
    with Launcher() as launcher:
        assert make(each.builds[1], launcher.run, os.environ)["message"] == ""


def across(run, folder, *words):
    return run("run", "--across", *words, "--dry-run", cwd=folder)


def test_two_revisions_need_no_file(run, tmp_path):
    folder = tmp_path / "project"
    commit(folder, "v1", CMakeLists_txt="add_executable(some-tool main.c)\n")
    commit(folder, "v2")
    done = across(run, folder, "v1", "v2")
    assert "no experiment.toml here" in done.err
    assert [line.split(":")[0] for line in done.out.splitlines()[:2]] == ["some-tool, v1", "some-tool, v2"]
    for words, why in (
        (("v1", "v3"), "--across, line 15 of the file that statera run --init writes: revision: "),
        (("v1", "v3"), "there is no revision 'v3'"),
        (("v1", "v2", "true"), "neither commands nor -L beside them"),
        (("v1", "v2", "--across", "v1", "v2"), "takes two revisions"),
        (
            ("v1", "v2", "--setup", "true"),
            "-s is for commands on the command line. Write experiment.toml with statera run --init",
        ),
    ):
        assert why in across(run, folder, *words).err


def test_a_file_of_the_project_says_how_two_revisions_are_measured(run, tmp_path):
    commit(tmp_path, "v1")
    commit(tmp_path, "v2")
    assert "Write experiment.toml with: statera run --init" in across(run, tmp_path, "v1", "v2").err
    text = initial(tmp_path).replace('command = ["cc"', 'command = ["true"').replace('"{build}/program"', '"true"')
    (tmp_path / "experiment.toml").write_text(text.replace("rev", "of"))
    assert "revision" in across(run, tmp_path, "v1", "v2").err
    (tmp_path / "experiment.toml").write_text(text)
    assert ", v2: true" in across(run, tmp_path, "v1", "v2").out
    (tmp_path / "experiment.toml").write_text(text.replace('"{rev}"', '"v1"'))
    assert "builds no revision by a factor" in across(run, tmp_path, "v1", "v2").err
