"""How a command ends early: its message and its exit code, which is never the exit code of the gate.

Imports nothing slow: an interruption before `main` can handle it would show a traceback.
"""

from __future__ import annotations

import os
import sys

from statera.cli import streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TRACEBACK = "STATERA_TRACEBACK"
COULD_NOT = 2
INTERRUPTED = 130
# EX_SOFTWARE of sysexits.h.
DEFECT = 70
# The extra of statera that installs a package which some verbs need.
_EXTRAS = {
    package: extra
    for extra, packages in {
        "cluster": ("duckdb",),
        "spark": ("pyspark",),
        "report": ("altair", "jinja2", "markdown_it", "numpy", "typst", "vl_convert"),
        "server": ("alembic", "fastapi", "prometheus_client", "sqlalchemy", "starlette", "uvicorn", "zstandard"),
    }.items()
    for package in packages
}
# What a line of a message begins with that has the options (crates/readers/src/formats/tables/proposal.rs).
READS_WITH = "It reads with:"
# By SIGTERM and SIGHUP, as a shell says it.
_ENDED = (128 + 15, 128 + 1)


def of(error: BaseException, words: Sequence[str] = ()) -> int:
    """Report why a command ended, and return its exit code; ``words`` are its arguments."""
    code = _of(error, words)
    streams.let_go()
    return code


def interrupted() -> int:
    """Report that a command was interrupted."""
    print("statera: interrupted", file=sys.stderr)
    # Where it came amid an exec, of an import for instance, Python would end by the signal in place of the code
    # that is given here; another exec makes it forget.
    exec("")  # noqa: S102
    streams.let_go()
    return INTERRUPTED


def last() -> None:
    """Let an interruption after the work is done end the program silently."""
    import _signal as signal  # type: ignore[import-not-found]  # noqa: PLC0415 - as in support/interruption.py

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def leave(code: int) -> None:
    """End the process at once where nothing else would happen at its end; taking Python apart costs a tenth of it.

    Whatever was written is flushed. Threads, and what registered itself for the end, keep the long way, and so does a
    process that is traced or profiled.
    """
    import atexit  # noqa: PLC0415 - it is built into Python

    # What the compiled part registers only matters while a plug-in is called by a thread.
    waits = atexit._ncallbacks() > ("statera._native" in sys.modules)  # noqa: SLF001 - there is no other way to ask
    if waits or "threading" in sys.modules or sys.gettrace() or sys.getprofile():
        return
    streams.let_go()
    sys.stderr.flush()
    os._exit(code)


def _of(error: BaseException, words: Sequence[str]) -> int:
    if isinstance(error, BrokenPipeError):
        return 0
    if isinstance(error, SystemExit) and error.code in _ENDED:
        return int(error.code)
    known = _known(error)
    if known is None:
        _say("\n".join((f"{_named(error)} [internal-error]", _report())))
        return DEFECT
    place = _stated_place(words)
    _say(with_place(known, place) if place else known)
    return COULD_NOT


def _known(error: BaseException) -> str | None:
    """Describe what went wrong, unless it is a defect of statera."""
    # A module that was not imported raised nothing; and it may be the one that cannot be imported.
    errors = sys.modules.get("statera.support.errors")
    if errors is not None and isinstance(error, errors.Stop):
        return _with_command(f"{error} [{error.code}]")
    if os.environ.get(TRACEBACK):
        import traceback  # noqa: PLC0415 - only where it is asked for

        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        return "out of memory. Read fewer files at a time, or allow more memory [out-of-memory]"
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _EXTRAS:
        package = str(error.name).partition(".")[0]
        from statera.support.extras import advice  # noqa: PLC0415 - as above

        return f"this needs the package {package}. {advice(_EXTRAS[package])} [missing-package]"
    if isinstance(error, ImportError):
        return f"the installation is damaged: {error}. Install statera again [damaged-installation]"
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or _named(error)} [system-error]"
    return None


def _with_command(message: str) -> str:
    """Make a whole command of the options that read a table, as a message of the readers names them."""
    before, found, after = message.partition(f"\n{READS_WITH} ")
    if not found:
        return message
    import shlex  # noqa: PLC0415 - as above

    options, line_end, rest = after.partition("\n")
    return f"{before}\n{READS_WITH}\n  statera {shlex.join(sys.argv[1:])} {options}{line_end}{rest}"


_HISTORY = "statera history "


def with_place(message: str, place: str) -> str:
    """Name the history, as somebody named it, in all commands that a message advises."""
    import shlex  # noqa: PLC0415 - only where something is wrong

    before, *advised = message.split(_HISTORY)
    for text in advised:
        verb = text[: next((end for end, letter in enumerate(text) if not letter.isalpha()), len(text))]
        option = "" if "--history" in text else f" --history {shlex.quote(place)}"
        before += f"{_HISTORY}{verb}{option}{text[len(verb) :]}"
    return before


def _stated_place(words: Sequence[str]) -> str:
    """Return the history that the arguments of a command name."""
    for number, word in enumerate(words, 1):
        option, equals, value = word.partition("=")
        if option == "--history":
            return value if equals else "".join(words[number : number + 1])
    return ""


def _named(error: BaseException) -> str:
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _report() -> str:
    from statera import __version__  # noqa: PLC0415 - as above

    return (
        f"This is a defect of statera {__version__}. Please report it to the project's issue tracker, with the "
        f"command; {TRACEBACK}=1 shows where it happened."
    )


def _plain(name: str) -> str:
    from statera.support.files.names import as_text  # noqa: PLC0415 - as above

    return as_text(name).encode("ascii", "backslashreplace").decode()


def _say(text: str) -> None:
    """Print a message that may contain text from strangers, even bytes that are not text; line ends are our own."""
    try:
        from statera._native import printable  # noqa: PLC0415 - it may be what is missing
    except ImportError:
        printable = _plain
    print("\n".join(printable(line) for line in f"statera: {text}".split("\n")), file=sys.stderr)
