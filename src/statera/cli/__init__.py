"""Words to a policy and a request, then to the pipeline. One file a verb; exit codes are an interface.

0: done, nothing to report. 1: the gate (``--fail-on``) holds. 2: could not do it. 130: interrupted.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from statera import __version__
from statera.cli.options import say, silence
from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

VERBS = ("compare", "inspect", "report", "plot", "cluster", "convert", "explain", "completion")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments, which a stranger may have written."""

    def error(self, message: str) -> NoReturn:
        """Write the usage and what is wrong, and end the command."""
        from statera._native import printable  # noqa: PLC0415 - --help does without

        super().error(printable(message))


def parser(verb: str | None = None) -> argparse.ArgumentParser:
    """Build the parser of all verbs, or of one: the others would cost a small comparison a tenth of its time."""
    top = _Parser(
        prog="statera",
        description="Weigh one build of a program against another: which differences are real, how large, what next.",
        epilog="Exit codes: 0 done, 1 --fail-on holds, 2 could not do it. Any code in an output: statera explain CODE.",
    )
    top.add_argument("--version", action="version", version=f"statera {__version__}")
    verbs = top.add_subparsers(title="verbs", metavar="VERB", required=True)
    for name in [verb] if verb in VERBS else VERBS:
        import_module(f"statera.cli.{name}").add(verbs)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    try:
        words = sys.argv[1:] if arguments is None else list(arguments)
        options = parser(words[0] if words else None).parse_args(words)
        code: int = options.run(options)
        sys.stdout.flush()
    except Stop as stop:
        say(f"statera: {stop} [{stop.code}]")
        return 2
    except BrokenPipeError:
        silence()
        return 0
    except KeyboardInterrupt:
        print("statera: interrupted", file=sys.stderr)
        # Where it came amid an exec, of an import for instance, Python would end by the signal in place of the code
        # that is given here; another exec makes it forget.
        exec("")  # noqa: S102
        return 130
    return code
