"""What the sections look up about the rows of a comparison: their fields, their addresses in the report, the answer."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from statera.comparison.verdicts.findings import distinguishing, place_words, row_name
from statera.support.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts import Answer
    from statera.comparison.weighing.metric_rules import Rule
    from statera.output.report.material import Material

_NO_ADDRESS: Final = re.compile(r"[^0-9A-Za-z]+")
_LONGEST: Final = 60
# As many rows have a card.
MOST_CARDS: Final = 12


class Index:
    """The rows of a comparison; everything is looked up once, because several sections ask for the same rows."""

    def __init__(self, comparison: Comparison, number: int) -> None:
        self.comparison = comparison
        self.weighing = comparison.weighing
        self._number = number
        self._fields: dict[int, dict[str, Any]] = {}
        self._addresses: dict[int, str] = {}
        self._taken: set[str] = set()
        self._by_names: dict[tuple[str, ...], dict[tuple[str, ...], list[int]]] = {}

    def fields(self, row: int) -> dict[str, Any]:
        """Return the fields of a row."""
        if row not in self._fields:
            self._fields[row] = self.weighing.row_dict(row)
        return self._fields[row]

    def name(self, row: int) -> str:
        """Return the benchmark of a row as tables write it."""
        return shown(self.weighing.cell(row, "benchmark"))

    def is_open(self, row: int) -> bool:
        """Whether tables write ``~`` as a row's change, because not even its direction is known."""
        return self.weighing.is_open(row)

    def by_names(self, names: tuple[str, ...]) -> dict[tuple[str, ...], list[int]]:
        """Return the rows by some of their fields, in their order."""
        if names not in self._by_names:
            found: dict[tuple[str, ...], list[int]] = {}
            for row in range(len(self.comparison)):
                fields = self.fields(row)
                found.setdefault(tuple(fields[name] for name in names), []).append(row)
            self._by_names[names] = found
        return self._by_names[names]

    def quantity(self, metric: str) -> str:
        """Return what a metric measures, such as ``time``."""
        return self._quantities[metric]

    @functools.cached_property
    def _quantities(self) -> dict[str, str]:
        return {metric.name: metric.quantity for metric in self.comparison.observations.metrics}

    def rule(self, metric: str) -> Rule:
        """Return how a metric is judged."""
        return self._rules[metric]

    @functools.cached_property
    def _rules(self) -> dict[str, Rule]:
        metrics, assignment = self.comparison.observations.metrics, self.comparison.arrangement.assignment
        found = zip(metrics, assignment.metrics, strict=True)
        return {metric.name: rule for metric, rule in found if rule is not None}

    @functools.cached_property
    def answer(self) -> Answer:
        """The answer of the comparison."""
        return self.comparison.answer

    @functools.cached_property
    def suspects(self) -> dict[int, str]:
        """The rows that have a card, with its anchor; only those of the requested comparison have one."""
        chosen = self.answer.suspects[:MOST_CARDS] if self._number == 0 else []
        return {row: self.row_anchor(row).replace("row-", "suspect-", 1) for row in chosen}

    @functools.cached_property
    def _cards(self) -> dict[tuple[str, ...], str]:
        return {self.subject(row): anchor for row, anchor in self.suspects.items()}

    def subject(self, row: int) -> tuple[str, ...]:
        """Return what a row is about: its benchmark (or metric, if that is the subject), group and pair."""
        fields = self.fields(row)
        names = (self.comparison.observations.words.subject, "group", "baseline", "contender")
        return tuple(fields[name] for name in names)

    def card_of(self, row: int) -> str:
        """Return the anchor of the card on a row's subject; empty if there is none."""
        return self._cards.get(self.subject(row), "")

    def link(self, row: int) -> str:
        """Return where to read more on a row: its card, else its place in the tables."""
        return self.card_of(row) or self.row_anchor(row)

    def row_anchor(self, row: int) -> str:
        """Return the address of a row, which says what the row is about and does not depend on other benchmarks."""
        if row not in self._addresses:
            of = self.fields(row)
            names = [of[name] for name in self._told]
            words = (_NO_ADDRESS.sub("-", name).strip("-")[-_LONGEST:].strip("-") for name in names)
            number = str(self._number + 1) if self._number else ""
            bare = "-".join(word for word in ("row", number, *words) if word)
            self._addresses[row] = self._free(bare)
        return self._addresses[row]

    def _free(self, bare: str) -> str:
        address, again = bare, 2
        while address in self._taken:
            address, again = f"{bare}--{again}", again + 1
        self._taken.add(address)
        return address

    def place_words(self, row: int) -> str:
        """Write the pair and the group of a row as far as they tell rows apart, such as `` of new at ghc: 9``."""
        return place_words(self.weighing, row, self._whose)

    def title(self, row: int) -> str:
        """Name what a row is about: its benchmark or metric, and the pair and group where there are several."""
        return row_name(self.weighing, row, self.comparison.observations.words.subject) + self.place_words(row)

    @functools.cached_property
    def several_metrics(self) -> bool:
        """Whether rows of several metrics are compared, so that a change must name its own."""
        return len({section[1] for section in self.weighing.sections()}) > 1

    @functools.cached_property
    def _whose(self) -> tuple[bool, bool, bool]:
        return distinguishing(self.weighing)

    @functools.cached_property
    def _told(self) -> list[str]:
        """The names that tell rows apart; the benchmark is always told."""
        sections = self.weighing.sections()
        several = {
            name: len({section[place] for section in sections}) > 1
            for place, name in enumerate(("group", "metric", "baseline", "contender"))
        }
        return ["benchmark", *(name for name in ("metric", "group", "contender", "baseline") if several[name])]


_KEPT: Final[WeakKeyDictionary[Comparison, Index]] = WeakKeyDictionary()


def index_of(comparison: Comparison, number: int = 0) -> Index:
    """Return the index of a comparison; ``number`` is that of its question."""
    if comparison not in _KEPT:
        _KEPT[comparison] = Index(comparison, number)
    return _KEPT[comparison]


def indexes(material: Material) -> list[Index]:
    """Return the index of each question."""
    return [index_of(question.comparison, number) for number, question in enumerate(material.questions)]


def tally(index: Index, rows: Iterable[int]) -> dict[str, int]:
    """Count rows by verdict."""
    counts: dict[str, int] = {}
    for row in rows:
        verdict = index.fields(row)["verdict"]
        counts[verdict] = counts.get(verdict, 0) + 1
    return counts
