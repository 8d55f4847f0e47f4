"""A run of a chain: its description (run.json, or the files of the workbench), its logs, its events.

Every value of the description that is used is checked here.
"""

from __future__ import annotations

from dataclasses import dataclass
from sys import float_info
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.cluster.logs import mapping as mappings
from statera.cluster.logs.events import Events, read_hosts, read_logs
from statera.cluster.logs.files import MOST_FILES, Logs, find_logs, json_object, problem
from statera.support.errors import Problem, Stop

if TYPE_CHECKING:
    from pathlib import Path

    from statera.cluster.logs.events import Reader


# The first file that exists is used.
GENESIS = (
    "genesis/genesis.shelley.json", "genesis.shelley.json", "genesis/genesis-shelley.json", "genesis-shelley.json",
    "genesis/shelley.json",
)  # fmt: skip

COMPONENTS = (
    "cardano-node", "ouroboros-consensus", "ouroboros-network", "cardano-ledger-core", "plutus-core", "cardano-crypto",
    "cardano-prelude",
)  # fmt: skip
# Each value of the workload: its title, and where the workbench states it.
_WORKLOAD = {
    "delegators": ("Delegation map size", "genesis", "delegators"),
    "utxo": ("Stuffed UTxO size", "genesis", "utxo"),
    "dreps": ("DRep count", "genesis", "dreps"),
    "addTxSize": ("Extra tx payload", "generator", "add_tx_size"),
    "inputsPerTx": ("Tx inputs", "generator", "inputs_per_tx"),
    "outputsPerTx": ("Tx outputs", "generator", "outputs_per_tx"),
    "tps": ("TPS", "generator", "tps"),
    "txCount": ("Transaction count", "generator", "tx_count"),
    "plutusScript": ("Plutus script", "plutus", "script"),
}
WORKLOAD = {key: title for key, (title, *_) in _WORKLOAD.items()}
_TIMING = ("systemStart", "slotLength", "epochLength")
_AMOUNTS = ("securityParam", "activeSlotsCoeff", "maxBlockBodySize")
_FACTS = ("identifier", "batch", "profile", "era", "ghcVersion", "analysisDate", "systemStart", *_AMOUNTS)
# Longer slots or epochs are mistakes, and would overflow.
_LONGEST = 3e9
_LONGEST_EPOCH = 2**53


def of_workbench(meta_json: dict[str, Any], genesis: dict[str, Any]) -> dict[str, Any]:
    """Translate the two files; facts that they do not state are absent."""
    meta = _inner(meta_json, "meta")
    profile = _inner(meta, "profile_content")
    generator = _inner(profile, "generator")
    components = _inner(meta, "manifest")
    places = {"genesis": _inner(profile, "genesis"), "generator": generator, "plutus": _inner(generator, "plutus")}
    workload = {key: places[place].get(name) for key, (_, place, name) in _WORKLOAD.items()}
    if workload["plutusScript"] is None and generator.get("plutusMode") is generator.get("plutusAutoMode") is True:
        workload["plutusScript"] = "Loop"
    return {
        **{key: genesis.get(key) for key in (*_TIMING, "securityParam", "activeSlotsCoeff")},
        "maxBlockBodySize": _inner(genesis, "protocolParams").get("maxBlockBodySize"),
        "identifier": _first(meta.get("ident"), _inner(components, "cardano-node").get("version")),
        "batch": meta.get("batch"),
        "profile": meta.get("profile"),
        "era": _first(meta.get("era"), profile.get("era"), generator.get("era")),
        "ghcVersion": meta.get("ghc_version"),
        "components": components,
        "workload": workload,
        "filters": _inner(profile, "analysis").get("filters"),
    }


def _first(*values: object) -> object:
    return next((value for value in values if value is not None), None)


