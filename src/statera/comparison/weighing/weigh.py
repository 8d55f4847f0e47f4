"""The call of the compiled part that computes estimates and verdicts of all rows."""

from __future__ import annotations

from statera import _native
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison.weighing.assignment import Assignment
    from statera.reading.observations import Observations
    from statera.support.settings import Policy


def weigh(
    observations: Observations,
    assignment: Assignment,
    labels: list[str],
    groups: list[str],
    policy: Policy,
) -> _native.Weighing:
    """Compare the pairs of variants of the assignment.

    Raises:
        Stop: the data does not allow the requested pairing.

    """
    try:
        return _native.weigh(observations.native, assignment, policy, labels, groups)
    except _native.PairingFailure as failure:
        raise cannot_pair(failure) from None


def cannot_pair(failure: _native.PairingFailure) -> Stop:
    """Return the error that names the row that cannot be paired, and the reason."""
    benchmark, metric, why = failure.args
    name = _native.printable(benchmark)
    return Stop("cannot-pair", f"{name}, {metric}: {why}; correct the keys, or compare with --unpaired")
