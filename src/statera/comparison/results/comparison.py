"""The result of a comparison: rows as typed objects and as an Arrow table, and the data behind them."""

from __future__ import annotations

from abc import ABC, abstractmethod

from statera import _native
from statera.comparison import verdicts
from statera.comparison.codes import LOSSES, OF, VERDICTS, tallied
from statera.support.patterns import nearest, without_threads
from statera.support.typed import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar, cached_property, overload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from statera.comparison.pairing import Arrangement
    from statera.comparison.profiles import Difference
    from statera.comparison.results.blocks import ChangedBlocks
    from statera.comparison.results.distribution import Distribution
    from statera.comparison.results.rows import Row
    from statera.comparison.verdicts import Answer, Note
    from statera.reading.observations import Observations
    from statera.support.errors import Problem
    from statera.support.settings.file import Settings


R = TypeVar("R")


class Native(Protocol):
    """The rows as the compiled part holds them."""

    def __len__(self) -> int:
        """Count the rows."""

    def row_dict(self, index: int) -> dict[str, Any]:
        """Return the fields of a row."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the rows as columns."""


class Rows(ABC, Generic[R]):
    """Rows, one at a time or as a table, and the data that they were computed from."""

    def __init__(
        self,
        native: Native,
        observations: Observations,
        arrangement: Arrangement,
        settings: Settings,
        notes: list[Note],
    ) -> None:
        self._rows = native
        self.observations = observations
        self.arrangement = arrangement
        self.settings = settings
        self.policy = settings.policy
        self.notes = notes

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice | str) -> list[R]: ...
    def __getitem__(self, index: int | slice | str) -> R | list[R]:
        """Return a row as an object, or the rows of a slice, or those of a benchmark.

        Raises:
            KeyError: there is no such benchmark; the message lists the nearest names.
        """
        if isinstance(index, str):
            return [self[row] for row in self._of_benchmark(index)]
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there is no row {index}; there are {len(self)}")
        return self._row(self._rows.row_dict(place))

    def _of_benchmark(self, name: str) -> list[int]:
        """Return the rows of a benchmark; Go's ``-8`` at the end of its name may be left out."""
        found = self._rows_by_name.get(name) or [
            row for other, rows in self._rows_by_name.items() for row in rows if without_threads(other) == name
        ]
        if not found:
            near = nearest(name, [*self._rows_by_name])
            raise KeyError(f"no benchmark is named {name!r}; the nearest are: {near}")
        return found

    @cached_property
    def _rows_by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row in range(len(self)):
            found.setdefault(self._rows.row_dict(row)["benchmark"], []).append(row)
        return found

    @abstractmethod
    def _row(self, fields: dict[str, Any]) -> R:
        """Build the object of a row from its fields."""

    def __iter__(self) -> Iterator[R]:
        """Iterate over the rows."""
        return (self[index] for index in range(len(self)))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the rows as columns (Arrow PyCapsule interface)."""
        return self._rows.__arrow_c_stream__(requested_schema)

    @property
    def labels(self) -> list[str]:
        """The labels of the variants; in a comparison, the baseline is the first."""
        return self.arrangement.labels

    @property
    def problems(self) -> list[Problem]:
        """The problems of reading, such as values that were left out."""
        return self.observations.problems


class Section(NamedTuple):
    """The rows of one group, metric and pair of variants, with their summary.

    If each pair has a single row, all pairs share one section, whose ``base`` and ``contender`` are None.
    """

    group: int
    metric: int
    base: int | None
    contender: int | None
    rows: list[int]
    summary: dict[str, Any]

    @property
    def place(self) -> tuple[int, int]:
        """The group and the metric."""
        return self.group, self.metric

    @property
    def harmed(self) -> bool:
        """Whether a row is worse."""
        return not tallied(self.summary["verdicts"]).keys().isdisjoint(LOSSES)


class Comparison(Rows["Row"]):
    """The rows of a comparison and the data behind them.

    Iteration yields a ``Row`` at a time. ``polars.DataFrame(comparison)``, ``pyarrow.table(comparison)`` and DuckDB
    read the rows as a table through the Arrow PyCapsule interface.
    """

    def __init__(
        self,
        observations: Observations,
        arrangement: Arrangement,
        weighing: _native.Weighing,
        settings: Settings,
        notes: list[Note],
        *,
        levels: tuple[float, ...] = (),
        blocks: int = 0,
    ) -> None:
        super().__init__(weighing, observations, arrangement, settings, notes)
        self.weighing = weighing
        self.levels = levels
        # So many blocks of each paired row are named, those that changed most.
        self.blocks = blocks
        # The rows that are worth more runs; None: all.
        self.worth_more: frozenset[int] | None = None
        # Each host of a run by itself, where they disagree.
        self.apart: Comparison | None = None
        # Where the cost of profiles differs, which no row and no gate knows of.
        self.profiles: list[Difference] = []
        self._distributions: dict[tuple[float, ...], Distribution] = {}
        self._of_verdicts: dict[str, frozenset[int]] = {}

    def _row(self, fields: dict[str, Any]) -> Row:
        from statera.comparison.results.rows import Row  # noqa: PLC0415 - dataclasses cost a tenth of a small comparison

        return Row(**fields)

    @cached_property
    def answer(self) -> Answer:
        """The answer in one line, and the rows that it stands on."""
        found = verdicts.answer(self.weighing, self.observations.words)
        return verdicts.answer_of_own_parts(found, self.arrangement.shared) if self.arrangement.shared else found

    @property
    def findings(self) -> list[str]:
        """The most important results, in sentences."""
        return verdicts.findings(self.weighing, len(self), self.observations.words, self.left_open())

    def left_open(self) -> list[int]:
        """Return the rows without a clear change that are worth more runs."""
        rows = self.weighing.with_verdict(["inconclusive"])
        return rows if self.worth_more is None else [row for row in rows if row in self.worth_more]

    @property
    def method(self) -> str:
        """The tests and the correction that were used, in a sentence."""
        return verdicts.method(self.weighing, self.policy, self.observations.words)

    def sections(self, sort: str = "file") -> list[Section]:
        """Return the rows by group, metric (times first) and pair of variants.

        Args:
            sort: the order of the rows that they are shown in; with ``worst`` metrics with a worse row come first.
        """
        by_metric: dict[tuple[int, int], list[Section]] = {}
        for section in self._sections:
            by_metric.setdefault(section.place, []).append(section)
        tables = [*by_metric.values()]
        if sort == "worst":
            tables.sort(key=lambda sections: (sections[0].group, not any(each.harmed for each in sections)))
        return [section for sections in tables for section in _joined(sections)]

    @property
    def family(self) -> _native.Family:
        """The correction of the p-values of all rows for multiple comparisons."""
        return _native.family(self.weighing)

    @property
    def omnibus(self) -> list[_native.Omnibus]:
        """The tests over three or more variants, one for each group, metric and benchmark."""
        return _native.omnibus(self.weighing)

    # A view asks for these at each table, and there may be a thousand.

    @cached_property
    def _sections(self) -> list[Section]:
        names = ("group", "metric", "baseline", "contender")
        of = {tuple(each[name] for name in names): each for each in self.weighing.summaries()}
        return [Section(*each, of[each[:4]]) for each in self.weighing.sections()]

    @cached_property
    def briefs(self) -> list[tuple[int, str, bool, bool]]:
        """Of each row its benchmark's number, its verdict, whether its values are exact, and whether it rises."""
        return self.weighing.brief([*range(len(self))])

    @cached_property
    def common_end(self) -> str:
        """The number of cores that Go writes at the end of all names, which tells no two of them apart; else empty."""
        of, every = self.observations.benchmarks, {fact[0] for fact in self.briefs}
        if len(every) <= 1:
            return ""
        stem, dash, digits = of[next(iter(every))].rpartition("-")
        end, least = dash + digits, len(dash + digits)
        alike = stem and digits.isdigit() and all(of[each].endswith(end) and len(of[each]) > least for each in every)
        return end if alike else ""

    @cached_property
    def rows_at(self) -> dict[tuple[int, int], list[int]]:
        """The rows of each group and metric."""
        found: dict[tuple[int, int], list[int]] = {}
        for section in self._sections:
            found.setdefault(section.place, []).extend(section.rows)
        return found

    @cached_property
    def omnibus_at(self) -> dict[tuple[int, int], list[_native.Omnibus]]:
        """The tests over three or more variants of each group and metric."""
        found: dict[tuple[int, int], list[_native.Omnibus]] = {}
        for test in self.omnibus:
            found.setdefault((test["group_number"], test["metric_number"]), []).append(test)
        return found

    def of_verdict(self, verdict: str) -> frozenset[int]:
        """Return the numbers of the rows with a verdict."""
        if verdict not in self._of_verdicts:
            self._of_verdicts[verdict] = frozenset(self.weighing.with_verdict([verdict]))
        return self._of_verdicts[verdict]

    def word(self, rows: Sequence[int]) -> str:
        """Return the word for the verdict of some rows: ``slower``, or ``worse`` where they are of several kinds."""
        words = {self.weighing.cell(row, "word") for row in rows}
        return words.pop() or "" if len(words) == 1 else OF[self.briefs[rows[0]][1]].word

    @property
    def interactions(self) -> list[_native.Interaction]:
        """Tests of interaction: whether the effect of a variant depends on the level of another factor."""
        return _native.interactions(self.weighing)

    def changed_blocks(self, most: int = 0) -> list[ChangedBlocks]:
        """Return the blocks that changed most, for each paired row: such as the slots of a chain.

        Args:
            most: so many of each row; by default as many as the request has, or else ten.
        """
        from statera.comparison.results.blocks import changed_blocks  # noqa: PLC0415 - only here

        return changed_blocks(self.observations, self.arrangement, self.weighing, most or self.blocks or 10)

    def distribution(self, levels: Sequence[float] = ()) -> Distribution:
        """Return the quantiles of each variant, and the shift functions of the pairs, computed once.

        Args:
            levels: levels of the quantile table, between 0 and 1; by default those of the request, or else the deciles.
        """
        from statera.comparison.results.distribution import distribution  # noqa: PLC0415 - only here

        asked = tuple(levels) or self.levels
        if asked not in self._distributions:
            higher = [metric.better == "higher" for metric in self.observations.metrics]
            # Shift functions take longest, and do not depend on the levels of the table.
            known = next((each.shifts for each in self._distributions.values()), None)
            pairs = self.arrangement.assignment.pairs
            self._distributions[asked] = distribution(self.weighing, pairs, higher, asked, known)
        return self._distributions[asked]

    def with_verdict(self, *verdicts: str) -> list[Row]:
        """Return the rows with one of these verdicts.

        Raises:
            ValueError: there is no such verdict; the message lists all verdicts.
        """
        for verdict in verdicts:
            if verdict not in VERDICTS:
                raise ValueError(f"no verdict is named {verdict!r}; there are {', '.join(VERDICTS)}")
        return [self[index] for index in self.weighing.with_verdict(list(verdicts))]


def _joined(sections: list[Section]) -> list[Section]:
    """Join sections of a single row each into one."""
    single = all(len(each.rows) == 1 and each.summary["quantiles"] is None for each in sections)
    if len(sections) == 1 or not single:
        return sections
    counts = [sum(column) for column in zip(*(each.summary["verdicts"] for each in sections), strict=True)]
    summary = {"verdicts": counts, "quantiles": None, "detectable": None}
    first = sections[0]
    return [Section(first.group, first.metric, None, None, [row for each in sections for row in each.rows], summary)]
