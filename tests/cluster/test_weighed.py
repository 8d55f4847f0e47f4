"""Runs weighed as observations, held against the definitions written down once more, with SciPy for Student's t."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import NamedTuple

import pytest
import summaries
from scipy import stats

from statera.cluster.comparison import compare
from statera.cluster.metrics import BY_KEY
from statera.cluster.observations import Variant
from statera.cluster.samples import Analysed, Mean
from support import every

HOSTS, BLOCKS = BY_KEY["cdfStarted"], BY_KEY["cdfBlockSize"]


def analysed(metric, values):
    """A run that measured one metric: {host: Mean}, or a series of (sum, samples)."""
    pairs = values.values() if metric.paired else [(total / n, n) for total, n in values]
    n = sum(samples for _, samples in pairs)
    mean = math.fsum(each * samples for each, samples in pairs) / n if n else None
    found = summaries.plain()
    found["metrics"][metric.key] |= {"n": n, "mean": mean}
    hosts = {metric.key: values} if metric.paired else {}
    return Analysed(Path("run"), found, hosts, {} if metric.paired else {metric.key: values})


def weighed(metric, old, new):
    """The one row of two sides, each a list of runs."""
    sides = [
        Variant(label, tuple(analysed(metric, run) for run in runs)) for label, runs in (("old", old), ("new", new))
    ]
    [cell] = compare(sides, metrics=[metric]).rows[0].cells
    return cell


def series(chance, count, depends=0.0, level=10.0):
    values, last = [], 0.0
    for _ in range(count):
        last = depends * last + chance.gauss(0, 1)
        samples = chance.randint(1, 5)
        values.append(((level + last) * samples, samples))
    return values


def run_of(metric, chance, level, *, apart=0):
    """A run of a level: of four hosts, whose levels are so far apart, or of a series."""
    if metric.paired:
        return {f"h{k}": Mean(level + apart * k + chance.gauss(0, 0.1), chance.randint(1, 99)) for k in range(4)}
    return series(chance, 30, 0.9, level)


def batches(values):
    count = min(max(len(values) // 20, 5), 9)
    ends = [len(values) * k // count for k in range(count + 1)]
    parts = [values[first:last] for first, last in pairwise(ends)]
    return [math.fsum(total for total, _ in part) / sum(n for _, n in part) for part in parts]


def error(metric, run):
    """The standard error that a run's own samples give its mean; hosts give none."""
    of = [] if metric.paired else batches(run)
    return stdev(of) / math.sqrt(len(of)) if of else 0.0


def least(metric, runs):
    """The least standard deviation between runs with these errors."""
    return math.sqrt(fmean(error(metric, run) ** 2 for run in runs))


class Expected(NamedTuple):
    """A change with its standard error by Student's t; ``tail`` is (c, theta) of the small p-values of known runs."""

    estimate: float
    error: float
    df: float
    tail: tuple[float, float] = (1.0, 1.0)

    @property
    def pvalue(self):
        p = 2 * stats.t.sf(abs(self.estimate) / self.error, self.df)
        height, power = self.tail
        return min(1.0, 0.05 * height * (p / 0.05) ** power if p < 0.05 else height * p)

    def confidence_interval(self, level):
        height, power = self.tail
        before = 0.05 * ((1 - level) / (0.05 * height)) ** (1 / power)
        half = self.error * stats.t.isf(before / 2, self.df)
        return SimpleNamespace(low=self.estimate - half, high=self.estimate + half)


def welch(metric, old, new):
    """Welch's t of the means of runs, which spread by what their own samples say or more."""
    parts = []
    for runs in (old, new):
        means = [analysed(metric, run).summary["metrics"][metric.key]["mean"] for run in runs]
        parts.append((fmean(means), max(stdev(means), least(metric, runs)) ** 2 / len(runs), len(runs) - 1))
    (before, a, m), (after, b, n) = parts
    return Expected(after - before, math.sqrt(a + b), (a + b) ** 2 / (a**2 / m + b**2 / n))


