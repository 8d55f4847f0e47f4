"""The Friedman test (Friedman 1937)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.results import Omnibus
from statera.stats.single import common, one
from statera.stats.wording import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Iterable


def friedman(*samples: Iterable[float]) -> Omnibus:
    """Test whether any of several treatments tends to other values than the rest (Friedman 1937).

    The i-th values of all samples form a block. The statistic is chi-squared, corrected for ties. The estimate is
    Kendall's W: from 0 (the blocks do not agree) to 1 (all blocks have the same order). n is the number of blocks.

    Raises:
        ValueError: there are fewer than two samples, they differ in size or are empty, or a value is not finite.

    """
    found = one("friedman", {f"sample {number}": sample for number, sample in enumerate(samples, 1)})
    return Omnibus(
        **common(found, (BLOCKS,), "chi-squared"), statistic=found["statistic"], p=found["p"], df=(found["df"],)
    )
