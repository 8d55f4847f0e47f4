"""Placeholders: ``{name}`` in a text stands for a value, ``{{`` and ``}}`` for braces.

A text is filled in up to two times: when the plan is made, and, for what differs between invocations (``{out}``,
``{round}``), before each invocation. What the first time leaves is a template: its braces are doubled, also those of
inserted values, so that the second time never expands a value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statera.support.errors import Stop
from statera.support.wording import listed, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

Value = str | tuple[str, ...]
"""A text, or words: where a placeholder is a whole argument, each of its words becomes an argument."""

LATER: Final = ("out", "round")
"""What is known only before each invocation."""
PORTS: Final = ("port", *(f"port{number}" for number in range(2, 10)))
SERVED: Final = (*PORTS, "data")
"""What is known only when a service starts: free ports, and its empty folder."""

_PIECE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_ALONE: Final = re.compile(r"\{([^{}]+)\}")


def filled(text: str, values: Mapping[str, Value]) -> str:
    """Replace every placeholder of a text or template; the result is final.

    Raises:
        Stop: a brace is not closed, or there is no value of this name.

    """
    return _replaced(text, values, (), str)


def template(text: str, values: Mapping[str, Value], later: Collection[str] = LATER) -> str:
    """Replace placeholders, but leave those of ``later``; the result is a template.

    Raises:
        Stop: a brace is not closed, or there is no value of this name.

    """
    return _replaced(text, values, later, literal)


def templates(words: Iterable[str], values: Mapping[str, Value], later: Collection[str] = LATER) -> tuple[str, ...]:
    """Make a template of each argument of a command; an argument that only names words becomes those words."""
    return tuple(each for word in words for each in _spread(word, values, later))


def parametrized(text: str, values: Mapping[str, Value], later: Collection[str] = LATER) -> str:
    """Make a template of a text in which all braces are literal that enclose no name of ``values`` or ``later``."""
    names = "|".join(re.escape(name) for name in sorted({*values, *later}, key=len, reverse=True))
    parts = re.split(rf"\{{({names})\}}", text) if names else [text]
    known = (f"{{{name}}}" if name in later else literal(joined(values[name])) for name in parts[1::2])
    return literal(parts[0]) + "".join(
        value + literal(rest) for value, rest in zip(known, map(str, parts[2::2]), strict=True)
    )


def names(text: str) -> set[str]:
    """Return the names of the placeholders of a text."""
    return {found[1] for found in _PIECE.finditer(text) if found[1]}


def literal(text: str) -> str:
    """Make a template that stands for exactly this text."""
    return text.replace("{", "{{").replace("}", "}}")


def _spread(word: str, values: Mapping[str, Value], later: Collection[str]) -> Iterable[str]:
    alone = _ALONE.fullmatch(word)
    value = values.get(alone[1]) if alone else None
    return map(literal, value) if isinstance(value, tuple) else [template(word, values, later)]


def _replaced(text: str, values: Mapping[str, Value], later: Collection[str], write: Callable[[str], str]) -> str:
    def piece(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return write(_brace(found[0], text))
        if name in later:
            return found[0]
        if name not in values:
            raise Stop("bad-placeholder", f"{text!r}: {_unknown(name, [*values, *later])}")
        return write(joined(values[name]))

    return _PIECE.sub(piece, text)


def _brace(found: str, text: str) -> str:
    if len(found) == 1:
        side = "is not closed" if found == "{" else "closes nothing"
        raise Stop("bad-placeholder", f"{text!r}: a {found} {side}. Write {found * 2} for the character itself")
    return found[0]


def _unknown(name: str, known: list[str]) -> str:
    there = f"there are {listed(f'{{{each}}}' for each in known)}" if known else "there are none here"
    near = suggestion(name, known)
    return f"there is no placeholder {{{name}}}{near}; {there}. Write {{{{ and }}}} for braces themselves"


def joined(value: Value) -> str:
    """Return a value as one text."""
    return value if isinstance(value, str) else " ".join(value)
