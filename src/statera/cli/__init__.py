"""Words to a policy and a request, then to the work. Exit codes are an interface.

- ``options.py``, ``verbs.py``: the tables of all options and verbs; whatever lists them reads these
- ``words.py``: the words of a plain command → its options, without argparse
- ``parser.py``: the tables → argparse, and the two helps; ``families.py``: what a
  command without a verb gets; ``ending.py``: how a command ends early; ``streams.py``: the
  standard streams, also where they are closed or full
- ``progress.py``: the line that shows the stage of a verb that takes long; all verbs run within it
- ``arguments.py``, ``output.py``: parsed options → policy, request and limits; where results go
- a file for each verb or family of verbs, imported when it runs

0: done, nothing to report. 1: the gate (``--fail-on``) holds. 2: could not do it. 70: a defect of statera.
130: interrupted. What ends by SIGTERM or SIGHUP has 128 and the signal's number.
"""

from __future__ import annotations

import gc
import sys

from statera import __version__
from statera.cli import ending, streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# So many new objects wait for Python's collector; by default it is 700.
_OBJECTS = 50_000
# Verbs that show by themselves how far they are.
_SHOWING = frozenset({"run", "serve"})
_VERSION = (["--version"], ["-V"], ["version"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; without arguments those of the process, which may end here."""
    code = _ended(sys.argv[1:] if arguments is None else list(arguments), is_last=arguments is None)
    if arguments is None:
        ending.leave(code)
    return code


def _ended(words: list[str], *, is_last: bool) -> int:
    # Nearly all that start-up makes stays, so that looking for what is not needed any more finds nothing.
    gc.set_threshold(_OBJECTS)
    try:
        from statera.support.interruption import in_order  # noqa: PLC0415 - an interruption is taken from here on

        streams.prepare()
        with in_order():
            code = _run(words)
            streams.flush()
    except KeyboardInterrupt:
        return ending.interrupted()
    except BaseException as error:  # noqa: BLE001 - whatever it is: 1 means that the gate holds
        return ending.of(error, words)
    finally:
        if is_last:
            ending.last()
    return code


def _run(words: list[str]) -> int:
    if words in _VERSION:
        streams.write(f"statera {__version__}\n")
        return 0
    from statera.cli.progress import Progress  # noqa: PLC0415 - an interruption is taken from `main` on
    from statera.cli.words import understood  # noqa: PLC0415 - as above

    command = understood(words)
    if command is None:
        from statera.cli import parser  # noqa: PLC0415 - it loads argparse, which most commands do without

        try:
            command = parser.parsed(words)
        except SystemExit as end:
            # After help, and with what argparse does not understand.
            return 2 if end.code else 0
    if command is None:
        return 0
    verb, options = command
    module, _, name = verb.run.partition(":")
    work = getattr(__import__(f"statera.cli.{module}", fromlist=[name]), name)
    if verb.name in _SHOWING:
        return work(options) or 0
    with Progress("reading"):
        return work(options) or 0
