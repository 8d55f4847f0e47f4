"""Whether a value that stood in a journal is a record: its keys, and the types of their values."""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, Final, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from statera.reading.store import records

# Nothing that a record counts or measures is larger, negative or no number.
_MOST: Final = (1 << 63) - 1
_KINDS: Final[tuple[Any, ...]] = get_args(records.Record)


def fault_of(value: Any) -> str | None:  # noqa: ANN401 - whatever JSON holds
    """Say what is wrong with a value as a record; None for a record, the empty text for one of an unknown kind."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return "it is not an object with a `kind`"
    fields = _fields().get(value["kind"])
    if fields is None:
        return ""
    for name, (kind, required) in fields.items():
        if name not in value:
            if required:
                return f"`{name}` is missing"
        elif not _is(kind, value[name]):
            return f"`{name}` is {value[name]!r:.40}"
    return None


@cache
def _fields() -> dict[str, dict[str, tuple[Any, bool]]]:
    """Return the fields of each kind of record: their type, and whether they are required."""
    found = {}
    for kind in _KINDS:
        hints = get_type_hints(kind, include_extras=True)
        named = get_args(hints["kind"])[0]
        found[named] = {
            name: (get_args(hint)[0], False) if get_origin(hint) is NotRequired else (hint, True)
            for name, hint in hints.items()
        }
    return found


def _is(kind: Any, value: Any) -> bool:  # noqa: ANN401 - types and JSON values
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value in inner
    if origin in {Union, UnionType}:
        return any(_is(each, value) for each in inner)
    if origin is list:
        return isinstance(value, list) and all(_is(inner[0], each) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(_is(inner[1], each) for each in value.values())
    # JSON writes 1.0 and 1 alike, and `true` is not a number.
    fits = type(value) is kind or (kind is float and type(value) is int)
    return fits and (kind not in {int, float} or 0 <= value <= _MOST)
