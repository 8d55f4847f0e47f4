"""A comparison of runs as tables of cells, for people: the manifest, the five tables of the report, and the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.cluster.metrics import METRICS, SECTIONS
from statera.cluster.views.numbers import amount, difference, interval, percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.cluster.compare import Cell, ClusterComparison, Row, Variant
    from statera.cluster.metrics import Metric

_FACTS = {
    "identifier": "Identifier",
    "runBatch": "Run batch",
    "profile": "Profile",
    "era": "Era",
    "ghcVersion": "GHC version",
    "clusterSystemStart": "Cluster system start",
    "analysisDate": "Analysis date",
}
_WORKLOAD = {
    "delegators": "Delegation map size",
    "utxo": "Stuffed UTxO size",
    "dreps": "DRep count",
    "addTxSize": "Extra tx payload",
    "inputsPerTx": "Tx inputs",
    "outputsPerTx": "Tx outputs",
    "tps": "TPS",
    "txCount": "Transaction count",
    "plutusScript": "Plutus script",
}
_COUNTS = {
    "machines": "Machines",
    "filtersApplied": "Number of filters applied",
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
_SHOWN_COMMIT = 7


class Table(NamedTuple):
    """A table of texts.

    Attributes:
        title: above it.
        rows: the heading first.

    """

    title: str
    rows: list[list[str]]


def manifest(comparison: ClusterComparison) -> Table:
    """Give the table of what was run, one column a variant; of several runs each value that occurs."""
    rows = [["", *(variant.label for variant in comparison.variants)]]
    facts = [[run.summary["manifest"] for run in variant.runs] for variant in comparison.variants]
    for title, value in _manifest_rows(facts):
        cells = [", ".join(dict.fromkeys(value(one) for one in of)) for of in facts]
        if any(cell != "-" for cell in cells):
            rows.append([title, *cells])
    return Table("Manifest", rows)


def _manifest_rows(facts: list[list[dict[str, Any]]]) -> Iterable[tuple[str, Any]]:
    yield from ((title, lambda one, key=key: _text(one.get(key))) for key, title in _FACTS.items())
    components = dict.fromkeys(name for of in facts for one in of for name in one.get("components") or {})
    for name in components:
        yield f"{name} version", lambda one, name=name: _text(_inner(one, "components", name).get("version"))
        yield f"{name} git", lambda one, name=name: _text(_inner(one, "components", name).get("commit"))[:_SHOWN_COMMIT]
    for key, title in _WORKLOAD.items():
        yield title, lambda one, key=key: _text((one.get("workload") or {}).get(key))
    yield from ((title, lambda one, key=key: _text(one.get(key))) for key, title in _COUNTS.items())


def _inner(one: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    return (one.get(key) or {}).get(name) or {}


def _text(value: object) -> str:
    if isinstance(value, float):
        text = amount(value, 6)
        return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
    return "-" if value is None else str(value)


def tables(comparison: ClusterComparison, number: int) -> list[Table]:
    """Give the five tables of the report for one contender, and a last one of everything beyond them."""
    of = {row.metric.key: row for row in comparison.rows}
    base, other = comparison.variants[0], comparison.variants[number + 1]
    found = []
    shown = set()
    for section in SECTIONS:
        metrics = [*section.metrics, *section.extra]
        shown |= {metric.key for metric in metrics}
        lines = [line(of[metric.key], number, mark="+" if metric in section.extra else "") for metric in metrics]
        found.append(Table(f"{section.number} {section.title}", [heading(base, other), *lines]))
    rest = [line(of[metric.key], number) for metric in METRICS if metric.key not in shown]
    found.append(Table("Beyond the report's tables", [heading(base, other), *rest]))
    return found


def heading(base: Variant, other: Variant) -> list[str]:
    """Head a table of a contender against the baseline."""
    return ["", base.label, "n", other.label, "n", "Δ", "Δ%", "interval of Δ", "verdict"]


def line(row: Row, number: int, mark: str = "") -> list[str]:
    """Give the cells of a metric of the ``number``-th contender."""
    cell = row.cells[number]
    return [
        f"{mark}{title(row.metric)}",
        amount(row.base.mean),
        str(row.base.n),
        amount(cell.side.mean),
        str(cell.side.n),
        *_change(cell),
    ]


def _change(cell: Cell) -> list[str]:
    return [
        difference(cell.delta),
        percent(cell.delta_percent),
        interval(cell.weighed.low, cell.weighed.high),
        cell.words,
    ]


def title(metric: Metric) -> str:
    """Name a metric as its row does."""
    return f"{metric.title}, {metric.unit}"


def notes(comparison: ClusterComparison) -> list[str]:
    """Say what the numbers are and how rows were weighed."""
    level = f"{100 * (1 - comparison.policy.alpha):g} %"
    lines = [
        "Cells are means over all samples; n is their number in each row. + marks rows that are new.",
        f"Intervals of Δ at {level}; p-values of all rows are corrected together by Benjamini-Hochberg.",
        (
            "Several runs a side are weighed run by run. Else metrics of blocks are weighed by batches of blocks, and "
            "all others by hosts, the same host in both runs."
        ),
    ]
    if any("one run" in cell.rider for row in comparison.rows for cell in row.cells):
        lines.append(
            "(one run each): verdicts speak of these runs; how far two runs of one build differ, they cannot tell."
        )
    return lines + warnings(comparison)


def warnings(comparison: ClusterComparison) -> list[str]:
    """Say of each variant what was left out or is unusual, in a line."""
    return [line for line in map(_warning, comparison.variants) if line]


def _warning(variant: Variant) -> str:
    found = [warning["what"] for run in variant.runs for warning in run.summary.get("warnings", ())]
    more = f"; and {len(found) - 3} more" if len(found) > 3 else ""  # noqa: PLR2004
    return f"{variant.label}: {'; '.join(found[:3])}{more}" if found else ""
