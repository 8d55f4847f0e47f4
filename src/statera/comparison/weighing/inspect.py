"""Calls of the compiled part that inspect each variant, or compare one build with itself."""

from __future__ import annotations

from statera import _native
from statera.comparison.weighing.weigh import cannot_pair
from statera.reading.formats import values_are_times
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison.weighing.assignment import Assignment
    from statera.comparison.weighing.self_test import SelfTest
    from statera.reading.observations import Observations
    from statera.support.settings import Policy


def inspect(
    observations: Observations,
    assignment: Assignment,
    policy: Policy,
    costs: tuple[float | None, float | None],
    *,
    labels: list[str],
    groups: list[str],
) -> _native.Inspection:
    """Inspect every variant of every benchmark and metric."""
    for name, cost in zip(("--cost-run", "--cost-iteration"), costs, strict=True):
        if cost is not None and not 0 <= cost < float("inf"):
            raise Stop("bad-option", f"{name} takes a number of seconds of at least 0, not {cost}")
    formats = {source.format for source in observations.sources if source.values}
    whole = values_are_times(formats, {key for context in observations.contexts for key in context.keys})
    timed = [whole and metric.quantity == "time" for metric in observations.metrics]
    return _native.inspect(observations.native, assignment, policy, labels, groups, *costs, timed)


def self_test(
    observations: Observations,
    assignment: Assignment,
    policy: Policy,
    splits: int,
    *,
    labels: list[str],
    groups: list[str],
) -> SelfTest:
    """Compare one build with itself, in at most ``splits`` splits.

    Raises:
        Stop: the data does not allow the requested pairing.

    """
    from dataclasses import replace  # noqa: PLC0415 - an inspection does without

    from statera.comparison.weighing.self_test import self_test_of  # noqa: PLC0415
    from statera.comparison.weighing.sessions import sessions_of  # noqa: PLC0415

    try:
        tested = self_test_of(_native.self_test(observations.native, assignment, policy, labels, groups, splits))
    except _native.PairingFailure as failure:
        raise cannot_pair(failure) from None
    return replace(tested, sessions=sessions_of(observations, assignment, policy, labels=labels, groups=groups))
