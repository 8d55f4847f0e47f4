"""The columns of an analysis's tables that comparisons, reports, charts and drill-downs read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.metrics import METRICS
from statera.support.errors import Stop

if TYPE_CHECKING:
    from statera.cluster.engines.duckdb import DuckDB

_NUMBERS: Final = {
    "host_means": "n mean",
    "hosts": "host modified",
    "host_slots": "host slot",
    "usage": "host slot",
    "intervals": "host slot at_ns file line",
    "spans": "host first_slot last_slot length",
    "epoch_spans": "host",
    "host_facts": "host",
    "blocks": "position slot forger gap valid_observers adoption_50 adoption_100",
    "known_blocks": "slot block_no forger size adopters battles",
    "block_failures": "number",
    "observations": "host notice request fetching announce send adoption",
    "peers": "position host",
}
_TEXTS: Final = {
    "host_means": "metric host",
    "hosts": "name",
    "blocks": "block",
    "known_blocks": "block prev",
    "block_failures": "block tag",
    "observations": "block class",
}
_ANSWERS: Final = {"intervals": "restart", "blocks": "accepted"}
_TYPES: Final = {"VARCHAR": "text", "BOOLEAN": "yes or no"}


def wanted(table: str) -> dict[str, str]:
    """Return the columns that a table must have, each with its kind: a number, a text, or yes or no."""
    found: dict[str, str] = {}
    for kind, columns in {"number": _NUMBERS, "text": _TEXTS, "yes or no": _ANSWERS}.items():
        found |= dict.fromkeys(columns.get(table, "").split(), kind)
    for metric in METRICS:
        if metric.source == table:
            found |= {metric.column: "number"} | ({} if metric.where == "TRUE" else {metric.where: "yes or no"})
    return found


def check(engine: DuckDB, table: str) -> None:
    """Check that an open table has its columns.

    Raises:
        Stop: a column is missing or holds another kind, as in another table or another version.

    """
    has = engine.columns(table)
    for column, kind in wanted(table).items():
        if column not in has:
            wrong = f"has no column {column}"
        elif _TYPES.get(has[column], "number") != kind:
            wrong = f"its column {column} must hold {kind}, not {has[column]}"
        else:
            continue
        raise Stop("tables-unusable", f"{engine.path(table)}: {wrong}; analyse the run again")
