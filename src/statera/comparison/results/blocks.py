"""Blocks of paired rows, such as the slots of a chain or the rounds of a run: which of them changed most."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.pairing import Arrangement
    from statera.reading.observations import Observations

# Metrics that count what strikes some blocks and costs more than their work; what it is called.
_EVENTS: Final = {"majGcCount": "a major collection"}
_Place = tuple[int, int, int, int]
_PLACE: Final = ("group", "metric", "benchmark", "variant")
_WITH: Final = (("without", False), ("with", True))


class BlockChange(NamedTuple):
    """A block that both sides have.

    Attributes:
        block: its name.
        baseline, contender: its values in the metric's base unit; of several runs the median.
        change: the relative change.
        struck: whether either side had the event there; None if the results count none.
    """

    block: str
    baseline: float
    contender: float
    change: float
    struck: bool | None


class Part(NamedTuple):
    """All blocks, or those with or without an event.

    Attributes:
        words: which ones, such as "without a major collection".
        blocks: how many.
        baseline, contender: the medians of their values.
        change: the median of their changes, which is not the change of the medians.
    """

    words: str
    blocks: int
    baseline: float
    contender: float
    change: float


class ChangedBlocks(NamedTuple):
    """The blocks of a paired row.

    Attributes:
        row: its number. metric: that of the metric.
        event: what ``struck`` of its blocks tells; empty if the results count nothing of that kind.
        most: the blocks that changed most, the largest ratio first.
        parts: all blocks, and those without and with the event.
    """

    row: int
    metric: int
    event: str
    most: list[BlockChange]
    parts: list[Part]


def has_events(observations: Observations) -> bool:
    """Return whether the results count what strikes some blocks."""
    return any(metric.name in _EVENTS for metric in observations.metrics)


def changed_blocks(
    observations: Observations, arrangement: Arrangement, weighing: _native.Weighing, most: int
) -> list[ChangedBlocks]:
    """Return the blocks that changed most, for each paired row whose values have ratios.

    Args:
        observations: the values.
        arrangement: whose they are.
        weighing: the rows.
        most: so many blocks of each row.
    """
    metrics = observations.metrics
    counts = {number: words for number, metric in enumerate(metrics) for words in [_EVENTS.get(metric.name)] if words}
    values = _values(observations, arrangement, counts)
    names = _names(observations, arrangement)
    struck: dict[tuple[int, int], set[int]] = defaultdict(set)
    for (group, metric, _, variant), blocks in values.items():
        if metric in counts:
            struck[group, variant].update(block for block, found in blocks.items() if max(found) > 0)
    event = next(iter(counts.values()), "")
    found = []
    for group, metric, baseline, contender, rows in weighing.sections():
        for row in rows:
            fields = weighing.row_dict(row)
            benchmark = observations.benchmarks.index(fields["benchmark"])
            old, new = (values.get((group, metric, benchmark, variant), {}) for variant in (baseline, contender))
            if fields["design"] != "paired":
                continue
            either = struck[group, baseline] | struck[group, contender] if event else None
            changes = _changes(old, new, names, either)
            if changes:
                largest = sorted(changes, key=lambda each: -max(1 + each.change, 1 / (1 + each.change)))
                found.append(ChangedBlocks(row, metric, event, largest[:most], _parts(changes, event)))
    return found


def _values(
    observations: Observations, arrangement: Arrangement, besides: dict[int, str]
) -> dict[_Place, dict[int, list[float]]]:
    """Return the values of each block of a group, metric, benchmark and variant, also of metrics not compared."""
    assignment = arrangement.assignment
    rule = next(each for each in assignment.metrics if each is not None)
    taken = [rule if number in besides else each for number, each in enumerate(assignment.metrics)]
    raw = _native.raw_values(observations.native, assignment._replace(metrics=taken))
    places = zip(*(memoryview(raw[name]).cast("I") for name in _PLACE), strict=True)
    blocks, numbers = memoryview(raw["block"]).cast("q"), memoryview(raw["value"]).cast("d")
    found: dict[_Place, dict[int, list[float]]] = {}
    for (group, metric, benchmark, variant), block, value in zip(places, blocks, numbers, strict=True):
        if block >= 0:
            found.setdefault((group, metric, benchmark, variant), {}).setdefault(block, []).append(value)
    return found


def _names(observations: Observations, arrangement: Arrangement) -> dict[int, str]:
    """Return the name of every block; pooled levels have separate blocks."""
    strata, keyed = arrangement.assignment.strata, arrangement.assignment.block_of_context is not None
    names = arrangement.block_names if keyed else _native.block_names(observations.native)
    return {block * strata + level: name for block, name in enumerate(names) for level in range(strata)}


def _changes(
    baseline: dict[int, list[float]],
    contender: dict[int, list[float]],
    names: dict[int, str],
    struck: set[int] | None,
) -> list[BlockChange]:
    found = []
    for block in baseline.keys() & contender.keys():
        old, new = median(baseline[block]), median(contender[block])
        if old > 0 and new > 0:
            event = None if struck is None else block in struck
            found.append(BlockChange(names.get(block, str(block)), old, new, new / old - 1, event))
    return found


def _parts(changes: Sequence[BlockChange], event: str) -> list[Part]:
    kinds = [("all", list(changes))]
    if event:
        kinds += [(f"{word} {event}", [each for each in changes if each.struck is has]) for word, has in _WITH]
    return [
        Part(
            words,
            len(own),
            median(each.baseline for each in own),
            median(each.contender for each in own),
            median(each.change for each in own),
        )
        for words, own in kinds
        if own
    ]
