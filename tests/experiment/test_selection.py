"""What an experiment consists of, and parts of it."""

import pytest
from repositories import commit, written

from statera.experiment.file import planned
from statera.experiment.selection import listed, only
from statera.support.errors import Stop

TEXT = """
[factors]
rev = ["v1", "."]
[source]
revision = "{rev}"
[build]
command = ["cp", "a.c", "{build}/x"]
[[benchmark]]
name = "add/small"
command = ["{build}/x", "a b"]
[[benchmark]]
name = "add/large"
command = ["{build}/x"]
format = "go"
[[benchmark]]
name = "div"
command = ["true"]
"""


@pytest.fixture
def plan(tmp_path):
    folder = tmp_path / "repository"
    commit(folder, "v1", a_c="1")
    return planned(written(folder, TEXT))


def test_everything_is_listed(plan):
    lines = listed(plan).splitlines()
    one, two = plan.builds
    assert lines == [
        "2 variants",
        "  v1 (baseline)",
        "  .",
        "2 builds",
        f"  {one.key}: v1, {one.revision[:12]}",
        f"  {two.key}: ., the tree as it is",
        "3 benchmarks",
        f"  add/small (timed): {one.folder}/x 'a b'",
        f"  add/large (go): {one.folder}/x",
        "  div (timed): true",
    ]


def test_patterns_select_benchmarks(plan):
    part = only(plan, ["add/*", "!*large"])
    assert part.benchmarks == ("add/small",)
    assert [(cell.benchmark, cell.variant, cell.build) for cell in part.cells] == [(0, 0, 0), (0, 1, 1)]
    last = only(plan, ["div", "*large"])
    assert last.benchmarks == ("add/large", "div")
    assert [(cell.benchmark, cell.variant) for cell in last.cells] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_builds_that_nothing_needs_are_left_out(plan):
    without = plan._replace(cells=tuple(cell._replace(build=None) if cell.variant else cell for cell in plan.cells))
    part = only(without, ["div"])
    assert part.builds == plan.builds[:1]
    assert [cell.build for cell in part.cells] == [0, None]


def test_a_pattern_that_fits_nothing(plan):
    with pytest.raises(Stop, match="--only mul: fits none of the benchmarks add/small, add/large, div"):
        only(plan, ["mul"])
