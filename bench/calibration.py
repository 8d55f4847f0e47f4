"""Simulate comparisons with known truth and write the tables of docs/calibration.md and its appendix.

Usage: python bench/calibration.py [--write] [--repetitions N] [--nights FOLDER] [--again OLD NEW]...

The same repetitions give the same numbers. The measured results (--nights: published Sandmark results, --again: two
result files of one build) are not in this repository; without them their table remains unchanged.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import calibration_claims as claims
import calibration_cluster as cluster
import calibration_looks as looks
import calibration_selection as selection
import calibration_sessions as sessions
import calibration_tables as tables
import unchanged

if TYPE_CHECKING:
    from calibration_tables import Cells

ROOT = Path(__file__).parent.parent
# The answers, and the appendix.
PAGES = [ROOT / "docs" / name for name in ("calibration.md", "calibration-tables.md")]
TABLES = {
    "alone": tables.alone,
    "sure alarms": tables.sure_alarms,
    "sure found": tables.sure_found,
    "dependence": tables.dependence,
    "warnings": tables.warnings,
    "suite": tables.suite,
    "three": tables.three,
    "tails": tables.tails,
    "tails found": tables.tails_found,
    "nested": tables.nested,
    "processes": tables.processes,
    "prediction": tables.prediction,
    "coverage": tables.coverage,
    "mean": tables.mean,
    "bootstrap": tables.bootstrap,
    "series": tables.series,
    "bands": tables.bands,
    "change points": tables.change_points,
    "power alone": tables.power_alone,
    "power in suites": tables.power_in_suites,
    "beside Welch": tables.beside_welch,
    "corrections": tables.corrections,
    "few runs": tables.few_runs,
    "among many": tables.among_many,
    "neighbours": tables.neighbours,
    "looks": looks.unchanged,
    "looks changed": looks.changed,
    "looks width": looks.width,
    "advice": tables.advice,
    "variance": tables.variance,
    "warm-up": tables.warm_up,
    "claims": claims.table,
    "cluster blocks": cluster.blocks,
    "cluster hosts": cluster.hosts,
    "sessions": sessions.table,
    "selection": selection.table,
}


def simulated(repetitions: int) -> Cells:
    """Run the simulation; each line is table, row, column, what is counted, the count, and the total."""
    words = ["cargo", "run", "--release", "--quiet", "--locked", "-p", "statera-weighing", "--example", "calibrate"]
    done = subprocess.run([*words, "--", str(repetitions)], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    cells: Cells = {}
    for line in done.stdout.splitlines():
        table, row, column, counted, count, of = line.split("\t")
        cells[table, row, column, counted] = tables.Share(int(count), int(of))
    return cells


def put(page: str, name: str, lines: list[str]) -> str:
    """Put lines between the marks of a table."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = page.split(begin)
    return before + begin + "\n" + "\n".join(lines).rstrip() + "\n\n" + end + rest.split(end)[1]


def page_of(name: str) -> Path:
    """Give the page with the marks of a table."""
    return next(page for page in PAGES if f"<!-- {name}: begin -->" in page.read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/calibration.md")
    parser.add_argument("--repetitions", type=int, default=1000, help="repetitions of a suite; cheap tables get more")
    parser.add_argument("--nights", type=Path, help="folder of Sandmark results, one value per benchmark and night")
    parser.add_argument("--again", nargs=2, action="append", type=Path, default=[], metavar=("OLD", "NEW"))
    options = parser.parse_args()
    # A missing mark would come to light only after a quarter of an hour.
    for name in TABLES:
        page_of(name)
    real = unchanged.table(options.nights, options.again)
    cells = simulated(options.repetitions) | cluster.simulated(options.repetitions)
    cells |= sessions.simulated(options.repetitions) | selection.simulated(options.repetitions)
    made = {name: table(cells) for name, table in TABLES.items()}
    if real:
        made["unchanged"] = real
    else:
        print("no results of unchanged builds were passed: their table remains unchanged", file=sys.stderr)
    for name, lines in made.items():
        print(f"{name}\n", *lines, sep="\n")
    if options.write:
        for name, lines in made.items():
            page = page_of(name)
            page.write_text(put(page.read_text(), name, lines))


if __name__ == "__main__":
    main()
