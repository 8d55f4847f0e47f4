"""Measure statera.stats, SciPy and R: the time per call in a batch, and the memory of a batch.

Every result is compared with the peer's in the same run. `python bench/stats.py --groups 2000` is a quick trial.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import peers
from scipy import stats as scipy

from statera import stats

if TYPE_CHECKING:
    from collections.abc import Callable

N = 20
FEW = 300
BOOTSTRAPPED = 1000
# SciPy's loops over rows are measured on this many rows; the time per call is the same for more.
AXIS = 20_000
DECILES = np.arange(1, 10) / 10


class Peer(NamedTuple):
    """One peer's seconds per call, and its first results."""

    seconds: float
    found: np.ndarray


class Case(NamedTuple):
    """A procedure in a batch and its peers: what each computes for groups."""

    name: str
    words: str
    ours: Callable[[], Any]
    single: Callable[[int], Any]
    axis: Callable[[slice], Any] | None


def timed(work: Callable[[], Any], rounds: int = 3) -> tuple[float, Any]:
    """Return the median time of some rounds, and the result."""
    taken = []
    found = None
    for _ in range(rounds):
        start = time.perf_counter()
        found = work()
        taken.append(time.perf_counter() - start)
    return sorted(taken)[rounds // 2], found


def one_by_one(call: Callable[[int], Any], groups: int) -> Peer:
    call(0)
    seconds, found = timed(lambda: [call(i) for i in range(groups)])
    return Peer(seconds / groups, np.asarray(found, dtype=float))


def with_r(values: np.ndarray, rows: np.ndarray) -> dict[str, Peer]:
    """Run R on the first groups; without R, return nothing."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        return {}
    peers.DATA.mkdir(exist_ok=True)
    for name, data in (("groups.csv", values), ("rows.csv", rows)):
        np.savetxt(peers.DATA / name, data, delimiter=",", fmt="%.17g")
    words = [rscript, str(Path(__file__).with_name("stats.R")), str(peers.DATA)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"R was left out: {done.stderr.strip()}", file=sys.stderr)
        return {}
    found = {}
    for line in done.stdout.splitlines():
        words = line.split()
        first = next(place for place, word in enumerate(words) if word[0].isdigit())
        numbers = np.asarray(words[first:], dtype=float)
        found[" ".join(words[:first])] = Peer(numbers[0], numbers[1:])
    return found


def agree(name: str, ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> None:
    if not np.allclose(ours[: len(theirs)], theirs, rtol=tolerance, atol=1e-12):
        raise SystemExit(f"{name}: a peer gives other results")


def alike(name: str, ours: np.ndarray, theirs: np.ndarray, width: np.ndarray) -> None:
    """Compare ends of bootstrap intervals: both are drawn, so they differ by a few per cent of the width."""
    apart = np.abs(ours[: len(theirs)] - theirs) / width[: len(theirs)]
    if np.median(apart) > 0.03:  # noqa: RUF100
        raise SystemExit(f"{name}: a peer gives other intervals ({np.median(apart):.3f} of the width apart)")


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:.{2 if seconds < 1e-5 else 0}f} µs"


def against(ours: float, peer: Peer | float | None) -> str:
    """Write a peer's time and its ratio to ours."""
    if peer is None:
        return "-"
    seconds = peer.seconds if isinstance(peer, Peer) else peer
    times = seconds / ours
    return f"{micro(seconds)} ({times:.{1 if times < 20 else 0}f} ×)"


def tests(x: np.ndarray, y: np.ndarray, z: np.ndarray, in_r: dict[str, Peer]) -> list[str]:
    """Measure tests in a batch of all groups."""
    grid = stats.grid
    cases = [
        Case(
            "mann_whitney",
            "Mann-Whitney, exact, 20 + 20",
            lambda: grid("mann_whitney", x, y, confidence=None),
            lambda i: scipy.mannwhitneyu(y[i], x[i], method="exact").pvalue,
            lambda some: scipy.mannwhitneyu(y[some], x[some], axis=1, method="exact").pvalue,
        ),
        Case(
            "signed_rank",
            "signed-rank, exact, 20",
            lambda: grid("signed_rank", x, confidence=None),
            lambda i: scipy.wilcoxon(x[i], method="exact").pvalue,
            lambda some: scipy.wilcoxon(x[some], axis=1, method="exact").pvalue,
        ),
        Case(
            "kruskal_wallis",
            "Kruskal-Wallis, 3 × 20",
            lambda: grid("kruskal_wallis", x, y, z),
            lambda i: scipy.kruskal(x[i], y[i], z[i]).pvalue,
            lambda some: scipy.kruskal(x[some], y[some], z[some], axis=1).pvalue,
        ),
        Case(
            "friedman",
            "Friedman, 20 × 3",
            lambda: grid("friedman", x, y, z),
            lambda i: scipy.friedmanchisquare(x[i], y[i], z[i]).pvalue,
            lambda some: scipy.friedmanchisquare(x[some], y[some], z[some], axis=1).pvalue,
        ),
        Case(
            "shapiro_wilk",
            "Shapiro-Wilk, 20",
            lambda: grid("shapiro_wilk", x),
            lambda i: scipy.shapiro(x[i]).pvalue,
            lambda some: scipy.shapiro(x[some], axis=1).pvalue,
        ),
    ]
    rows = []
    for case in cases:
        seconds, found = timed(case.ours, 5)
        ours, p = seconds / len(x), np.asarray(found["p"])
        single = one_by_one(case.single, min(FEW, len(x)))
        # SciPy's Shapiro-Wilk uses single precision in places.
        agree(case.name, p, single.found, 1e-6 if case.name == "shapiro_wilk" else 1e-9)
        r = in_r.get(case.name)
        if r:
            agree(case.name, p, r.found, 1e-6 if case.name == "shapiro_wilk" else 1e-9)
        some = slice(0, min(AXIS, len(x)))
        axis = None
        if case.axis:
            taken, found = timed(partial(case.axis, some), 1)
            agree(case.name, p, np.asarray(found), 1e-6 if case.name == "shapiro_wilk" else 1e-9)
            axis = taken / len(p[some])
        rows.append([case.words, micro(ours), against(ours, single), against(ours, axis), against(ours, r)])
    head = [
        f"{len(x):,} groups, a call",
        "statera",
        "SciPy, one call a group",
        "SciPy, `axis=1`",
        "R, one call a group",
    ]
    return peers.table(head, rows)


def difference_of_medians(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.median(b, axis=axis) - np.median(a, axis=axis)


def resampling(x: np.ndarray, y: np.ndarray, in_r: dict[str, Peer]) -> list[str]:
    """Measure bootstrap intervals of 9,999 resamples, and Harrell-Davis deciles."""
    few = min(10, len(x))
    a, b = x[:BOOTSTRAPPED], y[:BOOTSTRAPPED]

    def bca(samples: tuple[np.ndarray, ...], statistic: Callable[..., Any]) -> float:
        drawn = scipy.bootstrap(samples, statistic, n_resamples=9999, method="BCa", vectorized=True, rng=1)
        return float(drawn.confidence_interval.low)

    cases = [
        Case(
            "bca mean",
            "BCa of a mean, 20",
            lambda: stats.grid("bootstrap", a, statistic="mean", withhold=False),
            lambda i: bca((x[i],), np.mean),
            None,
        ),
        Case(
            "bca median",
            "BCa of a median, 20",
            lambda: stats.grid("bootstrap", a, statistic="median", withhold=False),
            lambda i: bca((x[i],), np.median),
            None,
        ),
        Case(
            "bca difference",
            "BCa of a difference of medians, 20 + 20",
            lambda: stats.grid("bootstrap", a, b, statistic="median", withhold=False),
            lambda i: bca((x[i], y[i]), difference_of_medians),
            None,
        ),
    ]
    rows = []
    for case in cases:
        seconds, found = timed(case.ours, 5)
        ours, low = seconds / len(a), np.asarray(found["low"])
        width = np.asarray(found["high"]) - low
        single, r = one_by_one(case.single, few), in_r.get(case.name)
        alike(case.name, low, single.found, width)
        if r:
            alike(case.name, low, r.found, width)
        rows.append([case.words, micro(ours), against(ours, single), against(ours, r)])
    seconds, found = timed(lambda: stats.grid("harrell_davis", x, levels=DECILES.tolist()))
    ours, middle = seconds / len(x), np.asarray(found["q0.5"])
    single = one_by_one(lambda i: scipy.mstats.hdquantiles(x[i], prob=DECILES)[4], min(FEW, len(x)))
    r = in_r.get("harrell_davis")
    for peer in (single, r):
        if peer:
            agree("harrell_davis", middle, peer.found, 1e-9)
    rows.append(["Harrell-Davis deciles, 20", micro(ours), against(ours, single), against(ours, r)])
    head = [f"9,999 resamples, {len(a):,} groups, a call", "statera", "SciPy, one call a group", "R, one call a group"]
    return peers.table(head, rows)


def family(rows: np.ndarray, in_r: dict[str, Peer]) -> list[str]:
    """Measure step-down maxT over 10,000 relabelings."""
    x, y = list(rows[:, :10]), list(rows[:, 10:])
    seconds, _ = timed(lambda: stats.westfall_young(x, y))
    plain = stats.westfall_young(x, y, moderated=False)
    lines = [["statera", f"{seconds:.2f} s", "1"]]
    r = in_r.get("westfall_young")
    if r:
        # Both draw 10,000 relabelings: at p = 0.5, two standard errors of a chance difference are 0.014.
        if np.max(np.abs(np.asarray(plain.p) - r.found)) > 0.05:  # noqa: RUF100
            raise SystemExit("westfall_young: R gives other p-values")
        lines.append(
            ["R, multtest's mt.maxT (its t is not moderated)", f"{r.seconds:.2f} s", f"{r.seconds / seconds:.1f}"]
        )
    return peers.table(
        [f"Westfall-Young: {len(rows):,} benchmarks × (10 + 10), 10,000 relabelings", "time", "times ours"], lines
    )


MEMORY = """
import sys
import numpy as np
from statera import stats
groups, kind = int(sys.argv[1]), sys.argv[2]
draw = np.random.default_rng(1)
values = draw.normal(size=(groups, 20))
if kind == "table":
    import polars as pl
    values = pl.DataFrame({"key": np.repeat(np.arange(groups), 20), "value": values.ravel()})
    call = lambda rows: stats.batch("signed_rank", rows, "value", by="key", confidence=None)
    size = values.estimated_size()
else:
    call = lambda rows: stats.grid("signed_rank", rows, confidence=None)
    size = values.nbytes
call(values[:100])
def memory(name):
    return int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1]) * 1024
open("/proc/self/clear_refs", "w").write("5")
before = memory("VmRSS")
found = call(values)
output = 8 * len(found) * len(found.columns)
print(size, output, memory("VmHWM") - before)
"""


def memory(groups: int) -> list[str]:
    """Measure the memory of a batch beyond its input, by the number of groups."""
    rows = []
    for kind, words in (("grid", "array"), ("table", "table")):
        for count in (groups // 10, groups, groups * 4):
            command = [sys.executable, "-c", MEMORY, str(count), kind]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            size, output, peak = (int(word) / 2**20 for word in done.stdout.split())
            rest = (peak - output) * 2**20 / count
            rows.append(
                [f"{words}, {count:,} groups", *(f"{mib:.1f} MiB" for mib in (size, output, peak)), f"{rest:.0f} B"]
            )
    head = [
        "signed-rank tests of 20 values",
        "input",
        "columns of the result",
        "peak beyond the input",
        "of it beyond the result, a group",
    ]
    return peers.table(head, rows)


def report(groups: int) -> list[str]:
    """Return all tables."""
    draw = np.random.default_rng(7)
    x, y, z = (draw.normal(size=(groups, N)) for _ in range(3))
    rows = draw.normal(size=(1000, 20)) * draw.lognormal(0, 0.5, size=(1000, 1))
    rows[:20, 10:] += 2.0
    in_r = with_r(np.hstack([x[:FEW], y[:FEW], z[:FEW]]), rows)
    return [*tests(x, y, z, in_r), *resampling(x, y, in_r), *family(rows, in_r), *memory(groups)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=100_000)
    print("\n".join(report(parser.parse_args().groups)))
