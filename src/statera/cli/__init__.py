"""Words to a policy and a request, then to the pipeline. One file a verb; exit codes are an interface.

0: done, nothing to report. 1: the gate (``--fail-on``) holds. 2: could not do it. 70: a defect of statera.
130: interrupted. What ends by SIGTERM or SIGHUP has 128 and the signal's number.
"""

from __future__ import annotations

import gc
import sys

from statera.cli import ending, streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

VERBS = (
    "run",
    "compare",
    "inspect",
    "report",
    "report comment",
    "plot",
    "cluster",
    "convert",
    "store",
    "history",
    "serve",
    "server",
    "formats",
    "explain",
    "completion",
)
# So many new objects wait for Python's collector; by default it is 700.
_OBJECTS = 50_000
# What names files stays as the system wrote it; everything else is text.
_PATHS = frozenset((
    "paths", "inputs", "runs", "analysis", "output", "notes", "manifest", "config", "mapping", "folder", "resume",
    "status", "verify", "export_json", "input", "result", "result_file", "data",
    # Commands, and what becomes a part of one.
    "commands", "setup", "prepare", "conclude", "cleanup", "env", "shell", "parameter_list", "parameter_scan",
))  # fmt: skip


def parser(verb: str | None = None) -> argparse.ArgumentParser:
    """Build the parser of all verbs, or only of the verb that begins the command: all of them take 40 ms."""
    from importlib import import_module  # noqa: PLC0415 - an interruption is taken from `main` on

    from statera import __version__  # noqa: PLC0415
    from statera.cli.argument_parser import Parser  # noqa: PLC0415

    top = Parser(
        prog="statera",
        description="Compare one build of a program with another: which differences are real, how large they "
        "are, and what to do next.",
        epilog="Exit codes: 0 done, 1 the condition of --fail-on holds, 2 the command failed, 70 a defect of "
        "statera, 130 interrupted. statera explain CODE explains any code that an output shows.",
    )
    top.add_argument("--version", action="version", version=f"statera {__version__}")
    verbs = top.add_subparsers(title="verbs", metavar="VERB", required=True)
    for name in () if verb == "--version" else [verb] if verb in VERBS else VERBS:
        import_module(f"statera.cli.{name.replace(' ', '_')}").add(verbs)
    return top


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
    if " ".join(words[:2]) in VERBS:
        words = [" ".join(words[:2]), *words[2:]]
    understood = parser(words[0] if words else None)
    try:
        options = understood.parse_args(words)
    except SystemExit as end:
        # After --help and --version, or with what argparse does not understand.
        return 2 if end.code else 0
    _as_text(options)
    code: int = options.run(options)
    return code


def _as_text(options: argparse.Namespace) -> None:
    """Turn an argument into printable text; a byte that is not UTF-8 becomes an escape."""
    from statera.support.files.names import as_text  # noqa: PLC0415 - an interruption is taken from `main` on

    for name, value in vars(options).items():
        if isinstance(value, str) and name not in _PATHS:
            setattr(options, name, as_text(value))
        elif isinstance(value, list) and name not in _PATHS:
            setattr(options, name, [as_text(word) for word in value])
