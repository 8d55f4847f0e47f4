"""What became of the lines of a host: each is counted once, whether it was used or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self


class Count(NamedTuple):
    """How many lines share a reason."""

    reason: str
    lines: int


class Skip(NamedTuple):
    """How many lines of an event were skipped for a reason."""

    event: str
    reason: str
    lines: int


class Example(NamedTuple):
    """One of the first lines of a class that were not used.

    Attributes:
        reason: cut, broken, noise, other or skipped.
        file: the file below the run directory.
        line: counted from 1.
        text: its beginning; bytes that are no text are replaced.

    """

    reason: str
    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Counts:
    """The lines of a host by class: lines = noise + broken + cut + other + emitted; mapped = analysed + skipped.

    Attributes:
        lines: all that are not blank.
        noise: text, or JSON that is no object.
        broken: begin as an object and are no JSON.
        cut: the unfinished last line of a file.
        other: JSON objects that are no log objects.
        emitted: log objects.
        mapped: of these, those that the mapping names.
        analysed: of these, those that became events.
        skipped: of these, those that did not.
        first: smallest time of the emitted lines, ns since the Unix epoch; null if there are none.
        last: the largest.
        others: why lines are ``other``.
        skips: why lines were skipped, by event.
        events: how many lines became which event.
        unmapped: emitted lines that the mapping does not name, by name; the rarest may stand together under "".
        examples: a few of those that were not used.
        bytes: of text read, after decompression.

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
        """Take them from the reader's answer or from host.json."""
        lists: dict[str, Any] = {key: tuple(kind(*row) for row in stated[key]) for key, kind in _LISTS.items()}
        return cls(**stated | lists)


_LISTS: dict[str, type[Count | Skip | Example]] = {
    "others": Count,
    "skips": Skip,
    "events": Count,
    "unmapped": Count,
    "examples": Example,
}
