"""Writes the schemas of documents, the tables of their keys, the classes of rows, the reference and pages of formats.

Rows come from the table of fields in the compiled part, the self-test from its classes, experiment files from the keys
that statera accepts, everything else from `keys`.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from statera import _native
from statera.comparison.weighing.self_test import SelfTest

sys.path.insert(0, str(Path(__file__).parent))
import codes
import file_schema
import format_pages
import mapping_table
from keys import COMPARISON, INSPECTION, OBJECTS, Keys

import reference

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = {"comparison": COMPARISON, "inspection": INSPECTION}
_ROWS: Final = {"row": _native.row_fields, "inspected": _native.inspected_fields}
# The classes of rows: the table of fields of each, what it is, and the page that describes the fields.
_CLASSES: Final = {
    "Row": (
        _native.row_fields,
        "The comparison of a contender with the baseline for one benchmark and metric.",
        "json",
    ),
    "Inspected": (
        _native.inspected_fields,
        "The inspection of one variant for one benchmark and metric.",
        "inspect",
    ),
}
_TYPES: Final = {
    "text": "str",
    "code": "str",
    "codes": "tuple[str, ...]",
    "number": "float",
    "count": "int",
    "flag": "bool",
}
_PLAIN: Final = {"text": "string", "number": "number", "flag": "boolean", "count": "integer"}
_WORDS: Final = {"text": "text", "number": "number", "flag": "true or false", "count": "whole number", "any": "any"}


class _Field(NamedTuple):
    """A field of a row, as the compiled part describes it."""

    name: str
    kind: str
    optional: bool
    unit: str
    meaning: str
    codes: list[str]


def main() -> None:
    """Write what differs."""
    for path, text in written().items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")


def written() -> dict[Path, str]:
    """Give every file with its text as it should be."""
    schemas = {ROOT / f"src/statera/output/schema/{name}-2.json": _text(schema(name)) for name in DOCUMENTS}
    schemas[ROOT / f"src/statera/output/schema/{file_schema.NAME}.json"] = _text(file_schema.schema())
    classes = {ROOT / "src/statera/comparison/results/rows.py": _rows()}
    pages = [ROOT / "docs/json.md", ROOT / "docs/inspect.md", ROOT / "docs/experiment.md"]
    manuals = {ROOT / "docs/reference.md": reference.page(), ROOT / "docs/statera.1": reference.man()}
    manuals[ROOT / "docs/codes.md"] = codes.page()
    tables = {page: _with_tables(page.read_text()) for page in pages}
    tables |= mapping_table.written()
    return {**schemas, **classes, **manuals, **tables, **format_pages.written()}


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _rows() -> str:
    """Write the module with the classes of rows."""
    return '''"""The rows of comparisons and of inspections as typed objects."""

# `make schema` writes this file from the fields in crates/tables.

from __future__ import annotations

from dataclasses import asdict, dataclass

from statera.comparison.results import lines
''' + "".join(_row(name, *of) for name, of in _CLASSES.items())


def _row(name: str, native: Callable[[], list[Any]], meaning: str, page: str) -> str:
    """Write the class of a row, which has a field for each of the table."""
    described = map(_Field._make, native())
    fields = [f"    {each.name}: {_TYPES[each.kind]}{' | None' * each.optional}\n" for each in described]
    return (
        f'''

@dataclass(frozen=True, slots=True, repr=False)
class {name}:
    """{meaning}

    The fields are those of JSON, CSV and data frames; docs/{page}.md states the meaning and unit of each.
    Absent numbers are None.
    """

'''
        + "".join(fields)
        + f'''
    def __repr__(self) -> str:
        """Write the row in a line."""
        return lines.of_{name.lower()}(asdict(self))
'''
    )


def schema(name: str) -> dict[str, Any]:
    """Give the JSON Schema of a document."""
    found = _object(DOCUMENTS[name])
    found["properties"]["schema"] = {"const": f"statera.{name}/2"}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"statera.{name}/2"}
    objects: dict[str, Any] = {}
    _gather(json.dumps(found), objects)
    return {**head, **found, "$defs": dict(sorted(objects.items()))}


def _gather(text: str, objects: dict[str, Any]) -> None:
    """Add the objects that a text refers to, and those that they refer to."""
    for name in re.findall(r"#/\$defs/(\w+)", text):
        if name not in objects:
            objects[name] = _definition(name)
            _gather(json.dumps(objects[name]), objects)


def _definition(name: str) -> dict[str, Any]:
    if name in _ROWS:
        found = {field.name: _field(field) for field in map(_Field._make, _ROWS[name]())}
        return {"type": "object", "properties": found, "required": list(found)}
    return _class(SelfTest) if name == "self_test" else _object(OBJECTS[name])


def _field(field: _Field) -> dict[str, Any]:
    found: dict[str, Any] = {"type": _PLAIN.get(field.kind, "string")}
    if field.kind == "code":
        found["enum"] = list(field.codes)
    if field.kind == "codes":
        found = {"type": "array", "items": {"type": "string", "enum": list(field.codes)}}
    found["description"] = f"{field.meaning} ({field.unit})" if field.unit else field.meaning
    if field.optional:
        found["type"] = [found["type"], "null"]
        found |= {"enum": [*found["enum"], None]} if "enum" in found else {}
    return found


def _object(keys: Keys) -> dict[str, Any]:
    properties = {key.rstrip("*"): {**_type(words), "description": meaning} for key, words, meaning in keys}
    required = [key for key, _, _ in keys if not key.endswith("*")]
    return {"type": "object", "properties": properties, "required": required}


def _type(words: str) -> dict[str, Any]:
    if words.endswith("?"):
        return {"anyOf": [_type(words[:-1]), {"type": "null"}]}
    if words.startswith("["):
        return {"type": "array", "items": _type(words[1:-1])}
    if words.startswith("{"):
        return {"type": "object", "additionalProperties": _type(words[1:-1])}
    if words == "any":
        return {}
    return {"type": _PLAIN[words]} if words in _PLAIN else {"$ref": f"#/$defs/{words}"}


def _class(of: type) -> dict[str, Any]:
    """Describe a class of plain values, and the classes of its fields within it."""
    hints = get_type_hints(of)
    found = {field.name: _hinted(hints[field.name]) for field in fields(of)}
    return {"type": "object", "properties": found, "required": list(found)}


def _hinted(hint: Any) -> dict[str, Any]:  # noqa: ANN401 - a type
    if is_dataclass(hint):
        return _class(hint)
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _hinted(get_args(hint)[0])}
    if type(None) in get_args(hint):
        found = _hinted(get_args(hint)[0])
        return {**found, "type": [found["type"], "null"]}
    return {"type": {str: "string", int: "integer", bool: "boolean", float: "number"}[hint]}


def _with_tables(page: str) -> str:
    """Set the tables anew that stand between their marks."""
    return re.sub(
        r"(<!-- keys of (\w+) -->\n).*?(<!-- end of keys -->)",
        lambda found: f"{found[1]}{_table(found[2])}{found[3]}",
        page,
        flags=re.DOTALL,
    )


def _table(name: str) -> str:
    if name in file_schema.PAGES:
        return file_schema.table(name)
    if name in _ROWS:
        head = "| key | type | unit | meaning |\n| --- | --- | --- | --- |\n"
        return head + "".join(map(_line, map(_Field._make, _ROWS[name]())))
    keys = DOCUMENTS.get(name) or OBJECTS[name]
    lines = "".join(f"| `{key.rstrip('*')}` | {_words(words)} | {meaning} |\n" for key, words, meaning in keys)
    return "| key | type | meaning |\n| --- | --- | --- |\n" + lines


def _line(field: _Field) -> str:
    words = {"code": "text", "codes": "list of text"}.get(field.kind) or _WORDS[field.kind]
    null = " or null" if field.optional else ""
    listed = f": {', '.join(f'`{code}`' for code in field.codes)}" if field.codes else ""
    return f"| `{field.name}` | {words}{null} | {field.unit} | {field.meaning}{listed} |\n"


def _words(words: str) -> str:
    if words.endswith("?"):
        return f"{_words(words[:-1])} or null"
    if words.startswith("["):
        return f"list of {_words(words[1:-1])}{'' if words[1:-1] in _WORDS else 's'}"
    return _WORDS.get(words, "object")


if __name__ == "__main__":
    main()
