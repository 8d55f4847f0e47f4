"""The standard streams: each may be closed, full, a pipe that nobody reads, or of an encoding that lacks a character.

Imports nothing slow: an interruption before `main` can handle it would show a traceback.
"""

from __future__ import annotations

import io
import os
import sys


class _Heard(io.FileIO):
    """Standard error: text that cannot be written is dropped, since nothing depends on it."""

    def write(self, data: object, /) -> int:
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError:
            return len(data)  # type: ignore[arg-type]


def prepare() -> None:
    """Make the streams usable by every verb."""
    _occupy()
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays open
    if sys.stderr is sys.__stderr__:
        encoding = sys.stderr.encoding if sys.stderr else "utf-8"
        raw = io.BufferedWriter(_Heard(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(raw, encoding, "backslashreplace", line_buffering=True)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name may hold what the terminal's encoding lacks; it is then written as an escape.
        sys.stdout.reconfigure(errors="backslashreplace")


def _occupy() -> None:
    """Occupy the descriptor of a closed stream, or the next file that is opened would take its place."""
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # Whoever reads from the first or writes to the second gets the error that a closed one gives.
            os.dup2(os.open(os.devnull, mode), number)


def write(text: str) -> None:
    """Write to standard output, and report what prevents it."""
    from statera.cli.progress import hide  # noqa: PLC0415 - an interruption is taken from `main` on

    hide()
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _failure(error) from None


def flush() -> None:
    """Write the rest while an error can still be reported."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        raise _failure(error) from None


def _failure(error: OSError) -> Exception:
    from statera.support.files import outputs  # noqa: PLC0415 - as above

    return outputs.failure("standard output", error)


def let_go() -> None:
    """Drop what cannot be written: Python would try again at exit, and change the exit code."""
    try:
        sys.stdout.flush()
    except OSError:
        silence()


def silence() -> None:
    """Discard the rest of the output: the reader has gone, or nothing can be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
