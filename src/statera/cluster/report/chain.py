"""Section on chain and hosts: what was left out, the main chain, outlier hosts, lines, slots and blocks of hosts.

The tables of filters and of observations stand in the section of the analysis, beside the metrics that they select.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.cluster.consistency import of_summary
from statera.cluster.metrics import METRICS, Metric, name
from statera.cluster.numbers import suited
from statera.cluster.report.cells import count, number, shown, title
from statera.cluster.report.material import runs
from statera.cluster.summary import CLASSES, unused_lines, used_lines, warnings_of
from statera.output.report.model import Cell, Column, Fold, Heading, Item, Items, Prose, Section, Table
from statera.support.wording import counted, several

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.cluster.consistency import Clock
    from statera.cluster.report.material import Material, ReportedRun
    from statera.cluster.samples import Analysed
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


_TOTALS: Final = (
    ("blocks of the main chain", "chain", "length"),
    ("blocks accepted", "manifest", "blocksAnalysed"),
    ("blocks rejected", "manifest", "blocksRejected"),
)


def rejections(summary: dict[str, Any]) -> list[tuple[str, int]]:
    """Return each filter of a run, in the form of the command line, with the number of blocks that fail it."""
    failed = summary["chain"]["rejectedBy"]
    found: dict[str, list[str]] = {}
    for text in summary.get("filters") or ():
        found.setdefault(str(text).split(" ")[0], []).append(str(text))
    return [(" and ".join(texts), int(failed.get(tag, 0))) for tag, texts in found.items()]


def filters(material: Material) -> Table:
    """Build the table of the filters of every run, with the number of blocks of the main chain that fail each."""
    each = list(runs(material))
    listed = [dict(rejections(one.summary)) for one in each]
    rows = [
        (Cell(shown(text)), *(count(found[text]) if text in found else Cell("not applied") for found in listed))
        for text in dict.fromkeys(text for found in listed for text in found)
    ]
    if not rows:
        rows = [(Cell("no filter"), *(Cell("") for _ in each))]
    for called, part, key in _TOTALS:
        rows.append((Cell(called), *(count(one.summary[part][key]) for one in each)))
    note = "A block may fail several filters. Conditions on slots also select the slots of forge loop and resources."
    return Table("Blocks that fail each filter", _heads("filter", each), tuple(rows), (note,))


def observations(material: Material) -> Table:
    """Build the table of the observations of accepted blocks by peers, by class."""
    each = list(runs(material))
    rows = []
    for kind, meaning in CLASSES.items():
        cells = [_share(one.summary["observations"], kind) for one in each]
        rows.append((Cell(kind), *cells, Cell(meaning)))
    heads = (*_heads("class", each), Column("meaning"))
    note = "An observation is one peer and one accepted block. Only valid observations enter the phases of peers (2.4)."
    return Table("Observations of accepted blocks", heads, tuple(rows), (note,))


def _share(found: dict[str, int], name: str) -> Cell:
    whole, part = sum(found.values()), found.get(name, 0)
    share = f" ({100 * part / whole:.3g} %)" if whole else ""
    return Cell(f"{part:,}{share}", part)


def _heads(first: str, each: Iterable[ReportedRun]) -> tuple[Column, ...]:
    return (Column(first), *(Column(shown(one.name), numeric=True) for one in each))


_MOST_WARNINGS: Final = 12


def left_out(material: Material) -> Iterator[Item]:
    """Yield what was left out of every run."""
    for one in runs(material):
        name = shown(one.name)
        yield Item(f"{name}, lines: {_lines(one)}")
        yield Item(f"{name}, blocks: {_blocks(one.summary)}")
        warnings = list(warnings_of(one.summary))
        for _, what in warnings[:_MOST_WARNINGS]:
            yield Item(f"{name}, warning: {_native.printable(what)}.", "doubtful")
        if len(warnings) > _MOST_WARNINGS:
            yield Item(
                f"{name}: {counted(len(warnings) - _MOST_WARNINGS, 'more warning')} in summary.json.", "doubtful"
            )


def _lines(one: ReportedRun) -> str:
    lines, analysed = used_lines(one.summary)
    hosts = counted(len(one.summary["hosts"]), "host")
    unused = unused_lines(one.summary)
    listed = several([f"{number:,} {key}" for key, number in unused.items() if number])
    rest = lines - analysed - sum(unused.values())
    return (
        f"{analysed:,} of {lines:,} became events, on {hosts}; {rest:,} are log objects that no metric needs; "
        f"{f'not used: {listed}' if any(unused.values()) else 'no line is unusable'}."
    )


def _blocks(summary: dict[str, Any]) -> str:
    chain = summary["chain"]
    rejected = summary["manifest"]["blocksRejected"]
    by = [f"{shown(text)}: {number:,}" for text, number in rejections(summary) if number]
    why = f" ({', '.join(by)})" if by else ""
    off = f"; {len(chain['abandoned']):,} known blocks off the main chain"
    return f"{rejected:,} of {chain['length']:,} on the main chain rejected{why}{off}{_seen(summary)}."


def _seen(summary: dict[str, Any]) -> str:
    found = summary["observations"]
    whole = sum(found.values())
    if not whole:
        return ""
    if found.get("valid") == whole:
        return f"; all {whole:,} observations by peers are valid"
    invalid = several([f"{number:,} {name}" for name, number in found.items() if name != "valid" and number])
    return f"; of {whole:,} observations by peers some are invalid: {invalid}"


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
    for called, value in _CHAIN.items():
        values = [value(one.summary) for one in each]
        rows.append((Cell(called), *(count(found) if isinstance(found, int) else Cell(found) for found in values)))
    note = (
        "The block of the largest height is dropped: the end of the run may cut its propagation short. A battle is "
        "another known block of the same height."
    )
    return Table("The main chain", _heads("of the run", each), tuple(rows), (note,))


# Median absolute deviations, scaled to the standard deviation of a normal distribution (Rousseeuw & Croux 1993).
_SCALE: Final = 1.4826
_FAR: Final = 5.0
# Among nearly equal hosts tiny differences are many deviations; they are not worth reporting.
_LEAST_SHARE: Final = 0.1
_FEWEST: Final = 5


class Outlier(NamedTuple):
    """An outlier host."""

    host: str  # its name
    metric: Metric  # the metric in which it differs
    mean: float  # its mean, in the metric's unit
    middle: float  # the median of the means of all hosts
    deviations: float  # the distance of the two, in scaled median absolute deviations


def outliers(run: Analysed) -> list[Outlier]:
    """Find hosts whose mean is far from the median of all hosts, the farthest first.

    Far means more than 5 scaled median absolute deviations and more than a tenth of the median. Metrics counted once
    per host (blocks) are left out: how many blocks a host forges is chance. Fewer than 5 hosts have no outliers.
    """
    found = []
    for metric in METRICS:
        means = {host: found.mean for host, found in run.hosts.get(metric.key, {}).items()}
        if not metric.paired or metric.source == "host_facts" or len(means) < _FEWEST:
            continue
        middle = median(means.values())
        scale = _SCALE * median(abs(mean - middle) for mean in means.values())
        if not scale:
            continue
        found += [
            Outlier(host, metric, mean, middle, abs(mean - middle) / scale)
            for host, mean in means.items()
            if abs(mean - middle) > max(_FAR * scale, _LEAST_SHARE * abs(middle))
        ]
    return sorted(found, key=lambda each: -each.deviations)


RULE: Final = (
    "A host is an outlier if its mean differs from the median of the hosts of its run by more than five scaled "
    "median absolute deviations and by more than a tenth. Runs of fewer than five hosts have no outlier hosts."
)
_MOST_TOLD: Final = 12
_NAMED: Final = 3


def outliers_of(each: Sequence[ReportedRun]) -> list[tuple[ReportedRun, Outlier]]:
    """Return the outlier hosts of all runs, the farthest first."""
    return sorted(((one, far) for one in each for far in outliers(one.run)), key=lambda pair: -pair[1].deviations)


def outliers_table(each: Sequence[ReportedRun]) -> Table | None:
    """Build the table of outlier hosts; None if there are none."""
    of: dict[tuple[str, str], list[Outlier]] = {}
    for one, far in outliers_of(each):
        of.setdefault((shown(far.host), shown(one.name)), []).append(far)
    if not of:
        return None
    rows = [_outlier_row(host, run, far, several_runs=len(each) > 1) for (host, run), far in of.items()]
    runs = (Column("run", minor=True),) if len(each) > 1 else ()
    heads = (Column("host"), *runs, Column("metrics", numeric=True), Column("farthest, of its peers"))
    return Table("Outlier hosts, the farthest first", heads, tuple(rows[:_MOST_TOLD]), (RULE,), len(rows))


def _outlier_row(host: str, run: str, far: Sequence[Outlier], *, several_runs: bool) -> tuple[Cell, ...]:
    told = Cell(several([_told(one) for one in far], _NAMED))
    return (Cell(host, tone="doubtful"), *((Cell(run),) if several_runs else ()), count(len(far)), told)


def _told(far: Outlier) -> str:
    unit = suited(far.metric.unit, (far.mean, far.middle))
    return f"{name(far.metric)} {unit.amount(far.mean, 3)}{unit.words} (median {unit.amount(far.middle, 3)})"


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
