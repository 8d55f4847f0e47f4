"""The texts of warnings and assumptions of procedures."""

from __future__ import annotations

from typing import Final

WARNINGS: Final = {
    "empty": "a sample has no values",
    "too-few": "there are too few values for a result",
    "too-many": "there are more values than the procedure accepts",
    "constant": "all values are equal",
    "not-positive": "a value is not positive",
    "below-level": "so few values cannot attain the requested confidence; the interval states what it attains",
    "no-interval": "these values have no interval at this confidence",
    "cannot-reject": "no outcome of samples of these sizes could be significant at 1 - confidence",
    "ties": "the test rejects 0, but ties leave it inside the interval",
    "zeros": "differences of 0 were left out of the test",
    "coarse": "the approximation behind p is coarse for samples this small",
    "no-overlap": "the samples do not overlap: p is the least that a permutation test of these sizes can give",
    "no-spread": "neither sample varies, and no p-value follows from data without spread",
    "table-end": "p is the limit of its table: the true p is at most this value",
    "undefined": "it is not defined for these values",
    "unsupported": "levels with too few values beyond them have no band",
    "short-tails": "resamples of so few values lack the tails: the interval covers less often than its level states",
    "withheld": "the interval of so few values covers less often than its level states, and is withheld (see withhold)",
}

INDEPENDENT: Final = "the values are independent of each other"
INDEPENDENT_SAMPLES: Final = "the samples are independent of each other, and so are the values of each"
SAME_SHAPE: Final = "as a test of a shift: both samples have one shape"
PAIRS: Final = "the pairs are independent of each other"
SYMMETRIC: Final = "the differences are spread symmetrically about their centre"
CONTINUOUS: Final = "the interval attains its level for values without ties, and more with them"
NORMAL: Final = "the values, or their means, are near enough to normal"
BLOCKS: Final = "the blocks are independent of each other"
ORDER: Final = "the values are in the order of measurement"
RESAMPLES: Final = "the sample represents its whole distribution, including the tails"


def sentences(codes: list[str]) -> tuple[str, ...]:
    """Return the text of each code."""
    return tuple(WARNINGS[code] for code in codes)
