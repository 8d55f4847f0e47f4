"""What a run is: its hosts and their log files, and how it describes itself. Nothing of a log is read here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from statera.cluster import description
from statera.cluster.layout import LogFile, layout
from statera.errors import Problem, Stop

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.cluster.description import Timing


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """The logs of a cluster.

    Attributes:
        path: the directory.
        hosts: the cluster, in the order of the description, else in byte order.
        files: the log files of each host, in reading order; a host without any has an empty tuple.
        ignored: hosts that have logs but are not in the description.
        warnings: what is unusual about all this.

    """

    path: Path
    hosts: tuple[str, ...]
    files: dict[str, tuple[LogFile, ...]]
    ignored: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Logs):
    """A run of a chain, as its own files describe it.

    Attributes:
        timing: when slots and epochs begin.
        facts: identifier, batch, profile, era, ghcVersion, analysisDate, systemStart (as written), securityParam,
            activeSlotsCoeff, maxBlockBodySize; null where the description has none.
        components: for each of ``COMPONENTS`` its ``version`` and ``commit``, null where unknown.
        workload: for each of ``WORKLOAD`` its value, null where unknown.
        filters: the filters as written (conditions or names); null where the description has none.

    """

    timing: Timing
    facts: dict[str, Any]
    components: dict[str, dict[str, Any]]
    workload: dict[str, Any]
    filters: list[Any] | None


def open_logs(path: Path) -> Logs:
    """Find the logs of any system in a directory; its run.json, if there is one, may name the hosts.

    Raises:
        Stop: there is no such directory, or no host.

    """
    _check(path)
    own = path / "run.json"
    return _logs(path, description.object_of(own) if own.is_file() else {}, [])


def open_run(path: Path) -> Run:
    """Find out what the directory of a run of a chain holds.

    Raises:
        Stop: there is no such directory, no usable description, or no host.

    """
    _check(path)
    warnings: list[Problem] = []
    described = description.described(path, warnings)
    logs = _logs(path, described, warnings)
    return Run(
        path=path,
        hosts=logs.hosts,
        files=logs.files,
        ignored=logs.ignored,
        warnings=logs.warnings,
        timing=description.timing(path, described),
        facts=description.facts(path, described),
        components=description.components(described),
        workload=description.workload(described),
        filters=description.filters(path, described),
    )


def _check(path: Path) -> None:
    if not path.is_dir():
        raise Stop("missing-file", f"{path}: there is no such directory")


def _logs(path: Path, described: dict[str, Any], warnings: list[Problem]) -> Logs:
    found, unread, empty = layout(path)
    named = _named_hosts(path, described, warnings)
    hosts = named if named is not None else tuple(found)
    if not hosts:
        also = f"; {_listed(unread)} {_NO_LOG}" if unread else ""
        raise Stop("no-hosts", f"{path}: no logs of any host; expected {path}/HOST/*.json or {path}/HOST.json{also}")
    ignored = tuple(host for host in found if host not in hosts)
    unnamed = "has logs but is not among the hosts of run.json"
    warnings += [Problem("ignored-host", str(path), 0, f"{host} {unnamed}", "") for host in ignored]
    warnings += [
        Problem("host-without-logs", str(path), 0, f"{host!r} has no log file", "")
        for host in hosts
        if host not in found
    ]
    if empty and named is None:
        what = f"{_listed(empty)} {'has' if len(empty) == 1 else 'have'} no log file: taken for no host"
        warnings.append(Problem("ignored-host", str(path), 0, what, ""))
    if unread:
        warnings.append(Problem("ignored-file", str(path), 0, f"{_listed(unread)} {_NO_LOG}", ""))
    files = {host: found.get(host, ()) for host in hosts}
    return Logs(path=path, hosts=hosts, files=files, ignored=ignored, warnings=tuple(warnings))


_NO_LOG = "not read: a log is a file that ends in .json, .jsonl or .log, also with .gz or .zst, or begins with stdout"
_SHOWN = 5


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _named_hosts(path: Path, described: dict[str, Any], warnings: list[Problem]) -> tuple[str, ...] | None:
    named = described.get("hosts")
    if named is None:
        return None
    if not isinstance(named, list) or not all(isinstance(host, str) for host in named):
        raise Stop("run-description", f"{path / 'run.json'}: hosts is no list of names")
    if not named:
        warnings.append(description.problem(path, "the list of hosts is empty: all hosts that have logs are taken"))
        return None
    return tuple(dict.fromkeys(named))
