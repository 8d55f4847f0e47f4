"""From the tables of verbs and options to argparse, without the errors that it ignores; and the two helps of a verb."""

from __future__ import annotations

import argparse
import re
import sys

from statera.cli import families, verbs
from statera.cli.families import program, wrapped
from statera.cli.options import (
    ANY,
    ARGUMENTS,
    DECIMAL,
    EACH,
    FLAG,
    INTEGER,
    MAYBE,
    NUMBER,
    ONE,
    OPTIONAL,
    OPTIONS,
    SET,
    SEVERAL,
    SOME,
    TARGET,
    TEXT,
    THREE,
    TWO,
)
from statera.cli.streams import write
from statera.cli.words import as_text, default, table
from statera.support.files import names
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final, NoReturn

    from _typeshed import SupportsWrite

    from statera.cli.options import Option
    from statera.cli.verbs import Verb

# What argparse makes of a kind.
_KINDS: Final[dict[str, dict[str, Any]]] = {
    ONE: {},
    OPTIONAL: {"nargs": "?"},
    ANY: {"nargs": "*"},
    SOME: {"nargs": "+"},
    NUMBER: {"type": int},
    FLAG: {"action": "store_true"},
    SET: {"action": "store_const"},
    TEXT: {},
    TARGET: {"type": lambda word: None if word == "-" else word},
    INTEGER: {"type": int},
    DECIMAL: {"type": float},
    MAYBE: {"nargs": "?"},
    EACH: {"action": "append"},
    TWO: {"action": "append", "nargs": 2},
    THREE: {"action": "append", "nargs": 3},
    SEVERAL: {"action": "extend", "nargs": "+"},
}
# A verb with more options has the main ones alone explained by -h.
_FEW: Final = 14
_MANY: Final = 45
_COLUMN = 30


# What writes the formats that no table has.
_WRITERS: Final = {
    **{kind: f"statera report OLD NEW -o report.{kind}" for kind in ("html", "pdf")},
    **{kind: f"statera plot forest OLD NEW -o changes.{kind}" for kind in ("svg", "png")},
    "parquet": "statera convert PATH -o values.parquet",
}


def _untranslated(words: str) -> str:
    return words


# argparse looks for a translation of each of its words in the folders of the system, at every option; there is none.
argparse._ = _untranslated  # type: ignore[attr-defined]


class Parser(argparse.ArgumentParser):
    """argparse's parser, except that help which cannot be written is an error.

    Its messages are printable, ``--`` is not accepted as the value of an option, and arguments may stand on both sides
    of options.
    """

    _laid_out = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Add the arguments behind an option to those before it: argparse takes them from one place only."""
        options, others = super().parse_known_args(args, namespace)
        many = [each for each in self._get_positional_actions() if each.nargs in ("*", "+")]
        unknown = [word for word in others if word.startswith("-") and word != "-"]
        if unknown and self._get_optional_actions():
            self._refuse(others, unknown[0])
        if others and many and (many[0].nargs == "*" or getattr(options, many[0].dest, None)):
            before = getattr(options, many[0].dest, None) or []
            setattr(options, many[0].dest, [*before, *(self._get_value(many[0], word) for word in others)])
            others = []
        return options, others

    def _refuse(self, others: list[str], unknown: str) -> NoReturn:
        from statera.support.patterns import nearest  # noqa: PLC0415 - as below

        known = [flag for flag in self._option_string_actions if flag.startswith("--")]
        near = nearest(names.as_text(unknown.partition("=")[0]), known)
        self.error(f"unrecognized arguments: {' '.join(others)}; the nearest options: {near}")

    def error(self, message: str) -> NoReturn:
        """End with the error, whose words may come from a stranger, without the usage that would bury it."""
        from statera._native import printable  # noqa: PLC0415 - --help does without

        self.exit(2, f"{self.prog}: error: {printable(_spelled(message))}\n{self.prog} --help shows what it takes.\n")

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Return what lays out the help; argparse asks for one at every option, and finding the width costs much."""
        return super()._get_formatter() if self._laid_out else argparse.HelpFormatter(self.prog, width=families.WIDTH)

    def format_help(self) -> str:
        """Lay out the help for the width of the terminal."""
        self._laid_out = True
        return super().format_help()

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.dest == "output_format" and action.choices and value not in action.choices and value in _WRITERS:
            raise argparse.ArgumentError(action, f"{value} is written by {_WRITERS[value]}")
        super()._check_value(action, value)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # Before Python 3.13 `--title=--` would give a list in place of a text.
        if action.option_strings and "--" in arg_strings:
            raise argparse.ArgumentError(action, "takes a value, not --")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if file is sys.stdout:
            write(message)
        else:
            super()._print_message(message, file)


def _spelled(message: str) -> str:
    r"""Spell a byte that is not UTF-8 as everywhere; where argparse quotes a word, Python spelt it ``\udcff``."""
    return re.sub(r"(?<!\\)\\udc([89a-f][0-9a-f])", lambda byte: rf"\x{byte[1].upper()}", message)


def parsed(words: Sequence[str]) -> tuple[Verb, argparse.Namespace] | None:
    """Parse a command; None if it asked for help or the version, which is then written.

    Raises ``SystemExit`` if the command cannot be understood, which standard error then says.
    """
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    verb, count = verbs.found(words)
    rest = words[count:]
    if verb is None or not verb.run:
        families.answer(verb, rest)
        return None
    # It may be shortened to what only it begins with.
    explained = any(word.startswith("--he") for word in rest)
    return verb, as_text(verb, build(verb, explained=explained).parse_args(rest))


