"""Looks at the results while a run goes on: what is settled, what the last look cannot settle, and the effects now."""

from __future__ import annotations

from math import log1p, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.comparison import pipeline
from statera.comparison.codes import SETTLED
from statera.experiment import progress, self_test
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.plan import Plan, Rounds
    from statera.support.settings.file import Settings

# The first look from which the spread is known well enough for a forecast.
_FORECAST_FROM: Final = 2
_PROGRAM: Final = "program"


class LookOutcome(NamedTuple):
    """What a look settles. Each field has names of the plan's benchmarks, in their order.

    Attributes:
        undecided: they go on; the others leave the rounds.
        hopeless: those of ``undecided`` that the last look probably cannot settle.

    """

    undecided: tuple[str, ...]
    hopeless: tuple[str, ...]


def examined(
    comparison: Comparison, benchmarks: Sequence[str], rounds: Rounds, look: int, without: str | None = None
) -> LookOutcome:
    """Say which benchmarks a look settles.

    A benchmark of the plan is settled once each row of its primary metrics is: with ``until="decided"`` if the row has
    a verdict other than "inconclusive" and "differs", so that ``compare`` calls it the same; with ``until="width"`` if
    its interval is narrower than the width. A variant without any value has nothing to wait for.

    Args:
        comparison: all results so far, where the values of ``benchmarks`` state the share of this look.
        benchmarks: the plan's benchmarks that took part up to this look.
        rounds: the looks of the plan.
        look: the number of this look, from 1.
        without: a variant that no benchmark waits for.

    """
    rows = _rows(comparison, benchmarks, without)
    forecast = _FORECAST_FROM <= look < len(rounds.looks)
    waiting = {name: [row for row in rows[name] if not _is_settled(row, rounds)] for name in benchmarks}
    undecided = [name for name in benchmarks if waiting[name] or not rows[name]]
    hopeless = [
        name
        for name in undecided
        if forecast and any(_is_hopeless(comparison, row, rounds, look) for row in waiting[name])
    ]
    return LookOutcome(tuple(undecided), tuple(hopeless))


def _rows(comparison: Comparison, benchmarks: Sequence[str], without: str | None) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of primary metrics of each of the plan's benchmarks."""
    metrics = comparison.observations.metrics
    primary = {number for number, metric in enumerate(metrics) if metric.primary} or {*range(len(metrics))}
    by_row = programs(comparison)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in benchmarks}
    numbers = {name: number for number, name in enumerate(comparison.observations.benchmarks)}
    margin = comparison.arrangement.assignment.margin
    for group, metric, _, _, rows in comparison.weighing.sections():
        for row in map(comparison.weighing.row_dict, rows if metric in primary else []):
            wanted = found.keys() if row["contender"] != without else set()
            for program in by_row[row["benchmark"], group] & wanted:
                own = margin(metric, numbers[row["benchmark"]]).relative(row["baseline_centre"] or 0.0)
                found[program].append({**row, "margin": own})
    return found


def programs(comparison: Comparison) -> dict[tuple[str, int], set[str]]:
    """Return the plan's benchmarks of each benchmark and group; a key names the program of values of a format."""
    observations, assignment = comparison.observations, comparison.arrangement.assignment
    names, contexts = observations.benchmarks, observations.contexts
    found: dict[tuple[str, int], set[str]] = {}
    for benchmark, context in observations.native.contexts_of_benchmarks():
        name = names[benchmark]
        programs = found.setdefault((name, assignment.group_of_context[context]), set())
        programs.add(contexts[context].keys.get(_PROGRAM) or name)
    return found


def _is_settled(row: dict[str, Any], rounds: Rounds) -> bool:
    if rounds.until == "width" and row["change_low"] is not None:
        return _width(row) < (rounds.width or 0.0)
    return row["verdict"] in SETTLED


def _width(row: dict[str, Any]) -> float:
    """Return the width of the interval, relative: how much larger its upper end is than its lower one."""
    low, high = row["change_low"], row["change_high"]
    if low is None or high is None:
        return float("inf")
    if row["scale"] == "ratio":
        return (1 + high) / (1 + low) - 1 if low > -1 else float("inf")
    centre = abs(row["baseline_centre"])
    return (high - low) / centre if centre else float("inf")


def _is_hopeless(comparison: Comparison, row: dict[str, Any], rounds: Rounds, look: int) -> bool:
    """Return whether the last look probably cannot settle a row, by the forecast of the rounds that it needs.

    A change of the margin needs the number of the row, and a larger one, if that is what the row shows, needs fewer.
    """
    limit = rounds.looks[-1]
    if rounds.until == "width":
        return _width(row) * sqrt(row["baseline_n"] / limit) >= (rounds.width or 0.0)
    needed = row["runs_needed"]
    if not needed or row["change"] is None or not row["margin"]:
        return False
    policy, normal = comparison.policy, NormalDist()
    now, last = (
        normal.inv_cdf(1 - policy.alpha * share / 2) + normal.inv_cdf(policy.power)
        for share in (rounds.shares[look - 1], rounds.shares[-1])
    )
    excess = _size(row) / log1p(row["margin"])
    return bool(needed * (last / now / max(excess, 1.0)) ** 2 > limit)


def _size(row: dict[str, Any]) -> float:
    """Return the size of a row's change, relative and on a scale on which doubling and halving are equally large."""
    if row["scale"] == "ratio":
        return abs(log1p(row["change"])) if row["change"] > -1 else float("inf")
    centre = abs(row["baseline_centre"])
    return abs(row["change"]) / centre if centre else 0.0


class ResultsSoFar:
    """Compares what the folder of a run holds so far."""

    def __init__(self, plan: Plan, folder: Path, settings: Settings) -> None:
        self._plan, self._folder, self._settings = plan, folder, settings

    def look(self, benchmarks: Sequence[str], number: int, share: float) -> LookOutcome:
        """Say which of these benchmarks look ``number`` settles, if it spends this share of alpha."""
        rounds, policy = self._plan.rounds, self._settings.policy
        # The folder states the share that was planned; a look that ends a run early spends what is left.
        policy = policy._replace(alpha=policy.alpha * share / rounds.shares[number - 1])
        comparison = self._compared(self._settings._replace(policy=policy))
        if comparison is None:
            return LookOutcome(tuple(benchmarks), ())
        return examined(comparison, benchmarks, rounds, number, self_test.again(self._plan))

    def effects(self) -> list[str]:
        """Return the running effects as lines; none if there is nothing to compare yet."""
        comparison = self._compared(self._settings)
        return [] if comparison is None else progress.effects(comparison)

    def _compared(self, settings: Settings) -> Comparison | None:
        try:
            return pipeline.compare([self._folder], settings=settings)
        except Stop:
            return None
