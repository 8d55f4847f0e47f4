"""Quade's test (Quade 1979)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Omnibus
from statera.stats.single import common, one
from statera.stats.wording import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Iterable


def quade(*samples: Iterable[float]) -> Omnibus:
    """Test like Friedman's test, but weight blocks by how much the treatments differ in them (Quade 1979).

    The statistic is F; if all blocks agree completely, it is infinite and p is exact. n is the number of blocks. A
    single block has no p-value.

    Raises:
        ValueError: there are fewer than two samples, they differ in size or are empty, or a value is not finite.

    """
    found = one("quade", {f"sample {number}": sample for number, sample in enumerate(samples, 1)})
    df = tuple(found[name] for name in ("df", "df2") if found[name] is not None)
    return Omnibus(**common(found, (BLOCKS,), "F"), statistic=found["statistic"], p=found["p"], df=df)
