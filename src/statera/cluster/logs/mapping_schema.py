"""The schema of a mapping: which fields its tables have, and which values they accept. Others are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from statera import _native
from statera.support.errors import Stop
from statera.support.files import toml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LONGEST: Final = 80
# The longest line that the reader accepts.
_MOST_MIB: Final = 1024


class Kind(NamedTuple):
    """The values that a field accepts.

    Attributes:
        words: a description of the values.
        fits: whether a value is one of them.

    """

    words: str
    fits: Callable[[Any], bool]


def is_text(value: object) -> bool:
    """Return whether a value is a text that is not empty."""
    return isinstance(value, str) and bool(value.strip())


def _all(value: object, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _of_columns(value: object, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(map(fits, value.values()))


def _is_source(value: object) -> bool:
    return is_text(value) or (
        isinstance(value, dict) and set(value) == {"path", "minus"} and all(map(is_text, value.values()))
    )


def _is_skip(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"field", "is"}
        and is_text(value["field"])
        and value["is"] in ("true", "false", "present")
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


_TEXT: Final = Kind("a text that is not empty", is_text)
_TEXTS: Final = Kind('a list of texts such as ["slot"]', lambda value: _all(value, is_text))
_SOURCES: Final = Kind(
    'for each column a list such as { slot = ["slot"] } or { took = [{ path = "end", minus = "begin" }] }',
    lambda value: _of_columns(value, lambda sources: _all(sources, _is_source)),
)
_ABSENT: Final = Kind("for each column an integer such as { length = 1 }", lambda value: _of_columns(value, _is_whole))
_SKIPS: Final = Kind(
    'a list such as [{ field = "retry", is = "true" }], where is may be "true", "false" or "present"',
    lambda value: _all(value, _is_skip),
)

_FIELDS: Final[dict[str, dict[str, Kind]]] = {
    "": {
        "name": _TEXT,
        "line": Kind("the table [line]", lambda value: isinstance(value, dict)),
        "tables": Kind("tables [tables.NAME]", lambda value: isinstance(value, dict)),
        "events": Kind("[[events]]", lambda value: _all(value, lambda one: isinstance(one, dict))),
        "times": Kind("[[times]]", lambda value: _all(value, lambda one: isinstance(one, dict))),
    },
    "[line]": {
        "time": _TEXT,
        "unit": Kind('"s", "ms", "us" or "ns"', lambda value: value in ("s", "ms", "us", "ns")),
        "name": _TEXT,
        "data": _TEXT,
        "inner": _TEXT,
        "kind": _TEXT,
        "strip": Kind("a text", lambda value: isinstance(value, str)),
        "longest": Kind(
            f"a number of MiB from 1 to {_MOST_MIB}", lambda value: _is_whole(value) and 1 <= value <= _MOST_MIB
        ),
    },
    "[[events]]": {
        "event": _TEXT,
        "table": _TEXT,
        "names": _TEXTS,
        "kinds": _TEXTS,
        "required": _TEXTS,
        "fields": _SOURCES,
        "absent": _ABSENT,
        "skip": _SKIPS,
    },
}
_NEEDED: Final = {"": ("line", "tables", "events"), "[line]": ("time", "name"), "[[events]]": ("event",)}


def check(path: Path, text: str, document: dict[str, Any]) -> None:
    """Check the form of a mapping, except for ``[[times]]``.

    Raises:
        Stop: the form is wrong; the text names the file, the line if it can be found, the table and the field.

    """
    _check(path, text, "", 0, document)
    _check(path, text, "[line]", 0, document["line"])
    for number, event in enumerate(document["events"]):
        _check(path, text, "[[events]]", number, event)
        for column in event.get("absent", {}):
            if column not in event.get("fields", {}):
                _refuse(path, text, "[[events]]", number, event, "absent", f"absent: {column} is not one of its fields")


def _check(path: Path, text: str, table: str, number: int, stated: dict[str, Any]) -> None:
    """Check the ``number``-th table of a name."""
    known = _FIELDS[table]
    for field, value in stated.items():
        if field not in known:
            why = f"there is no field {field!r}; the fields are {', '.join(known)}"
            _refuse(path, text, table, number, stated, field, why)
        if not known[field].fits(value):
            not_that = _native.shortened(repr(value), _LONGEST)
            _refuse(path, text, table, number, stated, field, f"{field} takes {known[field].words}, not {not_that}")
    for field in _NEEDED[table]:
        if field not in stated:
            _refuse(path, text, table, number, stated, "", f"{field} is missing; it takes {known[field].words}")


def _refuse(path: Path, text: str, table: str, number: int, stated: dict[str, Any], field: str, why: str) -> NoReturn:  # noqa: PLR0917 - where and why
    line = toml.line_of(text, _keys(table, number, field)) or toml.line_of(text, _keys(table, number, ""))
    name = stated.get("event") if table == "[[events]]" else None
    which = f" {name}" if is_text(name) else f" number {number + 1}" if table == "[[events]]" else ""
    place = f"{path}:{line}" if line else str(path)
    raise Stop("event-mapping", f"{place}: {table}{which}: {why}" if table else f"{place}: {why}")


def _keys(table: str, number: int, field: str) -> list[str | int]:
    """Return the keys that lead to a field, or to its table."""
    own: list[str | int] = [table.strip("[]")] if table else []
    return own + ([number] if table.startswith("[[") else []) + ([field] if field else [])
