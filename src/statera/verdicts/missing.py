"""What a contender lacks: whole benchmarks, benchmarks at some levels, or metrics of benchmarks that were compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera import _native


class Missing(NamedTuple):
    """What the contenders lack, each row in one list.

    Attributes:
        vanished: rows of subjects that they lack altogether.
        levels: rows of subjects that they lack at some levels only.
        metrics: rows of benchmarks that were compared, but not in this metric.

    """

    vanished: list[int]
    levels: list[int]
    metrics: list[int]


def missing(weighing: _native.Weighing, leads: Iterable[int]) -> Missing:
    """Tell apart what missing rows lack; ``leads`` are the rows that speak for the subjects."""
    rows, at_level = set(weighing.with_verdict(["missing"])), set(weighing.at_one_level())
    lost = [row for row in leads if row in rows]
    return Missing(
        [row for row in lost if row not in at_level],
        [row for row in lost if row in at_level],
        weighing.missing_metrics(),
    )
