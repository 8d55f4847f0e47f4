"""What a contender lacks: whole benchmarks, benchmarks at some levels, or metrics of benchmarks that were compared."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera import _native


class Missing(NamedTuple):
    """What the contenders lack, each row in one list.

    Attributes:
        vanished: rows of subjects that they lack altogether.
        levels: rows of subjects that they lack at some levels only.
        metrics: rows of benchmarks that they have, but not in this metric.

    """

    vanished: list[int]
    levels: list[int]
    metrics: list[int]


def missing(weighing: _native.Weighing, leads: Iterable[int], subject: str) -> Missing:
    """Tell apart what missing rows lack; ``leads`` are the rows that speak for the subjects."""
    rows, at_level = set(weighing.with_verdict(["missing"])), set(weighing.at_one_level())
    # Where metrics are the subjects, one that is missing has vanished.
    metrics = weighing.missing_metrics() if subject == "benchmark" else []
    lost = [row for row in leads if row in rows]
    held = at_level | set(metrics)
    return Missing(
        [row for row in lost if row not in held],
        [row for row in lost if row in at_level],
        metrics,
    )
