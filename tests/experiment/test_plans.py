"""A plan that was written as JSON comes back as it was, and a damaged one is refused at its place."""

import json
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from statera.experiment.plan import Build, Cell, Command, Machine, Order, Plan, Rounds, Variant, as_json, from_json
from support import stopped

# Arguments and variables may hold bytes that are not UTF-8; Python keeps them as lone surrogates.
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    st.binary(max_size=5).map(lambda raw: raw.decode(errors="surrogateescape")),
)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple)
WORDS = st.lists(TEXTS, max_size=3).map(tuple)
NUMBERS = st.integers(0, 1 << 62)
FLOATS = st.floats(0.0, 1e300)
COMMANDS = st.builds(Command, st.lists(TEXTS, min_size=1, max_size=3).map(tuple), st.none() | TEXTS, PAIRS)
MACHINES = st.builds(
    Machine,
    cpus=st.lists(NUMBERS, max_size=2).map(tuple),
    nice=st.none() | st.integers(-20, 19),
    aslr=st.booleans(),
    memory=st.none() | NUMBERS,
    timeout=st.none() | FLOATS,
    captured=NUMBERS,
    counters=WORDS,
    cool=FLOATS,
    accept_failures=st.booleans(),
)
ROUNDS = st.builds(
    Rounds,
    number=st.none() | NUMBERS,
    until=st.sampled_from([None, "decided", "width"]),
    width=st.none() | FLOATS,
    looks=st.lists(NUMBERS, max_size=2).map(tuple),
    shares=st.lists(FLOATS, max_size=2).map(tuple),
    seconds=st.none() | FLOATS,
)
BUILDS = st.builds(
    Build,
    key=TEXTS,
    repository=st.none() | TEXTS,
    revision=st.none() | TEXTS,
    tree=st.none() | TEXTS,
    folder=TEXTS,
    command=st.none() | COMMANDS,
    artefacts=WORDS,
    timeout=st.none() | FLOATS,
)


def cells(variants, benchmarks, builds):
    return st.builds(
        Cell,
        benchmark=st.integers(0, benchmarks - 1),
        variant=st.integers(0, variants - 1),
        command=COMMANDS,
        format=st.none() | TEXTS,
        setup=st.none() | COMMANDS,
        cleanup=st.none() | COMMANDS,
        prepare=st.none() | COMMANDS,
        conclude=st.none() | COMMANDS,
        build=st.none() | st.integers(0, builds - 1) if builds else st.none(),
    )


@st.composite
def plans(draw):
    variants = draw(st.lists(st.builds(Variant, TEXTS, PAIRS), min_size=1, max_size=3))
    benchmarks = draw(st.lists(TEXTS, min_size=1, max_size=3))
    builds = draw(st.lists(BUILDS, max_size=2))
    own = draw(st.lists(cells(len(variants), len(benchmarks), len(builds)), max_size=3))
    return Plan(
        tuple(variants),
        tuple(benchmarks),
        tuple(own),
        tuple(builds),
        draw(ROUNDS),
        draw(st.sampled_from(get_args(Order))),
        draw(NUMBERS),
        draw(NUMBERS),
        draw(MACHINES),
        draw(st.booleans()),
    )


@given(plans())
def test_a_plan_comes_back_from_a_document_in_utf8(plan):
    document = json.dumps(as_json(plan), ensure_ascii=False, allow_nan=False).encode()
    assert from_json(json.loads(document), "manifest.json: plan") == plan


def small():
    cell = Cell(0, 0, Command(("true",)))
    return Plan((Variant("a", ()),), ("x",), (cell,), (), Rounds(9), "random", 0, 1, Machine())


def test_fields_that_have_defaults_may_be_missing():
    document = as_json(small())
    del document["self_test"], document["cells"][0]["prepare"], document["machine"]["cool"]
    assert from_json(document, "m") == small()


def changed(*path_and_value):
    document = as_json(small())
    *path, last, value = path_and_value
    at = document
    for key in path:
        at = at[key]
    at[last] = value
    return document


def test_a_damaged_plan_is_refused_at_its_place():
    damaged = [
        ([], "m must be an object, not []"),
        (changed("cells", 0, "benchmark", 1), "m.cells[0].benchmark is 1, and there are 1"),
        (changed("cells", 0, "variant", -1), "m.cells[0].variant is -1, and there are 1"),
        (changed("cells", 0, "build", 0), "m.cells[0].build is 0, and there are 0"),
        (changed("seed", 1.5), "m.seed must be a whole number, not 1.5"),
        (changed("machine", "cpus", [False]), "m.machine.cpus[0] must be a whole number, not False"),
        (changed("seed", None), "m.seed must be a whole number, not None"),
        (changed("order", "sorted"), "m.order must be one of 'random'"),
        (changed("order", ["random"]), "m.order must be one of 'random'"),
        (changed("variants", 0, "levels", [["rev"]]), "m.variants[0].levels[0] must be a list of 2, not ['rev']"),
        (changed("cells", 0, "command", "arguments", 0, {"bytes": "0g"}), "m.cells[0].command.arguments[0] must be"),
        (changed("benchmarks", "x"), "m.benchmarks must be a list, not 'x'"),
        (changed("machine", "cool", -1.0), "m.machine.cool must be a number from 0 on, not -1.0"),
        (changed("machine", "cool", float("nan")), "m.machine.cool must be a number from 0 on, not nan"),
        (changed("machine", "timeout", 10**400), "m.machine.timeout must be a number from 0 on, not 1"),
        (changed("cells", 0, "command", "arguments", []), "m.cells[0].command.arguments names no program"),
        (changed("later", 1), "m.later is unknown to this version of statera"),
        ({key: value for key, value in as_json(small()).items() if key != "order"}, "m.order is missing"),
    ]
    for document, said in damaged:
        message = stopped(from_json, document, "m")
        assert said in message, said
        assert message.endswith("[damaged-plan]"), said