def predicted(metric, runs, single, tail=(1.0, 1.0)):
    """A single run by the spread of several."""
    *means, mean = [analysed(metric, run).summary["metrics"][metric.key]["mean"] for run in (*runs, single)]
    spread = max(stdev(means), least(metric, runs), least(metric, [single]))
    return Expected(mean - fmean(means), spread * math.sqrt(1 + 1 / len(runs)), len(runs) - 1, tail)


def tail(metric, runs):
    """How often each run is predicted wrongly from the others, drawn to normal runs by two values."""
    if len(runs) < 4:
        return 1.0, 1.0
    every = [predicted(metric, runs[:k] + runs[k + 1 :], runs[k]).pvalue for k in range(len(runs))]
    small = [p for p in every if p <= 0.05]
    power = (len(small) + 2) / (sum(max(0.0, math.log(0.05 / max(p, 0.01 / len(every)))) for p in small) + 2)
    return max(1.0, (len(small) + 2) / (0.05 * len(every) + 2)), min(1.0, power)


def effective(values):
    means = [total / n for total, n in values]
    centre = fmean(means)
    off = [mean - centre for mean in means]
    lag = sum(a * b for a, b in pairwise(off)) / sum(a * a for a in off)
    return len(means) * (1 - lag) / (1 + lag)


def held(cell, found, level=0.95):
    """Hold p and the interval, which stands around the change of the means over all samples."""
    ends = found.confidence_interval(level)
    middle = (ends.low + ends.high) / 2
    shift = cell.delta - middle
    assert cell.row.p == pytest.approx(found.pvalue, rel=1e-9)
    assert (cell.low, cell.high) == pytest.approx((ends.low + shift, ends.high + shift), rel=1e-9)
    assert cell.row.scale == "difference"


@every("seed", range(5))
def test_blocks_are_weighed_by_welchs_t_of_batches(seed):
    chance = random.Random(seed)
    old, new = series(chance, chance.randint(20, 400), 0.3), series(chance, chance.randint(40, 400), 0.2, 10.2)
    cell = weighed(BLOCKS, [old], [new])
    if min(effective(old), effective(new)) < 20:
        assert (cell.low, cell.reason) == (None, "too few blocks for their autocorrelation")
        return
    held(cell, stats.ttest_ind(batches(new), batches(old), equal_var=False))
    assert (cell.unit, cell.row.design, cell.row.baseline_n, cell.row.contender_n) == (
        "blocks", "series", len(old), len(new),
    )  # fmt: skip
    assert cell.delta == pytest.approx(cell.side.mean - cell.before.mean, rel=1e-9)


@every("seed", range(5))
def test_hosts_are_weighed_by_their_differences(seed):
    chance = random.Random(seed)
    names = [f"h{k}" for k in range(chance.randint(2, 30))]
    old = {name: Mean(chance.uniform(1, 9), chance.randint(1, 500)) for name in names}
    new = {name: Mean(old[name].mean + chance.gauss(0.1, 0.01), chance.randint(1, 500)) for name in names}
    old |= {"gone": Mean(3.0, 10)}
    cell = weighed(HOSTS, [old], [new])
    held(cell, stats.ttest_rel([new[name].mean for name in names], [old[name].mean for name in names]))
    assert (cell.unit, cell.row.baseline_n, cell.row.pairs_dropped) == ("hosts", len(names), 1)
    # Hosts that move alike show what their spread would hide.
    assert cell.high - cell.low < 0.3


def test_several_runs_a_side_are_weighed_by_welchs_t_of_their_means(subtests):
    for seed in range(5):
        for metric in (HOSTS, BLOCKS):
            with subtests.test(seed=seed, metric=metric):
                chance = random.Random(seed)
                old, new = (
                    [run_of(metric, chance, level, apart=1) for _ in range(chance.randint(2, 5))]
                    for level in (5.0, 6.0)
                )
                cell = weighed(metric, old, new)
                held(cell, welch(metric, old, new))
                assert (cell.unit, cell.row.baseline_n, cell.row.contender_n) == ("runs", len(old), len(new))
                means = [analysed(metric, each).summary["metrics"][metric.key]["mean"] for each in new]
                assert (
                    cell.side.mean
                    == pytest.approx(fmean(means), rel=1e-12)
                    == pytest.approx(cell.row.contender_centre, rel=1e-12)
                )
                assert "one-process" not in cell.row.warnings