def build(verb: Verb, *, explained: bool = True) -> Parser:
    """Build the parser of one verb, with the help of its options or without."""
    parser = Parser(
        prog=program(verb),
        usage=usage(verb),
        description=verb.sentence,
        epilog=(f"examples: {'   |   '.join(verb.examples)}" if verb.examples else None),
        add_help=False,
        formatter_class=argparse.HelpFormatter,
    )
    add(parser, verb, explained=explained)
    return parser


def add(parser: argparse.ArgumentParser, verb: Verb, *, explained: bool = True) -> None:
    """Add the options of a verb to a parser."""
    groups: dict[str, argparse._ArgumentGroup] = {}
    for word in verb.takes.split():
        keys = word.split("|")
        title = OPTIONS[keys[0]].group
        if title != ARGUMENTS and title not in groups:
            groups[title] = parser.add_argument_group(title)
        place: argparse._ActionsContainer = parser if title == ARGUMENTS else groups[title]
        if len(keys) > 1:
            place = place.add_mutually_exclusive_group(required=any(OPTIONS[key].required for key in keys))
        for key in keys:
            words = _words(OPTIONS[key], alone=len(keys) == 1)
            if explained:
                words["help"] = said(OPTIONS[key]).replace("%", "%%")
            place.add_argument(*OPTIONS[key].flags.split(), **words)
    parser.add_argument("-h", action=_Help, verb=verb, is_short=True, help="show the main options")
    parser.add_argument("--help", action=_Help, verb=verb, help="show all options, each in full")


def _words(option: Option, *, alone: bool) -> dict[str, Any]:
    """Return what argparse is told of an option; it may be ``alone`` or one of several of which one is given."""
    words = dict(_KINDS[option.kind])
    if option.kind in {SET, MAYBE}:
        words["const"] = option.const
    if not option.is_argument:
        words |= {"dest": option.dest}
        if option.required and alone:
            words["required"] = True
    if option.choices:
        words["choices"] = tuple(table(option))
    if option.value and option.kind not in {FLAG, SET}:
        values = tuple(option.value.split())
        words["metavar"] = values if len(values) > 1 else option.value
    if option.kind != SET and (not option.is_argument or option.kind == OPTIONAL):
        words["default"] = default(option)
    return words


def said(option: Option) -> str:
    """Return the whole help of an option, with its default and the meaning of its choices."""
    text = option.short + option.more
    choices = table(option)
    if isinstance(choices, dict):
        text += ": " + "; ".join(f"{name} ({meaning})" for name, meaning in choices.items())
    shown = _shown_default(option)
    return f"{text} ({shown})" if shown else text


def _shown_default(option: Option) -> str:
    default = option.default
    if option.setting and default is None:
        from statera.support.settings.policy import Policy  # noqa: PLC0415 - only help shows it

        default = Policy._field_defaults.get(option.setting)
        default = default if isinstance(default, float) else None
    said_already = option.more.endswith(")") or option.kind == FLAG
    return "" if default is None or default == "" or said_already else str(default)


class _Help(argparse.Action):
    """Write one of the two helps, and end."""

    def __init__(self, *, verb: Verb, is_short: bool = False, **words: Any) -> None:
        super().__init__(**{**words, "nargs": 0, "default": argparse.SUPPRESS, "dest": argparse.SUPPRESS})
        self._verb, self._is_short = verb, is_short

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        write(short_help(self._verb) if self._is_short else parser.format_help())
        parser.exit()


def usage(verb: Verb) -> str:
    """Return how a verb is called."""
    shown = {ONE: "{}", NUMBER: "{}", OPTIONAL: "[{}]", ANY: "[{} ...]", SOME: "{} [...]"}
    options = [OPTIONS[key] for key in verb.keys]
    arguments = [shown[each.kind].format(each.value or each.dest.upper()) for each in options if each.is_argument]
    return " ".join([program(verb), "[options]", *arguments])


def short_help(verb: Verb) -> str:
    """Return the help of one screen: a line for each main option, and the names of the others."""
    options = [OPTIONS[key] for key in verb.keys]
    named = [each for each in options if not each.is_argument]
    explained = [each for each in named if each.main or each.required or len(named) <= _FEW]
    lines = [f"usage: {usage(verb)}", "", wrapped(verb.sentence.partition(". ")[0].rstrip(".") + ".", "")]
    if arguments := [each for each in options if each.is_argument]:
        lines += ["", *map(_line, arguments)]
    # Many groups fill a screen without lines between them.
    gap = [""] if len(named) <= _MANY else []
    lines += [] if gap else [""]
    for title in dict.fromkeys(each.group for each in named):
        own = [each for each in named if each.group == title]
        others = ", ".join(each.flag for each in own if each not in explained)
        heading = title.partition(" (")[0]
        lines += [*gap, f"{heading}:", *(_line(each) for each in own if each in explained)]
        lines += [wrapped(f"also {others}" if len(lines[-1]) > len(heading) + 1 else others, "  ")] if others else []
    return "\n".join([*lines, "", f"{program(verb)} --help explains all of them.", ""])


def _line(option: Option) -> str:
    value = f" {option.value}" if option.value and option.kind not in {FLAG, SET} else ""
    name = (option.value or option.dest.upper()) if option.is_argument else ", ".join(option.flags.split()) + value
    gap = " " * max(_COLUMN - 2 - len(name), 2)
    return f"  {name}{gap}{option.short}"
