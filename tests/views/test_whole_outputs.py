"""Whole outputs of small inputs that between them have every kind of row, table, fold and fact.

Each is beside this file, under `whole`. STATERA_ACCEPT=1 writes them; read the diff, as of `tests/cases`.
"""

import json
from itertools import product
from pathlib import Path

import pytest

import statera
from statera.output.views import Layout, inspection, terminal
from statera.support.settings import Policy
from support import accepted, noisy, table, write

WHOLE = Path(__file__).with_name("whole")
WIDE = Layout(120, sort="defects")


def samples(values, benchmark="B", metric="time", unit="s", **keys):
    return [{"benchmark": benchmark, "metric": metric, "value": repr(v), "unit": unit, **keys} for v in values]


def processes(groups):
    return [row for number, values in enumerate(groups) for row in samples(values, process=number)]


CENTRES = (1, 1.02, 0.98, 1.01, 1.03, 0.99, 1.015, 0.985)
LEVELS = processes([noisy(centre, 5, seed=number) for number, centre in enumerate(CENTRES)])
STEPS = [value * (1.2 if number // 10 % 2 else 1) for number, value in enumerate(noisy(1, 40))]
FACTS = {
    "runs": (LEVELS, {}),
    "runs whose costs are known": (LEVELS, {"cost_run": 9000.0, "cost_iteration": 30.5}),
    "runs that cost little": (LEVELS, {"cost_run": 1.0, "cost_iteration": 0.5}),
    "runs that do not differ": (processes([noisy(1, 6)] * 8), {}),
    "values that do not differ within a run": (processes([value] * 3 for value in noisy(1)), {}),
    "runs that warm up": (processes([1.5, 1.2, *noisy(1, 20, seed=number)] for number in range(4)), {}),
    "one run that warms up": (samples([1.5, 1.2, *noisy(1, 20)]), {}),
    "one process": (processes([noisy(1, 30)]), {}),
    "runs of one value": (processes([value] for value in noisy(1, 30)), {}),
    "values below zero": (
        samples([-1.0, 0.0, 2.0, 3.5, 1.25, 0.5, -2.0, 4.0, 1.0], metric="gain", unit="furlongs"),
        {},
    ),
    "values that grow from zero": (samples([*range(20)], metric="gain", unit="furlongs"), {}),
    "small steps": (samples([10_000, 10_001, 10_003, 9_999, 10_002, 10_000] * 2), {}),
    "equal values": (samples([1.0] * 5), {}),
    "one value": (samples([1.0]), {}),
    "two values": (samples([1.0, 1.1]), {}),
    "exact values": (samples([1000] * 3, metric="instructions", unit="count"), {}),
    "changes of level": (samples(STEPS), {}),
    "coarse steps": (samples([round(value, 1) for value in noisy(1, 30, spread=0.15)]), {}),
    "too many values for one test": (samples(noisy(1, 5001)), {}),
    "blocks": ([row for number, value in enumerate(noisy(1, 12)) for row in samples([value], block=number)], {}),
    "too large to compute": (samples([1e300, 1.1e308, 1e-300, 1.7e308]), {}),
}


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("facts")
    return {
        name: statera.inspect(*write(folder, data=table(rows)), **options) for name, (rows, options) in FACTS.items()
    }


def blocks(facts, look):
    texts = []
    for name, found in facts.items():
        texts += [f"# {name}\n", *(inspection.block(found, row, look) for row in range(len(found)))]
    return "".join(texts)


def test_facts_of_one_benchmark(facts):
    accepted(WHOLE / "facts.txt", blocks(facts, Layout()))


def test_facts_are_folded_between_words_and_lose_none(facts):
    whole = blocks(facts, Layout()).split()
    wrong = [width for width in range(20, 121, 5) if blocks(facts, Layout(width)).split() != whole]
    assert not wrong
    widths = [max(map(len, blocks(facts, Layout(width)).splitlines())) for width in (20, 40, 60, 80)]
    assert widths == [40, 40, 60, 80]


def test_every_grade_has_its_colour(facts):
    look = Layout(colour=True)
    heads = {inspection.block(found, 0, look).splitlines()[0] for found in facts.values()}
    plain = "\x1b[1mB, time\x1b[0m: "
    grades = {"\x1b[31munfit", "\x1b[33mdoubtful", "\x1b[32mfit", "noisy"}
    assert {head.removesuffix("\x1b[0m") for head in heads if head.startswith(plain)} == {plain + g for g in grades}


def test_seconds_have_two_digits_in_a_unit_that_reads_well():
    times = {0.012: "0.012 s", 99: "99 s", 100: "100 s", 179: "179 s", 180: "3 min", 10_799: "1.8e+02 min"}
    assert {time: inspection.seconds(time) for time in times} == times
    assert inspection.seconds(10_800) == "3 h"


@pytest.fixture(scope="module")
def varied(tmp_path_factory):
    """Three builds at two sizes, in blocks: two benchmarks with a time and a count, and one that only some have."""
    rows = []
    for number, (build, size, name) in enumerate(product(("old", "mid", "new"), ("10", "20"), ("Sort", "Hash"))):
        centre = 100 * {"old": 1, "mid": 1.1, "new": 1.3 if size == "10" else 0.7}[build]
        for unit, metric in (("s", "time"), ("count", "allocs")):
            for block, value in enumerate(noisy(centre, 8, seed=number)):
                of = value if metric == "time" else round(value)
                rows += samples([of], name, metric, unit, build=build, size=size, block=block)
    rows += samples(noisy(5, 8), "Gone", build="old", size="10")
    rows += samples([7.0] * 8, "Fresh", build="new", size="10")
    return write(tmp_path_factory.mktemp("varied"), **{"varied.csv": table_of(rows)})[0]


def table_of(rows):
    """A table of rows that need not have the same columns."""
    columns = dict.fromkeys(column for row in rows for column in row)
    return table([{column: row.get(column, "") for column in columns} for row in rows])


WAYS = {
    "paired": {"within": "size", "quantiles": (0.5, 0.9), "pair": "block", "metrics": "time"},
    "quade": {"within": "size", "pair": "block", "policy": Policy(omnibus="quade", alpha=0.01)},
    "unpaired": {"within": "size", "pair": "unpaired", "pairs": "all"},
    "one": {
        "within": "size",
        "pair": "block",
        "metrics": "time",
        "benchmarks": "Sort",
        "where": {"build": "/old|new/"},
    },
    "pooled": {"pool": "size", "metrics": "time", "policy": Policy(margins=(("time", 0.25),), mean=True)},
}


@pytest.mark.parametrize("name", WAYS)
def test_comparisons(varied, name):
    found = statera.compare(varied, by="build", baseline="old", **WAYS[name])
    accepted(WHOLE / f"{name}.txt", terminal.page(found, Layout(120, every=True)))
    accepted(WHOLE / f"{name}.md", found.to_markdown())
    document = json.loads(found.to_json())
    del document["rows"], document["sources"]
    few = {key: value[:2] if isinstance(value, list) else value for key, value in document.items()}
    accepted(WHOLE / f"{name}.json", json.dumps(few, indent=1, ensure_ascii=False) + "\n")


def test_slow_runs_of_several_variants(tmp_path):
    calm, slow = (
        noisy(1, 40),
        [value * (2 if number % 3 == 0 else 1) for number, value in enumerate(noisy(1, 40, seed=2))],
    )
    values = {"old": (calm, calm, slow), "mid": (noisy(1, 40, seed=3), slow, calm), "new": (slow, slow, slow)}
    rows = [
        row
        for build, of in values.items()
        for name, own in zip("ABC", of, strict=True)
        for row in samples(own, name, build=build)
    ]
    found = statera.compare(*write(tmp_path, data=table(rows)), by="build", baseline="old")
    accepted(WHOLE / "slow.txt", terminal.page(found, Layout(120)))
    accepted(WHOLE / "slow.md", found.to_markdown())


def test_a_name_of_a_benchmark_has_more_room_than_that_of_a_variant(tmp_path):
    rows = [row for n in range(4) for row in samples([1.0] * 5, f"{n}{'b' * 98}z", build=f"a{'v' * 98}z")]
    found = statera.inspect(*write(tmp_path, data=table(rows + samples([1.0], build="c"))), by="build").to_markdown()
    assert f"`0{'b' * 98}z`" in found
    assert f"{'v' * 98}z` | 5" not in found
    assert "v…v" in found


def test_inspections(varied):
    found = statera.inspect(varied, by="build", within="size")
    accepted(WHOLE / "inspected.txt", inspection.page(found, WIDE))
    accepted(WHOLE / "inspected.md", found.to_markdown())
    tested = statera.inspect(varied, by="build", within="size", where={"build": "/old|mid/"}, aa=True)
    accepted(WHOLE / "self-test.txt", inspection.page(tested, WIDE))
    accepted(WHOLE / "self-test.md", tested.to_markdown())
