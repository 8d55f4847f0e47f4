"""The command-line parser: argparse, without the errors that it ignores."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from statera.cli import output

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """argparse's parser, except that help which cannot be written is an error.

    Its messages are printable, and ``--`` is not accepted as the value of an option.
    """

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error, whose words may come from a stranger, and end the command."""
        from statera._native import printable  # noqa: PLC0415 - --help does without

        super().error(printable(_spelled(message)))

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
