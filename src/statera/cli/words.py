"""The parser of the command line."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn

from statera.cli import output

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """Python's parser, but help that cannot be written is no success, and no argument acts in a message."""

    def error(self, message: str) -> NoReturn:
        """Write the usage and what is wrong with arguments, which a stranger may have written; end the command."""
        from statera._native import printable  # noqa: PLC0415 - --help does without

        super().error(printable(message))

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if file is sys.stdout:
            output.write(message, None)
        else:
            super()._print_message(message, file)
