"""The blocks that changed most, as tables: which they are, and what the others did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.reading.formats import block_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.comparison.results.blocks import ChangedBlocks
    from statera.comparison.results.comparison import Comparison
    from statera.output.views.tables import Table

_IS: Final = {None: "", True: "yes", False: ""}


def block_tables(comparison: Comparison) -> Iterator[tuple[str, Table]]:
    """Yield two tables for each paired row, with their titles: all blocks by kind, and those that changed most."""
    word, of = word_of(comparison), comparison.observations.native
    for found in comparison.changed_blocks():
        title, sides = title_of(comparison, found), sides_of(comparison, found)
        if len(found.parts) > 1:
            rows = [[f"{word}s", "number", *sides, "median change"]]
            rows += [
                [
                    part.words,
                    f"{part.blocks:,}",
                    *amounts(of, found.metric, part.baseline, part.contender),
                    _native.percent(part.change),
                ]
                for part in found.parts
            ]
            yield f"{title}: all {word}s", rows
        rows = [[word, *sides, "change", *([found.event] if found.event else [])]]
        rows += [
            [
                _native.printable(each.block),
                *amounts(of, found.metric, each.baseline, each.contender),
                _native.percent(each.change),
                *([_IS[each.struck]] if found.event else []),
            ]
            for each in found.most
        ]
        yield f"{title}: the {word}s that changed most, of {found.parts[0].blocks:,}", rows


def block_objects(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the same as values, in base units."""
    found = []
    for each in comparison.changed_blocks():
        fields = comparison.weighing.row_dict(each.row)
        names = {name: fields[name] for name in ("group", "benchmark", "metric", "baseline", "contender")}
        most = [block._asdict() for block in each.most]
        found.append(
            {**names, "event": each.event or None, "parts": [part._asdict() for part in each.parts], "most": most}
        )
    return found


def word_of(comparison: Comparison) -> str:
    """Return what a block is called."""
    formats = {source.format for source in comparison.observations.sources if source.values}
    return comparison.observations.words.block or block_name(formats)


def title_of(comparison: Comparison, found: ChangedBlocks) -> str:
    """Name a row."""
    fields = comparison.weighing.row_dict(found.row)
    names = [fields["benchmark"], fields["metric"], fields["group"]]
    names += [fields["contender"]] if comparison.labels[2:] else []
    return ", ".join(_native.printable(name) for name in names if name)


def sides_of(comparison: Comparison, found: ChangedBlocks) -> list[str]:
    """Return the labels of a row's two sides."""
    fields = comparison.weighing.row_dict(found.row)
    return [_native.shortened(_native.printable(fields[side]), _WIDE) for side in ("baseline", "contender")]


def amounts(observations: _native.Observations, metric: int, *values: float) -> list[str]:
    """Write values with the metric's unit."""
    size = min(abs(value) for value in values)
    return [_native.amount(observations, metric, value, size) for value in values]


_WIDE: Final = 24
