"""Changes the package in one place at a time, and counts how many such faults the tests of `make test` find.

    make mutants                       200 faults in eight folders
    make mutants SEED=7 COUNT=50       others, fewer
    make mutants ONLY=views/fold.py    those of them that are in a file, or in a line: views/fold.py:61

The tests that execute each statement are recorded first, which takes as long as the tests themselves; only folders of
tests that have changed are recorded again. The tree itself stays as it is.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from mutation import covering, executing, operators

FOLDERS = ("experiment", "files", "history", "pairing", "settings", "store", "verdicts", "views")
PLACE = covering.ROOT / "target" / "mutants"
AIM = 90


def main():
    arguments = _arguments()
    package = covering.sources()
    candidates = [
        mutant
        for path, source in package.items()
        if path.partition("/")[0] in FOLDERS
        for mutant in operators.mutants(path, source.content)
    ]
    contents = {path: source.content for path, source in package.items()}
    mutants = operators.chosen(candidates, arguments.count, arguments.seed, contents)
    mutants = [mutant for mutant in mutants if arguments.only in f"{mutant.path}:{mutant.line}:"]
    tests = arguments.tests or covering.folders()
    covering.record(package, tests, again=arguments.record)
    found = covering.covering(mutants, package, tests)
    executing.preload()
    slots = [executing.Slot(PLACE / f"slot-{number}") for number in range(arguments.jobs)]
    outcomes = _executed(slots, mutants, contents, found, arguments.seconds)
    outcomes = _controlled(slots, mutants, contents, found, outcomes, arguments.seconds)
    rows = list(zip(mutants, found, outcomes, strict=True))
    (PLACE / "outcomes.json").write_text(json.dumps([_row(*each) for each in rows], indent=1))
    print("\n".join(report(rows)))
    killed = sum(outcome.killed for outcome in outcomes)
    sys.exit(killed * 100 < AIM * len(outcomes))


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="", metavar="FILE[:LINE]")
    parser.add_argument("--jobs", type=int, default=2, help="so many mutants at a time")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for each mutant, at most")
    parser.add_argument("--record", action="store_true", help="record again what tests execute")
    parser.add_argument("--tests", nargs="*", help="only the tests of these folders")
    return parser.parse_args()


def _executed(slots, mutants, contents, found, seconds):
    """Execute the tests of each mutant, as many mutants at a time as there are slots."""
    outcomes, running, free = [None] * len(mutants), {}, list(slots)
    began, waiting = time.monotonic(), list(enumerate(mutants))[::-1]
    while waiting or running:
        if waiting and free:
            place, mutant = waiting.pop()
            given = executing.batches(found[place], mutant.path.partition("/")[0], seconds)
            if not given:
                outcomes[place] = executing.Outcome(False, "", (), 0)
                continue
            slot = free.pop()
            process, answer = slot.execute(mutant, contents[mutant.path], given)
            running[process] = place, slot, answer
            continue
        process, _ = os.wait()
        place, slot, answer = running.pop(process)
        free.append(slot)
        outcomes[place] = executing.Outcome(*json.loads(answer.read_text()))
        word = "killed  " if outcomes[place].killed else "SURVIVED"
        passed = time.monotonic() - began
        print(f"{passed:6.0f} s  {word}  {_where(mutants[place])}  {outcomes[place].how}", flush=True)
    return outcomes


def _controlled(slots, mutants, contents, found, outcomes, seconds):
    """Execute the tests that killed on the package as it is; what fails there has killed nothing."""
    names = {name for outcome in outcomes if outcome.killed for name in outcome.by}
    tests = sorted({test for each in found for test in each if test.name in names})
    if not tests:
        return outcomes
    _, answer = slots[0].execute(None, b"", [tests], first_only=False)
    os.wait()
    failed = set(executing.Outcome(*json.loads(answer.read_text())).by)
    void = [place for place, outcome in enumerate(outcomes) if outcome.killed and failed.intersection(outcome.by)]
    if void:
        print(f"These tests fail without any fault, and do not count: {', '.join(sorted(failed))}")
        kept = [[test for test in found[place] if test.name not in failed] for place in void]
        again = _executed(slots, [mutants[place] for place in void], contents, kept, seconds)
        outcomes = list(outcomes)
        for place, outcome in zip(void, again, strict=True):
            outcomes[place] = outcome
    return outcomes


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
        folder = mutant.path.partition("/")[0]
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
