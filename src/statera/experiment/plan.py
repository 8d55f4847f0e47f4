"""The plan of an experiment: what is run, in which order, and when it ends; and the plan as JSON, in a run's manifest.

Whoever makes a plan has checked it.
"""

from __future__ import annotations

import hashlib
from sys import float_info
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, NoReturn, cast, get_args, get_origin, get_type_hints

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable

Order = Literal["random", "abba", "interleaved", "sequential", "duet"]
_BYTES: Final = "bytes"


class Variant(NamedTuple):
    """A variant: one combination of the factors' levels. The first variant of a plan is the baseline."""

    name: str  # unique within the plan, for instance ``main`` or ``rev=main gogc=100``
    levels: tuple[tuple[str, str], ...]  # (factor, level) pairs, in the order of the factors


def levels_in_words(levels: Iterable[tuple[str, str]]) -> str:
    """Write levels as the names of variants have them: ``rev=main gogc=100``."""
    return " ".join(f"{name}={level}" for name, level in levels)


class Command(NamedTuple):
    """A program with its arguments. No shell is involved, unless it is the program."""

    # the program first. Templates, as ``words.filled`` completes them before each invocation: ``{out}`` and ``{round}``
    # are still to be replaced, and braces are doubled.
    arguments: tuple[str, ...]
    directory: str | None = None  # where it runs; None: where statera runs
    # variables in addition to those of statera; their values are templates too
    environment: tuple[tuple[str, str], ...] = ()


Scope = Literal["run", "variant", "experiment"]


class Service(NamedTuple):
    """A server that runs while a command is measured.

    Its texts are templates as those of a command are, in which the names of ``placeholders.SERVED`` are left.
    """

    name: str  # unique among the services of a cell, and the same in all variants
    command: Command  # what serves
    scope: Scope = "run"  # how long it lives: for one invocation, for all of a variant, or for the whole experiment
    # how to see that it serves: ``tcp:PORT``, ``tcp:HOST:PORT``, an address of HTTP, or ``log:`` and a regular
    # expression that a line of its output fits; None: ``ready_command`` tells, or it serves at once
    ready: str | None = None
    ready_command: Command | None = None  # it serves when this ends with exit code 0
    ready_within: float = 60.0  # seconds that it has for it
    prepare: Command | None = None  # runs before each start
    cpus: tuple[int, ...] = ()  # its cores; empty: those of statera
    stop: str = "TERM"  # the signal that stops it, such as ``TERM``
    stop_within: float = 10.0  # seconds after the signal until it is killed


class Cell(NamedTuple):
    """A benchmark of a variant: the command that is measured, and those around it."""

    benchmark: int  # its number in the plan
    variant: int  # its number in the plan
    command: Command  # what is measured
    # the format of what the command prints or leaves in ``{out}``; None: the command itself is timed
    format: str | None = None
    input: str | None = None  # the file that is its standard input; None: nothing
    # what becomes of its standard output; a format needs ``capture``. A path is written anew each time.
    output: str = "discard"
    setup: Command | None = None  # runs once before the first round
    cleanup: Command | None = None  # runs once after the last
    prepare: Command | None = None  # runs before every invocation
    conclude: Command | None = None  # runs after every invocation. None of them is measured.
    build: int | None = None  # number of the build that this cell needs; None: none
    services: tuple[Service, ...] = ()  # run while the command is measured, in the order of their start
    harness: str | None = None  # it lists the benchmarks that take the place of this one (``suites.py``); None: none
    # the rows of this suite which go on run in one process in each round; the last argument of each selects it. None:
    # it runs alone.
    suite: str | None = None


class Build(NamedTuple):
    """What must exist before cells can run: a source tree, and what a command makes of it."""

    key: str  # sixteen hexadecimal digits that identify revision, command and environment; names the cached folder
    repository: str | None  # the git repository; None: the build needs no source
    revision: str | None  # the commit in full; None: the tree as it is
    tree: str | None  # the folder with the sources
    folder: str  # the folder for what is built, ``{build}``
    command: Command | None  # what builds; None: the sources are enough
    artefacts: tuple[str, ...] = ()  # files whose content is recorded, relative to ``folder``; empty: all files in it
    timeout: float | None = None  # in seconds; None: no limit
    content: str | None = None  # the hash of the source tree, which identifies the content of all its files


