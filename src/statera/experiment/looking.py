"""Looks at the results while a run goes on: what is decided, and the running effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import pipeline
from statera.errors import Stop
from statera.experiment import standing

if TYPE_CHECKING:
    from pathlib import Path

    from statera.experiment.plan import Plan
    from statera.results.comparison import Comparison
    from statera.settings.provenance import Settings


class Looking:
    """Compares what the folder of a run holds so far."""

    def __init__(self, plan: Plan, folder: Path, settings: Settings) -> None:
        self._plan, self._folder, self._settings = plan, folder, settings

    def comparison(self) -> Comparison | None:
        """Compare the variants; None if there is nothing to compare yet."""
        try:
            return pipeline.compare([self._folder], settings=self._settings)
        except Stop:
            return None

    def effects(self) -> list[str]:
        """Return the running effects as lines."""
        comparison = self.comparison()
        return [] if comparison is None else standing.effects(comparison)
