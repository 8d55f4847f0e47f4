"""Measure reading large files on one core beside bare parsers, and write the tables of docs/performance.md.

All times are processor times, which say the same on a busy machine.

Usage: python bench/reading.py [--write] [--size MB] [--rounds N] [NAME…]. A format that is not there is left out, and
so is a parser that is not installed; the output says so.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import large_results
import peers

from statera import _native

if TYPE_CHECKING:
    from pathlib import Path

PART = "reading"

# What a process does with the file that it is given; it prints its seconds.
_START = """
import os, resource, sys, time
os.environ["POLARS_MAX_THREADS"] = "1"
def done():
    print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_PROGRAMS = {
    "statera": """
from statera import _native
from statera.reading import observations
_native.set_jobs(1)
start = time.process_time()
read = observations.read(sys.argv[1:])
done()
""",
    "orjson": """
import orjson
start = time.process_time()
read = [orjson.loads(open(path, "rb").read()) for path in sys.argv[1:]]
done()
""",
    "orjson, line by line": """
import orjson
start = time.process_time()
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        for line in file:
            orjson.loads(line)
done()
""",
    "polars": """
import polars
start = time.process_time()
read = [polars.read_csv(path) for path in sys.argv[1:]]
done()
""",
    "orjson and NumPy": """
import numpy, orjson
start = time.process_time()
def times(path):
    found = {}
    for row in orjson.loads(open(path, "rb").read())["benchmarks"]:
        found.setdefault(row["name"], []).append(row["real_time"])
    return {name: numpy.median(values) for name, values in found.items()}
old, new = (times(path) for path in sys.argv[1:])
changes = {name: new[name] / old[name] for name in old.keys() & new.keys()}
done()
""",
}
# Go's text has no other parser here.
_PEERS = {"csv": "polars", "ndjson": "orjson, line by line", "k6": "orjson, line by line", "go": ""}


class Read(NamedTuple):
    """The least processor time of several runs, in seconds, and the largest peak, in MiB."""

    seconds: float
    mib: float


def measured(program: str, paths: list[Path]) -> Read:
    """Run a program in a process of its own."""
    words = [sys.executable, "-c", _START + _PROGRAMS[program], *map(str, paths)]
    seconds, kib = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return Read(float(seconds), int(kib) / 1024)


def in_turn(programs: list[str], paths: list[Path], rounds: int) -> dict[str, Read]:
    """Run programs round after round; give the best time and the largest peak of each."""
    runs: dict[str, list[Read]] = {program: [] for program in programs}
    for _ in range(rounds):
        for program, found in runs.items():
            found.append(measured(program, paths))
    return {
        program: Read(min(run.seconds for run in found), max(run.mib for run in found))
        for program, found in runs.items()
    }


def is_there(program: str) -> bool:
    """Whether the library that a program uses is installed; say so if it is not."""
    module = program.partition(",")[0].partition(" ")[0]
    found = importlib.util.find_spec(module) is not None
    if not found:
        print(f"without {module}, which is not installed", file=sys.stderr)
    return found


def reading(names: list[str], megabytes: int, rounds: int) -> list[str]:
    """Read a file of each format, on one core."""
    rows = []
    for name in names:
        path = large_results.write(peers.DATA, name, megabytes * 1_000_000)
        peer = _PEERS.get(name, "orjson")
        found = in_turn(["statera", peer] if peer and is_there(peer) else ["statera"], [path], rounds)
        rows.append([name, *_cells(found, "statera", peer, path.stat().st_size)])
        print(rows[-1], file=sys.stderr)
    head = [f"{megabytes} MB, one core", "statera", "the bare parser", "times its time", "peak", "its peak"]
    return peers.table(head, rows)


def _cells(found: dict[str, Read], ours: str, theirs: str, size: int) -> list[str]:
    """Give the times, their ratio, and the peaks as multiples of the size of the files."""
    peak = {program: f"{read.mib * 1024**2 / size:.1f} × the file" for program, read in found.items()}
    our = found[ours]
    time = f"{our.seconds:.2f} s ({size / our.seconds / 1e6:.0f} MB/s)"
    if theirs not in found:
        return [time, "–", "–", peak[ours], "–"]
    their = found[theirs]
    ratio = f"{our.seconds / their.seconds:.2f}"
    return [time, f"{their.seconds:.2f} s ({theirs})", ratio, peak[ours], peak[theirs]]


def comparing(megabytes: int, rounds: int) -> list[str]:
    """Compare two large files by the whole command, beside a script that only takes medians."""
    name = "google-benchmark"
    paths = [large_results.write(peers.DATA, name, megabytes * 1_000_000, seed) for seed in (1, 2)]
    size = sum(path.stat().st_size for path in paths)
    words = [*peers.statera(), "compare", "--no-config", *map(str, paths)]
    runs = [peers.run(words) for _ in range(rounds)]
    ours = Read(min(run.processor for run in runs), max(run.mib for run in runs))
    peer = "orjson and NumPy"
    theirs = in_turn([peer], paths, rounds) if is_there("orjson") else {}
    rows = [["statera compare", *_cells({"statera": ours, **theirs}, "statera", peer, size)]]
    head = [f"2 × {megabytes} MB of {name}", "statera", "medians alone", "times its time", "peak", "its peak"]
    return peers.table(head, rows)


def starting(rounds: int) -> list[str]:
    """Measure commands that read nothing."""
    program = peers.statera()
    programs = {
        "statera --version": [*program, "--version"],
        "statera formats": [*program, "formats"],
        "python -c pass": [sys.executable, "-c", "pass"],
    }
    found = peers.side_by_side(programs, 7 * rounds)
    rows = [[name, f"{each.processor * 1000:.0f} ms", f"{each.mib:.0f} MiB"] for name, each in found.items()]
    return peers.table(["start", "median", "peak"], rows)


def main() -> None:
    """Measure, print the tables, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=list(large_results.FILES), metavar="NAME")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--size", type=int, default=100, metavar="MB")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    known = {each.name for each in _native.formats()}
    for name in options.names:
        if name not in known:
            print(f"without {name}, which is no format here", file=sys.stderr)
    names = [name for name in options.names if name in known]
    lines = reading(names, options.size, options.rounds)
    if "google-benchmark" in names:
        lines += comparing(options.size, options.rounds)
    lines += starting(options.rounds)
    text = "\n".join(lines)
    print(text)
    if options.write:
        peers.write(PART, text)


if __name__ == "__main__":
    main()
