"""What the compiled part gives has the names that ``_native.pyi`` states, of which the type checker makes sure."""

import ast
from array import array

import pytest

import statera
from statera import _native
from statera.support.settings import Policy
from statera.support.settings.detector import Detector
from support import ROOT, every, go, noisy, table, write

STATED = ast.parse((ROOT / "src" / "statera" / "_native.pyi").read_text())
CLASSES = {node.name: node for node in STATED.body if isinstance(node, ast.ClassDef)}


def members(node):
    return {each.name for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("__")}


def fields(name):
    """The fields of a TypedDict, with those that it takes over."""
    node = CLASSES[name]
    taken_over = [fields(base.id) for base in node.bases if base.id in CLASSES]
    return {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}.union(*taken_over)


def dictionaries():
    """The names of the TypedDicts, private ones that others take over aside."""
    taken_over = {base.id for node in CLASSES.values() for base in node.bases}
    dicts = {name for name, node in CLASSES.items() if {base.id for base in node.bases} & {"TypedDict", *CLASSES}}
    return sorted(dicts - taken_over)


def test_the_same_functions_and_classes_are_stated_and_there():
    stated = {node.name for node in STATED.body if isinstance(node, ast.FunctionDef)}
    there = {name for name in vars(_native) if not name.startswith("_")}
    dicts = {name for name in CLASSES if name not in there}
    assert stated | (set(CLASSES) - dicts) == there
    assert all({"TypedDict", *CLASSES} & {base.id for base in CLASSES[name].bases} for name in dicts)


@every("name", [name for name in CLASSES if isinstance(getattr(_native, name, None), type)])
def test_a_class_has_the_members_that_are_stated(name):
    there = {each for each in vars(getattr(_native, name)) if not each.startswith("__")}
    assert members(CLASSES[name]) == there


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """One dictionary of each kind, by the name of its type."""
    folder = tmp_path_factory.mktemp("border")
    rows = [
        {"benchmark": "X", "value": value, "variant": variant, "level": level, "block": block, "unit": "s"}
        for number, variant in enumerate("abc")
        for level in ("l", "m")
        for block, value in enumerate(noisy(100 + number, 12, seed=number))
    ]
    two_rows = [row for row in rows if row["variant"] != "c"]
    path, pair, broken = write(
        folder, all=table(rows), two=table(two_rows), broken=go({"X": [1]}) + "BenchmarkY 1 x ns/op\n"
    )
    three = statera.compare(path, by="variant", within=["level"], policy=Policy(correction="two-stage"))
    flat = statera.compare(pair, by="variant", within=["level"], policy=Policy(correction="holm"))
    two = statera.compare(pair, by="variant", within=["level"])
    texts = {name: go({"X": noisy(100, seed=1), "Y": noisy(9, seed=2)}) for name in ("d", "e")}
    joint = statera.compare(*write(folder, **texts), policy=Policy(correction="westfall-young"))
    read = statera.read(broken).native
    return {
        "_Verdict": _native.verdicts()[0],
        "_Source": read.sources[0],
        "_Problem": read.problems[0],
        "_ProblemCount": read.problem_counts[0],
        "_Metric": read.metrics[0],
        "_FlatFamily": flat.family,
        "_JointFamily": joint.family,
        "_TwoStageFamily": three.family,
        "Omnibus": three.omnibus[0],
        "Interaction": three.interactions[0],
        "_Quantiles": _native.quantiles(two.weighing, [0.5])[0],
        "_ShiftPoint": _native.shift_functions(two.weighing, [0.5])[0][1][0],
        "Changes": _native.change_points(("x", array("d", noisy(100, 40))), [40], None, Detector())[0],
        "Answer": two.weighing.answer(False),  # noqa: FBT003 - compiled
        "InspectionSummary": statera.inspect(path, by="variant", within=["level"]).sections()[0].summary,
    }


@every("name", dictionaries())
def test_a_dictionary_has_the_keys_that_are_stated(given, name):
    assert set(given[name]) == fields(name)
