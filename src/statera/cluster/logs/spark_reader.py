"""Reads hosts on the executors of Spark: one task per host writes its events to the directory of all events."""

from __future__ import annotations

import json
import os
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

from statera import __version__, _native
from statera.cluster.logs.events import VERSION, read_hosts
from statera.cluster.logs.spark_session import absolute
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping as Of
    from pathlib import Path

    from statera.cluster.logs.events import Reader, Wanted
    from statera.cluster.logs.files import LogFile
    from statera.cluster.logs.mapping import Mapping
    from statera.cluster.logs.spark_session import Session

LARGEST = 64 * 2**20
"""The largest file, in bytes, that this process reads if no executor can open it."""


class _Task(NamedTuple):
    """A host to read."""

    plan: Mapping  # the mapping, by which lines become events
    host: str  # its name
    files: tuple[LogFile, ...]  # its log files
    place: Path  # the directory of all events
    mark: Path  # a file there, by which executors recognise the directory


def reader(session: Session) -> Reader:
    """Return a reader that uses the executors; small files that they cannot open are read in this process."""

    def read(plan: Mapping, wanted: Wanted, place: Path) -> None:
        if not wanted:
            return
        mark = place / f".mark-{uuid.uuid4().hex}"
        mark.touch()
        try:
            tasks = [_task(plan, host, files, mark) for host, files in wanted.items()]
            closed = _looked(session, tasks)
            _refuse_large(closed, wanted)
            closed |= _read(session, [task for task in tasks if task.host not in closed])
            _refuse_large(closed, wanted)
        finally:
            mark.unlink(missing_ok=True)
        read_hosts(plan, {host: wanted[host] for host in wanted if host in closed}, place)

    return read


def _task(plan: Mapping, host: str, files: tuple[LogFile, ...], mark: Path) -> _Task:
    """Build a task with absolute paths, as executors have another working directory; links stay unresolved."""
    full = tuple(file._replace(path=absolute(file.path)) for file in files)
    mark = absolute(mark)
    return _Task(plan, host, full, mark.parent, mark)


def _looked(session: Session, tasks: list[_Task]) -> dict[str, str]:
    """Check on the executors that they can work; return the hosts with a file that they cannot open, and why."""
    closed: dict[str, str] = {}
    for task, text in zip(tasks, session.each(look, tasks), strict=True):
        answer = json.loads(text)
        if answer["version"] != [__version__, VERSION]:
            raise Stop(
                "spark-executors",
                f"{answer['machine']} has statera {answer['version'][0]}, not {__version__}: install it there",
            )
        if answer["place"]:
            raise Stop(
                "not-shared",
                f"{task.place}: the executor on {answer['machine']} cannot write there ({answer['place']}); OUT must "
                "be a directory that all machines share",
            )
        if answer["closed"]:
            closed[task.host] = f"the executor on {answer['machine']}: {answer['closed']}"
    return closed


def _read(session: Session, tasks: list[_Task]) -> dict[str, str]:
    """Read on the executors; return the hosts that were not read, as a machine could not open a file, and why."""
    closed: dict[str, str] = {}
    for task, text in zip(tasks, session.each(read_task, tasks), strict=True):
        answer = json.loads(text)
        if "stop" in answer:
            raise Stop(*answer["stop"])
        if "trouble" in answer:
            raise OSError(*answer["trouble"])
        if "closed" in answer:
            closed[task.host] = f"the executor on {answer['machine']}: {answer['closed']}"
    return closed


def _refuse_large(closed: Of[str, str], wanted: Wanted) -> None:
    for host, why in closed.items():
        for file in wanted[host]:
            if file.size > LARGEST:
                raise Stop(
                    "not-shared",
                    f"{file.path} of {host} has {file.size / 2**20:.0f} MiB and cannot be read by {why}. Put it where "
                    f"all machines can open it by this path (files up to {LARGEST // 2**20} MiB are read here)",
                )


def look(task: _Task) -> str:
    """Check, on an executor, whether it can read a host; return the answer as JSON."""
    return json.dumps(
        {
            "machine": os.uname().nodename,
            "version": [__version__, VERSION],
            "place": _unwritable(task),
            "closed": _closed(task),
        }
    )


def read_task(task: _Task) -> str:
    """Read a host on an executor, on one core; return what went wrong as JSON."""
    answer: dict[str, Any] = {"machine": os.uname().nodename}
    why = _closed(task)
    if why:
        return json.dumps(answer | {"closed": why})
    _native.set_jobs(1)
    try:
        read_hosts(task.plan, {task.host: task.files}, task.place)
    except OSError as error:
        answer["trouble"] = [error.errno, error.strerror or str(error)]
    except Stop as stop:
        answer["stop"] = [stop.code, str(stop)]
    return json.dumps(answer)


def _unwritable(task: _Task) -> str:
    """Explain why the directory of events cannot be written; empty if it can."""
    try:
        task.mark.stat()
        own = task.place / f".mark-{uuid.uuid4().hex}"
        own.touch()
        own.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _closed(task: _Task) -> str:
    """Describe the first file that cannot be opened or differs here; empty if there is none."""
    for file in task.files:
        try:
            with file.path.open("rb"):
                size = file.path.stat().st_size
        except OSError as error:
            return f"{file.path}: {error.strerror or error}"
        if size != file.size:
            return f"{file.path}: has {size} bytes there, not {file.size}"
    return ""
