"""The tests that docs/server/security.md names exist."""

import re

from support import ROOT

PAGE = (ROOT / "docs/server/security.md").read_text()


def test_every_named_test_exists():
    named = re.findall(r"`((?:tests/browser/)?test_\w+)(?:\.py)?::(test_\w+)`", PAGE)
    assert len(named) > 40
    assert PAGE.count("::") == len(named) + 1
    for file, test in named:
        path = ROOT / f"{file}.py" if "/" in file else ROOT / f"tests/server/{file}.py"
        assert f"def {test}(" in path.read_text(), f"{file}::{test}"


def test_every_chapter_of_level_one_is_there():
    numbers = re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)
    chapters = {int(found) for cell in numbers for found in re.findall(r"(\d+)\.\d+\.\d+", cell)}
    # Level 1 requires nothing of chapter 1.
    assert chapters == set(range(2, 15))
