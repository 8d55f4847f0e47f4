"""Workers get what takes longest first, and what belongs together at once."""

import re

import pytest

import balance
from support import ROOT


@pytest.fixture
def scope():
    return object.__new__(balance.Balanced)._split_scope


def test_what_takes_long_is_there():
    tests = [path.relative_to(ROOT / "tests").as_posix() for path in ROOT.glob("tests/**/*.py")]
    assert [name for name in balance.LONG if not any(path.startswith(name) for path in tests)] == []


def test_long_tests_come_first():
    ids = ["tests/views/test_x.py::a", "tests/cluster/test_x.py::a", "tests/cluster/spark/test_x.py::a"]
    assert sorted(ids, key=balance.rank) == ids[::-1]


def test_all_that_use_one_spark_are_together(scope):
    asks = re.compile(r"^def \w+\([^)]*\bspark\b", re.MULTILINE)
    using = [path for path in ROOT.glob("tests/**/test_*.py") if asks.search(path.read_text())]
    assert len(using) >= 3
    assert {scope(f"{path.relative_to(ROOT)}::test") for path in using} == {"spark"}
    assert scope("tests/cluster/spark/test_command.py::test") != "spark"


def test_pages_are_apart_and_files_together(scope):
    page = "tests/docs/test_docs.py::test_{}[docs/{}.md]"
    assert scope(page.format("a", "x")) == scope(page.format("b", "x")) != scope(page.format("a", "y"))
    assert scope("tests/cli/test_x.py::test_a[1]") == scope("tests/cli/test_x.py::test_b")


def test_what_waits_is_there_and_is_not_even_imported():
    assert [name for name in balance.LATER if not (ROOT / "tests" / name).is_dir()] == []
    assert balance.waits("browser/test_answer.py")
    assert not balance.waits("cluster/test_run.py")
