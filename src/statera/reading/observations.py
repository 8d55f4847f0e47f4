"""The table of all values of all files. It is stored in columns; Python objects are created only on request."""

from __future__ import annotations

from statera import _native
from statera.reading import plug_ins
from statera.support.errors import Problem, Stop
from statera.support.patterns import nearest
from statera.support.settings import Limits
from statera.support.settings.limits import checked_limits
from statera.support.typed import TYPE_CHECKING, NamedTuple, cached_property
from statera.support.wording import counted, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from types import ModuleType
    from typing import Final, Literal

    from statera.reading import logs
    from statera.support.settings.policy import Better


class Metric(NamedTuple):
    """What is measured. Values are in the base unit (``s``, ``B``, ``1/s``, ``1``).

    ``role`` is ``validity`` if they say how much failed, which is primary as soon as something did.
    """

    name: str
    unit: str
    quantity: str
    better: Better | None
    assumed_exact: bool
    may_be_exact: bool
    primary: bool
    role: str = "result"


class Source(NamedTuple):
    """A file that was read: its name, the argument that led to it, its format and its number of values."""

    name: str
    argument: int
    format: str
    values: int


class Context(NamedTuple):
    """A configuration that applies to some values of one source.

    Attributes:
        source: the number of the source.
        values: how many values it applies to.
        keys: its keys and their values.
        aside: keys of parts of the benchmarks' names that a filter asks for and that stay in the names.
    """

    source: int
    values: int
    keys: dict[str, str]
    aside: Mapping[str, str] = {}


class Reading(NamedTuple):
    """How files are read, as the compiled part takes it.

    Attributes:
        format: the name of the format; None detects it from the content.
        columns: for plain tables, (role, column) pairs.
        keys: keys that the caller compares by.
        variants: for each argument the number of its variant.
        limits: how much may be read.
        plug_ins: the module that gives the formats of plug-ins when it is asked.
    """

    format: str | None
    columns: list[tuple[str, str]]
    keys: list[str]
    variants: list[int]
    limits: Limits
    plug_ins: ModuleType


class Words(NamedTuple):
    """What the parts of a measurement are called where the values come from.

    Attributes:
        subject: what names a row in a sentence: its benchmark, or its metric where there is one benchmark only.
        process, processes: what repeats a whole measurement, as singular and plural.
        block: what pairs the values of two variants; the word of the formats if empty.
    """

    subject: Literal["benchmark", "metric"] = "benchmark"
    process: str = "process"
    processes: str = "processes"
    block: str = ""

    @property
    def alone(self) -> str:
        """What a build did that has one process only: ``ran in one process``, but ``has one run``."""
        return f"{'has' if self.process == 'run' else 'ran in'} one {self.process}"


OF_LOGS: Final = Words(process="run", processes="runs", block="host")
_COMPANION: Final = "companion-file"
# What was neither used nor lost, in words.
_COUNTED_APART: Final = {
    _COMPANION: ("companion file without results", "companion files without results"),
    "placeholder": ("number that is no result", "numbers that are no results"),
}


class Columns(NamedTuple):
    """Values that stand in memory, column by column; numbers point into the tables and count from 0.

    Attributes:
        sources: where values come from, and the number of the argument that each belongs to.
        contexts: configurations: the number of the source, in ascending order, and keys with their values.
        benchmarks: their names.
        metrics: name, unit, quantity and direction (``lower``, ``higher``, None), and whether the mean is compared.
        blocks: the pairing keys.
        benchmark, metric, context: columns of numbers; process: of runs, None where nobody knows.
        value: in the metric's unit; weight: how many samples it is the mean of; block: its pairing key or None.
    """

    sources: list[tuple[str, int]]
    contexts: list[tuple[int, list[tuple[str, str]]]]
    benchmarks: list[str]
    metrics: list[tuple[str, str, str, str | None, bool]]
    blocks: list[str]
    benchmark: list[int]
    metric: list[int]
    context: list[int]
    value: list[float]
    weight: list[float]
    block: list[int | None]
    process: list[int | None]