def key_of(text: str) -> str:
    """Return the key of what a text identifies."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Rounds(NamedTuple):
    """How many rounds there are."""

    number: int | None = None  # so many; None: ``until`` decides
    # end when every benchmark is ``decided``, or when the interval of each is narrower than ``width``
    until: Literal["decided", "width"] | None = None
    width: float | None = None  # relative width of the interval, for instance 0.01
    # the numbers of rounds after which the data are examined, ascending; the last one is the limit
    looks: tuple[int, ...] = ()
    # the share of alpha that the tests of a benchmark may spend which ends at that look. For ``until="decided"`` their
    # sum is 1; for ``until="width"`` they are equal, since nothing is tested before.
    shares: tuple[float, ...] = ()
    seconds: float | None = None  # the look at which so much time has passed is the last; None: no limit


class Machine(NamedTuple):
    """How commands are started."""

    # numbers of the cores that commands may use; empty: all. A duet takes one half for each side.
    cpus: tuple[int, ...] = ()
    nice: int | None = None  # priority; None: that of statera
    aslr: bool = True  # whether addresses are random, as the system has it
    memory: int | None = None  # limit in bytes for a command and its children; None: no limit
    timeout: float | None = None  # seconds after which an invocation is ended; None: never
    captured: int = 1 << 28  # bytes of output that are kept; a command that prints more is ended
    counters: tuple[str, ...] = ()  # names of events that are counted, or ``callgrind``
    cool: float = 0.0  # seconds to wait between two invocations
    accept_failures: bool = False  # whether an exit code other than 0 still is a measurement
    accepted_codes: tuple[int, ...] = ()  # the exit codes for which it is; empty: all


class Plan(NamedTuple):
    """A whole experiment."""

    variants: tuple[Variant, ...]  # the baseline first
    benchmarks: tuple[str, ...]  # their names, unique
    cells: tuple[Cell, ...]  # every benchmark of every variant, benchmark by benchmark
    builds: tuple[Build, ...]  # what the cells need
    rounds: Rounds  # how many
    order: Order  # how the invocations of a round follow each other
    warmup: int  # invocations of each cell before the first round, which are recorded but are not samples
    seed: int  # of all random choices
    machine: Machine  # how commands are started
    self_test: bool = False  # whether the last variant is the baseline a second time
    # the metric that decides when a benchmark ends, or ``any`` of the primary ones; None: time, or processor time where
    # the machine is busy
    decide: str | None = None
    hosts: tuple[str, ...] = ()  # the machines that commands run on, as ``ssh`` calls them; empty: this one

    def names(self, of: Cell) -> tuple[str, str]:
        """Return the names of a cell's benchmark and variant."""
        return self.benchmarks[of.benchmark], self.variants[of.variant].name

    def built_by(self, number: int) -> list[str]:
        """Return the names of the variants that need a build."""
        return [*dict.fromkeys(self.variants[cell.variant].name for cell in self.cells if cell.build == number)]


def as_json(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON objects with the names of its fields; cells name benchmark, variant and build by number.

    A text that is not Unicode, such as an argument with a byte that no encoding explains, becomes
    ``{"bytes": hexadecimal digits}``, so that the document is always UTF-8.
    """
    return {name: _json(value) for name, value in plan._asdict().items()}


def _json(value: object) -> object:
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return [_json(each) for each in value] if names is None else dict(zip(names, map(_json, value), strict=True))
    if not isinstance(value, str):
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return {_BYTES: value.encode(errors="surrogateescape").hex()}
    return value


def from_json(document: object, where: str) -> Plan:
    """Return the plan that ``as_json`` wrote; messages name ``where``, for instance ``results/manifest.json: plan``.

    Raises ``Stop`` if a field is missing, unknown or of another type, or a number names no benchmark, variant or build.
    """
    plan = cast("Plan", _read(Plan, document, where))
    for at, cell in enumerate(plan.cells):
        for name, number, of in (
            ("benchmark", cell.benchmark, plan.benchmarks),
            ("variant", cell.variant, plan.variants),
            ("build", cell.build or 0, plan.builds if cell.build is not None else "-"),
        ):
            if not 0 <= number < len(of):
                raise _damaged(f"{where}.cells[{at}].{name} is {number}, and there are {len(of)}")
    return plan


def _read(kind: object, value: object, place: str) -> object:
    """Return a value of a field's type; ``place`` is its path in the document, such as ``plan.cells[3].input``."""
    origin, inner = get_origin(kind), get_args(kind)
    if NoneType in inner:
        return None if value is None else _read(next(each for each in inner if each is not NoneType), value, place)
    if origin is tuple:
        return _read_several(inner, value, place)
    if hasattr(kind, "_fields"):
        return _read_fields(kind, value, place)
    if origin is Literal:
        return value if value in inner else _wrong(place, f"one of {', '.join(map(repr, inner))}", value)
    return _read_plain(kind, value, place)


def _read_plain(kind: object, value: object, place: str) -> object:
    if kind is str and isinstance(value, dict):
        return _read_bytes(value, place)
    if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        # Lengths of time, shares and widths; JSON of Python may hold NaN, and numbers that no float is.
        return float(value) if 0 <= value <= float_info.max else _wrong(place, "a number from 0 on", value)
    return value if type(value) is kind else _wrong(place, _TYPES[kind], value)


def _read_several(kinds: tuple[object, ...], value: object, place: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        _wrong(place, "a list", value)
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(value) != len(kinds):
        _wrong(place, f"a list of {len(kinds)}", value)
    pairs = zip(kinds, value, strict=True)
    return tuple(_read(kind, each, f"{place}[{at}]") for at, (kind, each) in enumerate(pairs))


def _read_fields(kind: object, value: object, place: str) -> object:
    if not isinstance(value, dict):
        _wrong(place, "an object", value)
    named: Any = kind
    kinds = get_type_hints(named)
    for name in kinds:
        if name not in value and name not in named._field_defaults:
            raise _damaged(f"{place}.{name} is missing")
    for name in value:
        if name not in kinds:
            raise _damaged(f"{place}.{name} is unknown to this version of statera")
    if kind is Command and not value["arguments"]:
        raise _damaged(f"{place}.arguments names no program")
    return named(**{name: _read(kinds[name], each, f"{place}.{name}") for name, each in value.items()})


def _read_bytes(value: dict[str, object], place: str) -> str:
    digits = value.get(_BYTES)
    try:
        return bytes.fromhex(digits if isinstance(digits, str) else "?").decode(errors="surrogateescape")
    except ValueError:
        _wrong(place, 'a text, or {"bytes": hexadecimal digits}', value)


_TYPES: Final[dict[object, str]] = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def _wrong(place: str, wanted: str, value: object) -> NoReturn:
    raise _damaged(f"{place} must be {wanted}, not {value!r:.60}")


def _damaged(what: str) -> Stop:
    return Stop("damaged-plan", f"{what}: the plan is damaged, or another version of statera wrote it")
