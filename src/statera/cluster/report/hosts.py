"""Outlier hosts, the farthest first: in how many metrics each is far from the others, and in which it is farthest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.metrics import name
from statera.cluster.outlier_hosts import apart
from statera.cluster.report.wording import count, several, shown
from statera.cluster.units import suited
from statera.output.report.model import Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.outlier_hosts import Apart
    from statera.cluster.report.material import One

RULE: Final = (
    "A host is an outlier if its mean differs from the median of the hosts of its run by more than five scaled "
    "median absolute deviations and by more than a tenth. Runs of fewer than five hosts have no outlier hosts."
)
_MOST: Final = 12
_NAMED: Final = 3


def found_apart(each: Sequence[One]) -> list[tuple[One, Apart]]:
    """Return the outlier hosts of all runs, the farthest first."""
    return sorted(((one, far) for one in each for far in apart(one.run)), key=lambda pair: -pair[1].deviations)


def table(each: Sequence[One]) -> Table | None:
    """Build the table of outlier hosts; None if there are none."""
    of: dict[tuple[str, str], list[Apart]] = {}
    for one, far in found_apart(each):
        of.setdefault((shown(far.host), shown(one.name)), []).append(far)
    if not of:
        return None
    rows = [_row(host, run, far, several_runs=len(each) > 1) for (host, run), far in of.items()]
    runs = (Column("run", minor=True),) if len(each) > 1 else ()
    heads = (Column("host"), *runs, Column("metrics", numeric=True), Column("farthest, of its peers"))
    return Table("Outlier hosts, the farthest first", heads, tuple(rows[:_MOST]), (RULE,), len(rows))


def _row(host: str, run: str, far: Sequence[Apart], *, several_runs: bool) -> tuple[Cell, ...]:
    told = Cell(several([_told(one) for one in far], _NAMED))
    return (Cell(host, tone="doubtful"), *((Cell(run),) if several_runs else ()), count(len(far)), told)


def _told(far: Apart) -> str:
    unit = suited(far.metric.unit, (far.mean, far.middle))
    return f"{name(far.metric)} {unit.amount(far.mean, 3)}{unit.words} (median {unit.amount(far.middle, 3)})"
