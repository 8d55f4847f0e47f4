"""CPU seconds are counted over all processes, and what is above its budget is named."""

import subprocess
import sys

import budgets
from support import ROOT

BUSY = "import time\nwhile time.process_time() < 0.3: pass\n"


def test_children_count_while_they_run_and_after():
    before = budgets.spent()
    with subprocess.Popen(
        [sys.executable, "-c", BUSY + "print(flush=True)\ninput()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        child.stdout.readline()
        running = budgets.spent() - before
        child.communicate(b"\n")
    assert running >= 0.25
    # The kernel counts what runs in ticks of a hundredth.
    assert budgets.spent() - before >= running - 0.05


def test_a_folder_above_its_budget_is_named():
    sums = budgets.by_folder(
        {
            "tests/views/test_a.py::a": (2.0, 9),
            "tests/views/test_a.py::b": (1.5, 9),
            "tests/test_x.py::c": (1, 9),
            "collecting": (4, 9),
        }
    )
    assert sums == {"views": 3.5, "tests": 1, "collecting": 4}
    *lines, above = budgets.table(sums, {"views": 3, "tests": 2, "collecting": 5})
    assert [line.split() for line in lines] == [
        ["collecting", "4.0", "5"], ["views", "3.5", "3"], ["tests", "1.0", "2"], ["together", "8.5", "10"]
    ]  # fmt: skip
    assert above == "Above their budgets: views"
    assert len(budgets.table(sums, {})) == 4


def test_every_folder_has_a_budget():
    folders = {path.relative_to(ROOT / "tests").parts[0] for path in ROOT.glob("tests/*/**/test_*.py")}
    assert folders - {"browser", "shared"} <= budgets.BUDGETS.keys() <= folders | {"tests", "collecting", "ending"}
