"""Changes the package in one place at a time, and counts how many such faults the tests of `make test` find.

    make mutants                       200 faults in eight folders
    make mutants SEED=7 COUNT=50       others, fewer
    make mutants ONLY=views/comment.py    those of them that are in a file, or in a line: views/comment.py:61

The tests that execute each statement are recorded first, which takes as long as the tests themselves; only folders of
tests that have changed are recorded again. The tree itself stays as it is.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from mutation import covering, executing, operators  # noqa: E402 - found there

FOLDERS = ("experiment", "files", "history", "pairing", "settings", "store", "verdicts", "views")
AIM = 90
OUTCOMES = covering.ROOT / "target" / "mutants" / "outcomes.json"


def main():
    arguments = _arguments()
    package = covering.sources()
    contents = {path: source.content for path, source in package.items()}
    candidates = [
        mutant
        for path, content in contents.items()
        if operators.room(path) in FOLDERS
        for mutant in operators.mutants(path, content)
    ]
    mutants = operators.chosen(candidates, arguments.count, arguments.seed, contents)
    mutants = [mutant for mutant in mutants if arguments.only in f"{_where(mutant)}:"]
    if arguments.survivors:
        survived = {
            (row["path"], row["line"], row["new"]) for row in json.loads(OUTCOMES.read_text()) if not row["killed"]
        }
        mutants = [mutant for mutant in mutants if (mutant.path, mutant.line, mutant.new) in survived]
    tests = arguments.tests or covering.folders()
    if not arguments.as_recorded:
        covering.record(package, tests, again=arguments.record)
    found = covering.covering(mutants, package, tests)
    executing.preload()
    with tempfile.TemporaryDirectory(prefix="statera-mutants-") as folder:
        slots = [executing.Slot(Path(folder, str(number))) for number in range(arguments.jobs)]
        run = Run(slots, mutants, contents, found)
        run.execute(range(len(mutants)), arguments.seconds)
        run.control(arguments.seconds)
    OUTCOMES.write_text(json.dumps([_row(*each) for each in run.rows()], indent=1))
    print("\n".join(report(run.rows())))
    killed = sum(outcome.killed for _, _, outcome in run.rows())
    sys.exit(killed * 100 < AIM * len(mutants))


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="", metavar="FILE[:LINE]")
    parser.add_argument("--jobs", type=int, default=2, help="so many mutants at a time")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for each mutant, at most")
    parser.add_argument("--record", action="store_true", help="record again what tests execute")
    parser.add_argument("--survivors", action="store_true", help="only those that survived the last run")
    parser.add_argument("--as-recorded", action="store_true", help="record nothing, even where tests have changed")
    parser.add_argument("--tests", nargs="*", help="only the tests of these folders")
    return parser.parse_args()


class Run:
    """Mutants, the tests that execute each, and how each ended."""

    def __init__(self, slots, mutants, contents, found):
        self._slots, self._mutants, self._contents, self._found = slots, mutants, contents, found
        self._outcomes = [executing.Outcome.none()] * len(mutants)
        self._began = time.monotonic()

    def rows(self):
        return list(zip(self._mutants, self._found, self._outcomes, strict=True))

    def execute(self, places, seconds):
        """Execute the tests of mutants, as many mutants at a time as there are slots."""
        free, running, waiting = list(self._slots), {}, list(places)[::-1]
        while waiting or running:
            if not waiting or not free:
                process, _ = os.wait()
                place, slot, answer = running.pop(process)
                free.append(slot)
                self._ended(place, executing.Outcome.read(answer))
                continue
            place = waiting.pop()
            mutant = self._mutants[place]
            given = executing.batches(self._found[place], operators.room(mutant.path), seconds)
            if not given:
                self._ended(place, executing.Outcome.none())
                continue
            slot = free.pop()
            process, answer = slot.execute(given, mutant, self._contents[mutant.path])
            running[process] = place, slot, answer

    def _ended(self, place, outcome):
        self._outcomes[place] = outcome
        word = "killed  " if outcome.killed else "SURVIVED"
        seconds = time.monotonic() - self._began
        print(f"{seconds:6.0f} s  {word}  {_where(self._mutants[place])}  {outcome.how}", flush=True)

    def control(self, seconds):
        """Execute the tests that killed on the package as it is; what fails there has killed nothing."""
        killers = [outcome.by for outcome in self._outcomes if outcome.killed]
        groups = [{by[0] for by in killers if len(by) == 1}, *{frozenset(by) for by in killers if len(by) > 1}]
        tests = {test.name: test for found in self._found for test in found}
        given = [executing.by_file([tests[name] for name in sorted(group)]) for group in groups if group]
        _, answer = self._slots[0].execute(given)
        os.wait()
        failed = set(executing.Outcome.read(answer).by)
        void = [place for place, outcome in enumerate(self._outcomes) if failed.intersection(outcome.by)]
        if void:
            print(f"These tests fail without any fault, and do not count: {', '.join(sorted(failed))}")
            for place in void:
                self._found[place] = [test for test in self._found[place] if test.name not in failed]
            self.execute(void, seconds)


def _where(mutant):
    return f"{mutant.path}:{mutant.line}"


def _row(mutant, tests, outcome):
    return {**mutant._asdict(), "covering": len(tests), **outcome._asdict()}


def report(rows):
    """Give the lines of the report: every survivor, and the share of each folder."""
    for mutant, tests, outcome in rows:
        if not outcome.killed:
            yield f"{_where(mutant)}: {mutant.what}; {_said(len(tests), outcome.ran)}"
            yield f"    {_short(mutant.old)}  →  {_short(mutant.new)}"
    of_folders, killed = Counter(), Counter()
    for mutant, _, outcome in rows:
        folder = operators.room(mutant.path)
        of_folders[folder] += 1
        killed[folder] += outcome.killed
    for folder, count in sorted(of_folders.items()):
        yield f"{folder:12} {killed[folder]:4} of {count:4} killed  {killed[folder] / count:6.1%}"
    together = sum(killed.values())
    yield f"{'together':12} {together:4} of {len(rows):4} killed  {together / max(len(rows), 1):6.1%}"


def _said(covering_tests, ran):
    if not covering_tests:
        return "no test executes it"
    return f"{ran} of {covering_tests} tests that execute it pass"


def _short(text):
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


if __name__ == "__main__":
    main()
