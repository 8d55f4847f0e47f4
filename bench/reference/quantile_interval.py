"""Reference cases of the order-statistic interval of a quantile."""

from fractions import Fraction
from math import comb

import numpy as np
from scipy import stats

from cases import Lcg, number, write


def exact(n: int, p: Fraction, confidence: Fraction) -> tuple[int, int, Fraction] | None:
    """Return the ranks (from 0) and the level by the rule, in integers throughout."""
    chances = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    # Rank r misses from below if at most r values are below the quantile; from above if at most r are above it.
    below = [sum(chances[: r + 1]) for r in range(n)]
    above = [sum(chances[n - r :]) for r in range(n)]
    alpha = 1 - confidence
    inner = lambda missed, limit: max((r for r in range(n) if missed[r] <= limit), default=None)  # noqa: E731
    low, high = inner(below, alpha / 2), inner(above, alpha / 2)
    if low is None and high is None:
        return None
    if low is None:
        low, high = 0, inner(above, alpha - below[0])
    elif high is None:
        low, high = inner(below, alpha - above[0]), 0
    if low is None or high is None:
        return None
    return low, n - 1 - high, 1 - below[low] - above[high]


lcg = Lcg(20260210)
cases = []
for k in range(320):
    large = k >= 250
    n = lcg.choice(500, 1000, 1001, 2500, 5000) if large else 1 + k % 125
    p = lcg.choice("1/100", "1/20", "1/10", "1/4", "1/3", "1/2", "7/10", "3/4", "9/10", "19/20", "99/100")
    confidence = lcg.choice("1/2", "4/5", "9/10", "19/20", "19/20", "99/100")
    level = Fraction(confidence)
    share = float(Fraction(p))
    found = None if large else exact(n, Fraction(p), level)
    peer = stats.quantile_test(np.arange(n), q=0.0, p=share).confidence_interval(float(level))
    if large:
        # Fractions of this length are slow; the peer has both ends at these sizes.
        low, high = int(peer.low), int(peer.high)
        missed = stats.binom.cdf(low, n, share) + stats.binom.sf(high, n, share)
        found = (low, high, 1 - missed)
    elif not np.isnan([peer.low, peer.high]).any() and found[:2] != (peer.low, peer.high):
        # If a probability exactly equals its limit, the peer stays on the safe side.
        print(n, p, confidence, found[:2], peer)
    low, high, attained = found or (None, None, float("nan"))
    case = {"n": n, "p": share, "confidence": float(level), "low": low, "high": high, "level": number(attained)}
    cases.append(case)
write(
    "quantile_interval",
    "full enumeration in whole numbers, the same ranks as those of stats.quantile_test wherever that has both ends;"
    " above n = 125 stats.quantile_test and stats.binom",
    cases,
)
