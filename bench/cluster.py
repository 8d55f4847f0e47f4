"""Measure ``statera cluster`` and other programs that read the same logs of a cluster's hosts.

Usage: python bench/cluster.py [RUN] [--write] [--rounds N] [--memory | --executors]. RUN is an existing run; without
one, 52 hosts and 4.5 GB are generated below bench/data. --write writes the tables into docs/performance.md. --memory
instead measures the peak memory of an analysis at 1, 4 and 10 GB, each generated below bench/data and removed again;
--executors the times of the tasks of Spark, on executors of one core.

Everything runs as a process of its own and is measured from start to end. Programs run in turn, round after round, so
that other load on the machine affects all of them; the best round counts, and the ratio is the median of those of the
rounds.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import peers
from cluster_readers import ANALYSE, ANALYSE_ON_SPARK, GROUP_BY, READERS, WHAT

PART, MEMORY_PART, EXECUTORS_PART = "cluster", "cluster-memory", "cluster-executors"
HOSTS, SLOTS = 52, 45_000
EXECUTORS = (1, 2, 4)
EXAMPLE = Path(__file__).parent.parent / "examples/cluster/base-1"
# There are always 52 hosts; the number of slots determines the size.
SIZES = {"1 GB": 10_000, "4 GB": 40_000, "10 GB": 100_000}
_NEEDS = {"pyspark": "pyspark", "polars": "polars", "orjson": "orjson", "msgspec": "msgspec", "duckdb": "duckdb"}

_PROGRAM = """
import glob, sys
run, out, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
files = sorted(glob.glob(run + "/*/*.json"))
"""


class Program(NamedTuple):
    """A program to be measured: its name, its source and its threads."""

    name: str
    source: str
    threads: int


def generated(name: str, slots: int) -> Path:
    """Return a run of 52 hosts, generating it if it does not exist yet."""
    run = peers.DATA / name
    if not (run / "run.json").exists():
        sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "cluster"))
        from generator.run import generate
        from generator.settings import Settings

        part = run.with_name(name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(exist_ok=True)
        generate(part, Settings(hosts=HOSTS, slots=slots))
        part.rename(run)
    return run


def size(run: Path) -> float:
    """Return the size of a run's logs in MB, after reading them into the page cache as far as memory allows."""
    total = 0
    for file in run.glob("*/*.json"):
        with file.open("rb", buffering=0) as stream:
            while block := stream.read(1 << 22):
                total += len(block)
    return total / 1e6


def installed(name: str) -> bool:
    """Return whether a peer is installed."""
    module = next((module for word, module in _NEEDS.items() if word in name), "statera")
    return importlib.util.find_spec(module) is not None


def run_once(program: Program, run: Path) -> peers.Measured:
    """Run a program in an empty directory."""
    out = peers.DATA / "cluster-out"
    shutil.rmtree(out, ignore_errors=True)
    words = [sys.executable, "-c", _PROGRAM + program.source, str(run), str(out), str(program.threads)]
    measured = peers.run(words, tree=True)
    shutil.rmtree(out, ignore_errors=True)
    return measured


