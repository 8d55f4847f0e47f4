"""Checks the arguments of the library's functions, and brings them into one shape.

What has a wrong type is a TypeError; a value that cannot be is a Stop, as on the command line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

_KINDS: Final = {str: "a text", bool: "True or False", int: "a whole number", float: "a number"}


def texts(value: str | Iterable[str], name: str) -> tuple[str, ...]:
    """Return a list of texts; a text alone is a list of one, and an empty one of none.

    Raises:
        TypeError: it is something else.

    """
    if isinstance(value, str):
        return (value,) if value else ()
    found = tuple(value) if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping) else None
    if found is None or not all(isinstance(each, str) for each in found):
        raise wrong(name, "a text or a list of texts", value)
    return found


def levels(value: Iterable[float], name: str) -> tuple[float, ...]:
    """Return a list of fractions."""
    found = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else None
    if found is None or not all(isinstance(each, int | float) and not isinstance(each, bool) for each in found):
        raise wrong(name, "a list of numbers", value)
    if not all(0 <= each <= 1 for each in found):
        raise Stop("bad-option", f"{name} must lie between 0 and 1, not {', '.join(map(str, found))}")
    return found


def pairs(value: Mapping[str, str] | None, name: str) -> list[tuple[str, str]]:
    """Return each key of a dictionary with its text; a whole number is written as text."""
    return [(key, _word(each, f"{name}[{key!r}]")) for key, each in _mapping(value, name, "key").items()]


def pairs_of_labels(value: Mapping[str, Mapping[str, str]] | None, name: str) -> list[tuple[str, str, str]]:
    """Return each label of a dictionary of dictionaries with its keys and their texts."""
    given = _mapping(value, name, "label")
    return [(label, *pair) for label, each in given.items() for pair in pairs(each, f"{name}[{label!r}]")]


def roles(columns: Mapping[str, str | Sequence[str]] | None) -> list[tuple[str, str]]:
    """Return each role with each of its columns."""
    given = _mapping(columns, "columns", "role")
    return [(role, name) for role, names in given.items() for name in texts(names, f"columns[{role!r}]")]


def of_kind(value: Any, name: str, *kinds: type) -> Any:  # noqa: ANN401 - the kinds say which
    """Return a value that has one of these types, or None."""
    if value is not None and not isinstance(value, kinds):
        raise wrong(name, " or ".join(_KINDS.get(kind, kind.__name__) for kind in kinds), value)
    return value


def path(value: str | os.PathLike[str] | None, name: str) -> str | None:
    """Return a path as text."""
    of_kind(value, name, str, os.PathLike)
    return None if value is None else os.fspath(value)


def wrong(name: str, wanted: str, value: object) -> TypeError:
    """Return the error that a parameter has another type."""
    text = repr(value)
    return TypeError(f"{name} must be {wanted}, not {text if len(text) < 80 else type(value).__name__}")  # noqa: PLR2004


def _mapping(value: Any, name: str, key: str) -> Mapping[str, Any]:  # noqa: ANN401 - anything may be given
    given = {} if value is None else value
    if not isinstance(given, Mapping) or not all(isinstance(each, str) for each in given):
        raise wrong(name, f"a dictionary with a text for each {key}", value)
    return given


def _word(value: object, name: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise wrong(name, "a text", value)
    return value
