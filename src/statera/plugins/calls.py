"""The two functions of a plug-in, called so that an error of theirs is a sentence with its place."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from statera.plugins.interface import File, Head, NoValue, Observation, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from statera.plugins.interface import Format


class PlugInError(Exception):
    """A plug-in failed. The text has the error and the line of its source."""


def fits(known: Format) -> Callable[[bytes], str | None]:
    """Return the function that says why the beginning of a file does not have the format."""

    def why_not(head: bytes) -> str | None:
        try:
            said = known.fits(Head(head))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger's code raises
            raise PlugInError(words(error)) from None
        if said is None or isinstance(said, str):
            return said
        raise PlugInError(f"fits gave {said!r}; it gives None or a sentence")

    return why_not


def read(known: Format) -> Callable[[str, Path, bytes], Iterator[tuple[str, object]]]:
    """Return the function that gives what a file holds, as the compiled part takes it."""

    def items(name: str, path: Path, content: bytes) -> Iterator[tuple[str, object]]:
        try:
            for item in known.read(File(Path(path), name, content)):
                yield _handed_over(item)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger's code raises
            raise PlugInError(words(error)) from None

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


def words(error: BaseException) -> str:
    """Say what went wrong, and in which line of the plug-in's source."""
    frames = traceback.extract_tb(error.__traceback__)
    # An error of what is called by the plug-in counts where the plug-in calls it.
    own = [frame for frame in frames if Path(frame.filename).parent != Path(__file__).parent]
    place = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}" if own else str(error)
