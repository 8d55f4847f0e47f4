"""The offsets of the clocks of hosts, from the times between forging a block and noticing it on other hosts.

Such a delay is a time on the network plus the offset between two clocks. The least delay from i to j and that from j to
i have this offset with opposite signs, so half of their difference is the offset if both ways are equally long (Mills,
RFC 5905). Least squares over all pairs give the offset of each host from the median clock. No block arrives before it
is forged, which bounds every offset: these bounds are the interval. A host that is slow to notice blocks cannot be told
from one whose clock is ahead; the interval contains both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from statera.cluster.consistency import Clock

if TYPE_CHECKING:
    from statera.cluster.engine import DuckDB

_SECOND: Final = 10**9
# Standard errors by which the offsets of the other hosts may be wrong: 99 % of them are not.
_ERRORS: Final = 2.58


def offsets(engine: DuckDB) -> list[Clock]:
    """Estimate the offset of each host that exchanged blocks with others, in the order of their numbers."""
    found = engine.arrays(_LEAST_DELAYS)
    hosts = np.unique(np.concatenate([found["forger"], found["observer"]]))
    size = len(hosts)
    if not size:
        return []
    least, weight = np.full((size, size), np.inf), np.zeros((size, size))
    there, back = np.searchsorted(hosts, found["forger"]), np.searchsorted(hosts, found["observer"])
    least[there, back] = found["least"] / _SECOND
    weight[there, back] = found["blocks"]
    both = (weight > 0) & (weight.T > 0)
    chosen = _largest_group(both)
    both = both[np.ix_(chosen, chosen)]
    if not both.any():
        return []
    least, weight = least[np.ix_(chosen, chosen)], weight[np.ix_(chosen, chosen)]
    ahead, errors = _least_squares(least, weight, both)
    # A block does not arrive before it is forged: o_j is at least o_i less the delay from j to i.
    sure_low = (ahead - errors)[None, :] - least
    sure_high = (ahead + errors)[None, :] + least.T
    low = np.minimum(np.where(np.isfinite(least), sure_low, -np.inf).max(axis=1), ahead)
    high = np.maximum(np.where(np.isfinite(least.T), sure_high, np.inf).min(axis=1), ahead)
    names = dict(engine.rows("SELECT host, name FROM host"))
    return [
        Clock(names[int(hosts[host])], float(ahead[k]), float(low[k]), float(high[k]), int(both[k].sum()))
        for k, host in enumerate(chosen)
    ]


_LEAST_DELAYS: Final = (
    "SELECT k.forger, o.host AS observer, min(o.noticed_at - f.forged_at) AS least, count(*) AS blocks "
    "FROM known_blocks AS k JOIN host_blocks AS f ON f.block = k.block AND f.host = k.forger "
    "JOIN host_blocks AS o ON o.block = k.block AND o.host <> k.forger "
    "WHERE o.noticed_at IS NOT NULL AND k.forgers = 1 GROUP BY k.forger, o.host ORDER BY k.forger, o.host"
)


def _largest_group(both: np.ndarray) -> np.ndarray:
    """Return the numbers of the largest group of hosts that pairs connect; of equally large ones the first."""
    left, best = set(range(len(both))), list[int]()
    while left:
        group, fresh = set[int](), {min(left)}
        while fresh:
            group |= fresh
            fresh = set(np.flatnonzero(both[sorted(fresh)].any(axis=0)).tolist()) - group
        left -= group
        best = max(best, sorted(group), key=len)
    return np.array(best)


def _least_squares(least: np.ndarray, weight: np.ndarray, both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the offsets from their median, and how wrong they may be.

    A least delay of n blocks exceeds the least possible one by about 1 / n of what delays vary, so a pair weighs as the
    harmonic sum of its two numbers of blocks.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        half = np.where(both, (least - least.T) / 2, 0.0)
        pair = np.where(both, 1 / (1 / weight + 1 / weight.T), 0.0)
    normal = np.diag(pair.sum(axis=1)) - pair
    inverse = np.linalg.pinv(normal, hermitian=True)
    offsets = inverse @ (pair * half).sum(axis=0)
    residuals = np.where(both, half - (offsets[None, :] - offsets[:, None]), 0.0)
    freedom = both.sum() / 2 - (len(both) - 1)
    if freedom > 0:
        spread = (pair * residuals**2).sum() / 2 / freedom
    else:
        # Nothing shows how wrong a pair is: by as much as half of its way there and back.
        spread = (pair * np.where(both, (least + least.T) / 2, 0.0) ** 2).max()
    errors = _ERRORS * np.sqrt(np.maximum(np.diag(inverse), 0.0) * spread)
    return offsets - np.median(offsets), errors
