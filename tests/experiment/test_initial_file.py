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
