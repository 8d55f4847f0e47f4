"""Processes of an earlier run that outlived it: found by a variable of their environment, and ended."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

# Every command of a run has this variable, with the identity of the run as its value.
VARIABLE = "STATERA_RUN"
_SECONDS = 10.0


def left_behind(run: str | None) -> int:
    """End the processes of a run, and return how many there were. Without an identity there are none."""
    ended: set[int] = set()
    until = time.monotonic() + _SECONDS
    while run and (found := _processes(f"{VARIABLE}={run}".encode())) and time.monotonic() < until:
        # They are stopped first, so that none can start others.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in found:
                _send(process, number)
        ended |= found
    return len(ended)


def _processes(entry: bytes) -> set[int]:
    """Return the processes whose environment has this entry, but for this one and those that have ended."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if entry in variables:
                found.add(int(folder.name))
    return found


def _send(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)
