"""What the machine reports while a round lasts, the marks that follow from it, and what processes use (/proc).

A mark never depends on a measured value: a rule that drops or marks slow rounds for being slow hides what it measures.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from math import sqrt
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera.experiment.host import System
from statera.support.closing import Closing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# /proc/stat counts ticks of this many seconds, of all cores together.
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")
_STEAL, _IDLE, _WAITING, _FIELDS = 7, 3, 4, 8
_BUFFER: Final = 1 << 12
# The counters of so many cores are read: a round must cost little on large machines too.
_MOST_CORES: Final = 16


class Limit(NamedTuple):
    """A reading above which a round is marked."""

    reading: str  # its name in the record of a round
    above: float  # the largest value that is not marked
    # how its error follows from the number of ticks: not at all, by one tick, or as a sample of them
    counted: Literal["exactly", "tick", "sample"]


# The catalogue explains each mark. The reasons of the limits: a wait of 5 % is about the smallest change that a user
# looks for in one command; memory pressure is seldom above 0 on a machine that has enough; clouds call 1 % of steal
# normal; a tenth of the cores is more than a desktop's idle work; no processor is throttled without heat.
LIMITS: Final = {
    "cpu-pressure": Limit("cpu_pressure", 0.05, "exactly"),
    "memory-pressure": Limit("memory_pressure", 0.01, "exactly"),
    "io-pressure": Limit("io_pressure", 0.05, "exactly"),
    "steal": Limit("steal", 0.01, "tick"),
    "other-work": Limit("other_work", 0.10, "sample"),
    "throttled": Limit("throttled", 0.0, "exactly"),
}


class _Moment(NamedTuple):
    at: float
    waited: tuple[float | None, ...]  # seconds in which some task waited: for a core, memory, a disk
    ticks: tuple[int, int] | None  # busy and stolen, of all cores
    own: float  # seconds of the processor that we and all processes below us used
    throttled: int | None


class Readings(Closing):
    """Reads the machine at the beginning and at the end of each round; takes about 0.15 ms a round."""

    def __init__(
        self,
        cpus: Sequence[int] = (),
        root: str = "/",
        clock: Callable[[], float] = monotonic,
        *,
        own: Callable[[], float] | None = None,
        refresh: Callable[[], object] = lambda: None,
    ) -> None:
        """Open the files of the system, ``proc`` and ``sys`` in ``root``; those that it lacks give no readings.

        ``cpus`` are the numbers of the cores that commands may use; empty: all. ``clock`` is in seconds. ``own``
        returns the seconds of the processor that the commands used; None: those of all processes below this.
        ``refresh`` is called before the files are read.
        """
        self._clock = clock
        self._own, self._refresh = own or _own, refresh
        self._root = root
        self._pressure = [self._open(f"proc/pressure/{of}") for of in ("cpu", "memory", "io")]
        self._stat = self._open("proc/stat")
        online = System(root).online()
        self.cores = len(online) or 1
        used = list(cpus or online)[:_MOST_CORES]
        folders = [f"sys/devices/system/cpu/cpu{number}" for number in used]
        self._throttles = self._opened(f"{at}/thermal_throttle/core_throttle_count" for at in folders)
        self._throttles += self._opened(f"{at}/thermal_throttle/package_throttle_count" for at in folders[:1])
        self._frequencies = self._opened(f"{at}/cpufreq/scaling_cur_freq" for at in folders)
        self._first: _Moment | None = None
        self._begun: _Moment | None = None

    def begin(self) -> None:
        """Take the readings before a round."""
        self._begun = self._moment()
        self._first = self._first or self._begun

    def so_far(self) -> list[str]:
        """Return the marks of all rounds since the first one together, which short rounds have ticks for."""
        return [] if self._first is None else self._between(self._first, self._moment())[1]

    def end(self) -> tuple[dict[str, float], list[str]]:
        """Take the readings after a round.

        Returns:
            What the machine reported since ``begin``: shares of the time of the round (pressures) or of the time of all
            cores (``steal``, ``other_work``), the number of times that cores were throttled, and the clock rate of the
            fastest core in Hz at the end. A reading that the machine does not offer is missing. Then the marks.
        """
        return ({}, []) if self._begun is None else self._between(self._begun, self._moment())

    def _between(self, begun: _Moment, ended: _Moment) -> tuple[dict[str, float], list[str]]:
        if ended.at <= begun.at:
            return {}, []
        seconds = ended.at - begun.at
        machine = _pressures(begun, ended, seconds)
        machine |= _ticks(begun, ended, seconds * self.cores)
        if begun.throttled is not None and ended.throttled is not None:
            machine["throttled"] = float(ended.throttled - begun.throttled)
        rates = [rate for rate in map(_number, self._frequencies) if rate]
        if rates:
            machine["frequency"] = 1e3 * max(rates)
        return machine, marks(machine, seconds * self.cores / _TICK)

    def close(self) -> None:
        """Close the files."""
        for file in [*self._pressure, self._stat, *self._throttles, *self._frequencies]:
            if file is not None:
                os.close(file)
        self._pressure, self._stat, self._throttles, self._frequencies = [], None, [], []

    def _open(self, path: str) -> int | None:
        try:
            return os.open(f"{self._root}/{path}", os.O_RDONLY)
        except OSError:
            return None

    def _opened(self, paths: Iterable[str]) -> list[int]:
        return [file for file in map(self._open, paths) if file is not None]

    def _moment(self) -> _Moment:
        self._refresh()
        waited = tuple(map(_waited, self._pressure))
        throttles = [count for count in map(_number, self._throttles) if count is not None]
        ticks, own = _busy(self._stat), self._own()
        return _Moment(self._clock(), waited, ticks, own, sum(throttles) if throttles else None)


def marks(machine: dict[str, float], ticks: float) -> list[str]:
    """Return the marks of a round by its readings; all cores had so many ``ticks`` in it.

    What is counted in ticks has an error that is large in short rounds; it is subtracted, so that the same machine is
    not marked more often because a round is short.
    """
    error = {"exactly": 0.0, "tick": 1 / ticks, "sample": (1 + sqrt(ticks)) / ticks}
    return [
        mark for mark, limit in LIMITS.items() if machine.get(limit.reading, 0.0) - error[limit.counted] > limit.above
    ]


def _pressures(begun: _Moment, ended: _Moment, seconds: float) -> dict[str, float]:
    found = {}
    for name, before, after in zip(("cpu", "memory", "io"), begun.waited, ended.waited, strict=True):
        if before is not None and after is not None:
            found[f"{name}_pressure"] = min(max(after - before, 0.0) / seconds, 1.0)
    return found


def _ticks(begun: _Moment, ended: _Moment, capacity: float) -> dict[str, float]:
    if begun.ticks is None or ended.ticks is None or capacity <= 0:
        return {}
    busy, stolen = (_TICK * (after - before) for before, after in zip(begun.ticks, ended.ticks, strict=True))
    others = busy - (ended.own - begun.own)
    return {
        "steal": min(max(stolen, 0.0) / capacity, 1.0),
        "other_work": min(max(others, 0.0) / capacity, 1.0),
    }


def _own() -> float:
    """Return the seconds that we and all processes below us used: commands end below a starter that lives on."""
    below = used(os.getpid())
    return sum(os.times()[:4]) + sum(below.own.values()) + below.awaited


def _read(file: int | None) -> bytes:
    if file is None:
        return b""
    try:
        return os.pread(file, _BUFFER, 0)
    except OSError:
        return b""


def _number(file: int | None) -> int | None:
    text = _read(file).strip()
    return int(text) if text.isdigit() else None


def _waited(file: int | None) -> float | None:
    """Return the seconds of ``some avg10=… total=MICROSECONDS``."""
    _, _, total = _read(file).split(b"\n", 1)[0].partition(b"total=")
    return int(total) / 1e6 if total.isdigit() else None


def _busy(file: int | None) -> tuple[int, int] | None:
    """Return busy and stolen ticks of ``cpu user nice system idle iowait irq softirq steal …``."""
    words = _read(file).split(b"\n", 1)[0].split()
    if len(words) <= _FIELDS or words[0] != b"cpu":
        return None
    counts = [int(word) for word in words[1 : _FIELDS + 1]]
    stolen = counts[_STEAL]
    return sum(counts) - counts[_IDLE] - counts[_WAITING] - stolen, stolen


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


class Used(NamedTuple):
    """The seconds on the processor of all processes below one."""

    own: dict[int, float]  # of each that lives, by its number
    awaited: float  # of those that ended, and that these waited for, in whole ticks

    def since(self, before: Used) -> float:
        """Return the seconds since then. The ticks of what has ended tell only what exceeds its own time by then."""
        living = sum(seconds - before.own.get(process, 0.0) for process, seconds in self.own.items())
        ended = sum(seconds for process, seconds in before.own.items() if process not in self.own)
        return living + max(self.awaited - before.awaited - ended, 0.0)


def used(root: int) -> Used:
    """Return the time on the processor of all processes below one."""
    processes = descendants(root)
    return Used({each: _own_time(each) for each in processes}, sum(map(_awaited_time, processes)))


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
