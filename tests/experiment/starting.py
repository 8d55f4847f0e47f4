"""What tests of runs share: invocations, records, and a pipe that tells when all that was started has ended."""

import json
import os
import select
import sys
from pathlib import Path

import pytest

from statera.experiment.launcher import Invocation

PATIENCE = 60.0


def asked(*arguments, environment=(), directory="/", **rest):
    """An invocation with the PATH of the tests."""
    return Invocation(tuple(arguments), (("PATH", os.environ["PATH"]), *environment), str(directory), **rest)


def shell(script, *arguments, **rest):
    return asked("sh", "-c", script, "sh", *map(str, arguments), **rest)


def python(script, *arguments, **rest):
    return asked(sys.executable, "-I", "-S", "-c", script, *map(str, arguments), **rest)


def records(folder, *kinds):
    """The records of a run's journal, those of these kinds or all."""
    lines = [json.loads(line) for line in (folder / "journal.ndjson").read_text().splitlines()]
    return [line for line in lines if not kinds or line["kind"] in kinds]


class Lives:
    """A named pipe that commands hold open: it ends when none of those that hold it lives."""

    def __init__(self, folder):
        self.path = Path(folder, "lives")
        os.mkfifo(self.path)
        self._pipe = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def line(self):
        """Wait for a line that a command writes into it."""
        line = b""
        while not line.endswith(b"\n"):
            line += self._bytes() or pytest.fail(f"it ended after {line!r}")
        return line.decode().rstrip("\n")

    def end(self):
        """Wait until nobody holds it."""
        while self._bytes():
            pass

    def _bytes(self):
        ready, _, _ = select.select([self._pipe], [], [], PATIENCE)
        assert ready, "a process that was to end lives on"
        return os.read(self._pipe, 65536)

    def close(self):
        os.close(self._pipe)