class Observations:
    """Values of benchmarks, with their metrics and their places in the files.

    It can be used as a table: ``polars.DataFrame(observations)``, ``pyarrow.table(observations)`` and DuckDB
    read it through the Arrow PyCapsule interface.
    """

    def __init__(self, native: _native.Observations, limits: Limits | None = None, words: Words | None = None) -> None:
        self._native = native
        # The names of stored runs among the arguments, each with the place of its runs.
        self.stored: list[tuple[str, str]] = []
        # The names of sources that a user knows by another than their path.
        self.names: Mapping[str, str] = {}
        self.words = words or Words()
        self.limits = Limits() if limits is None else limits

    def __len__(self) -> int:
        """Count the values."""
        return len(self._native)

    def __repr__(self) -> str:
        """Describe how much there is and what was left out."""
        left_out = f", {self.left_out} left out" if self.left_out else ""
        return f"<{self._native!r}{left_out}>"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the columns (Arrow PyCapsule interface)."""
        return self._native.__arrow_c_stream__(requested_schema)

    @property
    def native(self) -> _native.Observations:
        """The columns, as the compiled part stores them."""
        return self._native

    @property
    def sources(self) -> list[Source]:
        """The files, in order."""
        found = [Source(**source) for source in self._native.sources]
        return [source._replace(name=self.names.get(source.name, source.name)) for source in found]

    @property
    def lost(self) -> dict[int, int]:
        """How many records that could have held results each file lost, by its number; only those that lost some."""
        return {number: lost for number, lost in enumerate(self._native.lost) if lost}

    @cached_property
    def metrics(self) -> list[Metric]:
        """The metrics, in the order of their numbers."""
        # Views ask for them once a row.
        return [Metric(**metric) for metric in self._native.metrics]

    @property
    def benchmarks(self) -> list[str]:
        """The benchmarks' names, in the order of their first appearance."""
        return self._native.benchmarks

    @property
    def contexts(self) -> list[Context]:
        """The configurations, in the order of their numbers."""
        return [Context(*context) for context in self._native.contexts]

    @property
    def keys_of_names(self) -> list[str]:
        """The keys that parts of the benchmarks' names state, such as ``size`` in ``Encode/size=64``."""
        return self._native.keys_of_names()

    def with_names_split(self, taken: Sequence[str], aside: Sequence[str]) -> Observations:
        """Return the same values with configuration keys made of parts of the benchmarks' names.

        Args:
            taken: keys whose parts leave the names.
            aside: keys whose parts stay in the names; the configurations have them aside.
        """
        return self.with_native(self._native.with_names_split(list(taken), list(aside)))

    def renamed(self, words: Sequence[str]) -> Observations:
        """Return the same values with other names of benchmarks, by words ``OLD=NEW``; names may hold equals signs.

        Raises:
            Stop: a word names no benchmark, or a file has both.
        """
        try:
            native = self._native.renamed(list(words))
        except ValueError as error:
            raise Stop("bad-option", self._cannot_rename(*error.args)) from None
        return self.with_native(native)

    def with_native(self, native: _native.Observations) -> Observations:
        """Return other values of the same files."""
        made = Observations(native, self.limits, self.words)
        made.stored, made.names = self.stored, self.names
        return made

    def _cannot_rename(self, fault: str, word: str, new: str, file: str) -> str:
        shown = _native.printable(word)
        if fault == "both":
            new, file = (_native.printable(each) for each in (new, self.names.get(file, file)))
            return f"--rename {shown}={new}: {file} has both, so they are not the same benchmark"
        if fault == "ambiguous":
            return f"--rename {shown}: it can be split at several equals signs into names of benchmarks"
        if "=" not in word:
            return f"--rename {shown}: write OLD=NEW, two names of benchmarks"
        near = nearest(word.partition("=")[0], self.benchmarks)
        return f"--rename {shown}: no benchmark has the first name; the nearest: {near}"

    @property
    def has_blocks(self) -> bool:
        """Whether the values have pairing keys of their own."""
        # Uploads of histories have a column for them, also where it is empty.
        return self._native.has_blocks and bool(_native.block_names(self._native))

    @property
    def summaries(self) -> int:
        """How many values summarise samples that the files do not have: means, medians, percentiles, throughputs."""
        return self._native.summaries

    @property
    def problems(self) -> list[Problem]:
        """What was left out, with file and line (the first two hundred of each kind and piece of a file)."""
        found = [Problem(**problem) for problem in self._native.problems]
        return [problem._replace(source=self.names.get(problem.source, problem.source)) for problem in found]

    @property
    def left_out(self) -> int:
        """How many lines, records or files that could have held results were left out."""
        return sum(self.left_out_by_code.values())

    @property
    def unread(self) -> list[Problem]:
        """The problems because of which whole files, or the rest of them, were left out."""
        return self._problems_that("loses_file")

    @property
    def losses(self) -> list[Problem]:
        """The problems because of which something that could have been a result was left out."""
        return self._problems_that("loses_data")

    @property
    def left_out_by_code(self) -> dict[str, int]:
        """The number left out, by kind of problem."""
        return {each["code"]: each["count"] for each in self._native.problem_counts if each["loses_data"]}

    @property
    def counted_apart(self) -> str:
        """Say what holds no result and is counted apart: ``2 companions without results``; empty without any."""
        return ", ".join(counted(count, *_COUNTED_APART[code]) for code, count in self.counted_apart_by_code.items())

    @property
    def counted_apart_by_code(self) -> dict[str, int]:
        """The numbers of files and values that hold no result, by kind: they are no loss."""
        return {code: self._count(code) for code in _COUNTED_APART if self._count(code)}

    @property
    def apart(self) -> str:
        """``counted_apart`` by the name that callers of the library have known."""
        return self.counted_apart

    @property
    def apart_by_code(self) -> dict[str, int]:
        """``counted_apart_by_code`` by the name that callers of the library have known."""
        return self.counted_apart_by_code

    @property
    def files(self) -> int:
        """How many files have values that were read."""
        return sum(source.values > 0 for source in self.sources)

    def _problems_that(self, does: Literal["loses_file", "loses_data"]) -> list[Problem]:
        codes = {each["code"] for each in self._native.problem_counts if each[does]}
        return [problem for problem in self.problems if problem.code in codes] if codes else []

    def _count(self, code: str) -> int:
        return sum(each["count"] for each in self._native.problem_counts if each["code"] == code)

    @property
    def remarks_by_code(self) -> dict[str, int]:
        """The number of problems that left nothing out but must still be reported, by kind."""
        return {each["code"]: each["count"] for each in self._native.problem_counts if each["is_remark"]}

    def write(
        self, path: str | PathLike[str], kind: str, labels: Sequence[str | None] = (), *, raw: bool = False
    ) -> None:
        """Write the table to a file, completely or not at all.

        Args:
            path: the path of the file.
            kind: csv, ndjson or parquet.
            labels: the variant of each configuration, or nothing.
            raw: do not escape texts of CSV that a spreadsheet would run as formulas.

        Raises:
            Stop: the file cannot be written.
        """
        from statera.support.files import outputs  # noqa: PLC0415 - a comparison does without

        with outputs.writing(path) as part:
            self._native.write(part, "raw-csv" if raw and kind == "csv" else kind, list(labels))


