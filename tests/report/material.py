"""Reports that tests read."""

import random
from datetime import UTC, datetime

from statera.comparison.pairing import Request
from statera.output import report
from statera.output.report import model, questions
from statera.support.settings import Policy
from statera.support.settings.file import Settings
from support import go, noisy, table, write

BUILDS, COMPILERS = ("base", "split"), ("8", "9")


def of(paths, *, notes="", title="", command="statera report", policy=None, **request):
    """The material of a report and its document."""
    made = questions.gather(paths, Request(**request), Settings(policy or Policy()), command=command)
    return made, report.document(made, report.Options(title, notes, "notes.md", datetime(2026, 5, 1, tzinfo=UTC)))


def pair(folder):
    """Two files: Slow is slower, Fast faster, Same stays, Gone is gone, Fresh is new."""
    old = {
        "Slow": noisy(100, 30, seed=1),
        "Fast": noisy(100, 30, seed=2),
        "Same": noisy(100, 30, seed=3),
        "Gone": noisy(50),
    }
    new = {
        "Slow": noisy(120, 30, seed=4),
        "Fast": noisy(80, 30, seed=5),
        "Same": noisy(100, 30, seed=6),
        "Fresh": noisy(50),
    }
    config = {"goos": "linux", "pkg": "example.com/x"}
    return write(folder, **{"old.txt": go(old, config=config), "new.txt": go(new, config={**config, "cpu": "other"})})


def factorial(folder):
    """Two builds under two compilers, paired by block: split is better under 9 and worse under 8."""
    effect = {("split", "8"): 1.1, ("split", "9"): 0.8}
    rows = []
    for place, (build, compiler) in enumerate((b, c) for b in BUILDS for c in COMPILERS):
        chance = random.Random(place)
        for block in range(40):
            work = 1 + (block % 7) ** 2
            value = (
                work * effect.get((build, compiler), 1.0) * (1.5 if compiler == "9" else 1.0) * chance.gauss(1, 0.01)
            )
            rows.append(
                {"benchmark": "replay", "value": value, "unit": "s", "block": block, "build": build, "cc": compiler}
            )
    return write(folder, **{"all.csv": table(rows)})


def suite(folder, benchmarks, runs=4):
    """A suite of many benchmarks of three metrics."""
    sides = {}
    for side, factor in (("old.txt", 1.0), ("new.txt", 1.1)):
        values = {
            f"Case{number}": {
                "ns/op": noisy(factor * (100 + number), runs, seed=number),
                "B/op": [64 + number] * runs,
                "allocs/op": [number % 7] * runs,
            }
            for number in range(benchmarks)
        }
        sides[side] = go(values)
    return write(folder, **sides)


def section(document, key):
    """A section by its key."""
    return next(each for each in document.sections if each.key == key)


def blocks(document, key, kind):
    """The blocks of a kind in a section, those inside of folds and cards too."""
    return [block for block in inside(document, key) if type(block).__name__ == kind]


def inside(document, key):
    """All blocks of a section, those inside of others too."""
    return [*model.Document("", "", "", (section(document, key),)).blocks]


def texts(document, key):
    """Everything that a section says, but its tables."""
    found = []
    for block in inside(document, key):
        found += getattr(block, "paragraphs", ())
        found += [getattr(block, name) for name in ("line", "said", "reading") if getattr(block, name, "")]
        found += [item.text for item in getattr(block, "items", ())]
    return "\n".join(found)


def cells(found):
    """The rows of a table as {heading: text}."""
    heads = [column.name for column in found.columns]
    return [dict(zip(heads, (cell.text for cell in row), strict=True)) for row in found.rows]


def by_title(document, key, title):
    """The first table of a section whose title begins so."""
    return next(each for each in blocks(document, key, "Table") if each.title.startswith(title))


def nine(folder):
    """Three builds under three compilers, with six metrics each, paired by block."""
    rows = []
    for place, (build, compiler) in enumerate((b, c) for b in ("base", "split", "merge") for c in ("8", "9", "10")):
        for metric in range(6):
            values = noisy(100 + 5 * place + metric, 60, seed=10 * place + metric)
            rows += [
                {"benchmark": "replay", "metric": f"m{metric}", "value": value, "unit": "s", "block": block}
                | {"build": build, "cc": compiler}
                for block, value in enumerate(values)
            ]
    return write(folder, **{"all.csv": table(rows)})
