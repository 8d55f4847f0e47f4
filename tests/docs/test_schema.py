"""The schemas and the tables of keys are those of the fields, and documents of every design are what they say."""

import json
import sys
from dataclasses import fields
from typing import get_type_hints

import jsonschema
import pytest

import statera
from statera import _native
from statera.comparison.results.rows import Inspected, Row
from support import ROOT, every, go, noisy, write

sys.path.insert(0, str(ROOT / "bench/schema"))
import generate

TYPES = {"text": str, "code": str, "codes": tuple[str, ...], "number": float, "count": int, "flag": bool}


def strict(schema):
    """Allow no keys but those that are described."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: strict(each) for key, each in schema.items()}
    return {**found, "additionalProperties": False} if "required" in found else found


def refused(name, document):
    checker = jsonschema.Draft202012Validator(strict(generate.schema(name)))
    return [f"{error.json_path}: {error.message}" for error in checker.iter_errors(document)]


WRITTEN = generate.written()


@every("path", sorted(WRITTEN))
def test_what_is_generated_is_up_to_date(path):
    assert path.read_text() == WRITTEN[path], f"{path}: make schema writes it"


def test_every_page_of_a_format_is_of_one():
    pages = set((ROOT / "docs/formats").glob("*.md"))
    assert pages == {path for path in WRITTEN if path.parent.name == "formats"}


@pytest.mark.parametrize("name", ["comparison", "inspection"])
def test_a_schema_is_one(name):
    jsonschema.Draft202012Validator.check_schema(generate.schema(name))


@pytest.mark.parametrize(
    ("of", "native"), [(Row, _native.row_fields), (Inspected, _native.inspected_fields)], ids=["row", "inspected"]
)
def test_a_class_of_rows_has_the_fields_of_the_table(of, native):
    wanted = {name: TYPES[kind] | None if optional else TYPES[kind] for name, kind, optional, *_ in native()}
    assert [field.name for field in fields(of)] == list(wanted)
    assert get_type_hints(of) == wanted


def processes(factor):
    return "".join(
        json.dumps({"benchmark": "X", "process": process, "value": factor * value}) + "\n"
        for process in range(4)
        for value in noisy(1, 5, seed=process)
    )


def blocks(factor):
    rows = [{"benchmark": "X", "block": block, "value": factor * value} for block, value in enumerate(noisy(1, 9))]
    return "".join(json.dumps(row) + "\n" for row in rows)


DESIGNS = {
    "independent": (go({"X": noisy(1), "Gone": noisy(2)}), go({"X": noisy(2, seed=2), "Come": noisy(2)})),
    "few": (go({"X": noisy(1, 3)}), go({"X": noisy(2, 3, seed=2)})),
    "difference": (go({"X": [0, *noisy(1)]}), go({"X": noisy(2, seed=2)})),
    "exact": (go({"X": {"allocs/op": [3, 3, 3]}}), go({"X": {"allocs/op": [4, 4, 4]}})),
    "suite": (go({"X": [1], "Y": [2]}), go({"X": [2], "Y": [2]})),
    "nested": (processes(1), processes(2)),
    "paired": (blocks(1), blocks(1.1)),
}


@pytest.fixture(params=DESIGNS)
def sides(request, tmp_path):
    old, new = DESIGNS[request.param]
    return write(tmp_path, old=old, new=new)


def test_a_comparison_is_what_the_schema_says(sides):
    document = json.loads(statera.compare(*sides, all_metrics=True, quantiles=[0.5, 0.9]).to_json())
    assert document["rows"]
    assert document["quantiles"]
    assert refused("comparison", document) == []


def test_an_inspection_is_what_the_schema_says(sides):
    document = json.loads(statera.inspect(*sides, all_metrics=True).to_json())
    assert document["rows"]
    assert refused("inspection", document) == []


def test_a_self_test_is_what_the_schema_says(tmp_path):
    paths = write(tmp_path, **{name: go({"X": noisy(1, 12), "Y": noisy(2, 12)}) for name in ("first", "again")})
    document = json.loads(statera.inspect(*paths, aa=True).to_json())
    assert document["self_test"]["splits"]
    assert document["self_test"]["sessions"]["sessions"] == 2
    assert refused("inspection", document) == []


def test_several_variants_and_factors_are_what_the_schema_says(tmp_path):
    rows = [
        {"benchmark": "X", "way": way, "level": level, "value": value * (place + 1)}
        for place, way in enumerate("abc")
        for level in "mn"
        for value in noisy(1, 6, seed=place)
    ]
    (path,) = write(tmp_path, all="".join(json.dumps(row) + "\n" for row in rows))
    document = json.loads(statera.compare(path, by="way", within=["level"]).to_json())
    assert document["omnibus"]
    assert document["interactions"]
    assert refused("comparison", document) == []


def test_what_the_schema_does_not_say_is_refused(tmp_path):
    document = json.loads(statera.compare(*write(tmp_path, old=DESIGNS["few"][0], new=DESIGNS["few"][1])).to_json())
    document["rows"][0] |= {"verdict": "one value", "old_n": 3}
    assert len(refused("comparison", document)) == 2
