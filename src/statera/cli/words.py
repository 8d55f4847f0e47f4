"""The words of a command → its verb and options. What most commands are made of is understood here.

argparse says what is wrong with a command, writes help, and knows shortened options and other rarities: whatever is
not of the plainest form is left to it (``parser.py``). It takes as long to load as all that a small comparison needs.
"""

from __future__ import annotations

import sys

from statera.cli import verbs
from statera.cli.options import (
    ANY,
    DECIMAL,
    EACH,
    FLAG,
    INTEGER,
    MAYBE,
    OPTIONS,
    RAW,
    SET,
    SEVERAL,
    SOME,
    TARGET,
    TEXT,
    THREE,
    TWO,
)
from statera.support.files import names
from statera.support.typed import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Final

    from statera.cli.options import Option
    from statera.cli.verbs import Verb

LISTS: Final = frozenset({ANY, SOME, EACH, TWO, THREE, SEVERAL})
# How the value of an option is understood, of the kinds that are here.
_VALUES: Final[dict[str, Callable[[str], object]]] = {
    TEXT: str,
    EACH: str,
    MAYBE: str,
    INTEGER: int,
    DECIMAL: float,
    TARGET: lambda word: None if word == "-" else word,
}


def understood(words: Sequence[str]) -> tuple[Verb, argparse.Namespace] | None:
    """Return the verb of a command and its options; None if argparse is to look at it."""
    verb, count = verbs.found(words)
    options = plain(verb, words[count:]) if verb is not None and verb.run else None
    return None if verb is None or options is None else (verb, options)


def plain(verb: Verb, words: Sequence[str]) -> argparse.Namespace | None:
    """Return the options of a verb; None if a word is not of the plainest form, or if anything is wrong."""
    try:
        return as_text(verb, _Plain(verb).read(words))
    except (LookupError, ValueError):
        return None


class _Plain:
    """The options of a verb while words are read; LookupError and ValueError stand for what argparse is to look at."""

    def __init__(self, verb: Verb) -> None:
        self._takes = [tuple(map(OPTIONS.__getitem__, word.split("|"))) for word in verb.takes.split()]
        options = [option for together in self._takes for option in together]
        self._flags = {flag: option for option in options if not option.is_argument for flag in option.flags.split()}
        self._argument = _only([option for option in options if option.is_argument])
        # Of options with one name, the first has the default.
        self._values: dict[str, Any] = {option.dest: default(option) for option in reversed(options)}
        self._given: set[Option] = set()

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        rest = iter(words)
        for word in rest:
            if word.startswith("-") and word != "-":
                self._option(word, rest)
            else:
                self._values[self._argument.dest].append(word)
        self._check()
        return namespace(self._values)

    def _option(self, word: str, rest: Iterable[str]) -> None:
        flag, equals, value = word.partition("=")
        option = self._flags[flag]
        if option.kind in {FLAG, SET}:
            _require(not equals)
            self._values[option.dest] = option.const if option.kind == SET else True
        else:
            _require(option.kind != MAYBE or bool(equals))
            _require(not equals or (word.startswith("--") and value != ""))
            text = value if equals else next(iter(rest), "--")
            _require(bool(equals) or text == "-" or not text.startswith("-"))
            self._take(option, text)
        self._given.add(option)

    def _take(self, option: Option, text: str) -> None:
        value = _VALUES[option.kind](text)
        _require(not option.choices or value in table(option))
        if option.kind == EACH:
            self._values[option.dest].append(value)
        else:
            self._values[option.dest] = value

    def _check(self) -> None:
        """Require what must be given, and that of options which exclude each other there is one at most."""
        for together in self._takes:
            given = sum(option in self._given for option in together)
            needed = any(option.required for option in together)
            _require(given >= needed and (len(together) == 1 or given <= 1))
        _require(self._argument.kind == ANY or bool(self._values[self._argument.dest]))


def _only(arguments: Sequence[Option]) -> Option:
    """Return the only argument, which takes several words."""
    (argument,) = arguments
    _require(argument.kind in {ANY, SOME})
    return argument


def _require(holds: bool) -> None:  # noqa: FBT001 - what holds
    if not holds:
        raise ValueError


def namespace(values: dict[str, Any]) -> argparse.Namespace:
    """Return the values of options by their names as attributes, without loading argparse."""
    return cast("argparse.Namespace", type(sys.implementation)(**values))


def as_text(verb: Verb, options: argparse.Namespace) -> argparse.Namespace:
    """Turn what is no name of a file and no command into printable text; a byte that is not UTF-8 becomes an escape."""
    raw = {option.dest for option in map(OPTIONS.__getitem__, verb.keys) if option.completes in RAW}
    for name, value in vars(options).items():
        if isinstance(value, str) and name not in raw:
            setattr(options, name, names.as_text(value))
        elif isinstance(value, list) and name not in raw:
            setattr(options, name, [names.as_text(word) for word in value])
    return options


def with_defaults(name: str, **given: object) -> argparse.Namespace:
    """Return the options of a verb as if these alone had been given; an argument that is needed has no value."""
    verb, _ = verbs.found(name.split())
    options = map(OPTIONS.__getitem__, verb.keys if verb else ())
    return namespace({**{option.dest: default(option) for option in reversed(list(options))}, **given})


def default(option: Option) -> Any:
    """Return the value of an option that was not given; options with one name have one default."""
    if option.default is None and option.kind in LISTS:
        return []
    # A flag that overrides a setting says nothing where it is not given.
    return False if option.default is None and option.kind == FLAG and not option.setting else option.default


def table(option: Option) -> Any:
    """Return the choices of an option, from their table if they have one of their own."""
    if not isinstance(option.choices, str):
        return option.choices
    module, _, name = option.choices.partition(":")
    return getattr(__import__(module, fromlist=[name]), name)
