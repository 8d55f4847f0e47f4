"""What the tests of each folder may cost: CPU seconds, counted over all processes that they start.

Every run prints what each folder took beside its budget, and says which are above it. A run does not fail for that:
another machine is slower. Who adds a test that costs more finds it here, and either makes it cheaper or raises the
budget with a reason.
"""

import contextlib
import json
import os
import resource
import time
from collections import defaultdict
from pathlib import Path

import pytest

# What `make test` may take. What a folder leaves to `make test-all` has no budget: it is paid for once a change lands.
BUDGETS = {
    "cluster": 165,
    "server": 90,
    "cli": 88,
    "report": 70,
    "history": 70,
    # Servers that are started, die, hang and are killed, and harnesses that are asked: 52 before them.
    "experiment": 64,
    "plots": 48,
    "collecting": 40,
    "bad_input": 40,
    # Forty formats more than when it was 40, and 500 tables of people.
    "formats": 55,
    "docs": 25,
    "stats": 16,
    "forge": 26,
    "engines": 18,
    "properties": 21,
    "store": 16,
    "settings": 17,
    "inspection": 12,
    "views": 13,
    "plugins": 12,
    "verdicts": 12,
    "library": 9,
    "cases": 8,
    "pairing": 7,
    "tests": 6,
    "files": 5,
    "attack": 4,
    "logs": 4,
    "mutation": 2,
    "ending": 2,
}

TICK = os.sysconf("SC_CLK_TCK")
# STATERA_CPU=FILE writes of every test, by its id, the CPU seconds and how long it took.
DETAILS = os.environ.get("STATERA_CPU")


def spent():
    """Give the CPU seconds of this process and of all that it started, also of those that still run."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime + sum(map(_of_process, _children("self")))


def _children(process):
    """Give the processes that a process started and has not waited for, by the kernel's list of each thread."""
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):
                yield from (thread / "children").read_text().split()


def _of_process(process):
    """Give what a process, its children that ended and those that run have taken."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0.0
    # The name of the program stands in brackets, and may hold anything.
    fields = stat.rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICK + sum(map(_of_process, _children(process)))


def folder_of(nodeid):
    """Give the folder of a test under `tests`; of a file beside the folders, `tests`."""
    parts = nodeid.partition("::")[0].removeprefix("tests/").split("/")
    return parts[0] if len(parts) > 1 else "tests"


class Worker:
    """Counts in the process that runs tests."""

    def __init__(self, config):
        self._config, self._tests, self._before, self._began = config, {}, spent(), time.monotonic()

    def pytest_collection_finish(self):
        self._add("collecting")

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid):
        self._add(nodeid)

    def _add(self, name):
        now, at = spent(), time.monotonic()
        cpu, took = self._tests.get(name, (0, 0))
        self._tests[name] = cpu + now - self._before, took + at - self._began
        self._before, self._began = now, at

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self):
        self._add("ending")
        self._config.workeroutput["cpu"] = self._tests


class Controller:
    """Adds up what the workers counted, and prints it at the end of the run."""

    def __init__(self, budgets):
        self._tests, self._budgets = {}, budgets

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        for name, (cpu, took) in getattr(node, "workeroutput", {}).get("cpu", {}).items():
            known = self._tests.get(name, (0, 0))
            self._tests[name] = known[0] + cpu, known[1] + took

    def pytest_terminal_summary(self, terminalreporter):
        if self._tests:
            terminalreporter.section("CPU seconds of each folder, and its budget")
            terminalreporter.write_line("\n".join(table(by_folder(self._tests), self._budgets)))
        if DETAILS:
            Path(DETAILS).write_text(json.dumps(self._tests))


def by_folder(tests):
    """Give the seconds of each folder; of what is no test, under its own name."""
    sums = defaultdict(float)
    for name, (cpu, _) in tests.items():
        sums[folder_of(name) if "::" in name else name] += cpu
    return sums


def table(sums, budgets):
    """Give the lines of the table, and one more that names the folders above their budgets, if there are budgets."""
    rows = [*sorted(sums.items(), key=lambda row: -row[1]), ("together", sum(sums.values()))]
    allowed = {**budgets, "together": sum(budgets.values())} if budgets else {}
    lines = [f"{name:14} {seconds:8.1f} {allowed.get(name, ''):>6}".rstrip() for name, seconds in rows]
    above = [name for name, seconds in rows if allowed and seconds > allowed.get(name, 0)]
    return [*lines, f"Above their budgets: {', '.join(above)}"] if above else lines


def pytest_configure(config):
    # The controller of a run without workers runs the tests itself, and then nothing is counted.
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Worker(config), "cpu-of-worker")
    else:
        budgets = BUDGETS if config.option.markexpr == "not later" else {}
        config.pluginmanager.register(Controller(budgets), "cpu-of-run")
