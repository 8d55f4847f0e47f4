"""The command-line parser: argparse, without the errors that it ignores."""

from __future__ import annotations

import argparse
import re
import sys

from statera.cli import output
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite


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
        if others and many and getattr(options, many[0].dest, None):
            getattr(options, many[0].dest).extend(self._get_value(many[0], word) for word in others)
            others = []
        return options, others

    def _refuse(self, others: list[str], unknown: str) -> NoReturn:
        from statera.support.patterns import nearest  # noqa: PLC0415 - --help does without

        known = [name for name in self._option_string_actions if name.startswith("--")]
        near = nearest(unknown.partition("=")[0], known)
        self.error(f"unrecognized arguments: {' '.join(others)}; the nearest options: {near}")

    def error(self, message: str) -> NoReturn:
        """End with the error, whose words may come from a stranger, without the usage that would bury it."""
        from statera._native import printable  # noqa: PLC0415 - --help does without

        self.exit(2, f"{self.prog}: error: {printable(_spelled(message))}\n{self.prog} --help shows what it takes.\n")

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Return what lays out the help; argparse asks for one at every option, and finding the width costs much."""
        return super()._get_formatter() if self._laid_out else argparse.HelpFormatter(self.prog, width=80)

    def format_help(self) -> str:
        """Lay out the help for the width of the terminal."""
        self._laid_out = True
        return super().format_help()

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:  # noqa: ANN401 - of any type
        # Before Python 3.13 `--title=--` would give a list in place of a text.
        if action.option_strings and "--" in arg_strings:
            raise argparse.ArgumentError(action, "takes a value, not --")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if file is sys.stdout:
            output.write(message, None)
        else:
            super()._print_message(message, file)


def _spelled(message: str) -> str:
    r"""Spell a byte that is not UTF-8 as everywhere; where argparse quotes a word, Python spelt it ``\udcff``."""
    return re.sub(r"(?<!\\)\\udc([89a-f][0-9a-f])", lambda byte: rf"\x{byte[1].upper()}", message)
