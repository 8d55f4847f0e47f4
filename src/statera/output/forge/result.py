"""A result file, taken as hostile data: whoever opens a pull request decides what its workflow uploads.

It is checked against its JSON Schema, as far as the schemas of statera use the language.
"""

from __future__ import annotations

import json
import os
import re
import stat
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, NoReturn

from statera.support.errors import Stop, unreadable

if TYPE_CHECKING:
    from pathlib import Path

LARGEST: Final = 1 << 20
"""Bytes of a result file."""

Result = dict[str, Any]
"""A checked document of the schema ``statera.result/1``."""


def read(path: Path) -> Result:
    """Read and check a result file.

    Raises ``Stop`` if it cannot be read, or is not a result file: nothing of it is used.
    """
    content = _bytes_of(path)
    try:
        document = json.loads(content, object_pairs_hook=_once, parse_constant=_refuse)
    # A deep document exhausts the stack, and a number of thousands of digits is refused by Python.
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise _bad(path, f"it is not JSON: {why[:200]}") from None
    schema = json.loads(resources.files("statera.output").joinpath("schema/result-1.json").read_text("utf-8"))
    if found := fault(schema, document) or _contradiction(document):
        raise _bad(path, found)
    result: Result = document
    return result


def _bytes_of(path: Path) -> bytes:
    """Return the bytes of a file, which is no link and no device, and not too large."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Stop("missing-file", f"{unreadable(path, error)}. Name the file that --result wrote") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _bad(path, "it is not a file")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise _bad(path, f"it has more than {LARGEST:,} bytes")
    return content


def _contradiction(document: Result) -> str | None:
    if (document["failure"] is None) == (document["compared"] is None):
        return "it must be either a comparison or a failure"
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _bad(path: Path, why: str) -> Stop:
    return Stop("bad-result", f"{path}: {why}; statera compare --result FILE writes result files")


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
    return _typed(schema, value, place)


def _typed(schema: dict[str, Any], value: object, place: str) -> str | None:
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
