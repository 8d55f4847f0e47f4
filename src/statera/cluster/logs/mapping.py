"""Mappings: which log lines are which events, and which of their fields are used. One TOML file per system."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from statera import _native
from statera.reading.logs.mapping import Kind, is_text
from statera.support.errors import Stop
from statera.support.files import toml

if TYPE_CHECKING:
    from collections.abc import Callable


_LONGEST: Final = 80
# The longest line that the reader accepts.
_MOST_MIB: Final = 1024


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
        "folds": Kind("tables [folds.NAME]", lambda value: isinstance(value, dict)),
        "events": Kind("[[events]]", lambda value: _all(value, lambda one: isinstance(one, dict))),
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
    "[folds]": {
        "key": _TEXT,
        "times": _TEXTS,
        "before": Kind("true or false", lambda value: isinstance(value, bool)),
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
_NEEDED: Final = {
    "": ("line", "tables", "events"), "[line]": ("time", "name"), "[folds]": ("key",), "[[events]]": ("event",),
}  # fmt: skip


def check(path: Path, text: str, document: dict[str, Any]) -> None:
    """Check the form of a mapping.

    Raises ``Stop`` if the form is wrong; the text names the file, the line if it can be found, the table and the field.
    """
    _Table(path, text, "", 0, document).check()
    _Table(path, text, "[line]", 0, document["line"]).check()
    for name, fold in document.get("folds", {}).items():
        if not isinstance(fold, dict):
            _Table(path, text, "", 0, document).refuse("folds", f"[folds.{name}] takes a table with key")
        _Table(path, text, f"[folds.{name}]", 0, fold).check()
    for number, event in enumerate(document["events"]):
        table = _Table(path, text, "[[events]]", number, event)
        table.check()
        for column in event.get("absent", {}):
            if column not in event.get("fields", {}):
                table.refuse("absent", f"absent: {column} is not one of its fields")


class _Table(NamedTuple):
    """The ``number``-th table of a name in a mapping."""

    path: Path
    text: str
    name: str
    number: int
    stated: dict[str, Any]

    def check(self) -> None:
        form = "[folds]" if self.name.startswith("[folds.") else self.name
        known = _FIELDS[form]
        for field, value in self.stated.items():
            if field not in known:
                self.refuse(field, f"there is no field {field!r}; the fields are {', '.join(known)}")
            if not known[field].fits(value):
                not_that = _native.shortened(repr(value), _LONGEST)
                self.refuse(field, f"{field} takes {known[field].words}, not {not_that}")
        for field in _NEEDED[form]:
            if field not in self.stated:
                self.refuse("", f"{field} is missing; it takes {known[field].words}")

    def refuse(self, field: str, why: str) -> NoReturn:
        line = toml.line_of(self.text, self._keys(field)) or toml.line_of(self.text, self._keys(""))
        place = f"{self.path}:{line}" if line else str(self.path)
        if self.name == "[[events]]":
            event = self.stated.get("event")
            which = f" {event}" if is_text(event) else f" number {self.number + 1}"
            raise Stop("event-mapping", f"{place}: {self.name}{which}: {why}")
        raise Stop("event-mapping", f"{place}: {self.name}: {why}" if self.name else f"{place}: {why}")

    def _keys(self, field: str) -> list[str | int]:
        """Return the keys that lead to a field, or to its table."""
        own: list[str | int] = [*self.name.strip("[]").split(".", 1)] if self.name else []
        return own + ([self.number] if self.name.startswith("[[") else []) + ([field] if field else [])


_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
BUILT_IN = Path(__file__).parent / "mappings"
DEFAULT = "cardano"


@dataclass(frozen=True, slots=True)
class Mapping:
    """The rules by which log lines become events."""

    name: str  # the name that the file states
    tables: dict[str, dict[str, str]]  # for each table of events its columns and their types, in order
    events: tuple[str, ...]  # the names of the events, in the order of the file
    plan: str  # the whole mapping as JSON text, for the reader
    digest: str  # identifies the content; events read with another mapping are not used again
    folds: tuple[str, ...] = ()  # the tables with one row for each value of a key


def load(name: str | Path = DEFAULT) -> Mapping:
    """Load a built-in mapping by name, or any mapping from its file.

    Raises ``Stop`` if the name is neither a built-in mapping nor a file, or the file is not a valid mapping.
    """
    built_in = BUILT_IN / f"{name}.toml"
    path = built_in if str(name).isidentifier() and built_in.is_file() else Path(name)
    try:
        document, text = toml.load(path, "event-mapping")
    except OSError as error:
        known = ", ".join(sorted(file.stem for file in BUILT_IN.glob("*.toml")))
        raise Stop(
            "event-mapping", f"{name}: is neither a file nor the name of a built-in mapping; built in: {known}"
        ) from error
    return _mapping(path, text, document)


def _mapping(path: Path, written: str, document: dict[str, Any]) -> Mapping:
    tables, events = document.get("tables"), document.get("events")
    if not tables or not events:
        raise Stop("event-mapping", f"{path}: a mapping needs [tables.NAME] and [[events]]")
    check(path, written, document)
    plan = {
        "line": document["line"],
        # Lists keep the order of the columns in the file; a JSON object guarantees none.
        "tables": [[table, list(_columns(path, table, columns).items())] for table, columns in tables.items()],
        "events": events,
        "folds": document.get("folds", {}),
    }
    text = json.dumps(plan, ensure_ascii=False)
    try:
        # Reading no host shows whether the reader accepts the plan.
        _native.read_logs(text, [], lambda *_: None)
    except ValueError as error:
        raise Stop("event-mapping", f"{path}: {error}") from None
    names = tuple(event["event"] for event in events)
    name = document.get("name", path.stem)
    folds = tuple(document.get("folds", {}))
    return Mapping(name, tables, names, text, hashlib.sha256(text.encode()).hexdigest(), folds)


def _columns(path: Path, table: str, columns: object) -> dict[str, str]:
    if not isinstance(columns, dict) or not all(isinstance(kind, str) for kind in columns.values()):
        raise Stop("event-mapping", f'{path}: [tables.{table}] needs columns such as slot = "natural"')
    for name in (table, *columns):
        if not _NAME.fullmatch(name):
            raise Stop(
                "event-mapping", f"{path}: {name!r} cannot name a table or column: use letters, digits and _ only"
            )
    return columns
