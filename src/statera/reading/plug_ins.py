"""The installed plug-ins. They are loaded when a file has no format of statera's own, or when one is named."""

from __future__ import annotations

from statera import _native
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple, cache

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib import metadata
    from typing import Final


GROUP: Final = "statera.formats"
"""The group of entry points."""


class PlugIn(NamedTuple):
    """A plug-in: its package with the version, and its format, or why it cannot be loaded."""

    package: str
    format: _native.Format | None
    failure: str


_loaded: dict[str, PlugIn] = {}


@cache
def _entry_points() -> dict[str, list[metadata.EntryPoint]]:
    """Return the entry points of all installed packages, by the names of their formats."""
    from importlib import metadata  # noqa: PLC0415 - it is slow, and most files need no plug-in

    found: dict[str, list[metadata.EntryPoint]] = {}
    for each in metadata.entry_points(group=GROUP):
        same = found.setdefault(each.name, [])
        # A package that is found twice on the path counts once.
        if not any((_package(each), each.value) == (_package(other), other.value) for other in same):
            same.append(each)
    return found


def names() -> Sequence[str]:
    """List the names of the formats that plug-ins offer, without loading them."""
    return sorted(_entry_points())


def loaded() -> dict[str, PlugIn]:
    """Return the plug-ins that were loaded so far, by the name of their format."""
    return _loaded


def plug_in(name: str) -> PlugIn | None:
    """Load the plug-in with a format of this name; None if there is none."""
    if name not in _loaded and name in _entry_points():
        _loaded[name] = _load(name, _entry_points()[name])
    return _loaded.get(name)


def named(name: str) -> _native.Format | None:
    """Return the format of this name if a plug-in has it and can be loaded."""
    found = plug_in(name)
    return found.format if found else None


def all_plug_ins() -> list[PlugIn]:
    """Load all plug-ins."""
    return [found for name in names() if (found := plug_in(name))]


def all() -> tuple[list[_native.Format], list[str]]:  # noqa: A001 - the compiled part calls it
    """Return the formats of all plug-ins, and why some cannot be loaded."""
    every = all_plug_ins()
    return [each.format for each in every if each.format], [each.failure for each in every if each.failure]


def _package(entry: metadata.EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package without a name"


def _load(name: str, entries: list[metadata.EntryPoint]) -> PlugIn:
    from statera.plugins import failure_words  # noqa: PLC0415 - only with plug-ins

    packages = " and ".join(_package(each) for each in entries)
    if len(entries) > 1:
        return PlugIn(packages, None, f"the plug-ins of {packages} have the same name {name}. Remove one")
    owner = f"the plug-in {name} of {packages}"
    try:
        described = entries[0].load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger's code raises
        return PlugIn(packages, None, f"{owner} cannot be loaded: {failure_words(error)}")
    try:
        return PlugIn(packages, _format(name, described, owner), "")
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        return PlugIn(packages, None, f"{owner} does not describe a format: {_words(error)}")


def _format(name: str, described: object, owner: str) -> _native.Format:
    from statera.plugins import Format, fits_of, read_of  # noqa: PLC0415 - only with plug-ins

    if not isinstance(described, Format):
        raise TypeError(f"the entry point leads to {described!r:.80}, not to a statera.plugins.Format")
    if described.name != name:
        raise ValueError(f"the entry point has the name {name}, and the format {described.name}")
    return _native.plug_in(owner, described, fits_of(described), read_of(described))


def _words(error: BaseException) -> str:
    """Give the words of an error, with those of its cause: a field, and what is wrong with it."""
    cause = f": {_words(error.__cause__)}" if error.__cause__ else ""
    return f"{error}{cause}"


def failed(name: str) -> Stop | None:
    """Return the error that the plug-in with this format cannot be loaded, if it is so."""
    found = plug_in(name)
    return Stop("no-such-format", found.failure) if found and found.failure else None
