"""Executes tests on a copy of the package with a fault, in a process forked from one that has imported pytest."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook

from mutation.covering import ROOT, copied

# What many tests import, and nothing of the package itself.
AHEAD = ("hypothesis", "jsonschema", "xdist", "numpy")
SET_SUBREAPER = 36
MEMORY = 6 * 2**30
# A batch of tests that are close to the mutant kills most; the others follow if it does not.
CLOSE_SECONDS, CLOSE_TESTS, CLOSE_FILES = 4, 40, 5
DOES_NOT_IMPORT = 100


class Outcome(NamedTuple):
    """How a mutant ended: the tests that killed it, or how many ran."""

    killed: bool
    how: str
    by: tuple[str, ...]
    ran: int

    @classmethod
    def none(cls):
        """The outcome of what no test executes."""
        return cls(killed=False, how="", by=(), ran=0)

    @classmethod
    def read(cls, file):
        return cls(*json.loads(file.read_text()))


def preload():
    """Import what all runs need; forks inherit it."""
    for name in AHEAD:
        importlib.import_module(name)
    # It would warn of each plugin that is imported already.
    AssertionRewritingHook._warn_already_imported = lambda *_: None


def batches(tests, folder, most):
    """Give the tests that execute a mutant in the order that kills soonest, in batches of at most so many seconds.

    First those of the folder of the same name that execute the least, then a few of each file.
    """
    near = f"tests/{folder}/"
    ranked = sorted(tests, key=lambda test: (not test.name.startswith(near), test.breadth * (test.seconds + 0.1)))
    first, files, seconds = [], set(), 0
    for test in ranked:
        file = test.name.partition("::")[0]
        enough = seconds + test.seconds > CLOSE_SECONDS or len(first) >= CLOSE_TESTS
        if first and (enough or len(files | {file}) > CLOSE_FILES):
            continue
        first.append(test)
        files.add(file)
        seconds += test.seconds
    second = []
    for test in _in_turn([test for test in ranked if test not in set(first)]):
        if seconds + test.seconds <= most:
            second.append(test)
            seconds += test.seconds
    return [by_file(batch) for batch in (first, second) if batch]


def _in_turn(tests):
    """Give the first test of each file, then the second of each."""
    of_files = {}
    for test in tests:
        of_files.setdefault(test.name.partition("::")[0], []).append(test)
    return [test for turn in zip_longest(*of_files.values()) for test in turn if test]


def by_file(tests):
    """Keep the tests of a file together: they share what is made for a file."""
    places = {}
    for test in tests:
        places.setdefault(test.name.partition("::")[0], len(places))
    return sorted(tests, key=lambda test: places[test.name.partition("::")[0]])


class Slot:
    """A copy of the package, in which one mutant at a time is executed."""

    def __init__(self, folder):
        self._tree, self._log = folder / "tree", folder / "log"
        copied(self._tree)
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(self._tree)], check=True)

    def execute(self, given, mutant=None, source=b""):
        """Start a process that executes batches of tests, without a mutant all of them; give it and its outcome."""
        answer = self._tree.with_name("outcome")
        answer.unlink(missing_ok=True)
        process = os.fork()
        if process == 0:
            try:
                outcome = self._kept(given, mutant, source)
                answer.write_text(json.dumps(outcome))
            except BaseException:  # noqa: BLE001 - it must not continue as the process that forked it
                traceback.print_exc()
            os._exit(0)
        return process, answer

    def _kept(self, given, mutant, source):
        """Execute batches one after the other, up to the first failure, and end all that they leave behind."""
        ctypes.CDLL(None).prctl(SET_SUBREAPER, 1)
        if mutant:
            path = self._tree / "statera" / mutant.path
            path.write_bytes(mutant.applied(source))
            # Python takes a file of the same size and second for the same.
            Path(importlib.util.cache_from_source(path)).unlink(missing_ok=True)
        ran, how, by = 0, "", []
        for tests in given:
            code, failures = self._batch(mutant, tests)
            ran += len(tests)
            if code:
                how = _words(code, failures)
                by += failures or [each.name for each in tests]
                if mutant:
                    break
        if mutant:
            path.write_bytes(source)
        return Outcome(bool(by), how, tuple(by), ran)

    def _batch(self, mutant, tests):
        """Execute tests; give the exit code of pytest, or the negative of a signal, and the tests that failed."""
        seconds = sum(test.seconds for test in tests)
        failures = self._tree.with_name("failures")
        failures.unlink(missing_ok=True)
        with tempfile.TemporaryDirectory(prefix="statera-mutants-", ignore_cleanup_errors=True) as temporary:
            process = os.fork()
            if process == 0:
                self._become_pytest(mutant, tests, temporary, failures, 20 + 4 * seconds)
            code = _awaited(process, 120 + 20 * seconds)
            _end_children()
        return code, failures.read_text().splitlines() if failures.exists() else []

    def _become_pytest(self, mutant, tests, temporary, failures, seconds):
        os.setsid()
        log = os.open(self._log.with_suffix("" if mutant else ".control"), os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        for number, stream in ((os.open(os.devnull, os.O_RDONLY), 0), (log, 1), (log, 2)):
            os.dup2(number, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.environ["PYTHONPATH"] = str(self._tree)
        # The process that forks others imports what a few of them need, not what all might.
        os.environ["STATERA_FEW_FORKS"] = "1"
        sys.path.insert(0, str(self._tree))
        os.chdir(ROOT)
        code = DOES_NOT_IMPORT
        try:
            if mutant:
                importlib.import_module(_module(mutant.path))
            files = dict.fromkeys(test.name.partition("::")[0] for test in tests)
            words = ["-p", "no:cacheprovider", "-n0", f"--basetemp={temporary}/t", *(["-x"] if mutant else [])]
            code = pytest.main([*words, *files], plugins=[_Chosen(tests, failures)])
        except BaseException:  # noqa: BLE001 - the same
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(code)


class _Chosen:
    """Leaves out all tests that are not chosen, and writes down which fail."""

    def __init__(self, tests, failures):
        self._places, self._failures = {test.name: place for place, test in enumerate(tests)}, failures

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        kept = [item for item in items if item.nodeid in self._places]
        items[:] = sorted(kept, key=lambda item: self._places[item.nodeid])

    def pytest_runtest_logreport(self, report):
        if report.failed:
            with self._failures.open("a") as file:
                file.write(report.nodeid + "\n")


def _module(path):
    return "statera." + path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _words(code, failures):
    if code == 1 and failures:
        return failures[0]
    if code == DOES_NOT_IMPORT:
        return "it does not import"
    return f"it ends by signal {-code}" if code < 0 else f"pytest ends with {code}"


def _awaited(process, seconds):
    """Wait for a process, at most so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _end_children():
    """End what is left of the processes of a batch: they have become children of this one."""
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        left = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        if not left:
            return
        for each in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(each), signal.SIGKILL)
        time.sleep(0.02)
