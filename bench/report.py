"""Measure `statera report`: time to HTML and to HTML and PDF, peak memory, size of the page, by number of benchmarks.

Usage: python bench/report.py [--write] [--rounds N] [--profile]. --write writes the table into docs/performance.md;
--profile shows what takes the time at 1,000 benchmarks.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
from typing import TYPE_CHECKING

import peers
from generate import pair

if TYPE_CHECKING:
    from pathlib import Path

PART = "report"
# Number of benchmarks, of samples, and whether all three metrics are reported or only the first.
SIZES = (
    (10, 20, False),
    (100, 20, False),
    (1_000, 10, False),
    (1_000, 20, False),
    (5_000, 20, False),
    (5_000, 20, True),
)


def words(benchmarks: int, samples: int, every: bool) -> tuple[list[str], Path]:  # noqa: FBT001 - a row of SIZES
    """Return the arguments of a report of this size, and the page that it writes."""
    page = peers.DATA / f"report-{benchmarks}.html"
    old, new = pair(peers.DATA, benchmarks, samples)
    metric = [] if every else ["--metric", "sec/op"]
    return ["report", "--no-config", str(old), str(new), *metric, "-o", str(page)], page


def rows(rounds: int) -> list[list[str]]:
    """Measure each size; the runs of a size follow each other, and the best time and the largest memory count."""
    found = []
    for benchmarks, samples, every in SIZES:
        arguments, page = words(benchmarks, samples, every)
        paper = page.with_suffix(".pdf")
        command = [sys.executable, "-m", "statera", *arguments]
        html, both = ([peers.run(each) for _ in range(rounds)] for each in (command, [*command, "-o", str(paper)]))
        found.append(
            [
                f"{benchmarks:,} × 2 × {samples}",
                "3" if every else "1",
                *(f"{min(run.seconds for run in runs):.2f} s" for runs in (html, both)),
                *(f"{min(run.processor for run in runs):.2f} s" for runs in (html, both)),
                f"{max(run.mib for run in html):.0f} MiB",
                f"{page.stat().st_size / 1e6:.2f} MB",
            ]
        )
        page.unlink()
        paper.unlink()
    return found


def text(rounds: int) -> str:
    """Return the table."""
    head = [
        "benchmarks × variants × samples",
        "metrics",
        "HTML",
        "HTML and PDF",
        "processor",
        "of both",
        "peak",
        "page",
    ]
    return "\n".join(peers.table(head, rows(rounds)))


def profile() -> None:
    """Show the functions in which a report of 1,000 benchmarks spends its time, imports included."""
    arguments, page = words(1_000, 10, every=False)
    profiler = cProfile.Profile()
    profiler.enable()
    from statera.cli import main as statera

    statera(arguments)
    profiler.disable()
    page.unlink()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    if options.profile:
        profile()
        return
    made = text(options.rounds)
    print(made)
    if options.write:
        peers.write(PART, made)


if __name__ == "__main__":
    main()
