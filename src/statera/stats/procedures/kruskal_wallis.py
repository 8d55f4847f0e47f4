"""The Kruskal-Wallis test (Kruskal & Wallis 1952)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.stats.results import Omnibus
from statera.stats.samples import sample
from statera.stats.single import one
from statera.stats.wording import INDEPENDENT_SAMPLES, SAME_SHAPE, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable


def kruskal_wallis(*samples: Iterable[float]) -> Omnibus:
    """Test whether any of several independent samples tends to other values than the rest (Kruskal & Wallis 1952).

    The statistic is H, corrected for ties, with a chi-squared distribution. The estimate is epsilon squared, the share
    of the variance of the ranks that lies between the samples.

    Raises:
        ValueError: there are fewer than two samples, one is empty, or a value is not finite.

    """
    names = (f"sample {number}" for number in range(1, len(samples) + 1))
    held: dict[str, Any] = {name: sample(values, name) for name, values in zip(names, samples, strict=False)}
    found = one("kruskal_wallis", held)
    return Omnibus(
        estimate=found["estimate"],
        interval=None,
        n=tuple(len(values) for values in held.values()),
        method="chi-squared",
        assumptions=(INDEPENDENT_SAMPLES, SAME_SHAPE),
        warnings=sentences(found["warnings"]),
        statistic=found["statistic"],
        p=found["p"],
        df=(found["df"],),
    )
