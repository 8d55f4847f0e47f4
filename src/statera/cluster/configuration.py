"""The configuration of a run as keys and texts, by which runs can be grouped into variants."""

from __future__ import annotations

import json
from typing import Any, Final

_OF_MANIFEST: Final = ("identifier", "runBatch", "profile", "ghcVersion", "era", "machines")


def configuration(summary: dict[str, Any]) -> dict[str, str]:
    """Return the keys of a run's summary that have a value.

    ``cardano-node`` and other names of components are their versions, ``cardano-node.commit`` is a commit.
    """
    manifest = summary["manifest"]
    stated: dict[str, Any] = {key: manifest.get(key) for key in _OF_MANIFEST}
    stated |= manifest.get("workload") or {}
    for name, component in (manifest.get("components") or {}).items():
        stated |= {name: component.get("version"), f"{name}.commit": component.get("commit")}
    stated["filters"] = "; ".join(summary.get("filters") or ()) or None
    return {key: _text(value) for key, value in stated.items() if value is not None}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
