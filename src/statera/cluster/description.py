"""The description of a run: run.json, or the files of the workbench. Every value that is used is checked here."""

from __future__ import annotations

from dataclasses import dataclass
from sys import float_info
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.cluster import workbench
from statera.cluster.logs.run_json import object_of, problem
from statera.support.errors import Problem, Stop

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
_AMOUNTS = ("securityParam", "activeSlotsCoeff", "maxBlockBodySize")
# Longer slots or epochs are mistakes, and would overflow.
_LONGEST = 3e9
_LONGEST_EPOCH = 2**53


@dataclass(frozen=True, slots=True)
class Timing:
    """The division of a run's time into slots and epochs.

    Attributes:
        system_start: ns since the Unix epoch.
        slot_length: ns.
        epoch_length: slots.

    """

    system_start: int
    slot_length: int
    epoch_length: int


def described(path: Path, warnings: list[Problem]) -> dict[str, Any]:
    """Return the description in the form of run.json, from whichever files hold it."""
    own = path / "run.json"
    if own.is_file():
        return object_of(own)
    meta = path / "meta.json"
    genesis = next((path / name for name in workbench.GENESIS if (path / name).is_file()), None)
    if genesis is None:
        wanted = ", ".join(workbench.GENESIS)
        raise Stop("run-description", f"{path}: has neither run.json nor a genesis file (looked for {wanted})")
    if not meta.is_file():
        warnings.append(
            problem(path, "no run.json and no meta.json: the versions and the workload of the run are unknown")
        )
    return workbench.description(object_of(meta) if meta.is_file() else {}, object_of(genesis))


def timing(path: Path, stated: dict[str, Any]) -> Timing:
    """Return the start of the system and the lengths of slots and epochs."""
    absent = [key for key in ("systemStart", "slotLength", "epochLength") if stated.get(key) is None]
    if absent:
        raise Stop("run-description", f"{path}: the description of the run has no {', '.join(absent)}")
    start, slot, epoch = (stated[key] for key in ("systemStart", "slotLength", "epochLength"))
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


def facts(path: Path, stated: dict[str, Any]) -> dict[str, Any]:
    """Return the facts for the manifest and the filters; see ``Run.facts``."""
    for key in _AMOUNTS:
        value = stated.get(key)
        if value is not None and not (is_number(value) and 0 <= value <= _LONGEST_EPOCH):
            raise Stop("run-description", f"{path}: {key} {value!r} is not a number of 0 or more")
    return {key: stated.get(key) for key in _FACTS}


def filters(path: Path, stated: dict[str, Any]) -> list[Any] | None:
    """Return the filters as written; None if there are none."""
    found = stated.get("filters")
    if found is not None and not isinstance(found, list):
        raise Stop("run-description", f"{path}: filters {found!r} is not a list of names and conditions")
    return found


def _mapping(stated: dict[str, Any], key: str) -> dict[str, Any]:
    value = stated.get(key)
    return value if isinstance(value, dict) else {}


def components(stated: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the version and commit of each of ``COMPONENTS``."""
    return {name: _component(stated, name) for name in COMPONENTS}


def workload(stated: dict[str, Any]) -> dict[str, Any]:
    """Return the values of ``WORKLOAD``."""
    return {key: _mapping(stated, "workload").get(key) for key in WORKLOAD}


def _component(stated: dict[str, Any], name: str) -> dict[str, Any]:
    found = _mapping(_mapping(stated, "components"), name)
    return {"version": found.get("version"), "commit": found.get("commit")}
