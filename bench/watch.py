"""Count what key commands of statera cost, in instructions and peak memory, and compare that with bench/history.

Usage: python bench/watch.py [--record] [--tree FOLDER] [--only PATTERN]. Exits with 1 if something became dearer by 3 %
or more, and nobody has announced it. --record adds the counts to bench/history, as those of the commit that is checked
out. --tree measures the statera of another checkout, whose compiled module is there. docs/performance.md says more.

Callgrind counts the instructions of one process on one thread, as its processor, which is the same on every computer,
would execute them. Peak memory is measured without it, the least of five runs: where a program collects garbage on
other threads, as the one that draws does, a peak also says how late these came.
"""

from __future__ import annotations

import argparse
import csv
import fnmatch
import functools
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import peers
import watched

if TYPE_CHECKING:
    from watched import Command

HISTORY = watched.ROOT / "bench/history"
PROJECT, BRANCH = "statera", "main"
FAIL_ON = "worse:3%"
INSTRUCTIONS, PEAK = "instructions (callgrind)", "peak memory"
UNITS = {INSTRUCTIONS: "1", PEAK: "B"}
# A value that differs less from the last one is recorded as that one. So what repeats to some thousandths is exact, and
# many small steps are a change as soon as they add up to one. Peaks repeat to some hundredths on a machine, and to a
# tenth on machines that are alike.
SAME = {INSTRUCTIONS: 0.03, PEAK: 0.15}
RUNS = 5
# What the program is made of; other files may differ from the commit.
SOURCES = ("src", "crates", "Cargo.toml", "Cargo.lock", "uv.lock")
# The commit of a working tree that is not committed.
UNCOMMITTED = "0" * 40

Values = dict[tuple[str, str], float]


class Cost(NamedTuple):
    """Instructions, None where they are not counted; peak memory in bytes; processor time in seconds."""

    instructions: float | None
    peak: float
    processor: float


class UnusableError(Exception):
    """A command that failed, and what it said."""


def environment(tree: Path) -> dict[str, str]:
    """Return the variables of a counted process: nothing of the caller's."""
    home = watched.DATA / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "100",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(tree / "src"),
    }


def counted(words: list[str], tree: Path) -> int:
    """Return the instructions of a program, without those of the programs that it starts."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}-%p"]
        # It writes no bytecode: a run before it did.
        variables = {**environment(tree), "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            [*tool, sys.executable, *words],
            env=variables,
            cwd=watched.DATA,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        said = process.communicate()[1].decode()
        found = re.search(r"Collected : (\d+)", Path(f"{log}-{process.pid}").read_text())
    if process.returncode or not found:
        raise UnusableError(said)
    return int(found[1])


@functools.cache
def fixed_addresses() -> list[str]:
    """Return the words before a program that keep its addresses from being random, where that is allowed.

    Where blocks of memory lie decides how much of what is freed is kept: the peak has several values otherwise.
    """
    program = shutil.which("setarch")
    words = [program, "-R"] if program else []
    allowed = (
        words and subprocess.run([*words, sys.executable, "-c", ""], capture_output=True, check=False).returncode == 0
    )
    return words if allowed else []


def cost(command: Command, tree: Path) -> Cost:
    """Measure a command: first its memory, which leaves its bytecode and its files in the caches."""
    if command.prepare:
        command.prepare()
    runs = [peers.run([*fixed_addresses(), sys.executable, *command.words]) for _ in range(RUNS)]
    instructions = None
    if command.is_counted:
        words = [each for each in (command.words, command.less) if each]
        whole, *less = (min(counted(each, tree) for _ in range(command.counts)) for each in words)
        instructions = (whole - sum(less)) / command.times
    return Cost(instructions, min(run.mib for run in runs) * 1024**2, min(run.processor for run in runs))


def measured(commands: list[Command], tree: Path) -> dict[str, Cost]:
    """Measure the commands, as many at a time as there are cores: neither counts nor memory depend on that."""
    found: dict[str, Cost] = {}
    left = dict(os.environ)
    # peers.run hands over the variables of this process.
    os.environ.clear()
    os.environ.update(environment(tree))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        waiting = {command.name: threads.submit(cost, command, tree) for command in commands}
        for name, one in waiting.items():
            try:
                found[name] = one.result()
            except (UnusableError, SystemExit) as error:
                # An earlier statera has not every verb; this one has.
                if tree == watched.ROOT:
                    raise SystemExit(f"{name}: {error}") from None
                print(f"{name}: left out, it fails", file=sys.stderr)
    os.environ.clear()
    os.environ.update(left)
    return found


def values(costs: dict[str, Cost]) -> Values:
    """Return each value by the names of its benchmark and its metric."""
    found = {(name, PEAK): each.peak for name, each in costs.items()}
    return found | {(name, INSTRUCTIONS): each.instructions for name, each in costs.items() if each.instructions}


def facts() -> dict[str, str]:
    """Return what counts depend on, beside the commit, which names the versions of all packages.

    The processor that callgrind shows to a program has AVX2 if the real one does, and is otherwise always the same.
    """
    flags = Path("/proc/cpuinfo").read_text().partition("flags")[2].partition("\n")[0].split()
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout
    return {
        "python": f"Python {platform.python_version()} ({platform.python_compiler()})",
        "libc": " ".join(platform.libc_ver()),
        "rust": f"Rust {rustc}",
        "valgrind": valgrind.strip(),
        "simd": f"{platform.machine()} {'with' if 'avx2' in flags else 'without'} AVX2",
    }


def git(tree: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(tree), *words], capture_output=True, text=True, check=True).stdout.strip()


def history(tree: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a verb of `statera history`, in the repository that is measured."""
    program = [*peers.statera(), "history", *map(str, words), "--no-config"]
    return subprocess.run(program, capture_output=True, text=True, cwd=tree, check=False)


