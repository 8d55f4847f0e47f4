"""Words to a policy and a request, then to the work. Exit codes are an interface.

- ``options.py``, ``verbs.py``: the tables of all options and verbs; whatever lists them reads these
- ``parser.py``: the tables → argparse, and the two helps; ``ending.py``: how a command ends early; ``streams.py``: the
  standard streams, also where they are closed or full
- ``arguments.py``, ``output.py``, ``progress.py``: parsed options → policy, request and limits; where results go
- a file for each verb or family of verbs, imported when it runs

0: done, nothing to report. 1: the gate (``--fail-on``) holds. 2: could not do it. 70: a defect of statera.
130: interrupted. What ends by SIGTERM or SIGHUP has 128 and the signal's number.
"""

from __future__ import annotations

import gc
import sys

from statera.cli import ending, streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# So many new objects wait for Python's collector; by default it is 700.
_OBJECTS = 50_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # Nearly all that start-up makes stays, so that looking for what is not needed any more finds nothing.
    gc.set_threshold(_OBJECTS)
    try:
        from statera.support.interruption import in_order  # noqa: PLC0415 - an interruption is taken from here on

        streams.prepare()
        with in_order():
            code = _run(sys.argv[1:] if arguments is None else list(arguments))
            streams.flush()
    except KeyboardInterrupt:
        return ending.interrupted()
    except BaseException as error:  # noqa: BLE001 - whatever it is: 1 means that the gate holds
        return ending.of(error)
    finally:
        if arguments is None:
            ending.last()
    return code


def _run(words: list[str]) -> int:
    from importlib import import_module  # noqa: PLC0415 - an interruption is taken from `main` on

    from statera.cli import parser  # noqa: PLC0415 - as above

    try:
        understood = parser.parsed(words)
    except SystemExit as end:
        # After help, and with what argparse does not understand.
        return 2 if end.code else 0
    if understood is None:
        return 0
    verb, options = understood
    module, _, name = verb.run.partition(":")
    code: int = getattr(import_module(f"statera.cli.{module}"), name)(options)
    return code
