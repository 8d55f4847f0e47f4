"""What a plug-in is made of: the description of its format, its two functions, and what they take and give.

A package that reads a format of its own has an entry point in the group ``statera.formats``, whose name is that of the
format and which leads to a ``Format``::

    from statera.plugins import File, Format, Head, Observation

``reading/plug_ins.py`` finds and loads plug-ins; no command imports this module without one.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from statera import _native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


__all__ = ["File", "Format", "Head", "Key", "Metric", "NoValue", "Observation", "Problem", "Summary"]


@dataclass(frozen=True)
class Head:
    """The beginning of a file, at most 256 KiB: decompressed, as UTF-8, without a byte order mark. It may be cut."""

    content: bytes

    @property
    def first_line(self) -> str:
        """The first line with content, without blanks at its ends."""
        return next((line for line in self.lines() if line), "")

    def lines(self) -> Iterator[str]:
        """Go through the lines, without blanks at their ends. The last one may be cut."""
        yield from (line.decode(errors="replace").strip() for line in self.content.split(b"\n"))

    def lacks(self, *paths: str) -> str | None:
        """Say why the first JSON value has not all these paths of keys, such as ``cases[].name``; None if it has.

        ``[]`` stands for the elements of a list, and ``*`` for any key.
        """
        return _native.lacking(self.content, list(paths))


@dataclass(frozen=True)
class File:
    """A file to read.

    Attributes:
        path: its path, for what its folder says; ``-`` is standard input.
        name: its name in messages.
        content: all of it: decompressed, as UTF-8, without a byte order mark.
    """

    path: Path
    name: str
    content: bytes

    @property
    def text(self) -> str:
        """The content as text; a byte that is not UTF-8 becomes U+FFFD."""
        return self.content.decode(errors="replace")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Go through the lines with their numbers from 1, without blanks at their ends."""
        for number, line in enumerate(self.content.split(b"\n"), 1):
            yield number, line.decode(errors="replace").rstrip()


@dataclass(frozen=True, slots=True)
class Summary:
    """The samples of which a value is a summary: their number and, only of a mean, their standard deviation."""

    count: float | None = None
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """A value.

    Attributes:
        benchmark: the name of what was measured.
        metric: the name of the metric, one of the description's or any other.
        value: the number, in the unit.
        unit: the unit as people write it: ``ns``, ``MB/s``; that of the description if None.
        line: the line in the file, counted from 1; 0 if it has none.
        block: what pairs the value with one of another variant, if the description has a word for blocks.
        process: the number of the process that measured it, if the description says ``stated``.
        summary: the samples that it summarises, if it is not a sample. All values of a format of aggregates are.
        keys: configuration: what holds for the value, as texts.
        parameters: parameters of the benchmark, as texts: their values are different work.
    """

    benchmark: str
    metric: str
    value: float
    unit: str | None = None
    line: int = 0
    block: str | None = None
    process: int | None = None
    summary: Summary | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)


