"""Sentences of the findings on the rows of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.report.wording import several, unit
from statera.cluster.views.numbers import amount, difference, interval, percent
from statera.report.model import Item
from statera.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.compare import ClusterComparison
    from statera.cluster.rows import Cell, MetricRow
    from statera.report.model import Tone

_ORDER: Final[tuple[Tone, ...]] = ("worse", "better", "changed")
_MOST: Final = 12
_TOGETHER: Final = 3
_NAMED: Final = 8
_CENTILES: Final = "2.5"
_Judged = tuple["MetricRow", "Cell"]


def changes(comparison: ClusterComparison, place: int) -> Iterator[Item]:
    """Yield the rows of a contender that are worse, better and changed, the largest changes first."""
    rows = [(row, row.cells[place]) for row in comparison.rows]
    level = f"{comparison.settings.policy.level}\u00a0%"
    any_change = False
    for verdict in _ORDER:
        judged = sorted((pair for pair in rows if pair[1].verdict == verdict), key=_size, reverse=True)
        any_change = any_change or bool(judged)
        centiles = [pair for pair in judged if pair[0].metric.section == _CENTILES]
        if len(centiles) >= _TOGETHER:
            judged = [pair for pair in judged if pair not in centiles]
            yield Item(_together(sorted(centiles, key=lambda pair: pair[0].metric.key), level), verdict)
        for pair in judged[:_MOST]:
            yield Item(sentence(*pair, level), verdict)
        if len(judged) > _MOST:
            names = several([row.metric.title for row, _ in judged[_MOST:]], _NAMED)
            yield Item(f"Smaller changes, also {verdict}: {names}.", verdict)
    if not any_change:
        yield Item("No row is better, worse or changed.", "equivalent")


def _size(pair: _Judged) -> float:
    return abs(pair[1].delta_percent or 0.0)


def sentence(row: MetricRow, cell: Cell, level: str) -> str:
    """Write the change of a row as a sentence."""
    of = unit(row.metric)
    by = percent(cell.delta_percent).lstrip("+-") if cell.delta_percent is not None else f"{difference(cell.delta)}{of}"
    verdict = f"is {cell.verdict} by {by}" if cell.verdict != "changed" else f"changed by {_signed(cell) or by}"
    ends = f"[{interval(cell.low, cell.high).strip('[]')}]"
    return (
        f"{row.metric.title} {verdict}: {amount(cell.before.mean)} became {amount(cell.side.mean)}{of}, a change of "
        f"{difference(cell.delta)}{of} with the {level} interval {ends} {cell.rider}".rstrip()
        + "."
    )


def _signed(cell: Cell) -> str:
    return percent(cell.delta_percent) if cell.delta_percent is not None else ""


def _together(pairs: Sequence[_Judged], level: str) -> str:
    """Summarise adoption by several shares of the cluster in one sentence."""
    first, last = pairs[0], pairs[-1]
    least, most = (pick(pairs, key=_size) for pick in (min, max))
    names = several([row.metric.title.removesuffix(" adoption") for row, _ in pairs], len(pairs))
    ends = "; ".join(
        f"{row.metric.title} {difference(cell.delta)} s {interval(cell.low, cell.high)}" for row, cell in (first, last)
    )
    verdict = first[1].verdict
    by = " to ".join(percent(pair[1].delta_percent).lstrip("+-") for pair in (least, most))
    return (
        f"Adoption by {names} of the cluster {'changed' if verdict == 'changed' else f'is {verdict}'} by {by}: {ends} "
        f"({level} intervals) {first[1].rider}".rstrip()
        + "."
    )


def undecided(comparison: ClusterComparison, place: int) -> Iterator[Item]:
    """Yield what is equivalent, what differs between single runs, what has no values, and what is undecided."""
    rows = [(row, row.cells[place]) for row in comparison.rows]
    equal = [row for row, cell in rows if cell.verdict == "equivalent"]
    if equal:
        yield Item(
            f"{counted(len(equal), 'row is', 'rows are')} equivalent, within the margin: {_titles(equal)}.",
            "equivalent",
        )
    differing = sorted((pair for pair in rows if pair[1].verdict == "differs"), key=_size, reverse=True)
    if differing:
        yield Item(_differing(differing), "differs")
    absent = [row for row, cell in rows if cell.before.mean is None or cell.side.mean is None]
    if absent:
        yield Item(f"Not compared, because a side has no values: {_titles(absent)}.", "missing")
    open_ones = [pair for pair in rows if pair[1].verdict == "inconclusive" and pair[0] not in absent]
    if open_ones:
        widest = sorted(open_ones, key=_size, reverse=True)
        row, cell = widest[0]
        largest = (
            f" The largest change among them: {row.metric.title}, {percent(cell.delta_percent)}, interval "
            f"{interval(cell.low, cell.high)}{unit(row.metric)}."
            if cell.delta
            else ""
        )
        yield Item(
            f"{counted(len(open_ones), 'row')} could not be decided: {_titles([each for each, _ in widest])}.{largest}",
            "inconclusive",
        )


def _differing(pairs: Sequence[_Judged]) -> str:
    """Name the rows that differ between single runs, the largest changes first."""
    named = [f"{row.metric.title} {_signed(cell) or difference(cell.delta)}" for row, cell in pairs]
    return (
        f"{counted(len(pairs), 'row differs', 'rows differ')} {pairs[0][1].rider}: {several(named, _NAMED)}. Runs of "
        "one build can differ as much: repeat the runs, or add earlier runs of the baseline's build (--baseline-runs)."
    )


def _titles(rows: Sequence[MetricRow]) -> str:
    return several([row.metric.title for row in rows], _NAMED)
