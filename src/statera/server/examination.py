"""What an upload holds, found by a process of its own: a hostile file harms only that process.

A file of some kilobytes can hold gigabytes, and can keep the interpreter busy for seconds. The process has a limit on
memory and on time; where it dies of one, the upload is refused.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.history.catalog import most
from statera.history.job import Job, from_json, to_json
from statera.history.series import Series
from statera.support.errors import Stop
from statera.support.settings.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# So many values of one upload are decoded, which takes a second and 350 MB: equal ones take next to nothing in a file.
_MOST_VALUES: Final = 2_000_000
# Bytes of memory and seconds that an upload may take to decode, from what the process takes by itself.
MEMORY: Final = 1 << 30
SECONDS: Final = 30.0
# Whoever is asked for pages comes first.
_NICE: Final = 5
_NUL: Final = "\\u0000"
# Characters of what stands in the server's memory at once: a text of a series, and the JSON of a job.
_LONGEST: Final = 1 << 16
_LARGEST: Final = 1 << 22
# So many series or values are handed over together.
_PIECE: Final = 2_000
# More memory is not given back for certain.
_KEPT: Final = 4


class Examined(NamedTuple):
    """What an upload holds.

    Attributes:
        jobs: its jobs, each with its id; an empty one stands for the hash of the upload.
        series: the series it has values of.
        values: for each value the numbers of series and job, n, median, mad, least, largest.

    """

    jobs: list[tuple[str, Job]]
    series: list[Series]
    values: list[tuple[int, int, int, float, float, float, float]]


def examine(path: Path, project: str, limits: Limits) -> Examined:
    """Read an upload, which has to be of a project, in this process.

    Raises:
        Stop: it is not an upload, or that of another project.

    """
    native = _native.Catalog.read([path], most(limits._replace(values=min(limits.values, _MOST_VALUES))))
    for _, why in native.refused:
        raise Stop("bad-upload", f"the upload: {why}")
    jobs = from_json(native.jobs[0], "the upload")
    for _, job in jobs:
        if job.project != project:
            raise Stop("other-project", f"the upload is of the project {job.project}, and this is {project}")
    found = [Series(*each) for each in native.series]
    values = [(number, *entry) for number in range(len(found)) for entry in native.summaries(number)]
    if why := _wrong(native.jobs[0], jobs, found, values):
        raise Stop("bad-upload", f"the upload: {why}")
    return Examined(jobs, found, values)


def _wrong(
    stated: str,
    jobs: Iterable[tuple[str, Job]],
    series: Sequence[Series],
    values: Sequence[tuple[int, int, *tuple[float, ...]]],
) -> str:
    """Return what no result of statera has, and what the database or a page could not hold; otherwise nothing.

    ``stated`` is the JSON of the jobs: it writes U+0000 in one way only, which hardly any has.
    """
    if max((len(text) for each in series for text in each if text), default=0) > _LONGEST:
        return f"a name or the factors of a series have more than {_LONGEST:,} characters"
    levels = [_levels(text) for text in {each.factors for each in series}]
    if None in levels:
        return "the factors of a series are not a JSON object of texts"
    of_series = "".join("".join(filter(None, each)) for each in series)
    of_jobs = _texts([tuple(job) for _, job in jobs]) if _NUL in stated else ""
    if "\0" in "".join((of_series, *of_jobs, *_texts(levels))):
        return "a text has the character U+0000, which PostgreSQL does not store. Take it out of the name"
    if len({each[:2] for each in values}) < len(values):
        return "a job has the same series twice"
    return ""


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([*value.items()])
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)


def _levels(text: str) -> dict[str, str] | None:
    try:
        found = json.loads(text)
        # Halves of characters cannot be written.
        "".join(_texts(found)).encode()
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and all(isinstance(each, str) for each in found.values()) else None


class Examiner:
    """Processes that examine uploads, started when they are needed: at most as many as ask at the same time."""

    def __init__(self, memory: int = MEMORY, seconds: float = SECONDS) -> None:
        """Take the bytes and the seconds that an upload may take."""
        self._words = [str(memory), str(seconds)]
        self._too_much = Stop(
            "too-large",
            f"the upload cannot be decoded within {memory >> 20:,} MiB of memory and {seconds:g} seconds. "
            "Send fewer jobs at once",
        )
        self._idle: list[subprocess.Popen[str]] = []
        self._lock = threading.Lock()

    def examine(self, path: Path, project: str, limits: Limits) -> Examined:
        """Read an upload, which has to be of a project.

        Raises:
            Stop: it is not an upload, or that of another project, or takes too much memory or time.

        """
        process = self._taken()
        try:
            found, is_last = self._asked(process, json.dumps([os.fspath(path), project, list(limits)]))
        except Stop as stop:
            # Only what the process itself says of an upload leaves it whole.
            self._end(process) if stop is self._too_much else self._put_back(process)
            raise
        except BaseException:
            self._end(process)
            raise
        self._end(process) if is_last else self._put_back(process)
        return found

    def stop(self) -> None:
        """End the processes."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            self._end(process)

    def _asked(self, process: subprocess.Popen[str], line: str) -> tuple[Examined, bool]:
        found = Examined([], [], [])
        if not process.stdin or not process.stdout:
            raise self._too_much
        with suppress(BrokenPipeError):
            process.stdin.write(line + "\n")
            process.stdin.flush()
        # Short pieces: the interpreter serves others in between.
        for answer in process.stdout:
            if not answer.endswith("\n"):
                break
            what, content = json.loads(answer)
            if what == "stop":
                raise Stop(*content)
            if what == "end":
                return found, content
            if what == "job":
                found.jobs.extend(from_json(content, "the upload"))
            elif what == "series":
                found.series.extend(Series(*each) for each in content)
            else:
                found.values.extend(map(tuple, content))
        raise self._too_much

    def _taken(self) -> subprocess.Popen[str]:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.poll() is None:
                    return process
                self._end(process)
        # In a group of its own: the key that ends the server in a terminal does not reach it.
        return subprocess.Popen(  # noqa: S603 - own
            [sys.executable, "-m", __name__, *self._words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            process_group=0,
        )

    def _put_back(self, process: subprocess.Popen[str]) -> None:
        with self._lock:
            self._idle.append(process)

    @staticmethod
    def _end(process: subprocess.Popen[str]) -> None:
        process.kill()
        with suppress(BrokenPipeError):
            process.communicate()


def run(memory: int, seconds: float) -> None:
    """Examine the uploads that standard input names, until it closes; this process is killed at its limits."""
    os.nice(_NICE)
    begin = _address_space()
    _limit(begin + memory)
    for line in sys.stdin:
        # Without a handler, the signal kills whatever runs.
        signal.setitimer(signal.ITIMER_REAL, seconds)
        path, project, limits = json.loads(line)
        try:
            for piece in _pieces(examine(Path(path), project, Limits(*limits))):
                _say(*piece)
            is_last = _address_space() - begin > memory // _KEPT
            _say("end", is_last)
        except Stop as stop:
            _say("stop", [stop.code, str(stop)])
        signal.setitimer(signal.ITIMER_REAL, 0)


def _pieces(found: Examined) -> Iterator[tuple[str, Any]]:
    for each in found.jobs:
        text = to_json([each])
        if len(text) > _LARGEST:
            raise Stop("bad-upload", f"the upload: what it says of a job has more than {_LARGEST:,} characters")
        yield "job", text
    for what, rows in (("series", found.series), ("values", found.values)):
        for at in range(0, len(rows), _PIECE):
            yield what, rows[at : at + _PIECE]


def _say(what: str, content: object) -> None:
    sys.stdout.write(json.dumps([what, content]) + "\n")
    sys.stdout.flush()


def _limit(address_space: int) -> None:
    # Other systems than Linux have no such limit, or do not keep it.
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not everywhere

        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _address_space() -> int:
    """Return the bytes of this process's address space; 0 where nothing tells it."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    run(int(sys.argv[1]), float(sys.argv[2]))
