"""Measure statera and its peers in one run and write the tables of docs/performance.md.

Usage: python bench/run.py [--write] [--rounds N] [--groups N]. Missing peers are left out; the output says so.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import peers
import scipy
from generate import pair

import stats

PARTS = ("measured", "statistics")


def large(rounds: int) -> list[str]:
    """Compare a pair of files of 114 MB: 28,000 benchmarks x 20 samples x 3 units per side."""
    rows = []
    for name, ties in (("as Go prints them", True), ("without ties", False)):
        old, new = (str(path) for path in pair(peers.DATA, 28_000, 20, ties=ties))
        programs = {"statera": [*peers.statera(), "compare", "--no-config", old, new]}
        rival = peers.benchstat()
        if rival:
            programs["benchstat"] = [rival, old, new]
        measured = peers.side_by_side(programs, rounds)
        ours, theirs = measured["statera"], measured.get("benchstat")
        against = ["-", "-", "-"]
        if theirs:
            against = [f"{theirs.seconds:.2f} s", f"{theirs.seconds / ours.seconds:.1f}", f"{theirs.mib:.0f} MiB"]
        rows.append([name, f"{ours.seconds:.2f} s", against[0], against[1], f"{ours.mib:.0f} MiB", against[2]])
    head = ["28,000 benchmarks × 20 × 3 units per build", "statera", "benchstat", "times faster", "peak", "its peak"]
    return peers.table(head, rows)


def small(rounds: int) -> list[str]:
    """Compare a pair of 10 benchmarks x 20 samples: the total cost of a small comparison."""
    old, new = (str(path) for path in pair(peers.DATA, 10, 20))
    programs = {
        "statera": [*peers.statera(), "compare", "--no-config", old, new],
        "python -c pass": [sys.executable, "-c", "pass"],
    }
    rival = peers.benchstat()
    if rival:
        programs["benchstat"] = [rival, old, new]
    measured = peers.side_by_side(programs, 7 * rounds)
    rows = [[name, f"{m.seconds * 1000:.0f} ms", f"{m.mib:.0f} MiB"] for name, m in measured.items()]
    return peers.table(["10 benchmarks × 20 samples, the whole process", "median", "peak"], rows)


READ = """
import sys, time
from statera import _native
from statera.reading import observations
_native.set_jobs(int(sys.argv[1]))
best = 1e9
for _ in range(5):
    start = time.perf_counter()
    read = observations.read(sys.argv[2:])
    best = min(best, time.perf_counter() - start)
print(best)
"""


def reading() -> list[str]:
    """Measure reading alone, on one core and on two."""
    old, new = pair(peers.DATA, 28_000, 20)
    size = (old.stat().st_size + new.stat().st_size) / 1e6
    seconds = {1: float("inf"), 2: float("inf")}
    # In turn, and the best of each: other load on the machine falls on one or the other.
    for jobs in [1, 2] * 4:
        words = [sys.executable, "-c", READ, str(jobs), str(old), str(new)]
        best = float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        seconds[jobs] = min(seconds[jobs], best)
    one, two = size / seconds[1], size / seconds[2]
    return peers.table(
        ["reading alone", "MB/s"], [["one core", f"{one:.0f}"], [f"two cores ({two / one:.2f} times)", f"{two:.0f}"]]
    )


def exact(groups: int = 100_000, n: int = 20) -> list[str]:
    """Measure exact Mann-Whitney tests of 20 + 20 samples, per test."""
    from scipy import stats as peer

    from statera.stats import grid, mann_whitney

    draw = np.random.default_rng(1)
    x, y = draw.normal(size=(groups, n)), draw.normal(size=(groups, n))
    start = time.perf_counter()
    ours = grid(mann_whitney, x, y, confidence=None)
    untied = (time.perf_counter() - start) / groups
    few = 500
    start = time.perf_counter()
    single = [peer.mannwhitneyu(y[i], x[i], method="exact").pvalue for i in range(few)]
    one = (time.perf_counter() - start) / few
    start = time.perf_counter()
    together = peer.mannwhitneyu(y, x, axis=1, method="exact").pvalue
    axis = (time.perf_counter() - start) / groups
    for theirs in (together, np.asarray(single)):
        if not np.allclose(np.asarray(ours["p"])[: len(theirs)], theirs, rtol=1e-9, atol=0):
            raise SystemExit("SciPy gives other p-values")
    tied_x, tied_y = np.round(x * 5), np.round(y * 5)
    start = time.perf_counter()
    grid(mann_whitney, tied_x, tied_y, confidence=None)
    tied = (time.perf_counter() - start) / groups
    rows = [
        ["without ties: statera", f"{untied * 1e6:.2f} µs", "1"],
        ["without ties: SciPy, one call a pair", f"{one * 1e6:.0f} µs", f"{one / untied:.0f}"],
        ["without ties: SciPy, axis=1", f"{axis * 1e6:.2f} µs", f"{axis / untied:.1f}"],
        ["with ties: statera", f"{tied * 1e6:.2f} µs", "1"],
    ]
    coin = with_coin(tied_x[:100], tied_y[:100])
    if coin:
        rows.append(["with ties: R's coin, exact", f"{coin * 1e6:.0f} µs", f"{coin / tied:.0f}"])
    return peers.table([f"{groups:,} exact Mann-Whitney tests of {n} + {n}, per test", "time", "times ours"], rows)


COIN = """
suppressMessages(library(coin))
v <- as.matrix(read.csv("{path}", header = FALSE)); n <- ncol(v) / 2
g <- factor(rep(c("x", "y"), each = n))
invisible(pvalue(wilcox_test(v[1, ] ~ g, distribution = "exact")))
t <- system.time(for (i in seq_len(nrow(v))) pvalue(wilcox_test(v[i, ] ~ g, distribution = "exact")))
cat(t[["elapsed"]] / nrow(v))
"""


def with_coin(x: np.ndarray, y: np.ndarray) -> float | None:
    """Time R's coin on the same values; None if it is not installed."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        return None
    path = peers.DATA / "tied.csv"
    np.savetxt(path, np.hstack([x, y]), delimiter=",")
    done = subprocess.run([rscript, "-e", COIN.format(path=path)], capture_output=True, text=True, check=False)
    return float(done.stdout) if done.returncode == 0 else None


def machine() -> str:
    cpu = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        "",
    )
    versions = f"Python {platform.python_version()}, SciPy {scipy.__version__}"
    return (
        f"{os.cpu_count()} cores ({cpu}), {platform.system()}, {versions}; benchstat {peers.BENCHSTAT.split('@')[1]}.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--groups", type=int, default=100_000, help="number of groups in the batches of statera.stats")
    options = parser.parse_args()
    programs = [*large(options.rounds), *small(options.rounds), *reading(), *exact(), machine()]
    texts = ["\n".join(part) for part in (programs, stats.report(options.groups))]
    print("\n".join(texts))
    if peers.benchstat() is None:
        print("benchstat was left out: no Go", file=sys.stderr)
    if shutil.which("Rscript") is None:
        print("R was left out: no Rscript", file=sys.stderr)
    if options.write:
        for name, text in zip(PARTS, texts, strict=True):
            peers.write(name, text)


if __name__ == "__main__":
    main()
