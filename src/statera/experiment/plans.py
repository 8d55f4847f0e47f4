"""Plans as JSON, and back: what the manifest of a run holds."""

from __future__ import annotations

from types import NoneType
from typing import Any, Final, Literal, NoReturn, get_args, get_origin, get_type_hints

from statera.experiment import plan as words
from statera.experiment.plan import Command, Plan
from statera.support.errors import Stop

_BYTES: Final = "bytes"
_MOST: Final = 1e300


def as_json(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON objects with the names of its fields; cells name benchmark, variant and build by number.

    A text that is not Unicode, such as an argument with a byte that no encoding explains, becomes
    ``{"bytes": hexadecimal digits}``, so that the document is always UTF-8.
    """
    document = _json(plan)
    assert isinstance(document, dict)  # noqa: S101 - a plan has fields
    return document


def _json(value: object) -> object:
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return [_json(each) for each in value] if names is None else dict(zip(names, map(_json, value), strict=True))
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str | dict[str, str]:
    """Return a text as it is, or its bytes if it is not Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return {_BYTES: text.encode(errors="surrogateescape").hex()}
    return text


def from_json(document: object, where: str) -> Plan:
    """Return the plan that ``as_json`` wrote.

    Args:
        document: the JSON value.
        where: what a message names, for instance ``results/manifest.json: plan``.

    Raises:
        Stop: a field is missing, unknown or of another type, or a number names no benchmark, variant or build.

    """
    plan = _Reader(where).of(Plan, document, "")
    assert isinstance(plan, Plan)  # noqa: S101 - it was asked for one
    return _checked(plan, where)


class _Reader:
    """Builds values of the plan's types, and says where the document differs from them."""

    def __init__(self, where: str) -> None:
        self._where = where

    def of(self, kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401 - whatever a field holds
        """Return a value of this type; ``place`` is its path in the document, such as ``.cells[3].input``."""
        origin, inner = get_origin(kind), get_args(kind)
        if NoneType in inner:
            kind = next(each for each in inner if each is not NoneType)
            return None if value is None else self.of(kind, value, place)
        if origin is tuple:
            return self._several(inner, value, place)
        if hasattr(kind, "_fields"):
            return self._fields(kind, value, place)
        if origin is Literal and value not in inner:
            self._wrong(place, f"one of {', '.join(map(repr, inner))}", value)
        return value if origin is Literal else self._plain(kind, value, place)

    def _plain(self, kind: type, value: Any, place: str) -> Any:  # noqa: ANN401
        if kind is str and isinstance(value, dict):
            return self._bytes(value, place)
        if kind is float and type(value) in {int, float}:
            # Lengths of time, shares and widths; JSON of Python may hold NaN, and numbers that no float is.
            return float(value) if 0 <= value <= _MOST else self._wrong(place, "a number from 0 on", value)
        return value if type(value) is kind else self._wrong(place, _NAMES[kind], value)

    def _several(self, inner: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:  # noqa: ANN401
        if not isinstance(value, list):
            self._wrong(place, "a list", value)
        if inner[-1] is Ellipsis:
            inner = (inner[0],) * len(value)
        if len(value) != len(inner):
            self._wrong(place, f"a list of {len(inner)}", value)
        return tuple(self.of(kind, each, f"{place}[{at}]") for at, (kind, each) in enumerate(zip(inner, value)))  # noqa: B905 - compared above

    def _fields(self, kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401
        if not isinstance(value, dict):
            self._wrong(place, "an object", value)
        kinds = get_type_hints(kind, vars(words))
        for name in kinds:
            if name not in value and name not in kind._field_defaults:
                raise _damaged(self._where, f"{place}.{name} is missing")
        for name in value:
            if name not in kinds:
                raise _damaged(self._where, f"{place}.{name} is unknown to this version of statera")
        if kind is Command and not value["arguments"]:
            raise _damaged(self._where, f"{place}.arguments names no program")
        return kind(**{name: self.of(kinds[name], each, f"{place}.{name}") for name, each in value.items()})

    def _bytes(self, value: dict[str, Any], place: str) -> str:
        digits = value.get(_BYTES)
        try:
            return bytes.fromhex(digits if isinstance(digits, str) else "?").decode(errors="surrogateescape")
        except ValueError:
            self._wrong(place, 'a text, or {"bytes": hexadecimal digits}', value)

    def _wrong(self, place: str, wanted: str, value: object) -> NoReturn:
        raise _damaged(self._where, f"{place} must be {wanted}, not {value!r:.60}")


_NAMES: Final = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _checked(plan: Plan, where: str) -> Plan:
    for at, cell in enumerate(plan.cells):
        for name, number, of in (
            ("benchmark", cell.benchmark, plan.benchmarks),
            ("variant", cell.variant, plan.variants),
            ("build", cell.build or 0, plan.builds if cell.build is not None else "-"),
        ):
            if not 0 <= number < len(of):
                raise _damaged(where, f".cells[{at}].{name} is {number}, and there are {len(of)}")
    return plan


def _damaged(where: str, what: str) -> Stop:
    return Stop("damaged-plan", f"{where}{what}: the plan is damaged, or another version of statera wrote it")
