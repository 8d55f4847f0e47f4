"""Data that strains pictures and reports: the ends of floating point, mixtures, zeros, one value, no difference."""

from looks import write

import statera
from statera.support.settings import Policy
from support import noisy

_LEAST, _MOST = 5e-324, 1e308
_TENS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)

# Each holds variants with their benchmarks; a score is in points and may be below zero, a time may not.
DATA = {
    "plain": {"old": {"a": noisy(10, seed=1), "b": noisy(20, seed=2)}, "new": {"a": noisy(11, seed=3), "b": noisy(20)}},
    "subnormal": {
        "old": {"a": [_LEAST * k for k in (1, 2, 3, 4, 5, 6, 7, 8)], "b": [_LEAST]},
        "new": {"a": [_LEAST * k for k in (2, 4, 6, 8, 10, 12, 14, 16)], "b": [_LEAST * 3]},
    },
    "largest": {
        "old": {"a": [_MOST * k for k in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2)], "b": [_MOST]},
        "new": {"a": [_MOST * k for k in (0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6)], "b": [_MOST * 1.7]},
    },
    "both signs of the largest": {
        "old": {"a": [-_MOST, _MOST, -1.5 * _MOST, 1.7 * _MOST, 1.0], "b": [-_MOST]},
        "new": {"a": [_MOST, -_MOST, 1.5 * _MOST, -1.7 * _MOST, 2.0], "b": [_MOST]},
    },
    "600 decades": {
        "old": {"a": [10.0**k for k in range(-300, 301, 60)], "b": [1e-300, 1e300], "c": [1e-320]},
        "new": {"a": [3 * 10.0**k for k in range(-300, 301, 60)], "b": [2e300, 1e-300], "c": [1e308]},
    },
    "600 decades and both signs": {
        "old": {"a": [1e-300, -1e300, 1e300, 0.0, 1.0, -1.0, -1e-300]},
        "new": {"a": [1e300, 1e-300, -1e300, 5.0, 0.0, 2.0, -3.0]},
    },
    "one outlier": {
        "old": {"a": [*_TENS, 1.8e10], "b": noisy(3, seed=4)},
        "new": {"a": _TENS, "b": [*noisy(3, seed=5), 1.8e10]},
    },
    "all equal": {"old": {"a": [7.0] * 10, "b": [1.0] * 10}, "new": {"a": [7.0] * 10, "b": [2.0] * 10}},
    "all zero": {"old": {"a": [0.0] * 8, "b": [0.0]}, "new": {"a": [0.0] * 8, "b": [0.0]}},
    "zeros among positives": {
        "old": {"a": [0.0, 1.0, 2.0, 3.0, 0.0, 5.0], "b": [0.0] * 6},
        "new": {"a": [1.0, 2.0, 3.0, 4.0, 5.0, 0.0], "b": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]},
    },
    "one zero": {"old": {"a": [0.0, *_TENS]}, "new": {"a": [2 * value for value in _TENS]}},
    "a baseline of zero": {
        "old": {"a": [0.0] * 6, "b": [0.0]},
        "new": {"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "b": [4.0]},
    },
    "negatives": {
        "old": {"a": [-1.0, -2.0, -3.0, -4.0, -5.0], "b": [-1.0, 1.0, 2.0, 3.0, 1.5]},
        "new": {"a": [-2.0, -3.0, -4.0, -5.0, -6.0], "b": [1.0, 2.0, -3.0, 4.0, 2.5]},
    },
    "one value a side": {"old": {"a": [1.0], "b": [2.0], "c": [1e-9]}, "new": {"a": [3.0], "b": [1.0], "c": [1e9]}},
    "two values": {"old": {"a": [1.0, 2.0], "b": [3.0, 3.0]}, "new": {"a": [3.0, 4.0], "b": [5.0, 7.0]}},
    "negative zero": {"old": {"a": [-0.0] * 5, "b": [-0.0]}, "new": {"a": [0.0, -0.0, 0.0, 1.0, -0.0], "b": [1.0]}},
    "hardly anything left": {
        "old": {"a": [1e17] * 6, "b": [1e17 * k for k in _TENS]},
        "new": {"a": [1.0] * 6, "b": [float(k) for k in _TENS]},
    },
    "near 1e15": {
        "old": {"a": [1e15 + k / 8 for k in range(10)], "b": [1e15, 1e15 + 0.125], "c": [1e15] * 5},
        "new": {"a": [1e15 + 1 + k / 8 for k in range(10)], "b": [1e15, 1e15], "c": [1e15 + 1] * 5},
    },
    "hardly any difference": {
        "old": {"a": [1.0 + k * 2**-52 for k in range(8)], "b": [1e300] * 3},
        "new": {"a": [1.0 + (k + 1) * 2**-52 for k in range(8)], "b": [1.0000000000000002e300] * 3},
    },
    "times of 1e-300": {"old": {"a": noisy(1, seed=6), "b": [1.0]}, "new": {"a": noisy(2, seed=7), "b": [3.0]}},
    "integers beyond 2^53": {
        "old": {"a": [float(2**60 + 1024 * k) for k in range(8)], "b": [2.0**63]},
        "new": {"a": [float(2**60 + 4096 * k) for k in range(8)], "b": [2.0**64]},
    },
}
DATA["times of 1e-300"] = {
    label: {name: [value * 1e-300 for value in values] for name, values in table.items()}
    for label, table in DATA["times of 1e-300"].items()
}


def files(folder, data):
    """Write the variants of a data set; give them as ``compare`` takes them."""
    paths = []
    for label, table in data.items():
        rows = [(benchmark, value) for benchmark, values in table.items() for value in values]
        paths.append(f"{label}={write(folder, label, rows)}")
    return paths


def sources(folder, data):
    """Give a data set as what pictures are drawn of: compared on each scale, and inspected."""
    paths = files(folder, data)
    found = {scale: statera.compare(*paths, policy=Policy(scale=scale)) for scale in ("auto", "difference")}
    return {**found, "alone": statera.inspect(*paths)}