def test_one_run_against_several_is_judged_by_their_spread(subtests):
    for count in (2, 3, 7):
        for metric in (HOSTS, BLOCKS):
            with subtests.test(count=count, metric=metric):
                chance = random.Random(count)
                old, new = [run_of(metric, chance, 5.0) for _ in range(count)], [run_of(metric, chance, 6.0)]
                cell = weighed(metric, old, new)
                held(cell, predicted(metric, old, new[0], tail(metric, old)))
                assert (cell.unit, cell.row.baseline_n, cell.row.contender_n, cell.row.warnings) == (
                    "runs", count, 1, (),
                )  # fmt: skip


def test_the_density_of_the_chain_is_one_value_a_run():
    """Its values are a running mean, so that neither hosts nor stretches of time are independent."""
    density, runs = (
        BY_KEY["cdfDensity"],
        [{"a": Mean(level, 100), "b": Mean(level, 90)} for level in (0.05, 0.051, 0.052, 0.06)],
    )
    cell = weighed(density, runs[:1], runs[3:])
    assert (cell.words, cell.low, cell.row.p, cell.unit) == ("one value per run", None, None, "")
    assert cell.delta == pytest.approx(0.01)
    held(weighed(density, runs[:3], runs[3:]), predicted(density, runs[:3], runs[3], tail(density, runs[:3])))


def test_what_cannot_be_weighed_says_why():
    chance = random.Random(4)
    free = series(chance, 100)
    walk = [(math.fsum(value for value, _ in free[:k]), 1) for k in range(1, 101)]
    few = "fewer than 20 blocks per build"
    assert weighed(BLOCKS, [free], [free]).low is not None
    assert weighed(BLOCKS, [free[:19]], [free]).reason == few
    assert weighed(BLOCKS, [free], [walk]).reason == "too few blocks for their autocorrelation"
    assert weighed(BLOCKS, [[(2.0, 1)] * 30], [[(3.0, 1)] * 30]).reason == "no spread"
    one, other = {"a": Mean(1.0, 1)}, {"a": Mean(2.0, 1), "b": Mean(1.0, 1)}
    assert weighed(HOSTS, [one], [other]).reason == "fewer than two hosts in common"
    # The change of the means is told all the same.
    assert weighed(BLOCKS, [free[:19]], [free]).delta is not None


def test_the_same_on_both_sides_has_no_change():
    same = {"a": Mean(1.0, 1), "b": Mean(2.0, 3)}
    cell = weighed(HOSTS, [same], [same])
    assert (cell.row.p, cell.delta, cell.low, cell.high) == (1.0, 0.0, 0.0, 0.0)
    constant = [(0.02 * 3, 3)] * 40
    cell = weighed(BLOCKS, [constant], [constant])
    assert (cell.row.p, cell.delta, cell.low, cell.high) == (1.0, 0.0, 0.0, 0.0)


@every("lacking, words", ((1, "gone"), (0, "new")))
def test_a_metric_of_one_side_alone_is_gone_or_new(lacking, words):
    runs = [analysed(BLOCKS, [(1.0, 1)] * 30) for _ in range(2)]
    runs[1 - lacking].hosts[HOSTS.key] = {"a": Mean(1.0, 1), "b": Mean(2.0, 3)}
    found = compare([Variant(name, (run,)) for name, run in zip("ab", runs, strict=True)], metrics=[HOSTS, BLOCKS])
    assert [row.cells[0].words for row in found.rows] == [words, "no clear change: one run"]


def test_a_series_that_follows_its_neighbours_has_a_wider_interval():
    chance = random.Random(3)
    loose = [(chance.gauss(10, 1), 1) for _ in range(900)]
    levels = [chance.gauss(10, 1) for _ in range(90)]
    sticky = [(levels[k // 10], 1) for k in range(900)]
    widths = [cell.high - cell.low for cell in (weighed(BLOCKS, [each], [each]) for each in (loose, sticky))]
    assert widths[1] > 2 * widths[0]
