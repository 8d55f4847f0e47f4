"""Section on chain and hosts: what was left out, the main chain, outlier hosts, lines, slots and blocks of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera.cluster.clocks import of_summary
from statera.cluster.numbers import suited
from statera.cluster.report.cells import count, number, several, shown, title
from statera.cluster.report.exclusions import left_out
from statera.cluster.report.material import runs
from statera.cluster.report.outliers import RULE, outliers_of
from statera.output.report.model import Cell, Column, Fold, Heading, Item, Items, Prose, Section, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statera.cluster.clocks import Clock
    from statera.cluster.report.material import Material, ReportedRun
    from statera.cluster.report.outliers import Outlier
    from statera.output.report.model import Block

TITLE: Final = "4 Chain and hosts"
HOSTS_FILE: Final = "hosts.csv"
_MOST_HOSTS: Final = 250
_MOST_FAR: Final = 6
_MOST_OPEN: Final = 6
_HASH: Final = 10
# Key and title of each count of a host.
HOST_COUNTS: Final = {
    "lines": "lines", "analysed": "analysed", "skipped": "skipped", "other": "other", "noise": "noise",
    "broken": "broken", "cut": "cut", "restarts": "restarts", "slots": "slots", "blocksForged": "forged",
    "blocksChained": "chained", "blocksAccepted": "accepted",
}  # fmt: skip


def section(material: Material) -> Section:
    """Build the section: what was left out, the chain, then the hosts."""
    each = list(runs(material))
    blocks: list[Block] = [Heading("What was left out"), *_left_out([*left_out(material)])]
    blocks += [Heading("The chain"), _chain(each)]
    blocks += [Heading("Outlier hosts"), *_apart(each), Heading("The hosts"), _hosts(each)]
    return Section("chain", TITLE, tuple(blocks))


def _left_out(items: Sequence[Item]) -> list[Block]:
    """Show what was left out; of many runs the warnings, and the others folded."""
    if len(items) <= _MOST_OPEN:
        return [Items(tuple(items))]
    warnings = tuple(item for item in items if item.tone)
    calm = tuple(item for item in items if not item.tone)
    fold = Fold("Lines and blocks of each run", (Items(calm),), on_paper=True)
    return [*([Items(warnings)] if warnings else []), fold]


_CHAIN: Final[dict[str, Callable[[dict[str, Any]], int | str]]] = {
    "blocks of the main chain": lambda one: int(one["chain"]["length"]),
    "of these accepted": lambda one: int(one["manifest"]["blocksAnalysed"]),
    "first block": lambda one: _hash(one["chain"]["base"]),
    "last block": lambda one: _hash(one["chain"]["tip"]),
    "block above it, dropped": lambda one: _hash(one["chain"]["dropped"]),
    "abandoned blocks": lambda one: len(one["chain"]["abandoned"]),
    "battles of accepted blocks": lambda one: _sum(one, "cdfBlockBattle"),
    "main-chain blocks of unknown forger": lambda one: int(one["chain"]["unknownForger"]),
    "missing blocks, bridged": lambda one: int(one["chain"]["missing"]),
    "forged by two hosts or more": lambda one: int(one["chain"]["duplicateForge"]),
    "machines": lambda one: int(one["manifest"]["machines"]),
    "machines without any log object": lambda one: sum(not host["emitted"] for host in one["hosts"].values()),
    "restarts of hosts": lambda one: sum(host["restarts"] for host in one["hosts"].values()),
    "hosts with logs beyond the cluster, ignored": lambda one: len(one.get("ignoredHosts") or ()),
}


def _hash(block: object) -> str:
    return "-" if block is None else str(block)[:_HASH]


def _sum(summary: dict[str, Any], key: str) -> int:
    metric = summary["metrics"][key]
    return round(float(metric["mean"] or 0) * int(metric["n"]))


def _chain(each: list[ReportedRun]) -> Table:
    rows = []
    for name, value in _CHAIN.items():
        values = [value(one.summary) for one in each]
        rows.append((Cell(name), *(count(found) if isinstance(found, int) else Cell(found) for found in values)))
    heads = (Column("of the run"), *(Column(shown(one.name), numeric=True) for one in each))
    note = (
        "The block of the largest height is dropped: the end of the run may cut its propagation short. A battle is "
        "another known block of the same height."
    )
    return Table("The main chain", heads, tuple(rows), (note,))


def _apart(each: list[ReportedRun]) -> list[Block]:
    found: dict[tuple[str, str], list[Outlier]] = {}
    for one, far in outliers_of(each):
        found.setdefault((shown(one.name), far.metric.key), []).append(far)
    if not found:
        return [Prose((f"No host is an outlier. {RULE}",))]
    rows = [_of_metric(run, members) for (run, _), members in found.items()]
    heads = (
        Column("metric"), Column("run"), Column("median of hosts", numeric=True), Column("outliers", numeric=True),
        Column("hosts, with their means"),
    )  # fmt: skip
    return [Table("Outlier hosts by metric", heads, tuple(rows), (RULE,))]


def _of_metric(run: str, members: Sequence[Outlier]) -> tuple[Cell, ...]:
    metric, middle = members[0].metric, members[0].middle
    unit = suited(metric.unit, (middle, *(far.mean for far in members)))
    hosts = several([f"{shown(far.host)}: {unit.amount(far.mean, 3)}" for far in members], _MOST_FAR)
    median = number(middle, unit.amount(middle, 3))
    return (title(metric.title, unit), Cell(run), median, count(len(members)), Cell(hosts, tone="doubtful"))


def _clock(clock: Clock | None) -> Cell:
    if clock is None:
        return Cell("-")
    text = f"{clock.offset * 1e3:+.0f} [{clock.low * 1e3:+.0f}, {clock.high * 1e3:+.0f}]"
    return Cell(text, tone="doubtful" if clock.is_off else "")


def _hosts(each: list[ReportedRun]) -> Table:
    rows = []
    for one in each:
        clocks = {clock.host: clock for clock in of_summary(one.summary)}
        rows += [
            (
                Cell(shown(host)),
                Cell(shown(one.name)),
                *(count(counts[key]) for key in HOST_COUNTS),
                _clock(clocks.get(host)),
            )
            for host, counts in one.summary["hosts"].items()
        ]
    numbers = (*HOST_COUNTS.values(), "clock, ms ahead")
    heads = (Column("host"), Column("run"), *(Column(name, numeric=True) for name in numbers))
    if len(each) == 1:
        heads, rows = (heads[0], *heads[2:]), [(row[0], *row[2:]) for row in rows]
    note = (
        "Lines are analysed (they became events), skipped (an event lacks a required field), other (objects that are "
        "not log objects), noise (text), broken (invalid JSON) or cut (an unfinished last line); the rest are log "
        "objects that no metric needs. A restart is a counter that starts again. Slots pass the filters. A "
        "clock is compared with the median clock; the interval is what the times of blocks allow."
    )
    return Table(
        "Lines, slots and blocks of each host", heads, tuple(rows[:_MOST_HOSTS]), (note,), len(rows), HOSTS_FILE
    )
