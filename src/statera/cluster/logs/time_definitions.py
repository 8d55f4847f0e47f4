"""Definitions of times: the ``[[times]]`` of a mapping."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from statera.cluster.logs.mapping_schema import is_text
from statera.support.errors import Stop

if TYPE_CHECKING:
    from pathlib import Path

_KEYS: Final = frozenset({"name", "title", "from", "to", "key", "hosts", "better"})
_PER_CENT: Final = re.compile(r"([1-9][0-9]?|100)%")


class Side(NamedTuple):
    """One end of a time: the event, and the table that holds it."""

    event: str
    table: str


class Definition(NamedTuple):
    """A time from the first event of a key, on any host, to another event of the same key on each host.

    Attributes:
        name: the identifier.
        title: the title of the metrics.
        begin, end: the two events.
        key: the column that both events share.
        hosts: the hosts whose times are metrics: ``each``, ``first``, or ``P%`` of the cluster.
        better: ``lower``, ``higher`` or ``none``.

    """

    name: str
    title: str
    begin: Side
    end: Side
    key: str
    hosts: tuple[str, ...]
    better: str


ACROSS: Final = {"each": ("", "(key, host)"), "first": ("first host", "key")}


def definitions(path: Path, document: dict[str, Any], tables: dict[str, dict[str, str]]) -> tuple[Definition, ...]:
    """Read the ``[[times]]`` of a mapping whose form was checked; an absent table means no definitions.

    Raises:
        Stop: a definition is invalid; the text says which and why.

    """
    first = next(iter(tables), "")
    places = {event["event"]: event.get("table", first) for event in document["events"]}
    found = tuple(_definition(path, one, tables, places) for one in document.get("times", []))
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            _refuse(path, f"two times have the name {name}")
    return found


def _definition(
    path: Path, one: dict[str, Any], tables: dict[str, dict[str, str]], places: dict[str, str]
) -> Definition:
    unknown = ", ".join(sorted(set(one) - _KEYS))
    if unknown:
        _refuse(path, f"[[times]] has no {unknown}; it has {', '.join(sorted(_KEYS))}")
    texts = {key: one.get(key) for key in ("name", "from", "to", "key")}
    for key, value in texts.items():
        if not is_text(value):
            _refuse(path, f"a time lacks {key}")
    name, begin, end, key = (str(value) for value in texts.values())
    for event in (begin, end):
        if event not in places:
            _refuse(path, f"time {name}: there is no event {event}; the events are {', '.join(places)}")
        if key not in tables.get(places[event], {}):
            _refuse(path, f"time {name}: the table {places[event]} of {event} has no column {key}")
    title, better = one.get("title", f"{begin} to {end}"), str(one.get("better", "lower"))
    if not is_text(title):
        _refuse(path, f"time {name}: the title is empty; write one, or leave it out")
    if better not in {"lower", "higher", "none"}:
        _refuse(path, f"time {name}: better must be lower, higher or none, not {better}")
    sides = Side(begin, places[begin]), Side(end, places[end])
    return Definition(name, title, *sides, key=key, hosts=_hosts(path, name, one.get("hosts", ["each"])), better=better)


def _hosts(path: Path, name: str, stated: object) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(map(str, stated))) if isinstance(stated, list) else ()
    if not chosen or not all(across in ACROSS or _PER_CENT.fullmatch(across) for across in chosen):
        _refuse(path, f'time {name}: hosts must be a list of "each", "first" and shares of the cluster such as "50%"')
    return chosen


def _refuse(path: Path, why: str) -> NoReturn:
    raise Stop("event-mapping", f"{path}: {why}")
