"""What entered the metrics and what was left out: filters, observations of peers, lines, blocks, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.cluster.report.cells import count, several, shown
from statera.cluster.report.material import runs
from statera.cluster.summary import unused_lines, warnings_of
from statera.output.report.model import Cell, Column, Item, Table
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from statera.cluster.report.material import Material, ReportedRun


_CLASSES: Final = {
    "valid": "the peer noticed, requested, fetched and adopted the block, in this order; its phases are measured",
    "missingNotice": "no notice of its header",
    "missingRequest": "noticed and not requested",
    "missingFetch": "requested and not fetched",
    "missingAdoption": "fetched and not adopted",
    "nonUnitary": "fetched or adopted together with other blocks, while catching up",
    "negative": "a phase that ends before it begins: the clocks or the order of the lines disagree",
}


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
    for name, meaning in _CLASSES.items():
        cells = [_share(one.summary["observations"], name) for one in each]
        rows.append((Cell(name), *cells, Cell(meaning)))
    heads = (*_heads("class", each), Column("meaning"))
    note = "An observation is one peer and one accepted block. Only valid observations enter the phases of peers (2.4)."
    return Table("Observations of accepted blocks", heads, tuple(rows), (note,))


def _share(found: dict[str, int], name: str) -> Cell:
    whole, part = sum(found.values()), found.get(name, 0)
    share = f" ({100 * part / whole:.3g} %)" if whole else ""
    return Cell(f"{part:,}{share}", part)


def _heads(first: str, each: Iterable[ReportedRun]) -> tuple[Column, ...]:
    return (Column(first), *(Column(shown(one.name), numeric=True) for one in each))


def invalid(summary: dict[str, Any]) -> str:
    """List the invalid observations by class, in words; empty if all are valid."""
    found = summary["observations"]
    return several([f"{number:,} {name}" for name, number in found.items() if name != "valid" and number])


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
    hosts = one.summary["hosts"].values()
    lines, analysed = (sum(host[key] for host in hosts) for key in ("lines", "analysed"))
    unused = unused_lines(one.summary)
    listed = several([f"{number:,} {key}" for key, number in unused.items() if number])
    rest = lines - analysed - sum(unused.values())
    return (
        f"{analysed:,} of {lines:,} became events, on {counted(len(hosts), 'host')}; {rest:,} are log objects that no "
        f"metric needs; {f'not used: {listed}' if any(unused.values()) else 'no line is unusable'}."
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
    return f"; of {whole:,} observations by peers some are invalid: {invalid(summary)}"
