"""How many times faster one command is than another: the summary of a few variants of one benchmark."""

from __future__ import annotations

from math import ceil, log10

from statera import _native
from statera.comparison.verdicts.findings import centres
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

# With more variants, sentences on pairs are not a summary.
_MOST_PAIRS: Final = 5
# Closer to 1 a factor says less than the change in per cent.
_CLOSEST: Final = 1.0001


def speedups(weighing: _native.Weighing) -> dict[int, str]:
    """Return a sentence for each pair of a few variants whose time changed, by its row.

    Empty where there are several benchmarks or groups, because then no number speaks for a variant.
    """
    sections = weighing.sections()
    pairs = {section[2:4] for section in sections}
    one = len({section[0] for section in sections}) == 1 and all(len(section[4]) == 1 for section in sections)
    if not one or not 0 < len(pairs) <= _MOST_PAIRS:
        return {}
    if weighing.distinct_benchmarks([section[4][0] for section in sections]) > 1:
        return {}
    both_ways = {pair for pair in pairs if _both_ways(weighing, [s[4][0] for s in sections if s[2:4] == pair])}
    # Times come first among the metrics of a pair.
    first = {section[2:4]: section[4][0] for section in reversed(sections) if section[2:4] not in both_ways}
    said = {row: _sentence(weighing, row) for row in sorted(first.values())}
    return {row: sentence for row, sentence in said.items() if sentence}


def _both_ways(weighing: _native.Weighing, rows: list[int]) -> bool:
    """Return whether of the times and rates of a pair some got better and some worse: none of them speaks for it."""
    found = map(weighing.row_dict, rows)
    moved = {row["verdict"] for row in found if row["unit"] == "s" or row["unit"].endswith("/s")}
    return moved >= {"better", "worse"}


def _sentence(weighing: _native.Weighing, index: int) -> str:
    row = weighing.row_dict(index)
    factors = _factors(row)
    if not factors:
        return ""
    contender, baseline = (_native.printable(row[side]) for side in ("contender", "baseline"))
    typical, low, high = written(factors)
    arrow = centres(weighing, index)
    values = f" ({row['metric']} {arrow})" if arrow else ""
    way = "faster" if row["verdict"] == "better" else "slower"
    return f"{contender} runs {typical} ({low}–{high}) times {way} than {baseline}{_native.printable(values)}."


def _factors(row: dict[str, Any]) -> list[float]:
    """Return how many times faster or slower a side is, and the ends of the interval; empty if that is undecided."""
    of_time = row["unit"] == "s" and row["change_unit"] == "ratio"
    if not of_time or row["verdict"] not in {"better", "worse"}:
        return []
    changes = [row[name] for name in ("change", "change_low", "change_high")]
    if any(change is None or change <= -1 for change in changes):
        return []
    ratios = [1 + change for change in changes]
    found = ratios if row["verdict"] == "worse" else [1 / ratio for ratio in ratios]
    found = [found[0], *sorted(found[1:])]
    return found if found[1] >= _CLOSEST else []


def written(factors: Iterable[float]) -> list[str]:
    """Write factors above 1 with as many digits as tell the smallest from 1: ``2.56``, ``1.008``, ``31.0``."""
    found = list(factors)
    least = min(found)
    places = max(0, 2 - int(log10(least)), 1 + ceil(-log10(least - 1)) if least < 1.1 else 0)  # noqa: PLR2004
    return [f"{factor:,.{places}f}" for factor in found]
