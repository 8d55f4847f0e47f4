"""Counts of the lines of a host by class: each line is counted once, used or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self


class Count(NamedTuple):
    """The number of lines with the same reason."""

    reason: str
    lines: int


class Skip(NamedTuple):
    """The number of lines of an event that were skipped for the same reason."""

    event: str
    reason: str
    lines: int


class Example(NamedTuple):
    """An example of the lines of a class that were not used: one of the first.

    Attributes:
        reason: cut, broken, noise, other or skipped.
        file: the file below the run directory.
        line: counted from 1.
        text: the beginning of the line; invalid bytes are replaced.

    """

    reason: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Counts:
    """The lines of a host by class: lines = noise + broken + cut + other + emitted; mapped = analysed + skipped.

    Attributes:
        lines: all lines that are not blank.
        noise: text, or JSON other than an object.
        broken: lines that begin like an object but are not JSON.
        cut: unfinished last lines of files.
        other: JSON objects that are not log objects.
        emitted: log objects.
        mapped: emitted lines that the mapping names.
        analysed: mapped lines that became events.
        skipped: mapped lines that did not.
        first: smallest time of the emitted lines, ns since the Unix epoch; null if there are none.
        last: the largest.
        others: the reasons why lines are ``other``.
        skips: the reasons why lines were skipped, by event.
        events: the number of lines of each event.
        unmapped: emitted lines that the mapping does not name, by name; the rarest may be counted together under "".
        examples: a few of the lines that were not used.
        bytes: bytes of text read, after decompression.

    """

    lines: int = 0
    noise: int = 0
    broken: int = 0
    cut: int = 0
    other: int = 0
    emitted: int = 0
    mapped: int = 0
    analysed: int = 0
    skipped: int = 0
    first: int | None = None
    last: int | None = None
    others: tuple[Count, ...] = ()
    skips: tuple[Skip, ...] = ()
    events: tuple[Count, ...] = ()
    unmapped: tuple[Count, ...] = ()
    examples: tuple[Example, ...] = ()
    bytes: int = 0

    @classmethod
    def of(cls, stated: dict[str, Any]) -> Self:
        """Build the counts from the reader's answer or from host.json."""
        lists: dict[str, Any] = {key: tuple(kind(*row) for row in stated[key]) for key, kind in _LISTS.items()}
        return cls(**stated | lists)


_LISTS: dict[str, type[Count | Skip | Example]] = {
    "others": Count,
    "skips": Skip,
    "events": Count,
    "unmapped": Count,
    "examples": Example,
}
