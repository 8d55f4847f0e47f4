"""Which logs exist: the hosts of a cluster, and the log files of each. The logs themselves are not read here."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import isinf
from typing import TYPE_CHECKING, Any, NoReturn

from statera.cluster.logs.files import Layout, LogFile, layout, once
from statera.support.errors import Problem, Stop
from statera.support.wording import form, listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def problem(path: Path, what: str) -> Problem:
    """Return a warning about the description of a run."""
    return Problem("run-description", str(path), 0, what, "")


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"{text} is too large")
    return value


def json_object(path: Path) -> dict[str, Any]:
    """Read a JSON file that must hold an object.

    Raises:
        Stop: it cannot be read, is not a JSON object, or holds text that cannot be encoded.

    """
    try:
        value = json.loads(path.read_bytes(), parse_constant=_constant, parse_float=_finite)
        # JSON may hold lone surrogates, which cannot be encoded.
        json.dumps(value, ensure_ascii=False).encode()
    except (OSError, ValueError, RecursionError) as error:
        raise Stop("run-description", f"{path}: cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise Stop("run-description", f"{path}: is not a JSON object")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """The logs of a cluster."""

    path: Path  # the directory
    hosts: tuple[str, ...]  # the hosts, in the order of the description, else in byte order
    # the log files of each host, in reading order; an empty tuple for a host without log files.
    files: dict[str, tuple[LogFile, ...]]
    ignored: tuple[str, ...] = ()  # hosts that have logs but are not in the description
    warnings: tuple[Problem, ...] = field(default=())  # unusual findings


def check_directory(path: Path) -> None:
    """Refuse a path that is not a directory."""
    if not path.is_dir():
        raise Stop("missing-file", f"{path}: there is no such directory")


def find_logs(path: Path, described: dict[str, Any], warnings: list[Problem], most_files: int) -> Logs:
    """Find the logs of the hosts that a description names, or of all hosts with logs; append to ``warnings``."""
    found = layout(path, most_files)
    named = _named_hosts(path, described, warnings)
    files, repeated = once({host: found.logs.get(host, ()) for host in (found.logs if named is None else named)})
    hosts = named if named is not None else tuple(host for host in files if files[host])
    if not hosts:
        raise _no_hosts(path, found)
    ignored = tuple(host for host in found.logs if host not in files)

    def warn(code: str, what: str) -> None:
        warnings.append(Problem(code, str(path), 0, what, ""))

    for host in ignored:
        warn("ignored-host", f"{host} has logs but is not among the hosts of run.json")
    for host in hosts:
        if not files[host]:
            warn("host-without-logs", f"{host!r} has no log file")
    for host, why in found.closed.items():
        warn(
            "ignored-host",
            f"{host} cannot be opened ({why}): none of its logs is read. Change the permissions and analyse again",
        )
    if found.empty and named is None:
        have = form(len(found.empty), "has", "have")
        warn("ignored-host", f"{_listed(found.empty)} {have} no log file: not counted as a host")
    for why, names in found.unread.items():
        warn("ignored-file", f"{_listed(names)} {why}")
    if repeated:
        warn("ignored-file", f"{_listed([f'{file.name} ({one.name})' for file, one in repeated])} {_AGAIN}")
    files = {host: files[host] for host in hosts}
    return Logs(path=path, hosts=hosts, files=files, ignored=ignored, warnings=tuple(warnings))


def _no_hosts(path: Path, found: Layout) -> Stop:
    also = "".join(f"; {_listed(names)} {why}" for why, names in found.unread.items())
    also += "".join(f"; {host} cannot be opened: {why}" for host, why in found.closed.items())
    return Stop("no-hosts", f"{path}: no logs of any host; expected {path}/HOST/*.json or {path}/HOST.json{also}")


_AGAIN = "not read: the same file as the one in brackets, reached by a link"
_SHOWN = 5


def _listed(names: Sequence[str]) -> str:
    return listed(names, _SHOWN)


def _named_hosts(path: Path, described: dict[str, Any], warnings: list[Problem]) -> tuple[str, ...] | None:
    named = described.get("hosts")
    if named is None:
        return None
    if not isinstance(named, list) or not all(isinstance(host, str) for host in named):
        raise Stop("run-description", f"{path / 'run.json'}: hosts must be a list of names")
    if not named:
        warnings.append(problem(path, "the list of hosts is empty: all hosts that have logs are used"))
        return None
    return tuple(dict.fromkeys(named))
