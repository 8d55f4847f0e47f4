"""The description of a run by the workbench, meta.json and the Shelley genesis, in the form of run.json."""

from __future__ import annotations

from typing import Any

# The first file that exists is used.
GENESIS = (
    "genesis/genesis.shelley.json",
    "genesis.shelley.json",
    "genesis/genesis-shelley.json",
    "genesis-shelley.json",
    "genesis/shelley.json",
)

_TIMING = ("systemStart", "slotLength", "epochLength", "securityParam", "activeSlotsCoeff")


def description(meta_json: dict[str, Any], genesis: dict[str, Any]) -> dict[str, Any]:
    """Translate the two files; facts that they do not state are absent."""
    meta = _inner(meta_json, "meta")
    profile = _inner(meta, "profile_content")
    generator = _inner(profile, "generator")
    components = _inner(meta, "manifest")
    stated: dict[str, Any] = {key: genesis.get(key) for key in _TIMING}
    stated |= {
        "maxBlockBodySize": _inner(genesis, "protocolParams").get("maxBlockBodySize"),
        "identifier": _first(meta.get("ident"), _inner(components, "cardano-node").get("version")),
        "tag": meta.get("tag"),
        "batch": meta.get("batch"),
        "profile": meta.get("profile"),
        "era": _first(meta.get("era"), profile.get("era"), generator.get("era")),
        "ghcVersion": meta.get("ghc_version"),
        "components": components,
        "workload": _workload(generator, _inner(profile, "genesis")),
        "filters": _inner(profile, "analysis").get("filters"),
    }
    return stated


def _workload(generator: dict[str, Any], genesis: dict[str, Any]) -> dict[str, Any]:
    return {
        "delegators": genesis.get("delegators"),
        "utxo": genesis.get("utxo"),
        "dreps": genesis.get("dreps"),
        "addTxSize": generator.get("add_tx_size"),
        "inputsPerTx": generator.get("inputs_per_tx"),
        "outputsPerTx": generator.get("outputs_per_tx"),
        "tps": generator.get("tps"),
        "txCount": generator.get("tx_count"),
        "plutusScript": _script(generator),
    }


def _script(generator: dict[str, Any]) -> object:
    script = _inner(generator, "plutus").get("script")
    if script is None and generator.get("plutusMode") is True and generator.get("plutusAutoMode") is True:
        return "Loop"
    return script


def _first(*values: object) -> object:
    return next((value for value in values if value is not None), None)


def _inner(value: dict[str, Any], key: str) -> dict[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}
