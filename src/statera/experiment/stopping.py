"""When an experiment ends: the looks at its results, what each look may spend of alpha, and what it settles."""

from __future__ import annotations

from math import log1p, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.comparison.codes import SETTLED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.plan import Rounds

LIMIT: Final = 60
"""The number of rounds after which an experiment ends, decided or not."""

_LOOKS: Final = 6
# Each look but the last spends a tenth of alpha. The last one keeps the other half, because most of the changes that a
# limit can find at all are found there.
_TENTHS: Final = (1, 1, 1, 1, 1, 5)
# Looks at widths: their ratio, and the share of alpha of every one of them (docs/calibration.md).
_WIDTH_STEP: Final = 1.1
_WIDTH_SHARE: Final = 0.6
# Tails and spreads can take a tenth of alpha from the typical changes.
_TYPICAL: Final = 0.9
# The first look from which the spread is known well enough for a forecast.
_FORECAST_FROM: Final = 2
_PROGRAM: Final = "program"


class Look(NamedTuple):
    """What a look settles. Each field has names of the plan's benchmarks, in their order.

    Attributes:
        settled: they leave the rounds.
        undecided: they go on.
        hopeless: those of ``undecided`` that the last look probably cannot settle.

    """

    settled: tuple[str, ...]
    undecided: tuple[str, ...]
    hopeless: tuple[str, ...]


def looks(limit: int = LIMIT, alpha: float = 0.05) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the numbers of rounds after which the results are examined, and the share of alpha that each look spends.

    The looks lead in equal ratios from the fewest rounds that can decide anything at a tenth of alpha up to the limit.
    Looks that fall on one number of rounds are one look and spend their shares together, so that a small limit has
    fewer of them, and nothing jumps from one limit to the next.
    """
    first = min(_least_rounds(alpha), limit)
    spent: dict[int, int] = {}
    for place, tenths in enumerate(_TENTHS):
        at = round(first * (limit / first) ** (place / (_LOOKS - 1)))
        spent[at] = spent.get(at, 0) + tenths
    return tuple(spent), tuple(tenths / sum(_TENTHS) for tenths in spent.values())


def _least_rounds(alpha: float) -> int:
    """Return the fewest rounds that can decide anything at a tenth of alpha: the signed-rank test has p of 2 / 2^n."""
    rounds = 1
    while 2.0 / 2**rounds > 0.1 * alpha * _TYPICAL:
        rounds += 1
    return rounds


def width_looks(limit: int = LIMIT, alpha: float = 0.05) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the numbers of rounds after which the width of intervals is examined, and the share of alpha at each.

    Whoever ends when an interval is narrow prefers moments at which the spread happens to look small. Such intervals
    hold the change in 93 to 96 % at a level of 95 %; at three fifths of alpha they do in 95 % and more.
    """
    found = [min(_least_rounds(alpha), limit)]
    while found[-1] < limit:
        found.append(min(max(round(found[-1] * _WIDTH_STEP), found[-1] + 1), limit))
    return tuple(found), (_WIDTH_SHARE,) * len(found)


def share_of_last(rounds: Rounds, look: int) -> float:
    """Return the share of alpha that look number ``look`` (from 1) spends if it becomes the last one."""
    if rounds.until == "width":
        return rounds.shares[look - 1]
    return min(1.0, sum(rounds.shares[look - 1 :]))


def examined(
    comparison: Comparison, benchmarks: Sequence[str], rounds: Rounds, look: int, without: str | None = None
) -> Look:
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
    settled, undecided, hopeless = [], [], []
    for name in benchmarks:
        waiting = [row for row in rows[name] if not _is_settled(row, rounds)]
        if rows[name] and not waiting:
            settled.append(name)
            continue
        undecided.append(name)
        if forecast and any(_is_hopeless(comparison, row, rounds, look) for row in waiting):
            hopeless.append(name)
    return Look(tuple(settled), tuple(undecided), tuple(hopeless))


def _rows(comparison: Comparison, benchmarks: Sequence[str], without: str | None) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of primary metrics of each of the plan's benchmarks."""
    metrics = comparison.observations.metrics
    primary = {number for number, metric in enumerate(metrics) if metric.primary} or {*range(len(metrics))}
    by_row = programs(comparison)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in benchmarks}
    for group, metric, _, _, rows in comparison.weighing.sections():
        for row in map(comparison.weighing.row_dict, rows if metric in primary else []):
            wanted = found.keys() if row["contender"] != without else set()
            for program in by_row[row["benchmark"], group] & wanted:
                found[program].append({**row, "margin": comparison.arrangement.assignment.rule(metric).margin})
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
    if not needed or row["change"] is None:
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
