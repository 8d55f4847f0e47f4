"""A plan that was written as JSON comes back as it was, and a damaged one is refused at its place."""

import json
from types import NoneType
from typing import Literal, get_args, get_origin, get_type_hints

from hypothesis import given
from hypothesis import strategies as st

from statera.experiment.plan import Cell, Command, Machine, Plan, Rounds, Variant, as_json, from_json
from support import stopped

# Arguments and variables may hold bytes that are not UTF-8; Python keeps them as lone surrogates.
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    st.binary(max_size=5).map(lambda raw: raw.decode(errors="surrogateescape")),
)
WORDS = st.lists(TEXTS, min_size=1, max_size=3).map(tuple)
OF = {str: TEXTS, int: st.integers(-(1 << 62), 1 << 62), float: st.floats(0.0, 1e300), bool: st.booleans()}


def values(kind):
    """Values of the type of a field of a plan."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Command:
        return st.builds(Command, WORDS, st.none() | TEXTS, st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple))
    if NoneType in inner:
        return st.none() | values(inner[0])
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        several = st.lists(values(inner[0]), max_size=3).map(tuple)
        return several if inner[-1] is Ellipsis else st.tuples(*map(values, inner))
    if kind in OF:
        return OF[kind]
    return st.builds(kind, **{name: values(of) for name, of in get_type_hints(kind).items()})


def with_cells_of_its_own(plan):
    """A plan whose cells name its own benchmarks, variants and builds."""
    cells = tuple(
        cell._replace(
            benchmark=cell.benchmark % len(plan.benchmarks),
            variant=cell.variant % len(plan.variants),
            build=None if cell.build is None or not plan.builds else cell.build % len(plan.builds),
        )
        for cell in plan.cells
        if plan.benchmarks and plan.variants
    )
    return plan._replace(cells=cells)


@given(values(Plan).map(with_cells_of_its_own))
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
