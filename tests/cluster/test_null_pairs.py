"""How often a comparison of clusters calls what nobody changed, and that it finds what somebody did; by simulation.

A run has an effect of its own on each metric, a part of which all metrics share; hosts differ, and values that follow
each other in time are alike.
"""

import math
import random
from pathlib import Path

import pytest
import summaries

from statera.cluster.comparison import compare
from statera.cluster.metrics import METRICS
from statera.cluster.observations import Variant
from statera.cluster.samples import Analysed, Mean

_HOSTS = 10
_DIFFERENCES = {"better", "worse", "changed"}
# Of 60 comparisons: with a rate of 5 % it is exceeded once in 350 times.
_COMPARISONS, _MOST = 60, 8


def run_of(chance, spreads, factors):
    """Make a run; ``spreads`` has the standard deviation between runs of each metric, and the share that all share."""
    found, hosts, series = summaries.plain(), {}, {}
    shared = chance.gauss(0, 1)
    for metric in METRICS:
        spread, common = spreads[metric.key]
        effect = math.sqrt(common) * shared + math.sqrt(1 - common) * chance.gauss(0, 1)
        level = 10 * math.exp(spread * effect) * factors.get(metric.key, 1.0)
        if metric.paired:
            values = {
                f"h{host}": Mean(level * (1 + 0.05 * host) * math.exp(chance.gauss(0, 0.02)), chance.randint(50, 99))
                for host in range(_HOSTS)
            }
            hosts[metric.key] = values
            pairs = [(each.mean * each.n, each.n) for each in values.values()]
        else:
            pairs, last = [], 0.0
            for _ in range(chance.randint(20, 200)):
                last = 0.7 * last + chance.gauss(0, 1)
                samples = chance.randint(1, 5)
                pairs.append((level * (1 + 0.05 * last) * samples, samples))
            series[metric.key] = pairs
        samples = sum(count for _, count in pairs)
        mean = math.fsum(total for total, _ in pairs) / samples
        found["metrics"][metric.key] |= {"n": samples, "mean": mean, "quantiles": quantiles(chance, metric, mean)}
    return Analysed(Path("run"), found, hosts, series)


def quantiles(chance, metric, mean):
    """Give percentiles about the mean; the farther out, the more they vary. Shares of a core are whole numbers."""
    found = {
        level: mean * factor * math.exp(chance.gauss(0, spread))
        for level, factor, spread in (("0.5", 0.9, 0.004), ("0.95", 1.5, 0.01), ("0.99", 2.2, 0.04))
    }
    return {level: float(round(value)) if metric.unit == "%" else value for level, value in found.items()}


def called(seed, old, new, factors=None, largest=0.03):
    """Give the metrics that are called, of so many runs per build whose metrics spread by at most ``largest``."""
    chance = random.Random(seed)
    spreads = {
        metric.key: (chance.choice([0.002, 0.01, largest]), chance.choice([0.0, 0.3, 0.8])) for metric in METRICS
    }
    sides = [
        Variant(label, tuple(run_of(chance, spreads, of) for _ in range(count)))
        for label, count, of in (("old", old, {}), ("new", new, factors or {}))
    ]
    compared = compare(sides)
    return {cell.metric.key for row in compared.rows for cell in row.cells if cell.verdict in _DIFFERENCES}


@pytest.mark.later
@pytest.mark.parametrize("runs", [(1, 1), (2, 2), (3, 3), (8, 1), (8, 3)])
def test_what_nobody_changed_is_hardly_called(runs):
    wrong = sum(bool(called(seed, *runs)) for seed in range(_COMPARISONS))
    # A single run per build settles nothing.
    assert wrong <= (0 if runs == (1, 1) else _MOST)


@pytest.mark.later
def test_what_somebody_changed_is_found_and_nothing_else():
    planted = {METRICS[3].key: 1.25, METRICS[20].key: 1.25}
    found = [called(seed, 3, 3, planted, 0.01) for seed in range(_COMPARISONS)]
    assert sum(len(each & set(planted)) for each in found) >= 0.8 * 2 * _COMPARISONS
    assert sum(bool(each - set(planted)) for each in found) <= _MOST
