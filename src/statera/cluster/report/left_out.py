"""Items on what was left out of each run: lines, blocks, observations; and the warnings of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.cluster.report.accepted import invalid, rejections
from statera.cluster.report.material import runs
from statera.cluster.report.wording import several, shown
from statera.cluster.run_warnings import told
from statera.output.report.model import Item
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.cluster.report.material import Material, One

_UNUSED: Final = ("noise", "broken", "cut", "other", "skipped")
_MOST_WARNINGS: Final = 12


def left_out(material: Material) -> Iterator[Item]:
    """Yield what was left out of every run."""
    for one in runs(material):
        name = shown(one.name)
        yield Item(f"{name}, lines: {_lines(one)}")
        yield Item(f"{name}, blocks: {_blocks(one.summary)}")
        warnings = list(told(one.summary))
        for _, what in warnings[:_MOST_WARNINGS]:
            yield Item(f"{name}, warning: {_native.printable(what)}.", "doubtful")
        if len(warnings) > _MOST_WARNINGS:
            yield Item(
                f"{name}: {counted(len(warnings) - _MOST_WARNINGS, 'more warning')} in summary.json.", "doubtful"
            )


def _lines(one: One) -> str:
    hosts = one.summary["hosts"].values()
    lines, analysed = (sum(host[key] for host in hosts) for key in ("lines", "analysed"))
    unused = {key: sum(host[key] for host in hosts) for key in _UNUSED}
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
