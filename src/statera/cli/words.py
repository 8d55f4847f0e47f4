"""The parser of the command line."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from statera.cli import output

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """Python's parser, but help that cannot be written is no success."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if file is sys.stdout:
            output.write(message, None)
        else:
            super()._print_message(message, file)