def _inner(value: dict[str, Any], key: str) -> dict[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


@dataclass(frozen=True, slots=True)
class Timing:
    """The division of a run's time into slots and epochs."""

    system_start: int  # ns since the Unix epoch
    slot_length: int  # ns
    epoch_length: int  # slots


def description(path: Path, warnings: list[Problem]) -> dict[str, Any]:
    """Return the description in the form of run.json, from whichever files hold it."""
    own = path / "run.json"
    if own.is_file():
        return json_object(own)
    meta = path / "meta.json"
    genesis = next((path / name for name in GENESIS if (path / name).is_file()), None)
    if genesis is None:
        wanted = ", ".join(GENESIS)
        raise Stop("run-description", f"{path}: has neither run.json nor a genesis file (looked for {wanted})")
    if not meta.is_file():
        warnings.append(
            problem(path, "no run.json and no meta.json: the versions and the workload of the run are unknown")
        )
    return of_workbench(json_object(meta) if meta.is_file() else {}, json_object(genesis))


def timing(path: Path, stated: dict[str, Any]) -> Timing:
    """Return the start of the system and the lengths of slots and epochs."""
    absent = [key for key in _TIMING if stated.get(key) is None]
    if absent:
        raise Stop("run-description", f"{path}: the description of the run has no {', '.join(absent)}")
    start, slot, epoch = (stated[key] for key in _TIMING)
    at = _native.log_time(start) if isinstance(start, str) else None
    if at is None:
        raise Stop("run-description", f"{path}: systemStart {start!r} is not a time such as 2025-02-14T18:40:58Z")
    length = round(slot * 1e9) if is_number(slot) and 0 < slot < _LONGEST else 0
    if length <= 0:
        raise Stop("run-description", f"{path}: slotLength {slot!r} is not a positive number of seconds")
    if not is_number(epoch) or not 1 <= epoch <= _LONGEST_EPOCH or epoch != int(epoch):
        raise Stop("run-description", f"{path}: epochLength {epoch!r} is not a positive number of slots")
    return Timing(at, length, int(epoch))


def is_number(value: object) -> bool:
    """Return whether a value of a JSON document is a number that a double can hold (not a boolean)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Logs):
    """A run of a chain, with the description in its own files; what that does not state is None."""

    timing: Timing  # the start of the system and the lengths of slots and epochs
    facts: dict[str, Any]  # the values of ``_FACTS``, as written
    components: dict[str, dict[str, Any]]  # the ``version`` and ``commit`` of each of ``COMPONENTS``
    workload: dict[str, Any]  # the values of ``WORKLOAD``
    filters: list[Any] | None  # the filters as written: conditions or names


def open_run(path: Path, most_files: int = MOST_FILES) -> Run:
    """Find the logs and the description of a run of a chain in its directory.

    Raises ``Stop`` if the directory does not exist, has no usable description, no host, or more files than
    ``most_files``.
    """
    if not path.is_dir():
        raise Stop("missing-file", f"{path}: there is no such directory")
    warnings: list[Problem] = []
    stated = description(path, warnings)
    logs = find_logs(path, stated, warnings, most_files)
    time, filters = timing(path, stated), stated.get("filters")
    for key in _AMOUNTS:
        value = stated.get(key)
        if value is not None and not (is_number(value) and 0 <= value <= _LONGEST_EPOCH):
            raise Stop("run-description", f"{path}: {key} {value!r} is not a number of 0 or more")
    if filters is not None and not isinstance(filters, list):
        raise Stop("run-description", f"{path}: filters {filters!r} is not a list of names and conditions")
    components = {name: _inner(_inner(stated, "components"), name) for name in COMPONENTS}
    return Run(
        path=path,
        hosts=logs.hosts,
        files=logs.files,
        ignored=logs.ignored,
        warnings=logs.warnings,
        timing=time,
        facts={key: stated.get(key) for key in _FACTS},
        components={name: {key: of.get(key) for key in ("version", "commit")} for name, of in components.items()},
        workload={key: _inner(stated, "workload").get(key) for key in WORKLOAD},
        filters=filters,
    )


@dataclass(frozen=True, slots=True)
class RunEvents(Events):
    """The events of a run of a chain."""

    run: Run  # the run, with its description


def read_run(
    path: Path,
    out: Path,
    mapping: str | Path = mappings.DEFAULT,
    reader: Reader = read_hosts,
    most_files: int = MOST_FILES,
) -> RunEvents:
    """Read every host of a run, or use its events of an earlier analysis in ``out``/events/.

    Raises ``Stop`` if the run has no usable description or host, or ``out`` cannot be written (a full disk).
    """
    plan = mappings.load(mapping)
    run = open_run(path, most_files)
    read = read_logs(run, out, plan, reader)
    return RunEvents(read.mapping, read.hosts, read.warnings, run)
