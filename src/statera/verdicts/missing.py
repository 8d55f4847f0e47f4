"""What a contender lacks: whole benchmarks, benchmarks at some levels, or metrics of benchmarks that were compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
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


def missing(weighing: _native.Weighing, rows: list[int], subject: str) -> Missing:
    """Tell apart what missing rows lack."""
    at_level = set(weighing.at_one_level())
    # Where metrics are the subjects, one that is missing has vanished.
    of_compared = set(weighing.missing_metrics()) - at_level if subject == "benchmark" else set()
    found = Missing([], [], [])
    for row in rows:
        (found.levels if row in at_level else found.metrics if row in of_compared else found.vanished).append(row)
    return found
