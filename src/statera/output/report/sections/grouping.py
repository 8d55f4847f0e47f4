"""Groups of the rows of a table that can be folded: levels of factors, pairs of variants, or first words of names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import VERDICTS, said
from statera.output.report.model import Group
from statera.output.report.sections.index import tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statera.output.report.sections.index import Index

# Fewer groups or rows in them would only lengthen a table.
_LEAST_GROUPS: Final = 2
_LEAST_ROWS: Final = 3
# Names make groups if most rows have a neighbour of the same first word, and if there are not too many groups.
_MOST_ALONE: Final = 0.2
_LONG: Final = 8
_PART: Final = re.compile(r"[/:.]+")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|.", re.DOTALL)
_OTHERS: Final = "Others"


class Grouped(NamedTuple):
    """Rows in the order of a table, their groups, and the fields that the titles of the groups name."""

    rows: list[int]
    groups: tuple[Group, ...]
    told: tuple[str, ...]


def grouped(index: Index, rows: Sequence[int]) -> Grouped:
    """Group the rows of a table by what helps most; the group with the worst row first, each with its worst first."""
    order = index.weighing.order([*rows], "worst", False)  # noqa: FBT003 - positional in the compiled part
    for told, key in (
        (("metric",), lambda row: _native.printable(index.fields(row)["metric"])),
        (("group",), lambda row: _native.printable(index.fields(row)["group"])),
        (("contender", "baseline"), lambda row: _pair(index.fields(row))),
        ((), _by_name(index, order)),
    ):
        made = _made(index, order, key, told) if key else None
        if made:
            return made
    return Grouped(order, (), ())


def _pair(fields: dict[str, Any]) -> str:
    return _native.printable(f"{fields['contender']} against {fields['baseline']}")


def _made(index: Index, order: Sequence[int], key: Callable[[int], str], told: tuple[str, ...]) -> Grouped | None:
    of: dict[str, list[int]] = {}
    for row in order:
        of.setdefault(key(row), []).append(row)
    if sum(len(rows) >= _LEAST_ROWS for rows in of.values()) < _LEAST_GROUPS:
        return None
    groups = tuple(Group(title, answer_words(index, rows), len(rows)) for title, rows in of.items())
    return Grouped([row for rows in of.values() for row in rows], groups, told)


def answer_words(index: Index, rows: Sequence[int]) -> str:
    """Write how many rows have which verdict, the worst first."""
    counts = tally(index, rows)
    return " · ".join(_counted(verdict, counts[verdict]) for verdict in VERDICTS if verdict in counts)


def _counted(verdict: str, count: int) -> str:
    return f"{count:,} {said(verdict, count)}"


def _by_name(index: Index, rows: Sequence[int]) -> Callable[[int], str] | None:
    """Return the group of a row by its benchmark's first part or word; None if neither groups the rows well."""
    names = {row: index.name(row) for row in rows}
    if len(set(names.values())) < _LONG:
        return None
    prefix = _common(list(names.values()))
    for cut in (_first_part, _first_word):
        firsts = {row: cut(name[len(prefix) :]) for row, name in names.items()}
        counts: dict[str, int] = {}
        for first in firsts.values():
            counts[first] = counts.get(first, 0) + 1
        kept = {first for first, count in counts.items() if count >= _LEAST_ROWS and first}
        alone = sum(count for first, count in counts.items() if first not in kept)
        if len(kept) >= _LEAST_GROUPS and alone <= _MOST_ALONE * len(rows):
            return lambda row, firsts=firsts, kept=kept: (  # type: ignore[misc]
                prefix + firsts[row] if firsts[row] in kept else _OTHERS
            )
    return None


def _common(names: Sequence[str]) -> str:
    """Return the parts that all names begin with, such as the path of a module."""
    least, most = min(names), max(names)
    shared = next((place for place, sign in enumerate(least) if place >= len(most) or most[place] != sign), len(least))
    ends = [match.end() for match in _PART.finditer(least[:shared])]
    return least[: ends[-1]] if ends else ""


def _first_part(name: str) -> str:
    parts = _PART.split(name, maxsplit=1)
    return parts[0] if len(parts) > 1 else ""


def _first_word(name: str) -> str:
    found = _WORD.match(name)
    return found[0] if found and found[0].isalpha() else ""
