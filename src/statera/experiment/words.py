"""Commands as words: quotes and backslashes as a shell has them, and nothing that only a shell can do.

``{name}`` in a text is a placeholder, which stands for a value, and ``{{`` and ``}}`` are braces.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.errors import Stop
from statera.support.wording import listed, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

_BLANK: Final = " \t\n"
_OPERATORS: Final = frozenset("();<>|&")
# Within double quotes a backslash is a character of its own before all others.
_ESCAPED: Final = frozenset('$`"\\\n')
# What a shell would replace: variables and commands, also within double quotes; and files, which quotes protect.
_EXPANDED: Final = re.compile(r"\$(?=[\w{(@*#?$!'\"-])|`")
_BRACES: Final = re.compile(r"\{[^{}\s]*(,|\.\.)[^{}\s]*\}")
_FILES: Final = frozenset("*?[")


class Split(NamedTuple):
    """A command in words."""

    words: list[str]  # the program first
    operator: str  # the first operator of a shell outside of quotes, such as ``|`` or ``&&``; empty if there is none
    # words, as they are written, in which a shell would replace something, and which stay as they are
    literal: list[str]


class _Word:
    """A word that is read: its text, as it is written, and whether a shell would replace something in it."""

    def __init__(self) -> None:
        self.text = self.written = self.plain = ""
        self.expands = False

    def add(self, text: str, written: str, *, plain: bool = False) -> None:
        """Add characters; ``plain`` ones are outside of quotes."""
        self.text += text
        self.written += written
        # What is quoted is no pattern; a letter in its place keeps words apart.
        self.plain += text if plain else "x" * len(written)

    def is_literal(self) -> bool:
        """Return whether a shell would put something else in its place."""
        begins = self.plain[:1]
        return (
            self.expands
            or begins in {"~", "#"}
            or not _FILES.isdisjoint(self.plain)
            or bool(_BRACES.search(self.plain))
        )


def split(text: str) -> Split:
    """Split a command into words.

    Raises ``ValueError`` if a quote is not closed, or nothing follows a backslash; the text says which.
    """
    found = Split([], "", [])
    operator, at, word = "", 0, None
    while at < len(text):
        sign = text[at]
        if sign in _BLANK:
            _end(found, word)
            at, word = at + 1, None
            continue
        if text.startswith("\\\n", at):
            # The line goes on.
            at += 2
            continue
        word = word or _Word()
        if sign in _OPERATORS:
            run = re.match(r"[();<>|&]+", text[at:])
            operator = operator or (run[0] if run else sign)
        at += _part(text, at, word)
    _end(found, word)
    return found._replace(operator=operator)


def _part(text: str, at: int, word: _Word) -> int:
    """Add a quoted part, an escaped character or a plain one to a word; return how long it is."""
    sign = text[at]
    if sign == "'":
        end = text.find("'", at + 1)
        if end < 0:
            raise ValueError("no closing quotation")
        word.add(text[at + 1 : end], text[at : end + 1])
        return end + 1 - at
    if sign == '"':
        return _double(text, at, word)
    if sign == "\\":
        if at + 1 == len(text):
            raise ValueError("no escaped character")
        word.add(text[at + 1], text[at : at + 2])
        return 2
    word.expands |= bool(_EXPANDED.match(text, at))
    word.add(sign, sign, plain=True)
    return 1


def _double(text: str, begin: int, word: _Word) -> int:
    inside, at = "", begin + 1
    while at < len(text) and text[at] != '"':
        if text[at] == "\\" and text[at + 1 : at + 2] in _ESCAPED:
            inside += text[at + 1 : at + 2].replace("\n", "")
            at += 2
            continue
        word.expands |= bool(_EXPANDED.match(text, at)) and text[at : at + 2] not in {"$'", '$"'}
        inside += text[at]
        at += 1
    if at >= len(text):
        raise ValueError("no closing quotation")
    word.add(inside, text[begin : at + 1])
    return at + 1 - begin


def _end(found: Split, word: _Word | None) -> None:
    """Take a word that ended, if there is one."""
    if word is not None:
        found.words.append(word.text)
        if word.is_literal():
            found.literal.append(word.written)


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

    Raises ``Stop`` if a brace is not closed, or there is no value of this name.
    """
    return _replaced(text, values, (), str)


def template(text: str, values: Mapping[str, Value], later: Collection[str] = LATER) -> str:
    """Replace placeholders, but leave those of ``later``; the result is a template.

    Raises ``Stop`` if a brace is not closed, or there is no value of this name.
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
