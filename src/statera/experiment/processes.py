"""What processes of others used: all descendants of one, as /proc shows them."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
# Fields of /proc/PID/stat after the name: user and system time of the children that were waited for.
_AWAITED: Final = slice(13, 15)
_PEAK: Final = b"VmHWM:"
_PEAK_IS_NOW: Final = "5"


def descendants(root: int) -> list[int]:
    """Return the processes below one, which is not among them."""
    found = _children(root)
    for process in found:
        found += _children(process)
    return found


def processor_time(root: int) -> float:
    """Return the seconds on the processor of all processes below one, those included that they waited for."""
    return sum(_own_time(each) + _awaited_time(each) for each in descendants(root))


def forget_peaks(root: int) -> None:
    """Let the peak of each process below one be what it takes now."""
    for process in descendants(root):
        with suppress(OSError):
            Path(f"/proc/{process}/clear_refs").write_text(_PEAK_IS_NOW)


def peak(root: int) -> int:
    """Return the bytes of the largest resident peak among the processes below one."""
    return max(map(_peak, descendants(root)), default=0)


def _children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{process}/task"):  # noqa: PTH208 - pathlib is slow
            found += map(int, Path(f"/proc/{process}/task/{task}/children").read_text().split())
    return found


def _own_time(process: int) -> float:
    try:
        # The clock of a process, in the numbering of the kernel: it counts nanoseconds, and all threads.
        return time.clock_gettime((~process) << 3 | 2)
    except OSError:
        return 0.0


def _awaited_time(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return _TICK * sum(map(int, fields[_AWAITED]))


def _peak(process: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_bytes().splitlines():
            if line.startswith(_PEAK):
                return 1024 * int(line.split()[1])
    return 0
