"""The formats that can be read. The compiled readers hold all facts about formats; these functions look them up."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from statera._native import Format, Key

COLUMNS: Final = "columns"
"""The name in place of a format for values that a program passed as columns."""

_OWN: Final = "a table of your own"


@cache
def by_name() -> dict[str, Format]:
    """Return every format by the name that ``--format`` takes."""
    return {each.name: each for each in _native.formats()}


@cache
def keys() -> dict[str, Key]:
    """Return every configuration key of the formats; a name has the same meaning in all of them."""
    return {key.name: key for each in by_name().values() for key in each.keys}


def keys_that(fits: Callable[[Key], bool]) -> frozenset[str]:
    """Return the names of the configuration keys for which ``fits`` holds."""
    return frozenset(name for name, key in keys().items() if fits(key))


def without_processes(names: Collection[str]) -> str:
    """Name the harness of these formats if none of them states which values share a process; otherwise empty."""
    read = _of_files(names)
    silent = all(each.processes == "unknown" for each in read)
    named = {"plain-table" if each.harness == _OWN else each.harness for each in read}
    return listed(sorted(named)) if silent else ""


def values_are_times(names: Iterable[str], stated: Collection[str] = ()) -> bool:
    """Return whether a time in these formats is the duration of one iteration.

    ``stated`` are the keys of the values. What a run measured by another harness has the key ``program``; whether that
    harness averages is not known here.
    """
    return "program" not in stated and all(each.values == "samples" for each in _of_files(names))


def block_name(names: Iterable[str]) -> str:
    """Name the pairing key of these formats, such as ``slot``; ``block`` if they have no common word for it."""
    words = {each.block for each in _of_files(names) if each.block is not None}
    return words.pop() if len(words) == 1 else "block"


def variants_key(names: Iterable[str]) -> str | None:
    """Name the key whose values are the variants within a file of these formats, in order; None if there is none."""
    keys = {each.variants for each in _of_files(names)}
    return keys.pop() if len(keys) == 1 else None


def meaning(names: Iterable[str], metric: str) -> str:
    """Describe a metric in the words of its formats; empty if they have none."""
    return next((words for each in _of_files(names) if (words := each.meanings.get(metric))), "")


def _of_files(names: Iterable[str]) -> list[Format]:
    """Return the formats of files; columns that a program passed have none."""
    return [by_name()[name] for name in names if name != COLUMNS]