class Problem(NamedTuple):
    """Something in the file that cannot be read; reading goes on. ``line`` is 0 for the whole file."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class NoValue:
    """Numbers that the harness writes where it has no value, such as a latency of 0. They are counted apart."""

    count: int = 1


class Key(NamedTuple):
    """A configuration key.

    Attributes:
        name: its name; a key that another format has keeps its role and pooling.
        role: what it describes.
        meaning: its meaning in a few words.
        pooling: whether results with different values are pooled: ``always`` for what distinguishes runs, ``never`` for
            different work, ``unshared`` if the variants have no value in common.
        detail: whether the head of a table leaves it out.
    """

    name: str
    role: Literal["setting", "environment", "commit", "date", "run", "outcome"]
    meaning: str
    pooling: Literal["always", "unshared", "never"] = "unshared"
    detail: bool = False


class Metric(NamedTuple):
    """A metric.

    Attributes:
        name: its name.
        unit: the unit of its values, as people write it; statera converts them to base units.
        meaning: its meaning in a few words.
        better: ``lower`` or ``higher``; None if the unit decides it (a time is better when lower, a rate when higher).
        primary: whether it is compared by default.
        may_be_exact: whether equal values of a count or a size may be taken as exact.
    """

    name: str
    unit: str
    meaning: str
    better: Literal["lower", "higher"] | None = None
    primary: bool = True
    may_be_exact: bool = True


@dataclass(frozen=True, kw_only=True)
class Format:
    """The description of a format.

    Attributes:
        name: the name that ``--format`` takes, and the name of the entry point.
        sign: what ``fits`` looks for, with words of the file in backticks: ``an object with `bencher` ``.
        harness: the program that writes such files.
        export: the command or option that makes it write them; empty if none is needed.
        files: the names that such files have, ``*.json``; empty for any. Detection does not use them.
        values: what a value is: a measurement, an average over iterations, or a summary of samples that are not in the
            file. ``refused``: the file is recognized and not read, and ``export`` names what exports samples.
        refused: what a refused file is: ``the table that bencher prints``.
        processes: what is known about the processes that measured the values.
        block: the word for what pairs values; None if the format has no blocks.
        variants: the key that names the variants of a file; None if a file has one variant.
        states_direction: whether a file can state the better direction of a metric.
        keys: the configuration keys.
        metrics: the metrics that the format has by name.
        fits: takes the beginning of a file; returns None if it has the format, otherwise why not, in a short sentence.
        read: takes a file; gives its observations, problems and numbers without value, in the order of the file.
    """

    name: str
    sign: str
    harness: str
    fits: Callable[[Head], str | None]
    read: Callable[[File], Iterable[Observation | Problem | NoValue]]
    export: str = ""
    files: tuple[str, ...] = ()
    values: Literal["samples", "averages", "aggregates", "refused"] = "samples"
    refused: str = ""
    processes: Literal["unknown", "one a value", "one a file", "stated"] = "unknown"
    block: str | None = None
    variants: str | None = None
    states_direction: bool = False
    keys: tuple[Key, ...] = ()
    metrics: tuple[Metric, ...] = ()


class PlugInError(Exception):
    """A plug-in failed. The text has the error and the line of its source."""


def fits_of(known: Format) -> Callable[[bytes], str | None]:
    """Return the function that says why the beginning of a file does not have the format."""

    def why_not(head: bytes) -> str | None:
        try:
            said = known.fits(Head(head))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger's code raises
            raise PlugInError(failure_words(error)) from None
        if said is None or isinstance(said, str):
            return said
        raise PlugInError(f"fits gave {said!r}; it gives None or a sentence")

    return why_not


def read_of(known: Format) -> Callable[[str, Path, bytes], Iterator[tuple[str, object]]]:
    """Return the function that gives what a file holds, as the compiled part takes it."""

    def items(name: str, path: Path, content: bytes) -> Iterator[tuple[str, object]]:
        try:
            for item in known.read(File(Path(path), name, content)):
                yield _handed_over(item)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger's code raises
            raise PlugInError(failure_words(error)) from None

    return items


def _handed_over(item: object) -> tuple[str, object]:
    if isinstance(item, Observation):
        return "value", _fields(item)
    if isinstance(item, Problem):
        return "problem", (item.line, item.what)
    if isinstance(item, NoValue):
        return "no value", item.count
    raise TypeError(f"read gave {item!r:.80}; it gives Observation, Problem and NoValue")


def _fields(item: Observation) -> tuple[object, ...]:
    if isinstance(item.value, bool) or not isinstance(item.value, int | float):
        raise TypeError(f"the value {item.value!r:.80} of {item.benchmark!r:.80} is not a number")
    texts = (item.benchmark, item.metric, item.unit or "", item.block or "")
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise TypeError(f"{wrong[0]!r:.80} is not text")
    summary = None if item.summary is None else (item.summary.count, item.summary.deviation)
    keys, parameters = _pairs(item.keys), _pairs(item.parameters)
    places = (item.unit, item.line, item.block, item.process)
    return (item.benchmark, item.metric, float(item.value), *places, summary, keys, parameters)


def _pairs(keys: Mapping[str, str]) -> list[tuple[str, str]]:
    for name, value in keys.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"the key {name!r:.80} has the value {value!r:.80}; names and values are texts")
    return list(keys.items())


def failure_words(error: BaseException) -> str:
    """Say what went wrong, and in which line of the plug-in's source."""
    frames = traceback.extract_tb(error.__traceback__)
    # An error of what is called by the plug-in counts where the plug-in calls it.
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(Path(__file__).parent)]
    place = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}" if own else str(error)
