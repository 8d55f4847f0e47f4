"""The examples of experiment files can be planned, built and run."""

import os
import shutil

import pytest

from statera.experiment.builds import make
from statera.experiment.file import planned
from statera.experiment.launcher import Invocation, Launcher
from support import ROOT

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/experiment.toml"))
PAIRS = [folder for folder in EXAMPLES if (folder / "results").is_dir()]
# What needs no build.
NOT_BUILT = {"nginx", "postgresql"}
LARGEST = 300_000


@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_an_example_is_a_plan_whose_results_are_there(folder, run):
    plan = planned(folder / "experiment.toml")
    assert (len(plan.variants), len(plan.builds)) == (2, 0 if folder.name in NOT_BUILT else 2)
    result = run("compare", folder / "results", "-f", "csv")
    assert result.code == 0
    assert all(name in result.out for name in plan.benchmarks if not plan.cells[0].format and not plan.cells[0].harness)


def test_results_are_small_and_the_command_that_wrote_them_is_named():
    for results in (ROOT / "examples").glob("*/results"):
        assert sum(path.stat().st_size for path in results.rglob("*") if path.is_file()) < LARGEST, results
        text = (results.parent / "COMMANDS.md").read_text()
        assert "statera run " in text
        assert str(results.relative_to(ROOT)) in text


def test_the_examples_without_results():
    # Those of pytest-benchmark describe the machine in each file, and are large.
    assert [folder.name for folder in EXAMPLES if folder not in PAIRS] == ["history", "service", "suite-pytest"]


def test_the_example_of_a_service_measures_two_delays_without_a_build():
    plan = planned(ROOT / "examples/service/experiment.toml")
    assert (len(plan.variants), plan.builds, plan.benchmarks) == (2, (), ("get",))
    assert [cell.format for cell in plan.cells] == ["numbers"] * 2
    scripts = {path.name for path in (ROOT / "examples/service").glob("*.py")}
    words = [{*cell.command.arguments, *cell.services[0].command.arguments} for cell in plan.cells]
    assert all(scripts <= of_cell for of_cell in words)


def test_the_example_of_a_history_measures_one_build_a_commit():
    plan = planned(ROOT / "examples/history/experiment.toml")
    assert len(plan.variants) == len(plan.builds) == 1
    assert plan.benchmarks == ("sort", "words", "matrix")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_the_example_in_c_builds_and_runs():
    plan = planned(ROOT / "examples/run-c/experiment.toml")
    with Launcher() as launcher:
        record = make(plan.builds[0], launcher.run, os.environ)
        assert record["ok"], record["message"]
        for cell in (cell for cell in plan.cells if cell.build == 0):
            asked = Invocation(cell.command.arguments, tuple(os.environ.items()), cell.command.directory)
            assert launcher.run(asked).failure is None
