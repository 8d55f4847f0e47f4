"""Checks a document from strangers against a JSON Schema, as far as the schemas of statera use the language."""

from __future__ import annotations

import re
from typing import Any, Final

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
# Numbers beyond this are not measurements, and a whole number of many digits takes long to write.
_LARGEST: Final = 1e300


def fault(schema: dict[str, Any], value: object, place: str = "the document") -> str | None:
    """Return what is wrong with a value, with its place in the document; None if nothing is."""
    if "const" in schema:
        return None if value == schema["const"] else f"{place} is not {schema['const']!r}"
    if "enum" in schema:
        # A list could not be looked up, and 1 equals True.
        return None if isinstance(value, str) and value in schema["enum"] else f"{place} is none of {schema['enum']}"
    stated = schema["type"]
    kinds = [stated] if isinstance(stated, str) else stated
    if not any(_is(kind, value) for kind in kinds):
        return f"{place} is not of type {' or '.join(kinds)}"
    return _content(schema, value, place)


def _content(schema: dict[str, Any], value: object, place: str) -> str | None:
    """Return what is wrong with a value of the right type."""
    if isinstance(value, str):
        return _text(schema, value, place)
    if isinstance(value, list):
        return _list(schema, value, place)
    if isinstance(value, dict):
        return _object(schema, value, place)
    return _number(schema, value, place) if isinstance(value, (int, float)) else None


def _is(kind: str, value: object) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _text(schema: dict[str, Any], value: str, place: str) -> str | None:
    if len(value) > schema["maxLength"]:
        return f"{place} has more than {schema['maxLength']} characters"
    if not _is_unicode(value):
        return f"{place} is not a valid text"
    pattern = schema.get("pattern")
    # In Python `$` also fits before a line break at the end.
    if pattern and not re.fullmatch(pattern.removeprefix("^").removesuffix("$"), value):
        return f"{place} does not fit {pattern}"
    return None


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _number(schema: dict[str, Any], value: float, place: str) -> str | None:
    # The comparison is exact also for whole numbers that are not floating-point ones; NaN fails it.
    if not abs(value) <= _LARGEST:
        return f"{place} is too large"
    if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return f"{place} is out of range"
    return None


def _list(schema: dict[str, Any], value: list[Any], place: str) -> str | None:
    least, most = schema.get("minItems", 0), schema["maxItems"]
    if not least <= len(value) <= most:
        return f"{place} has {len(value)} items, and {least} to {most} are allowed"
    faults = (fault(schema["items"], each, f"{place}[{number}]") for number, each in enumerate(value))
    return next(filter(None, faults), None)


def _object(schema: dict[str, Any], value: dict[str, Any], place: str) -> str | None:
    known = schema["properties"]
    if unknown := sorted(value.keys() - known.keys()):
        return f"{place} has a key that statera does not know: {unknown[0][:40]!r}"
    if absent := [name for name in schema["required"] if name not in value]:
        return f"{place} lacks {absent[0]!r}"
    faults = (fault(known[name], each, name) for name, each in value.items())
    return next(filter(None, faults), None)
