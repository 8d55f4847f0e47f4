"""Goldens: a folder holds its input, the words of the command, what they print, and what that means.

A new case is a new folder with its input, `cmd` and `meaning.py`; STATERA_ACCEPT=1 writes what it prints.
"""

import json
import runpy
import shlex
from pathlib import Path

import pytest

from support import accepted

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/cmd"))
ENDINGS = {"markdown": "md", "csv": "csv", "json": "json", "terminal": "txt"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_case(run, folder):
    words = shlex.split((folder / "cmd").read_text())
    result = run(*words, "--no-config", cwd=folder)
    assert result.code == 0, result.err
    kind = words[words.index("-f") + 1] if "-f" in words else "terminal"
    document = json.loads(run(*words, "-f", "json", "--no-config", cwd=folder).out)
    runpy.run_path(str(folder / "meaning.py"))["holds"](document, result.out)
    accepted(folder / f"expected.{ENDINGS[kind]}", result.out)


def test_every_golden_has_its_meaning_and_the_reverse():
    assert len(FOLDERS) >= 8
    for folder in FOLDERS:
        assert (folder / "meaning.py").exists()
        assert len(list(folder.glob("expected.*"))) == 1
