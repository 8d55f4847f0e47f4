"""What start-up needs of :mod:`typing` and :mod:`functools`, which cost as much to import as Python itself to start.

``NamedTuple`` makes the same classes as that of ``typing``, without compiling source for each of them. Type checkers
see the names of ``typing`` (``typed.pyi``). What only annotations name is imported from ``typing`` for type checkers.
"""

from __future__ import annotations

from _collections import _tuplegetter  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def cast(_: object, value: object) -> object:
    """Return the value: only type checkers see another type."""
    return value


def overload(function: object) -> object:
    """Return the function: only type checkers see its signatures."""
    return function


def get_args(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a ``Literal``."""
    return words


def cache(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function that remembers what it returned for each of its arguments."""
    known: dict[tuple[object, ...], object] = {}

    def remembering(*arguments: object) -> object:
        if arguments not in known:
            known[arguments] = function(*arguments)
        return known[arguments]

    return remembering


class cached_property:  # noqa: N801 - the name of functools
    """An attribute that is computed when it is asked for, and then kept."""

    def __init__(self, function: Callable[[object], object]) -> None:
        self._function, self.__doc__ = function, function.__doc__

    def __set_name__(self, _: type, name: str) -> None:
        """Take the name that the class gives it."""
        self._name = name

    def __get__(self, instance: object | None, _: type | None = None) -> object:
        """Compute it; the next time, the instance itself has it."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._function(instance)
        return value


class Literal:
    """``Literal["a", "b"]`` is the tuple of its words."""

    def __class_getitem__(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words."""
        return words


class TypeVar:
    """A parameter of ``Generic``."""

    def __init__(self, name: str) -> None:
        self.__name__ = name


class Protocol:
    """The base of classes that say only what others have."""


class Generic:
    """``Generic[T]`` is a base that adds nothing."""

    def __class_getitem__(cls, _: object) -> type:
        """Return the class, whatever its parameter."""
        return cls


class _Tuple(tuple):
    """What all named tuples have: their fields, and how they are made, changed, shown and copied."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    _field_defaults: dict[str, object] = {}  # noqa: RUF012 - ClassVar is a name of typing

    def __new__(cls, /, *values: object, **named: object) -> _Tuple:  # noqa: PYI034 - Self is a name of typing
        """Make one of values in order and by name; what has neither takes its default."""
        if named or len(values) != len(cls._fields):
            values = cls._completed(values, named)
        return tuple.__new__(cls, values)

    @classmethod
    def _completed(cls, values: tuple[object, ...], named: dict[str, object]) -> tuple[object, ...]:
        missing = cls._fields[len(values) :]
        found = cls._field_defaults | named
        lacking = [name for name in missing if name not in found]
        unknown = [name for name in named if name not in missing]
        if lacking or unknown or len(values) > len(cls._fields):
            given = f"{len(values)} values in order, missing {lacking}, unexpected {unknown}"
            raise TypeError(f"{cls.__name__}({', '.join(cls._fields)}): {given}")
        return (*values, *map(found.__getitem__, missing))

    @classmethod
    def _make(cls, values: Iterable[object]) -> _Tuple:
        """Make one of values in order."""
        return cls(*values)

    def _replace(self, /, **named: object) -> _Tuple:
        """Return one with other values."""
        unknown = named.keys() - set(self._fields)
        if unknown:
            raise ValueError(f"{type(self).__name__} has no {sorted(unknown)}")
        return tuple.__new__(
            type(self), (named.get(name, value) for name, value in zip(self._fields, self, strict=True))
        )

    def _asdict(self) -> dict[str, object]:
        """Return the values by name."""
        return dict(zip(self._fields, self, strict=True))

    def __getnewargs__(self) -> tuple[object, ...]:
        """Return what a copy is made of."""
        return tuple(self)

    def __repr__(self) -> str:
        """Return ``Name(field=value, …)``."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"


class _Maker(type):
    """Turns the annotations of a class into the fields of a tuple."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type:
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        fields = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace.pop(field) for field in fields if field in namespace}
        namespace |= {field: _tuplegetter(place, "") for place, field in enumerate(fields)}
        namespace |= {"__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
        return type(name, (_Tuple,), namespace)


class NamedTuple(metaclass=_Maker):
    """The base of classes whose annotated names are the fields of a tuple."""
