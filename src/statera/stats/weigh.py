"""Estimates and verdicts of all rows, by the compiled part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera import _native
from statera.errors import Stop

if TYPE_CHECKING:
    from statera.observations import Observations
    from statera.settings import Policy

# What the compiled part needs of a policy; the margins reach it as rules, one a metric.
_TAKEN = ("alpha", "correction", "omnibus", "scale", "power", "resamples", "relabelings", "seed")


def weigh(
    observations: Observations,
    layout: dict[str, Any],
    labels: list[str],
    groups: list[str],
    policy: Policy,
) -> _native.Weighing:
    """Weigh every variant against the first.

    Raises:
        Stop: when a pairing was asked for that the data cannot give.

    """
    settings = {name: getattr(policy, name) for name in _TAKEN}
    try:
        return _native.weigh(observations.native, layout, settings, labels, groups)
    except _native.PairingFailure as failure:
        benchmark, metric, why = failure.args
        name = _native.printable(benchmark)
        raise Stop("cannot-pair", f"{name}, {metric}: {why}; mend the keys or compare with --unpaired") from None
