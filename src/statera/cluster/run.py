"""What a run is: its hosts and their log files, and how it describes itself. Nothing of a log is read here."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.cluster import workbench
from statera.cluster.layout import LogFile, log_files
from statera.errors import Problem, Stop

if TYPE_CHECKING:
    from pathlib import Path

COMPONENTS = (
    "cardano-node",
    "ouroboros-consensus",
    "ouroboros-network",
    "cardano-ledger-core",
    "plutus-core",
    "cardano-crypto",
    "cardano-prelude",
)
WORKLOAD = (
    "delegators",
    "utxo",
    "dreps",
    "addTxSize",
    "inputsPerTx",
    "outputsPerTx",
    "tps",
    "txCount",
    "plutusScript",
)


@dataclass(frozen=True, slots=True)
class Timing:
    """How the run's time is divided.

    Attributes:
        system_start: ns since the Unix epoch.
        slot_length: ns.
        epoch_length: slots.

    """

    system_start: int
    slot_length: int
    epoch_length: int


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
    return _logs(path, object_of(own) if own.is_file() else {}, [])


def open_run(path: Path) -> Run:
    """Find out what the directory of a run of a chain holds.

    Raises:
        Stop: there is no such directory, no usable description, or no host.

    """
    _check(path)
    warnings: list[Problem] = []
    described = _described(path, warnings)
    logs = _logs(path, described, warnings)
    return Run(
        path=path,
        hosts=logs.hosts,
        files=logs.files,
        ignored=logs.ignored,
        warnings=logs.warnings,
        timing=_timing(path, described),
        facts={key: described.get(key) for key in _FACTS},
        components={name: _component(described, name) for name in COMPONENTS},
        workload={key: _mapping(described, "workload").get(key) for key in WORKLOAD},
        filters=described["filters"] if isinstance(described.get("filters"), list) else None,
    )


def _check(path: Path) -> None:
    if not path.is_dir():
        raise Stop("missing-file", f"{path}: there is no such directory")


def _logs(path: Path, described: dict[str, Any], warnings: list[Problem]) -> Logs:
    found = log_files(path)
    named = _named_hosts(path, described, warnings)
    hosts = named if named is not None else tuple(found)
    if not hosts:
        raise Stop("no-hosts", f"{path}: no logs of any host; expected {path}/HOST/*.json or {path}/HOST.json")
    ignored = tuple(host for host in found if host not in hosts)
    unnamed = "has logs but is not among the hosts of run.json"
    warnings += [Problem("ignored-host", str(path), 0, f"{host} {unnamed}", "") for host in ignored]
    warnings += [
        Problem("host-without-logs", str(path), 0, f"{host} has no log file", "") for host in hosts if host not in found
    ]
    files = {host: found.get(host, ()) for host in hosts}
    return Logs(path=path, hosts=hosts, files=files, ignored=ignored, warnings=tuple(warnings))


_FACTS = (
    "identifier",
    "batch",
    "profile",
    "era",
    "ghcVersion",
    "analysisDate",
    "systemStart",
    "securityParam",
    "activeSlotsCoeff",
    "maxBlockBodySize",
)


def _problem(path: Path, what: str) -> Problem:
    return Problem("run-description", str(path), 0, what, "")


def _described(path: Path, warnings: list[Problem]) -> dict[str, Any]:
    """Give the description in the form of run.json, whichever files it comes from."""
    own = path / "run.json"
    if own.is_file():
        return object_of(own)
    meta = path / "meta.json"
    genesis = next((path / name for name in workbench.GENESIS if (path / name).is_file()), None)
    if genesis is None:
        wanted = ", ".join(workbench.GENESIS)
        raise Stop("run-description", f"{path}: neither run.json nor a genesis (looked for {wanted})")
    if not meta.is_file():
        warnings.append(_problem(path, "no run.json and no meta.json: what was run is unknown"))
    return workbench.description(object_of(meta) if meta.is_file() else {}, object_of(genesis))


def object_of(path: Path) -> dict[str, Any]:
    """Read a JSON file that must hold an object.

    Raises:
        Stop: it cannot be read, or holds something else.

    """
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise Stop("run-description", f"{path}: cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise Stop("run-description", f"{path}: holds no JSON object")
    return value


def _named_hosts(path: Path, described: dict[str, Any], warnings: list[Problem]) -> tuple[str, ...] | None:
    named = described.get("hosts")
    if named is None:
        return None
    if not isinstance(named, list) or not all(isinstance(host, str) for host in named):
        raise Stop("run-description", f"{path / 'run.json'}: hosts is no list of names")
    if not named:
        warnings.append(_problem(path, "the list of hosts is empty: all hosts that have logs are taken"))
        return None
    return tuple(dict.fromkeys(named))


def _timing(path: Path, described: dict[str, Any]) -> Timing:
    absent = [key for key in ("systemStart", "slotLength", "epochLength") if described.get(key) is None]
    if absent:
        raise Stop("run-description", f"{path}: the description of the run has no {', '.join(absent)}")
    start, slot, epoch = (described[key] for key in ("systemStart", "slotLength", "epochLength"))
    at = _native.log_time(start) if isinstance(start, str) else None
    if at is None:
        raise Stop("run-description", f"{path}: systemStart {start!r} is no time such as 2025-02-14T18:40:58Z")
    length = round(slot * 1e9) if is_number(slot) and 0 < slot < _LONGEST else 0
    if length <= 0:
        raise Stop("run-description", f"{path}: slotLength {slot!r} is no positive number of seconds")
    if not is_number(epoch) or epoch < 1 or epoch != int(epoch):
        raise Stop("run-description", f"{path}: epochLength {epoch!r} is no positive number of slots")
    return Timing(at, length, int(epoch))


# A slot of a century is a mistake, and would overflow.
_LONGEST = 3e9


def is_number(value: object) -> bool:
    """Tell whether a value of a JSON document is a number (booleans are none)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mapping(described: dict[str, Any], key: str) -> dict[str, Any]:
    value = described.get(key)
    return value if isinstance(value, dict) else {}


def _component(described: dict[str, Any], name: str) -> dict[str, Any]:
    stated = _mapping(_mapping(described, "components"), name)
    return {"version": stated.get("version"), "commit": stated.get("commit")}
