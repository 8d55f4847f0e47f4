"""A plugin of pytest that records which statements of the package each test executes, in all processes that it starts.

What a fixture executes that several tests share belongs to each test that has it; so does what a function of the tests
executes that remembers its results, and what a file of tests executes when it is imported.
"""

import base64
import functools
import json
import os
import sys
import zlib
from pathlib import Path

import pytest

FOLDER = Path(os.environ["STATERA_EXECUTED_FOLDER"])
SIZE = int(os.environ["STATERA_EXECUTED_SIZE"])
TESTS = str(Path(__file__).resolve().parents[1])

# The processes that this one starts have the same table.
_file = FOLDER / f"{os.getpid()}.table"
_file.write_bytes(bytes(SIZE))
os.environ["STATERA_EXECUTED"] = str(_file)
_records = FOLDER / f"{os.getpid()}.ndjson"

from statera_executed import TABLE  # noqa: E402 - it reads the environment


def taken():
    """Give what was executed since the last time, as a number with a byte for each statement."""
    found = int.from_bytes(TABLE[:SIZE], "little")
    TABLE[:SIZE] = bytes(SIZE)
    return found


def put(executed):
    TABLE[:SIZE] = (executed | int.from_bytes(TABLE[:SIZE], "little")).to_bytes(SIZE, "little")


def aside(call):
    """Call; give the result, and what the call alone executed."""
    before = taken()
    try:
        result = call()
    finally:
        made = taken()
        put(before | made)
    return result, made


def remembering(make):
    """Let a decorator that remembers results remember what was executed for them, too."""

    def decorate(function):
        if not getattr(getattr(function, "__code__", None), "co_filename", "").startswith(TESTS):
            return make(function)
        executed = {}

        def first(*words, **named):
            result, executed[repr((words, named))] = aside(lambda: function(*words, **named))
            return result

        remembered = make(functools.wraps(function)(first))

        @functools.wraps(function)
        def again(*words, **named):
            result = remembered(*words, **named)
            put(executed.get(repr((words, named)), 0))
            return result

        again.cache_clear = remembered.cache_clear
        return again

    return decorate


functools.cache = remembering(functools.cache)


class Recorder:
    """Writes a line for each test that passes."""

    def __init__(self):
        import budgets  # noqa: PLC0415 - pytest imports it first

        self._of_fixtures, self._of_files, self._failed, self._spent = {}, {}, set(), budgets.spent

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        if not isinstance(collector, pytest.Module):
            return (yield)
        taken()
        report = yield
        self._of_files[collector.nodeid] = taken()
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope == "function":
            return (yield)
        before = taken()
        try:
            return (yield)
        finally:
            made = taken()
            self._of_fixtures[fixturedef] = self._of_fixtures.get(fixturedef, 0) | made
            put(before | made)

    def pytest_runtest_logreport(self, report):
        if not report.passed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        taken()
        before = self._spent()
        result = yield
        executed = taken() | self._of_files.get(item.nodeid.partition("::")[0], 0)
        for name in item.fixturenames:
            for each in item._fixtureinfo.name2fixturedefs.get(name, ()):
                executed |= self._of_fixtures.get(each, 0)
        if item.nodeid not in self._failed:
            packed = base64.b64encode(zlib.compress(executed.to_bytes(SIZE, "little"), 1)).decode()
            seconds = round(self._spent() - before, 4)
            with _records.open("a") as lines:
                lines.write(json.dumps({"test": item.nodeid, "seconds": seconds, "executed": packed}) + "\n")
        return result


def pytest_configure(config):
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Recorder())


assert "statera" not in sys.modules, "the recorder comes before the package"
