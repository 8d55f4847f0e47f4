"""What the length of a program's path does to its time, with a fixed environment and with one that grows in each round.

    python bench/layout/measure.py

Two builds are the same bytes at paths of different lengths, so that every difference is one of layout. Addresses are
not random. The environment is searched for a place at which the second build is slow.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from math import exp, log
from pathlib import Path

from statera import stats
from statera.experiment.launcher import Invocation, Launcher

_HERE = Path(__file__).parent
_ROUNDS = 60
_STEP = 16
_PAGE = 4096


def main() -> None:
    """Print the change and its interval, once with each environment."""
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, Launcher() as launcher:
        first, second = Path(folder, "a", "layout"), Path(folder, "a" * 33, "layout")
        first.parent.mkdir()
        second.parent.mkdir()
        subprocess.run(["gcc", "-O1", "-no-pie", "-o", first, _HERE / "layout.c"], check=True)
        shutil.copy(first, second)

        def cpu(program: Path, padding: int) -> float:
            variables = (("STATERA_PADDING", "x" * padding),)
            outcome = launcher.run(Invocation((str(program),), variables, folder, aslr=False))
            return outcome.user + outcome.system

        def slower(at: int, times: int) -> float:
            return min(cpu(second, at) for _ in range(times)) / min(cpu(first, at) for _ in range(times))

        likely = sorted(range(0, _PAGE, _STEP), key=lambda at: -slower(at, 5))[:24]
        slow = max(likely, key=lambda at: slower(at, 12))
        for name, paddings in (
            (f"environment of one size ({slow} bytes more)", [slow] * _ROUNDS),
            ("environment of a size drawn for each round", [draw.randrange(_PAGE) for _ in range(_ROUNDS)]),
        ):
            old, new = [], []
            for padding in paddings:
                pair = [(first, old), (second, new)]
                draw.shuffle(pair)
                for program, values in pair:
                    values.append(cpu(program, padding))
            found = stats.hodges_lehmann([log(after / before) for before, after in zip(old, new, strict=True)])
            low, change, high = (
                100 * (exp(each) - 1) for each in (found.interval.low, found.estimate, found.interval.high)
            )
            print(f"{name}: {change:+.1f}% [{low:+.1f}%, {high:+.1f}%]")


main()
