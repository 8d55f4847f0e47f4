"""Estimates and verdicts of all rows, by the compiled part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.errors import Stop

if TYPE_CHECKING:
    from statera.observations import Observations
    from statera.settings import Policy
    from statera.weighing.assignment import Assignment


def weigh(
    observations: Observations,
    assignment: Assignment,
    labels: list[str],
    groups: list[str],
    policy: Policy,
) -> _native.Weighing:
    """Weigh every variant against the first.

    Raises:
        Stop: when a pairing was asked for that the data cannot give.

    """
    try:
        return _native.weigh(observations.native, assignment, policy, labels, groups)
    except _native.PairingFailure as failure:
        raise cannot_pair(failure) from None


def cannot_pair(failure: _native.PairingFailure) -> Stop:
    """Say which row cannot be paired, and why."""
    benchmark, metric, why = failure.args
    name = _native.printable(benchmark)
    return Stop("cannot-pair", f"{name}, {metric}: {why}; mend the keys or compare with --unpaired")
