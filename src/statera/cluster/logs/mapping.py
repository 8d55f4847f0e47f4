"""Mappings: which log lines are which events, and which of their fields are used. One TOML file per system."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from statera import _native
from statera.cluster.logs.mapping_schema import check
from statera.cluster.logs.time_definitions import Definition, definitions
from statera.support.errors import Stop
from statera.support.files import toml

_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
BUILT_IN = Path(__file__).parent / "mappings"
DEFAULT = "cardano"


@dataclass(frozen=True, slots=True)
class Mapping:
    """The rules by which log lines become events.

    Attributes:
        name: the name that the file states.
        tables: for each table of events its columns and their types, in order.
        events: the names of the events, in the order of the file.
        plan: the whole mapping as JSON text, for the reader.
        digest: identifies the content; events read with another mapping are not used again.
        times: the times to measure from one event to another.

    """

    name: str
    tables: dict[str, dict[str, str]]
    events: tuple[str, ...]
    plan: str
    digest: str
    times: tuple[Definition, ...] = ()


def load(name: str | Path = DEFAULT) -> Mapping:
    """Load a built-in mapping by name, or any mapping from its file.

    Raises:
        Stop: the name is neither a built-in mapping nor a file, or the file is not a valid mapping.

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
    }
    text = json.dumps(plan, ensure_ascii=False)
    try:
        # Reading no host shows whether the reader accepts the plan.
        _native.read_logs(text, [], lambda *_: None)
    except ValueError as error:
        raise Stop("event-mapping", f"{path}: {error}") from None
    names = tuple(event["event"] for event in events)
    name = document.get("name", path.stem)
    times = definitions(path, document, tables)
    return Mapping(name, tables, names, text, hashlib.sha256(text.encode()).hexdigest(), times)


def _columns(path: Path, table: str, columns: object) -> dict[str, str]:
    if not isinstance(columns, dict) or not all(isinstance(kind, str) for kind in columns.values()):
        raise Stop("event-mapping", f'{path}: [tables.{table}] needs columns such as slot = "natural"')
    for name in (table, *columns):
        if not _NAME.fullmatch(name):
            raise Stop(
                "event-mapping", f"{path}: {name!r} cannot name a table or column: use letters, digits and _ only"
            )
    return columns
