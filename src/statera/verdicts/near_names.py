"""Benchmarks that nothing was compared with because a key in their names has another value on each side."""

from __future__ import annotations

import re

from statera.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera import _native
    from statera.observations import Observations

_SCANNED = 1000
# Names of strangers can state any number of keys.
_KEYS = 20


def differing_key(weighing: _native.Weighing, observations: Observations) -> tuple[str, str, str] | None:
    """Return a key without which names of both sides are alike, with one name of each; None if rows were compared."""
    if any(design != "one-sided" for design, _, _, _ in weighing.kinds()):
        return None
    lost, new = (_names(weighing, verdict) for verdict in ("missing", "new"))
    for key in observations.keys_of_names[:_KEYS]:
        of = {_without(name, key): name for name in lost if _without(name, key) != name}
        found = next((name for name in new if name != _without(name, key) in of), None)
        if found is not None:
            return key, of[_without(found, key)], found
    return None


def _names(weighing: _native.Weighing, verdict: str) -> list[str]:
    rows = weighing.with_verdict([verdict])[:_SCANNED]
    return list(dict.fromkeys(weighing.row_dict(row)["benchmark"] for row in rows))


def _without(name: str, key: str) -> str:
    """Return a name without the part that states a key: ``size=64``, ``threads:4``, and Go's ``-8``."""
    if key == "gomaxprocs":
        return re.sub(r"-\d+$", "", name)
    return re.sub(rf"(^|/){re.escape(key)}[=:][^/]*?(?=/|-\d+$|$)", "", name)
