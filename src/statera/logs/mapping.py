"""Mappings: which line of a log is which event, and which of its fields matter. One TOML file a system."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from statera import _native
from statera.cluster.times.definitions import Definition, definitions
from statera.errors import Stop
from statera.files import toml
from statera.logs.mapping_schema import check

_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
BUILT_IN = Path(__file__).parent / "mappings"
DEFAULT = "cardano"


@dataclass(frozen=True, slots=True)
class Mapping:
    """How lines become events.

    Attributes:
        name: what the file calls itself.
        tables: for each table of events its columns and their types, in order.
        events: the names of the events, in the order of the file.
        plan: all of it, for the reader: JSON text.
        digest: identifies the content; events read by another mapping are other events.
        times: what is to be timed from one event to another.

    """

    name: str
    tables: dict[str, dict[str, str]]
    events: tuple[str, ...]
    plan: str
    digest: str
    times: tuple[Definition, ...] = ()


def load(name: str | Path = DEFAULT) -> Mapping:
    """Load a built-in mapping by its name, or any by its file.

    Raises:
        Stop: there is none of that name, or it is no mapping.

    """
    built_in = BUILT_IN / f"{name}.toml"
    path = built_in if str(name).isidentifier() and built_in.is_file() else Path(name)
    try:
        document, text = toml.load(path, "event-mapping")
    except OSError as error:
        known = ", ".join(sorted(file.stem for file in BUILT_IN.glob("*.toml")))
        raise Stop("event-mapping", f"{name}: no mapping of that name and no file; built in: {known}") from error
    return _mapping(path, text, document)


def _mapping(path: Path, written: str, document: dict[str, Any]) -> Mapping:
    tables, events = document.get("tables"), document.get("events")
    if not tables or not events:
        raise Stop("event-mapping", f"{path}: a mapping has [tables.NAME] and [[events]]")
    check(path, written, document)
    plan = {
        "line": document["line"],
        # The order of columns is the file's; a JSON object promises none.
        "tables": [[table, list(_columns(path, table, columns).items())] for table, columns in tables.items()],
        "events": events,
    }
    text = json.dumps(plan, ensure_ascii=False)
    try:
        # Of no host: that tells whether the reader takes it.
        _native.read_logs(text, [], lambda *_: None)
    except ValueError as error:
        raise Stop("event-mapping", f"{path}: {error}") from None
    names = tuple(event["event"] for event in events)
    name = document.get("name", path.stem)
    times = definitions(path, document, tables)
    return Mapping(name, tables, names, text, hashlib.sha256(text.encode()).hexdigest(), times)


def _columns(path: Path, table: str, columns: object) -> dict[str, str]:
    if not isinstance(columns, dict) or not all(isinstance(kind, str) for kind in columns.values()):
        raise Stop("event-mapping", f'{path}: [tables.{table}] holds lines such as slot = "natural"')
    for name in (table, *columns):
        if not _NAME.fullmatch(name):
            raise Stop("event-mapping", f"{path}: {name!r} names a table or column: letters, digits and _ only")
    return columns
