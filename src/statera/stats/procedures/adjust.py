"""Corrections of a family of p-values: of given ones, and of many rows together by relabeling."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Literal

from statera import _native
from statera.stats.results import Adjusted, Family
from statera.stats.samples import sample

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Correction = Literal["benjamini-hochberg", "benjamini-yekutieli", "holm", "hochberg", "bonferroni", "none"]

_HOLDS = {
    "benjamini-hochberg": "the tests are independent or positively dependent",
    "hochberg": "the tests are independent or positively dependent",
}


def adjust(p: Iterable[float | None], *, correction: Correction = "benjamini-hochberg") -> Adjusted:
    """Correct p-values for their number, as R's ``p.adjust``. None stays None and does not count.

    Raises:
        ValueError: for a p outside 0 to 1, and for no p at all.

    """
    given = list(p)
    counted = [value for value in given if value is not None]
    if not counted:
        raise ValueError("there are no p-values to correct")
    for value in counted:
        if not 0 <= value <= 1:
            raise ValueError(f"a p-value lies between 0 and 1, and one is {value}")
    return Adjusted(
        estimate=None,
        interval=None,
        n=len(counted),
        method=correction,
        assumptions=(_HOLDS[correction],) if correction in _HOLDS else (),
        warnings=(),
        p=tuple(_native.adjust(given, correction)),
    )


def westfall_young(
    x: Sequence[Iterable[float]],
    y: Sequence[Iterable[float]] | None = None,
    *,
    pools: Sequence[int] | None = None,
    moderated: bool = True,
    relabelings: int = 10_000,
    seed: int = 1,
) -> Family:
    """Return the p-values of many rows together, by step-down maxT over joint relabelings (Westfall & Young 1993).

    Run k is every row's k-th value: all rows are relabeled alike, and what they have in common is kept. All relabelings
    are used where there are at most ``relabelings``, else so many seeded ones. Rows without spread have no p.

    Args:
        x: of each row the runs of the baseline, or paired differences.
        y: of each row the runs of the contender.
        pools: a number for each row; rows of one number shrink their variances together. One pool where None.
        moderated: shrink variances (Smyth 2004); else the statistic is Student's t.
        relabelings: looked at, at most.
        seed: of the draws.

    Raises:
        ValueError: when rows differ in their numbers of runs, are empty, or a value is not finite.

    """
    rows, m = _rows(x, "x"), None
    if y is not None:
        others, m = _rows(y, "y"), len(rows[0]) if rows else 0
        if len(others) != len(rows):
            raise ValueError(f"x has {len(rows)} rows and y has {len(others)}")
        rows = [old + new for old, new in zip(rows, others, strict=True)]
    of_pool = [0] * len(rows) if pools is None else list(pools)
    if len(of_pool) != len(rows):
        raise ValueError(f"there are {len(rows)} rows and {len(of_pool)} pools")
    named: list[tuple[str, object]] = [(f"row {place}", row) for place, row in enumerate(rows)]
    found = _native.westfall_young(named, of_pool, m, moderated, relabelings, seed)
    if found is None:
        raise ValueError("each row needs three runs, a run on each side, or two differences; and relabelings 1 or more")
    return Family(
        estimate=None,
        interval=None,
        n=len(rows),
        method="all relabelings" if found["exact"] else "sampled relabelings",
        assumptions=("where a row did not change, its runs could be exchanged (differences: their signs)",),
        warnings=(),
        p=tuple(found["p"]),
        relabelings=found["relabelings"],
        exact=found["exact"],
        least_p=found["least_p"],
    )


def _rows(samples: Sequence[Iterable[float]], name: str) -> list[array[float]]:
    """Return the rows of a side, which have one number of runs."""
    rows = [array("d", sample(row, f"{name}[{place}]")) for place, row in enumerate(samples)]
    for place, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(
                f"{name}[{place}] has {len(row)} runs and {name}[0] has {len(rows[0])}; all rows need as many"
            )
    return rows
