"""The tests of a crate are one program, which is linked once; none of its files is left out."""

import re

import pytest

from support import ROOT

PROGRAMS = sorted(ROOT.glob("crates/*/tests/all.rs"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.parts[-3])
def test_every_file_is_a_module_of_the_program(program):
    modules = re.findall(r"^mod (\w+);$", program.read_text(), re.MULTILINE)
    files = {path.stem for path in program.parent.glob("*.rs")} | {
        path.parent.name for path in program.parent.glob("*/mod.rs")
    }
    assert sorted(modules) == sorted(files - {"all"})


def test_a_crate_with_several_files_has_the_program():
    for folder in {path.parent for path in ROOT.glob("crates/*/tests/*.rs")}:
        assert len(list(folder.glob("*.rs"))) == 1 or folder / "all.rs" in PROGRAMS, folder
