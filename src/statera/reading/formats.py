"""The formats that can be read. The compiled readers hold all facts about formats; these functions look them up."""

from __future__ import annotations

# As collections.abc has it, which loads all of collections.
from _collections_abc import Set as AbstractSet

from statera import _native
from statera.reading import plug_ins
from statera.support.typed import TYPE_CHECKING, cache
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Final

    from statera._native import Format, Key

COLUMNS: Final = "columns"
"""The name in place of a format for values that a program passed as columns."""

_OWN: Final = "a table of your own"


@cache
def own() -> dict[str, Format]:
    """Return the formats of statera itself, by name."""
    return {each.name: each for each in _native.formats()}


def by_name() -> dict[str, Format]:
    """Return the formats of statera and of the plug-ins that are loaded, by the name that ``--format`` takes."""
    return own() | {name: each.format for name, each in plug_ins.loaded().items() if each.format}


def every() -> dict[str, Format]:
    """Return all formats, by name; this loads all plug-ins."""
    plug_ins.all_plug_ins()
    return by_name()


def is_known(name: str) -> bool:
    """Return whether there is a format of this name, of statera or of a plug-in that can be loaded."""
    return name in own() or plug_ins.named(name) is not None


def package(name: str) -> str:
    """Return the package with the version whose plug-in has the format of this name; empty for those of statera."""
    found = plug_ins.loaded().get(name)
    return found.package if found else ""


def keys() -> dict[str, Key]:
    """Return every configuration key of the formats; a name has the same meaning in all of them."""
    return _keys(len(plug_ins.loaded()))


@cache
def _keys(_plug_ins: int) -> dict[str, Key]:
    return {key.name: key for each in by_name().values() for key in each.keys}


def keys_that(fits: Callable[[Key], bool]) -> AbstractSet[str]:
    """Return the names of the configuration keys for which ``fits`` holds, also of plug-ins that are loaded later."""
    return _KeysThat(fits)


class _KeysThat(AbstractSet[str]):
    def __init__(self, fits: Callable[[Key], bool]) -> None:
        self._fits = fits

    def __contains__(self, name: object) -> bool:
        """Tell whether a key of this name fits."""
        key = keys().get(name) if isinstance(name, str) else None
        return key is not None and self._fits(key)

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return (name for name, key in keys().items() if self._fits(key))

    def __len__(self) -> int:
        """Count the names."""
        return sum(1 for _ in self)

    @classmethod
    def _from_iterable(cls, names: Iterable[str]) -> frozenset[str]:  # type: ignore[override]
        return frozenset(names)


def without_processes(names: Collection[str]) -> str:
    """Name the harness of these formats if none of them states which values share a process; otherwise empty."""
    read = _of_files(names)
    silent = all(each.processes == "unknown" for each in read)
    named = {"plain-table" if each.harness == _OWN else each.harness for each in read}
    return listed(sorted(named)) if silent else ""


def are_processes(names: Collection[str]) -> bool:
    """Return whether every value in files of these formats comes from another process."""
    return bool(names) and all(name != COLUMNS and by_name()[name].processes == "one a value" for name in names)


def titles(names: Collection[str]) -> str:
    """Name the harnesses of these formats; empty for tables that say of none."""
    named = {each.harness for each in _of_files(names) if each.harness != _OWN}
    return listed(sorted(named), 2)


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
