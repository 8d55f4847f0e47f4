"""What an upload holds, found by a process of its own: a hostile file harms only that process.

A file of some kilobytes can hold gigabytes, and can keep the interpreter busy for seconds. The process
(``upload_process.py``) has a limit on memory and on time; where it dies of one, the upload is refused. It also stores
an upload of very many values: to hold, sort and free them here would keep the others waiting for half a second.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.history.catalog import most
from statera.history.job import Job, from_json
from statera.history.series import Series
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from statera.support.settings.limits import Limits

# So many values of one upload are decoded, which takes a second and 350 MB: equal ones take next to nothing in a file.
_MOST_VALUES: Final = 2_000_000
# How the compiled part ends what it says of one of more.
_TOO_MUCH: Final = "more than the limits allow"
# An upload of more values is stored by a process: of so many, the server holds others up for less than 50 ms.
LARGE: Final = 20_000
# Bytes of memory and seconds that an upload may take to decode, from what the process takes by itself.
MEMORY: Final = 1 << 30
SECONDS: Final = 30.0
_NUL: Final = "\\u0000"
# Characters of a text of a series.
_LONGEST: Final = 1 << 16
# So many seconds an upload of very many values waits until another one is stored.
_PATIENCE: Final = 60.0
_PROCESS: Final = "statera.server.upload_process"


class Examined(NamedTuple):
    """What an upload holds."""

    jobs: list[tuple[str, Job]]  # its jobs, each with its id; an empty one stands for the hash of the upload
    series: list[Series]  # the series it has values of
    # for each value the numbers of series and job, n, median, mad, least, largest
    values: list[tuple[int, int, int, float, float, float, float]]


class Stored(NamedTuple):
    """What became of an upload: its hash, whether it is new, and how many of its jobs are."""

    hash: str
    new: bool
    jobs: int


class Storing(NamedTuple):
    """What a process needs to store an upload: plain values, which JSON can hold."""

    url: str  # the address of the database, with its password
    project_id: int  # the project
    # token_id, who: the number and the name of the token that brought it
    token_id: int | None
    who: str
    address: str  # the address of the client
    new_unit: bool  # whether series may have another unit than before


def examine(path: Path, project: str, limits: Limits) -> Examined:
    """Read an upload, which has to be of a project, in this process.

    Raises ``Stop`` if it is not an upload, or that of another project.
    """
    values = min(limits.values, _MOST_VALUES)
    native = _native.Catalog.read([path], most(limits._replace(values=values)))
    for _, why in native.refused:
        if why.endswith(_TOO_MUCH):
            allowed = f"{values:,} values and {limits.bytes:,} bytes"
            raise Stop("too-large", f"the upload: {why}, which are {allowed}. Send fewer jobs at once")
        raise Stop("bad-upload", f"the upload: {why}")
    jobs = from_json(native.jobs[0], "the upload")
    for _, job in jobs:
        if job.project != project:
            raise Stop("other-project", f"the upload is of the project {job.project}, and this is {project}")
    found = [Series(*each) for each in native.series]
    rows = [(number, *entry) for number in range(len(found)) for entry in native.summaries(number)]
    if why := _wrong(native.jobs[0], jobs, found, rows):
        raise Stop("bad-upload", f"the upload: {why}")
    return Examined(jobs, found, rows)


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


class _Refusal(Stop):
    """What a process says of an upload, after which it is ready for another one."""


def _said(process: subprocess.Popen[str], line: str) -> Iterator[tuple[str, Any]]:
    """Send a line to a process; yield what it answers, until it ends."""
    if not process.stdin or not process.stdout:
        return
    with suppress(BrokenPipeError):
        process.stdin.write(line + "\n")
        process.stdin.flush()
    for answer in process.stdout:
        if not answer.endswith("\n"):
            return
        what, content = json.loads(answer)
        yield what, content


class Examiner:
    """Processes that examine uploads, started when they are needed: at most as many as ask at the same time."""

    def __init__(self, memory: int = MEMORY, seconds: float = SECONDS, large: int = LARGE) -> None:
        """Take the bytes and the seconds that an upload may take, and the values up to which the server stores it."""
        self._words = [str(memory), str(seconds), str(large)]
        self._too_much = Stop(
            "too-large",
            f"the upload cannot be decoded within {memory >> 20:,} MiB of memory and {seconds:g} seconds. "
            "Send fewer jobs at once",
        )
        self._idle: list[subprocess.Popen[str]] = []
        self._lock = threading.Lock()
        # Each takes memory, and the database stores one after another.
        self._storing = threading.Lock()

    def examine(self, path: Path, project: str, limits: Limits) -> Examined:
        """Read an upload, which has to be of a project.

        Raises ``Stop`` if it is not an upload, or that of another project, or takes too much memory or time.
        """
        found = self.taken(path, project, limits, None)
        if isinstance(found, Stored):
            raise TypeError("nobody asked to store it")
        return found

    def taken(self, path: Path, project: str, limits: Limits, storing: Storing | None) -> Examined | Stored:
        """Read an upload, as ``examine`` does; with ``storing``, one of very many values is stored there and then.

        Raises ``Stop`` as ``examine``, or if it cannot be stored.
        """
        process = self._free()
        line = json.dumps([os.fspath(path), project, list(limits), storing is not None])
        try:
            found, is_last = self._asked(process, line, storing)
        except Stop as stop:
            # Only what the process itself says of an upload leaves it whole.
            self._put_back(process) if isinstance(stop, _Refusal) else self._end(process)
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

    def _asked(
        self, process: subprocess.Popen[str], line: str, storing: Storing | None
    ) -> tuple[Examined | Stored, bool]:
        found = Examined([], [], [])
        # Short pieces: the interpreter serves others in between.
        for what, content in _said(process, line):
            if what == "stop":
                raise _Refusal(*content)
            if what == "large" and storing:
                return self._stored(process, storing)
            if what == "end":
                return found, content
            if what == "job":
                found.jobs.extend(from_json(content, "the upload"))
            elif what == "series":
                found.series.extend(Series(*each) for each in content)
            else:
                found.values.extend(map(tuple, content))
        raise self._too_much

    def _stored(self, process: subprocess.Popen[str], storing: Storing) -> tuple[Stored, bool]:
        """Let a process store what it has read."""
        if not self._storing.acquire(timeout=_PATIENCE):
            raise Stop("server-busy", "other large uploads are being stored. Send it again later")
        try:
            for what, content in _said(process, json.dumps(storing)):
                if what == "stop":
                    raise Stop(*content)
                # What it held is not given back for certain, and it has no limits any longer.
                return Stored(*content), True
        finally:
            self._storing.release()
        raise Stop("server-defect", "the server failed to store the upload; its log says why")

    def _free(self) -> subprocess.Popen[str]:
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.poll() is None:
                    return process
                self._end(process)
        # In a group of its own: the key that ends the server in a terminal does not reach it.
        return subprocess.Popen(  # noqa: S603 - own
            [sys.executable, "-m", _PROCESS, *self._words],
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
