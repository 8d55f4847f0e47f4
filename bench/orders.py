"""How often identical programs look different, by the order in which they run: A/A experiments under a drift.

Each experiment runs one program as two variants in a real ``statera run``, and counts whether the time on the processor
is called changed. The work of the program follows the machine that is simulated: it reads a counter of invocations, so
that it takes 15 % longer at the end of an experiment than at its beginning (``drift``), or 10 % longer in the first
place of each round, whose caches are cold (``cold``).

    python bench/orders.py [--experiments 100] [--rounds 20] [--work 6000]

The program is a shell's loop; ``--work`` is the number of its turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The counter is a file of one byte for each invocation.
PROGRAM = """\
printf x >> {folder}/count
read -r seen < {folder}/count
at=${{#seen}}
case {machine} in
drift) n=$(({work} + {work} * 15 * at / 100 / {all})) ;;
cold) n=$(({work} + {work} * 10 * (at % 2) / 100)) ;;
esac
while [ $n -gt 0 ]; do n=$((n - 1)); done
"""
ORDERS = ("sequential", "interleaved", "abba", "random")
CHANGED = {"worse", "better", "changed", "tail-worse", "tail-better", "shape-changed"}


def experiment(order: str, machine: str, options: argparse.Namespace, seed: int, base: str) -> bool:
    """Run one experiment; return whether the time on the processor looks changed."""
    with tempfile.TemporaryDirectory(dir=base) as name:
        folder = Path(name)
        program = folder / "program"
        program.write_text(PROGRAM.format(folder=folder, machine=machine, work=options.work, all=2 * options.rounds))
        words = ["-r", str(options.rounds), "--order", order, "--seed", str(seed), "-n", "A", "-n", "B"]
        command = [sys.executable, "-m", "statera", "run", *words, "-o", str(folder / "run"), "-f", "json"]
        done = subprocess.run(
            [*command, f"sh {program}", f"sh {program}"], capture_output=True, text=True, check=True, cwd=folder
        )
        return any(row["metric"] == "cpu" and row["verdict"] in CHANGED for row in json.loads(done.stdout)["rows"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--work", type=int, default=6000)
    parser.add_argument("--order", action="append", choices=ORDERS, help="only this order (repeatable)")
    options = parser.parse_args()
    print("| machine | order | experiments | false alarms |\n| --- | --- | ---: | ---: |")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as base:
        for machine in ("drift", "cold"):
            for order in options.order or ORDERS:
                alarms = sum(experiment(order, machine, options, seed, base) for seed in range(options.experiments))
                print(f"| {machine} | {order} | {options.experiments} | {alarms} |", flush=True)
    load = os.getloadavg()[0]
    print(f"\n{time.monotonic() - begun:.0f} s on {os.cpu_count()} cores, load {load:.1f} at the end", file=sys.stderr)


if __name__ == "__main__":
    main()
