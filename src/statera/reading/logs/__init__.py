"""Logs of any system as results: a mapping says which lines there are, and what of them is measured.

    found = logs.named("nginx")                        # a built-in mapping, or a file that ends in .toml
    native, accounts = logs.read(["run-1", "run-2"], found, limits)

A mapping is a format that is written down: ``--format nginx`` and ``--format own.toml`` read logs wherever results are
read. Each argument is one run: a file, a folder, or a pattern. The compiled part (``crates/logs``) reads the lines.

- ``mapping.py``: the language of mappings; a file → a checked mapping
- ``places.py``: which files of a run are read, and to which host each belongs
- ``proposal.py``: a mapping from a look at some lines; ``looks.py``: what their fields look like
- ``mappings/``: the built-in ones
"""

from __future__ import annotations

from statera import _native
from statera.reading.logs import mapping, places
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from statera.support.settings import Limits

named = mapping.named
built_in = mapping.built_in


class Account(NamedTuple):
    """What became of the lines of a run.

    Attributes:
        lines: lines that are not blank.
        other: lines of no kind that the mapping names.
        long: lines longer than the limit.
        timeless: records without a usable time.
        unused: records that belong to no sample.
        bytes: the bytes of text.
        kinds: records of each kind of lines; taken, unusable: of each sample, its values and the lines without one.
        large: the largest values: number of the sample, value, base unit, keys, file, line.

    """

    lines: int
    other: int
    long: int
    timeless: int
    unused: int
    bytes: int
    kinds: list[int]
    taken: list[int]
    unusable: list[int]
    large: list[tuple[int, float, str, str, str, int]]


def read(
    arguments: Sequence[str | PathLike[str]], found: mapping.Mapping, limits: Limits, variants: Sequence[int] = ()
) -> tuple[_native.Observations, list[Account]]:
    """Read the logs of runs by a mapping: the values, and what became of the lines of each run.

    Args:
        arguments: a file, a folder or a pattern for each run.
        found: the mapping.
        limits: how much may be read.
        variants: for each argument the number of its variant, within which a run counts once.

    Raises:
        Stop: an argument names no log, a run is named twice, the mapping is invalid, or a limit is exceeded.

    """
    places.refuse_repeated(arguments, variants or [0] * len(arguments))
    runs = [(str(each), number, places.hosts(each, found, limits)) for number, each in enumerate(arguments)]
    try:
        native, accounts = _native.gather_logs(found.plan, runs, limits)
    except ValueError as error:
        raise Stop("event-mapping", f"{found.path}: {error}") from None
    except _native.Failure as failure:
        code, _, why = failure.args
        raise Stop(code, why) from None
    return native, [Account(**each) for each in accounts]


class Traced(NamedTuple):
    """What a record of a log became.

    Attributes:
        line: counted from 1; text: its beginning; kind: the name of its kind of lines, empty for none.
        at: nanoseconds since 1970; None without a usable time, which ``is_timed`` says that it should have.
        fields: the fields that the mapping asks for; samples: the name of each, and what became of the record there.

    """

    line: int
    text: str
    kind: str
    at: int | None
    is_timed: bool
    fields: list[tuple[str, str]]
    samples: list[tuple[str, str]]


def trace(path: str | PathLike[str], found: mapping.Mapping, most: int) -> list[Traced]:
    """Tell what each of the first ``most`` lines of a file becomes.

    Raises:
        Stop: the file cannot be read, or the mapping is invalid.

    """
    try:
        return [Traced(**each) for each in _native.trace_logs(found.plan, str(path), places.host_of(path), most)]
    except ValueError as error:
        raise Stop("event-mapping", f"{found.path}: {error}") from None
    except OSError as error:
        raise Stop("missing-file", f"{path}: {error.strerror or error}") from None
