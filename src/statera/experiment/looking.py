"""Looks at the results while a run goes on: what is settled, and the running effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.comparison import pipeline
from statera.experiment import self_test, standing, stopping
from statera.experiment.stopping import Look
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.plan import Plan
    from statera.support.settings.provenance import Settings


class Looking:
    """Compares what the folder of a run holds so far."""

    def __init__(self, plan: Plan, folder: Path, settings: Settings) -> None:
        self._plan, self._folder, self._settings = plan, folder, settings

    def look(self, benchmarks: Sequence[str], number: int, share: float) -> Look:
        """Say which of these benchmarks look ``number`` settles, if it spends this share of alpha."""
        rounds, policy = self._plan.rounds, self._settings.policy
        # The folder states the share that was planned; a look that ends a run early spends what is left.
        policy = policy._replace(alpha=policy.alpha * share / rounds.shares[number - 1])
        comparison = self._compared(self._settings._replace(policy=policy))
        if comparison is None:
            return Look((), tuple(benchmarks), ())
        return stopping.examined(comparison, benchmarks, rounds, number, self_test.again(self._plan))

    def effects(self) -> list[str]:
        """Return the running effects as lines; none if there is nothing to compare yet."""
        comparison = self._compared(self._settings)
        return [] if comparison is None else standing.effects(comparison)

    def _compared(self, settings: Settings) -> Comparison | None:
        try:
            return pipeline.compare([self._folder], settings=settings)
        except Stop:
            return None