def of_columns(columns: Columns, limits: Limits | None = None, words: Words | None = None) -> Observations:
    """Take values that were measured already; ``words`` says what notes and findings call their parts.

    Raises:
        Stop: there is more than the limits allow.
        ValueError: a column has another length than the others, a number points nowhere, a value is not finite.
    """
    limits = Limits() if limits is None else checked_limits(limits)
    try:
        return Observations(_native.observe(columns, limits), limits, words)
    except _native.Failure as failure:
        code, _, why = failure.args
        raise Stop(code, why) from None


def nothing_read(read: Observations) -> Stop:
    """Return the error that no value was read, with the first problem as the reason."""
    files = counted(len(read.sources), "file")
    return Stop("nothing-to-compare", f"no value was read from {files}{first_problem(read.problems)}")


def first_problem(problems: Sequence[Problem]) -> str:
    """Write the first problem as the next sentence, one that lost something if there is one; empty without any."""
    losses = [problem for problem in problems if problem.code not in _COUNTED_APART]
    # A log has lines that its mapping does not name: they are the reason only where nothing else is.
    grave = (problem for problem in losses if problem.code != "other-lines")
    first = next(grave, next(iter([*losses, *problems]), None))
    return f". The first problem: {first}" if first else ""


def unknown_format(name: str) -> Stop:
    """Return the error that no format has this name, with the names that resemble it, or why its plug-in is broken."""
    if broken := plug_ins.failed(name):
        return broken
    near = suggestion(name, [*(known.name for known in _native.formats()), *plug_ins.names()], 3)
    return Stop("no-such-format", f"no format is named {name!r}{near or '; statera formats lists all'}")


def _mapping(format: str) -> logs.mapping.Mapping | None:
    """Return the mapping of logs that a format names; None for a format of files of results."""
    from statera.reading.logs.mapping import is_named, named  # noqa: PLC0415 - most files say what they are

    return named(format) if is_named(format) else None


def read(
    arguments: Iterable[str | PathLike[str]],
    *,
    format: str | None = None,
    columns: Iterable[tuple[str, str]] = (),
    keys: Iterable[str] = (),
    limits: Limits | None = None,
    variants: Sequence[int] = (),
) -> Observations:
    """Read files, folders, patterns or ``-`` (standard input).

    Args:
        arguments: what to read; a folder means all files below it.
        format: the name of the format, or of a mapping of logs; detected from the content by default.
        columns: for plain tables, (role, column) pairs: ``("value", "elapsed")``.
        keys: keys that the caller compares by: in plain tables, a column of this name that can be a key is one.
        limits: how much may be read.
        variants: for each argument the number of its variant, within which a file counts once; one variant by default.

    Raises:
        Stop: an argument names nothing, a file named explicitly cannot be used, or the input exceeds a limit.
    """
    try:
        limits = Limits() if limits is None else checked_limits(limits)
        if format is not None and (found := _mapping(format)):
            from statera.reading import logs  # noqa: PLC0415 - few results are logs

            native, _ = logs.read([*arguments], found, limits, variants)
            return Observations(native, limits, OF_LOGS)
        return Observations(
            _native.read(list(arguments), Reading(format, list(columns), list(keys), list(variants), limits, plug_ins)),
            limits,
        )
    except _native.Failure as failure:
        code, name, why = failure.args
        if code == "no-such-format":
            raise unknown_format(name) from None
        raise Stop(code, f"{_native.printable(name)}: {why}" if name else why) from None
