"""The metrics of what a mapping times: one for each of the hosts that a definition names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera.cluster.logs.time_definitions import ACROSS
from statera.cluster.metrics import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.cluster.logs.time_definitions import Definition


def all_metrics(found: Iterable[Definition]) -> list[Metric]:
    """Return the metrics of all definitions."""
    return [metric for number, one in enumerate(found) for metric in _of(one, number)]


def _of(definition: Definition, number: int) -> list[Metric]:
    places = enumerate(definition.hosts)
    return [_metric(definition, across, place_name(number, place)) for place, across in places]


def _metric(definition: Definition, across: str, source: str) -> Metric:
    words, population = ACROSS.get(across, (f"{across[:-1]} % of the hosts", "key"))
    title = f"{definition.title}, {words}" if words else definition.title
    meaning = f"From {definition.begin.event} to {definition.end.event} of the same {definition.key}"
    key = definition.name if across == "each" else f"{definition.name}.{across}"
    better: Any = definition.better
    meaning += f", {words}." if words else "."
    return Metric(key, title, "s", population, None, source, "seconds", better, meaning, samples="keys")


def place_name(number: int, place: int) -> str:
    """Return the table name of a metric: the ``place``-th of definition ``number``."""
    return f"time_{number}_{place}"


def place_of(across: str, machines: int) -> int | None:
    """Return the host's place in the order of arrival, counted from 1, with P % rounded up; None for all hosts."""
    if across == "each":
        return None
    return 1 if across == "first" else -(-int(across[:-1]) * machines // 100)
