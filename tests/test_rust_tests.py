"""The tests of a crate are one program, which is linked once; none of its files is left out."""

import re

from support import ROOT

PROGRAMS = sorted(ROOT.glob("crates/*/tests/all.rs"))


def test_every_file_is_a_module_of_the_program():
    for program in PROGRAMS:
        modules = re.findall(r"^mod (\w+);$", program.read_text(), re.MULTILINE)
        files = {path.stem for path in program.parent.glob("*.rs")} | {
            path.parent.name for path in program.parent.glob("*/mod.rs")
        }
        assert sorted(modules) == sorted(files - {"all"}), program


def test_a_crate_with_several_files_has_the_program():
    for folder in {path.parent for path in ROOT.glob("crates/*/tests/*.rs")}:
        assert len(list(folder.glob("*.rs"))) == 1 or folder / "all.rs" in PROGRAMS, folder
