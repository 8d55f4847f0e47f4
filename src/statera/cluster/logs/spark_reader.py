"""Reads hosts on the executors of Spark: a task per host returns its events, and this process writes them.

So executors share no directory with this process: a host's events are a thirtieth of its text.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, NamedTuple

from statera import __version__, _native
from statera.cluster.logs.directories import directory_name, partial, replace, scratch_directory
from statera.cluster.logs.events import VERSION, read_hosts
from statera.support.errors import Stop
from statera.support.files import hadoop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Mapping as Of
    from pathlib import Path

    from statera.cluster.logs.events import Reader, Wanted
    from statera.cluster.logs.files import LogFile
    from statera.cluster.logs.mapping import Mapping
    from statera.cluster.logs.spark_session import Session

LARGEST = 64 * 2**20
"""The largest file, in bytes, that this process reads if no executor can open it."""
AT_ONCE = 4 * 2**30
"""The bytes of logs whose events Spark brings here at once: about 150 MB of events, of the 1 GB that it allows."""
_COMPRESSION = 16
_HERE = (__version__, VERSION)


class _Task(NamedTuple):
    """A host to read."""

    version: tuple[str, int]  # of this process
    plan: Mapping  # the mapping, by which lines become events
    host: str  # its name
    files: tuple[LogFile, ...]  # its log files, with absolute paths: executors have another working directory
    settings: Of[str, str]  # those of Spark that files of Hadoop need


class _Answer(NamedTuple):
    """What became of a task."""

    machine: str  # where it ran
    version: tuple[str, int]  # of statera there
    closed: str = ""  # why a file cannot be opened there
    stop: tuple[str, str] = ("", "")  # an error: its code and its text
    trouble: tuple[int, str] = (0, "")  # an error of the system: its number and its text
    events: Of[str, bytes] = {}  # the files of the host's events, by name


def reader(session: Session) -> Reader:
    """Return a reader that uses the executors; small files that they cannot open are read in this process."""

    def read(plan: Mapping, wanted: Wanted, place: Path) -> None:
        settings = session.settings()
        closed: dict[str, str] = {}
        for hosts in _shares(wanted):
            full = {host: tuple(file._replace(path=file.path.absolute()) for file in wanted[host]) for host in hosts}
            tasks = [_Task(_HERE, plan, host, files, settings) for host, files in full.items()]
            for host, answer in zip(hosts, session.each(read_task, tasks), strict=True):
                if answer.closed:
                    closed[host] = f"the executor on {answer.machine}: {answer.closed}"
                else:
                    _keep(answer, place, host)
            _refuse_large(closed, wanted)
        read_hosts(plan, {host: wanted[host] for host in wanted if host in closed}, place)

    return read


def _shares(wanted: Wanted) -> Iterator[list[str]]:
    """Part hosts so that the events of a part can be brought here at once."""
    part: list[str] = []
    held = 0
    for host, files in wanted.items():
        size = sum(file.size * (_COMPRESSION if file.name.endswith((".gz", ".zst")) else 1) for file in files)
        if part and held + size > AT_ONCE:
            yield part
            part, held = [], 0
        part.append(host)
        held += size
    if part:
        yield part


def _keep(answer: _Answer, place: Path, host: str) -> None:
    """Write the events of a host, or raise what happened on the executor."""
    if answer.version != _HERE:
        raise Stop(
            "spark-executors", f"{answer.machine} has statera {answer.version[0]}, not {__version__}: install it there"
        )
    if answer.stop[0]:
        raise Stop(*answer.stop)
    if answer.trouble[0]:
        raise OSError(*answer.trouble)
    made = partial(place, host)
    for name, content in answer.events.items():
        (made / name).write_bytes(content)
    replace(made, place / directory_name(host))


def _refuse_large(closed: Of[str, str], wanted: Wanted) -> None:
    for host, why in closed.items():
        for file in wanted[host]:
            if file.size > LARGEST:
                raise Stop(
                    "not-shared",
                    f"{file.path} of {host} has {file.size / 2**20:.0f} MiB and cannot be read by {why}. Put it where "
                    f"all machines can open it by this path (files up to {LARGEST // 2**20} MiB are read here)",
                )


def read_task(task: _Task) -> _Answer:
    """Read a host on an executor, on one core."""
    answer = _Answer(os.uname().nodename, _HERE)
    if task.version != _HERE:
        return answer
    with scratch_directory() as scratch:
        try:
            if any(isinstance(file.path, hadoop.Remote) for file in task.files):
                hadoop.start(task.settings, scratch)
            if why := _closed(task.files):
                return answer._replace(closed=why)
            _native.set_jobs(1)
            read_hosts(task.plan, {task.host: task.files}, scratch)
        except OSError as error:
            return answer._replace(trouble=(error.errno or errno.EIO, error.strerror or str(error)))
        except Stop as stop:
            return answer._replace(stop=(stop.code, str(stop)))
        made = scratch / directory_name(task.host)
        return answer._replace(events={file.name: file.read_bytes() for file in made.iterdir()})


def _closed(files: Sequence[LogFile]) -> str:
    """Describe the first file that cannot be opened or differs here; empty if there is none."""
    for file in files:
        try:
            size = file.path.stat().st_size
            if not isinstance(file.path, hadoop.Remote):
                file.path.open("rb").close()
        except OSError as error:
            return f"{file.path}: {error.strerror or error}"
        if size != file.size:
            return f"{file.path}: has {size} bytes there, not {file.size}"
    return ""