def recorded(tree: Path, lane: str) -> tuple[Values, set[str]]:
    """Return the values that commits before the present one have, each the last, and all commits of the lane."""
    before = set(git(tree, "rev-list", "HEAD").split())
    found: dict[tuple[str, str], tuple[int, float]] = {}
    commits = set()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "history.csv"
        if history(tree, "export", "-o", table, "--history", HISTORY, "--branch", BRANCH).returncode:
            return {}, set()
        with table.open() as file:
            for row in csv.DictReader(file):
                if row["lane"] != lane:
                    continue
                commits.add(row["commit"])
                key, at = (row["benchmark"], row["metric"]), int(row["position"] or -1)
                if row["commit"] in before and at >= found.get(key, (-1, 0.0))[0]:
                    found[key] = at, float(row["median"])
    return {key: value for key, (_, value) in found.items()}, commits


def settled(now: Values, before: Values) -> Values:
    """Return the values, and instead of those that differ little from the last ones, these."""
    known = [key for key in now if key in before]
    return now | {key: before[key] for key in known if abs(now[key] / before[key] - 1) < SAME[key[1]]}


def write(path: Path, found: Values) -> None:
    """Write a table that statera reads."""
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["benchmark", "metric", "value", "unit", "better", "traits"])
        table.writerows(
            [name, metric, value, UNITS[metric], "lower", "exact"] for (name, metric), value in found.items()
        )


def add(folder: Path, found: Values, tree: Path, *, commit: str) -> subprocess.CompletedProcess[str]:
    """Add the values to a history, as those of a commit, or of what follows the present one."""
    with tempfile.TemporaryDirectory() as place:
        table, line = Path(place) / "watch.csv", Path(place) / "line"
        write(table, found)
        earlier = git(tree, "rev-list", "--first-parent", "HEAD")
        line.write_text(f"{commit}\n{earlier}\n")
        about = [f"--environment={key}={value}" for key, value in facts().items()]
        about += ["--foreign", f"--project={PROJECT}", f"--branch={BRANCH}"]
        about += [f"--line={line}" if commit == UNCOMMITTED else f"--commit={commit}"]
        return history(tree, "add", table, "--history", folder, *about)


def shown(costs: dict[str, Cost], before: Values) -> None:
    """Print the values, each with its change since the last one that was recorded."""
    print(f"{'':22}{'M instructions':>24}{'peak, MiB':>18}{'processor':>12}")
    for name, each in costs.items():
        count = ""
        if each.instructions:
            count = f"{each.instructions / 1e6:,.1f}{_change(each.instructions, before.get((name, INSTRUCTIONS)))}"
        peak = f"{each.peak / 1024**2:,.1f}{_change(each.peak, before.get((name, PEAK)))}"
        print(f"{name:22}{count:>24}{peak:>18}{each.processor:>10.2f} s")


def _change(now: float, before: float | None) -> str:
    return f"{(now / before - 1) * 100:+8.1f}%" if before else " " * 9


def answer(done: subprocess.CompletedProcess[str]) -> int:
    """Print what a command said; return its exit code."""
    print(done.stdout + done.stderr, end="")
    return done.returncode


def impossible(tree: Path) -> str:
    """Return why nothing can be counted or compared; empty if it can."""
    if shutil.which("valgrind") is None:
        return "valgrind is missing; on Debian: apt-get install valgrind"
    if git(tree, "rev-parse", "--is-shallow-repository") == "true":
        return "the clone is shallow, so that the order of the commits is unknown"
    return ""


def checked(found: Values, tree: Path, commit: str) -> int:
    """Add the values to a copy of the history, and return what its check says."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "history"
        shutil.copytree(HISTORY, copy)
        if code := answer(add(copy, found, tree, commit=commit)):
            return code
        return answer(history(tree, "check", "--fail-on", FAIL_ON, "--history", copy, "--branch", BRANCH))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="add the counts to bench/history")
    parser.add_argument("--tree", type=Path, default=watched.ROOT, help="the checkout whose statera is measured")
    parser.add_argument(
        "--only", action="append", metavar="PATTERN", help="only commands whose name matches (repeatable)"
    )
    options = parser.parse_args()
    tree = options.tree.resolve()
    if why := impossible(tree):
        print(f"nothing is counted: {why}", file=sys.stderr)
        return 0
    lane = " · ".join(facts().values())
    before, commits = recorded(tree, lane)
    commit = git(tree, "rev-parse", "HEAD")
    is_new = commit not in commits and not git(tree, "status", "--porcelain", "--untracked-files=no", "--", *SOURCES)
    if options.record and not is_new:
        print("nothing is recorded: commit the sources first, and each commit once", file=sys.stderr)
        return 2
    known, asked = list(watched.commands()), options.only or ["*"]
    for one in asked:
        if not any(fnmatch.fnmatch(each.name, one) for each in known):
            print(f"--only {one}: no command, there are {', '.join(each.name for each in known)}", file=sys.stderr)
            return 2
    costs = measured([each for each in known if any(fnmatch.fnmatch(each.name, one) for one in asked)], tree)
    shown(costs, before)
    found = settled(values(costs), before)
    if options.record:
        return answer(add(HISTORY, found, tree, commit=commit))
    if not before:
        print(f"bench/history has no commit of {lane}: there is nothing to compare with")
        return 0
    return checked(found, tree, commit if is_new else UNCOMMITTED)


if __name__ == "__main__":
    sys.exit(main())