def rounds_of(programs: list[Program], run: Path, rounds: int) -> dict[Program, list[peers.Measured]]:
    """Run programs in turn, round after round."""
    found: dict[Program, list[peers.Measured]] = {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            start = time.perf_counter()
            found[program].append(run_once(program, run))
            took = time.perf_counter() - start
            print(f"{program.name}, {program.threads} threads: {took:.1f} s", file=sys.stderr)
    return found


def reading(run: Path, megabytes: float, rounds: int) -> list[str]:
    """Measure the readers, on one core, and on all cores if they use more than one."""
    cores = os.cpu_count() or 1
    known = {name: source for name, source in READERS.items() if installed(name)}
    alone = [Program(name, source, 1) for name, source in known.items()]
    # Those that read line by line in Python have one thread.
    several = [Program(name, source, cores) for name, source in known.items() if "for line in" not in source]
    found = rounds_of([*alone, *several], run, rounds)
    rows = []
    for name, source in known.items():
        cells = [_best(found.get(Program(name, source, threads)), megabytes) for threads in (1, cores)]
        peak = max(one.mib for program in found if program.name == name for one in found[program])
        rows.append([name, *cells, f"{peak:.0f} MiB", WHAT[name]])
    return peers.table(["reading", "one core", f"{cores} cores", "peak", "what it does"], rows)


def _best(measured: list[peers.Measured] | None, megabytes: float) -> str:
    if not measured:
        return "–"
    seconds = min(one.seconds for one in measured)
    return f"{seconds:.1f} s, {megabytes / seconds:.0f} MB/s"


def analysis(run: Path, rounds: int) -> list[str]:
    """Measure a whole analysis, on Spark too and, for comparison, a scan that groups by two keys."""
    cores = os.cpu_count() or 1
    programs = {
        "duckdb read_json, group by two keys": Program("group by", GROUP_BY, cores),
        "statera cluster analyse": Program("statera cluster analyse", ANALYSE, cores),
    }
    if installed("pyspark") and shutil.which("java"):
        programs["the same, `--engine spark`"] = Program("statera on Spark", ANALYSE_ON_SPARK, cores)
    found = rounds_of(list(programs.values()), run, rounds)
    scan = found[programs["duckdb read_json, group by two keys"]]
    rows = []
    for title, program in programs.items():
        of = found[program]
        ratio = median(one.processor / other.processor for one, other in zip(of, scan, strict=True))
        least = [min(getattr(one, name) for one in of) for name in ("seconds", "processor")]
        rows.append([title, *(f"{each:.1f} s" for each in least), f"{ratio:.2f}", f"{max(m.mib for m in of):.0f} MiB"])
    for title, program in list(programs.items())[1:]:
        one = run_once(program, EXAMPLE)
        rows.append(
            [f"{title}, of 1 MB: what starting costs", f"{one.seconds:.1f} s", f"{one.processor:.1f} s", "", ""]
        )
    return peers.table([f"{cores} cores", "time", "processor time", "times that of the scan", "peak"], rows)


def memory() -> list[str]:
    """Measure the peak memory of an analysis by the size of the run."""
    rows = []
    for name, slots in SIZES.items():
        run = generated(f"cluster-{slots}", slots)
        megabytes = size(run)
        found = run_once(Program("analyse", ANALYSE, os.cpu_count() or 1), run)
        shutil.rmtree(run)
        rows.append([f"{megabytes / 1e3:.1f} GB", f"{found.mib:.0f} MiB"])
        print(name, rows[-1], file=sys.stderr)
    return peers.table([f"logs of {HOSTS} hosts", "peak of an analysis"], rows)


_EVENT_LOG = """spark.eventLog.enabled true
spark.eventLog.dir file://{folder}
spark.eventLog.compress false
spark.eventLog.rolling.enabled false
"""


def task_times(run: Path, executors: int) -> tuple[list[float], float]:
    """Analyse on executors of one core; return the seconds of each task, and from the first start to the last end."""
    folder = peers.DATA / "spark-events"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "spark-defaults.conf").write_text(_EVENT_LOG.format(folder=folder.resolve()))
    master = f"local-cluster[{executors},1,1024]"
    words = ["cluster", "analyse", str(run), "-o", str(folder / "out"), "--master", master]
    subprocess.run(
        [sys.executable, "-m", "statera", *words],
        env={**os.environ, "SPARK_CONF_DIR": str(folder)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    [log] = [file for file in folder.iterdir() if file.name.startswith("app-")]
    events = [json.loads(line) for line in log.read_text().splitlines()]
    tasks = [event for event in events if event["Event"] == "SparkListenerTaskEnd"]
    spans = [(task["Task Info"]["Launch Time"], task["Task Info"]["Finish Time"]) for task in tasks]
    shutil.rmtree(folder)
    took = (max(end for _, end in spans) - min(start for start, _ in spans)) / 1e3
    return [task["Task Metrics"]["Executor Run Time"] / 1e3 for task in tasks], took


def executors(run: Path) -> list[str]:
    """Measure the map on one and more executors, as far as this machine has cores, and tell what more would do."""
    rows: list[list[str]] = []
    alone: list[float] = []
    for count in EXECUTORS:
        measured = None
        if count <= (os.cpu_count() or 1):
            times, measured = task_times(run, count)
            alone = alone or times
        shares = max(sum(alone) / count, *alone)
        rows.append([str(count), "–" if measured is None else f"{measured:.1f} s", f"{shares:.1f} s"])
    tasks = f"{len(alone)} tasks took {sum(alone):.1f} s on one executor, the longest {max(alone):.2f} s"
    return [
        f"{tasks}. N executors need no less than the sum over N, and no less than the longest task.",
        "",
        *peers.table(["executors of one core", "the map, measured", "the least by the task times"], rows),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, nargs="?")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="measure memory by size instead")
    parser.add_argument("--executors", action="store_true", help="measure tasks of Spark instead")
    options = parser.parse_args()
    if options.memory:
        part, lines = MEMORY_PART, memory()
    elif options.executors:
        run = options.run or generated("cluster", SLOTS)
        title = f"A generated run of {HOSTS} hosts, {size(run) / 1e3:.1f} GB of plain text, on {os.cpu_count()} cores."
        before = f"Other processes' load before was {os.getloadavg()[0]:.1f}: what exceeds the cores slows every task."
        part, lines = EXECUTORS_PART, [title, before, *executors(run)]
    else:
        run = options.run or generated("cluster", SLOTS)
        megabytes = size(run)
        hosts = sum(1 for path in run.iterdir() if path.is_dir())
        title = f"A generated run of {hosts} hosts, {megabytes / 1e3:.1f} GB of plain text.\n"
        part = PART
        lines = [title, *analysis(run, options.rounds), *reading(run, megabytes, options.rounds)]
    text = "\n".join(lines)
    print(text)
    if options.write:
        peers.write(part, text)


if __name__ == "__main__":
    main()
