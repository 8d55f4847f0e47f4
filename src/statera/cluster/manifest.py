"""The manifest: what was run, as rows of titles and texts, and as the keys by which runs are grouped into variants."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.cluster.logs.events import instant
from statera.cluster.numbers import amount
from statera.cluster.run import COMPONENTS, WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


_SET: Final = {"machines": "Machines", "filtersApplied": "Number of filters applied"}
_MEASURED: Final = {
    "logObjectsEmittedPerHost": "Log objects emitted per host",
    "logObjectsAnalysedPerHost": "Log objects analysed per host",
    "totalLogObjectsAnalysed": "Total log objects analysed",
    "hostRunTime": "Host run time, s",
    "hostLogLineRate": "Host log line rate, Hz",
    "runTime": "Run time, s",
    "analysedRunDuration": "Analysed run duration, s",
    "runTimeEfficiency": "Run time efficiency",
    "nodeStartSpread": "Node start spread, s",
    "nodeStopSpread": "Node stop spread, s",
    "slotsAnalysed": "Slots analysed",
    "blocksAnalysed": "Blocks analysed",
    "blocksRejected": "Blocks rejected",
}
_SHOWN_COMMIT: Final = 7
# If a configuration has more runs than these, only the smallest and the largest count are shown.
_LISTED: Final = 3
NONE: Final = "-"
FILTERS: Final = "Filters"


class Fact(NamedTuple):
    """A row of the manifest."""

    title: str  # the name of the fact
    cells: tuple[str, ...]  # for each variant the values that its runs state, all that occur
    chosen: bool  # whether it is a choice of the experimenter, so that compared runs should state the same value

    @property
    def differs(self) -> tuple[bool, ...]:
        """Return for each variant whether it states another value than the first; always False unless chosen."""
        return tuple(self.chosen and NONE not in {cell, self.cells[0]} and cell != self.cells[0] for cell in self.cells)

    @property
    def partly(self) -> bool:
        """Return whether some variants state the fact and others do not; False for facts that are not chosen."""
        return self.chosen and self.known and NONE in self.cells

    @property
    def known(self) -> bool:
        """Return whether any variant states the fact."""
        return any(cell != NONE for cell in self.cells)


def facts(variants: Sequence[Sequence[dict[str, Any]]], today: str = "") -> list[Fact]:
    """Return all rows.

    Args:
        variants: for each variant the summaries of its runs.
        today: the date of an analysis that states none.

    """
    return [
        Fact(title, tuple(_joined([value(one) for one in runs]) for runs in variants), chosen)
        for title, value, chosen in _rows(today)
    ]


def _rows(today: str) -> Iterable[tuple[str, Callable[[dict[str, Any]], object], bool]]:
    yield "Analysis date", lambda one: one["manifest"].get("analysisDate") or today or None, False
    yield "Cluster system start date", lambda one: start(one)[0], False
    yield "Cluster system start time", lambda one: start(one)[1], False
    for key, title in {"identifier": "Identifier", "runBatch": "Run batch"}.items():
        yield title, _value(key), False
    yield "Profile", _value("profile"), True
    yield "GHC version", _value("ghcVersion"), True
    for name in COMPONENTS:
        yield f"{name} version", _component(name, "version"), True
    for name in COMPONENTS:
        yield f"{name} git", _component(name, "commit"), True
    yield "Era", _value("era"), True
    for key, title in WORKLOAD.items():
        yield title, _value(key, "workload"), True
    yield FILTERS, lambda one: "; ".join(one.get("filters") or ()) or "none", True
    for key, title in _SET.items():
        yield title, _value(key), True
    for key, title in _MEASURED.items():
        yield title, _value(key), False


def _value(key: str, group: str = "") -> Callable[[dict[str, Any]], object]:
    def of(summary: dict[str, Any]) -> object:
        manifest = summary["manifest"]
        return ((manifest.get(group) or {}) if group else manifest).get(key)

    return of


def _component(name: str, key: str) -> Callable[[dict[str, Any]], object]:
    def of(summary: dict[str, Any]) -> object:
        value = ((summary["manifest"].get("components") or {}).get(name) or {}).get(key)
        return str(value)[:_SHOWN_COMMIT] if key == "commit" and value is not None else value

    return of


def start(summary: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return date and time of the system start, UTC; a text that is not a time is returned as the date."""
    stated = summary["manifest"].get("clusterSystemStart")
    at = _native.log_time(stated) if isinstance(stated, str) else None
    if at is None:
        return (None if stated is None else str(stated)), None
    day, _, time = instant(at).partition(" ")
    whole, _, rest = time.partition(".")
    rest = rest.rstrip("0")
    return day, f"{whole}.{rest}" if rest else whole


def _joined(values: Sequence[object]) -> str:
    known = [value for value in values if value is not None]
    numbers = [value for value in known if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = dict.fromkeys(map(_text, known))
    if len(texts) > 1 and len(numbers) == len(known):
        # Repeat equal numbers of several runs, so that no run looks missing.
        each = len(numbers) <= _LISTED
        return ", ".join(map(_text, numbers)) if each else f"{_text(min(numbers))} to {_text(max(numbers))}"
    return ", ".join(texts) or NONE


def _text(value: object) -> str:
    if isinstance(value, float):
        text = amount(value, 6)
        return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
    return _json_text(value)


def _json_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_OF_MANIFEST: Final = ("identifier", "runBatch", "profile", "ghcVersion", "era", "machines")


def configuration(summary: dict[str, Any]) -> dict[str, str]:
    """Return the keys of a run's summary that have a value.

    ``cardano-node`` and other names of components are their versions, ``cardano-node.commit`` is a commit.
    """
    manifest = summary["manifest"]
    stated: dict[str, Any] = {key: manifest.get(key) for key in _OF_MANIFEST}
    stated |= manifest.get("workload") or {}
    for name, component in (manifest.get("components") or {}).items():
        stated |= {name: component.get("version"), f"{name}.commit": component.get("commit")}
    stated["filters"] = "; ".join(summary.get("filters") or ()) or None
    return {key: _json_text(value) for key, value in stated.items() if value is not None}
