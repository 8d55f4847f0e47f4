"""The plan of an experiment: what is run, in which order, and when it ends. Whoever makes a plan has checked it."""

from __future__ import annotations

from typing import Literal, NamedTuple

Order = Literal["random", "abba", "interleaved", "sequential", "duet"]


class Variant(NamedTuple):
    """A variant: one combination of the factors' levels. The first variant of a plan is the baseline.

    Attributes:
        name: unique within the plan, for instance ``main`` or ``rev=main gogc=100``.
        levels: (factor, level) pairs, in the order of the factors.

    """

    name: str
    levels: tuple[tuple[str, str], ...]


class Command(NamedTuple):
    """A program with its arguments. No shell is involved, unless it is the program.

    Attributes:
        arguments: the program first. Templates, as ``placeholders.filled`` completes them before each invocation:
            ``{out}`` and ``{round}`` are still to be replaced, and braces are doubled.
        directory: where it runs; None: where statera runs.
        environment: variables in addition to those of statera; their values are templates too.

    """

    arguments: tuple[str, ...]
    directory: str | None = None
    environment: tuple[tuple[str, str], ...] = ()


class Cell(NamedTuple):
    """A benchmark of a variant: the command that is measured, and those around it.

    Attributes:
        benchmark: its number in the plan.
        variant: its number in the plan.
        command: what is measured.
        format: the format of what the command prints or leaves in ``{out}``; None: the command itself is timed.
        input: the file that is its standard input; None: nothing.
        output: what becomes of its standard output; a format needs ``capture``. A path is written anew each time.
        setup: runs once before the first round. cleanup: runs once after the last.
        prepare: runs before every invocation. conclude: runs after every invocation. None of them is measured.
        build: number of the build that this cell needs; None: none.

    """

    benchmark: int
    variant: int
    command: Command
    format: str | None = None
    input: str | None = None
    output: str = "discard"
    setup: Command | None = None
    cleanup: Command | None = None
    prepare: Command | None = None
    conclude: Command | None = None
    build: int | None = None


class Build(NamedTuple):
    """What must exist before cells can run: a source tree, and what a command makes of it.

    Attributes:
        key: sixteen hexadecimal digits that identify revision, command and environment; names the cached folder.
        repository: the git repository; None: the build needs no source.
        revision: the commit in full; None: the tree as it is.
        tree: the folder with the sources. folder: the folder for what is built, ``{build}``.
        command: what builds; None: the sources are enough.
        artefacts: files whose content is recorded, relative to ``folder``; empty: all files in it.
        timeout: in seconds; None: no limit.
        content: the hash of the source tree, which identifies the content of all its files.

    """

    key: str
    repository: str | None
    revision: str | None
    tree: str | None
    folder: str
    command: Command | None
    artefacts: tuple[str, ...] = ()
    timeout: float | None = None
    content: str | None = None


class Rounds(NamedTuple):
    """How many rounds there are.

    Attributes:
        number: so many; None: ``until`` decides.
        until: end when every benchmark is ``decided``, or when the interval of each is narrower than ``width``.
        width: relative width of the interval, for instance 0.01.
        looks: the numbers of rounds after which the data are examined, ascending; the last one is the limit.
        shares: the share of alpha that the tests of a benchmark may spend which ends at that look. For
            ``until="decided"`` their sum is 1; for ``until="width"`` they are equal, since nothing is tested before.
        seconds: the look at which so much time has passed is the last; None: no limit.

    """

    number: int | None = None
    until: Literal["decided", "width"] | None = None
    width: float | None = None
    looks: tuple[int, ...] = ()
    shares: tuple[float, ...] = ()
    seconds: float | None = None


class Machine(NamedTuple):
    """How commands are started.

    Attributes:
        cpus: numbers of the cores that commands may use; empty: all. A duet takes one half for each side.
        nice: priority; None: that of statera.
        aslr: whether addresses are random, as the system has it.
        memory: limit in bytes for a command and its children; None: no limit.
        timeout: seconds after which an invocation is ended; None: never.
        captured: bytes of output that are kept; a command that prints more is ended.
        counters: names of events that are counted, or ``callgrind``.
        cool: seconds to wait between two invocations.
        accept_failures: whether an exit code other than 0 still is a measurement.
        accepted_codes: the exit codes for which it is; empty: all.

    """

    cpus: tuple[int, ...] = ()
    nice: int | None = None
    aslr: bool = True
    memory: int | None = None
    timeout: float | None = None
    captured: int = 1 << 28
    counters: tuple[str, ...] = ()
    cool: float = 0.0
    accept_failures: bool = False
    accepted_codes: tuple[int, ...] = ()


class Plan(NamedTuple):
    """A whole experiment.

    Attributes:
        variants: the baseline first.
        benchmarks: their names, unique.
        cells: every benchmark of every variant, benchmark by benchmark.
        builds: what the cells need.
        rounds: how many.
        order: how the invocations of a round follow each other.
        warmup: invocations of each cell before the first round, which are recorded but are not samples.
        seed: of all random choices.
        machine: how commands are started.
        self_test: whether the last variant is the baseline a second time.

    """

    variants: tuple[Variant, ...]
    benchmarks: tuple[str, ...]
    cells: tuple[Cell, ...]
    builds: tuple[Build, ...]
    rounds: Rounds
    order: Order
    warmup: int
    seed: int
    machine: Machine
    self_test: bool = False
