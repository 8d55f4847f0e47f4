"""The tables that people read of a comparison: a line for each benchmark, what changed first, the rest counted.

    for sheet in sheets(comparison, Choice(most=12)):
        sheet.lines, sheet.more, sheet.others

The first table is of the principal metric, which is the first time or rate. Metrics that are exact, that did not
change, or that moved with it are its columns; a metric that tells something else has a table of its own. Where there is
one benchmark, the lines are its metrics.
"""

from __future__ import annotations

from statera.comparison.codes import CHANGES, GAINS, OF, VERDICTS
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from statera.comparison.results.comparison import Comparison

ALONE: Final = frozenset({"missing", "new"})
"""The verdicts of what only one build has."""
_MOVED: Final = frozenset(CHANGES)
_GOOD: Final = frozenset(GAINS)
_BAD: Final = frozenset(code for code in CHANGES if OF[code].harm == "bad")
# Of a suite of single values two thirds of the lines are the worst, and the others the best.
_WORST_OF_SUITE: Final = 2 / 3
_URGENCY: Final = {code: place for place, code in enumerate(VERDICTS)}

Pair = tuple[int, int]
"""The numbers of a baseline and a contender."""


class Choice(NamedTuple):
    """Which lines a reader wants.

    Attributes:
        most: at most so many lines of a table.
        every: all lines, also those without a change.
        sort: the order of the lines, as ``Weighing.order`` names it.
        only: the verdicts whose lines are shown; empty for those that changed.

    """

    most: int
    every: bool = False
    sort: str = "worst"
    only: tuple[str, ...] = ()


class Line(NamedTuple):
    """A line of a table.

    Attributes:
        name: the number of the benchmark, or of the metric where lines are metrics.
        group: the number of the group.
        rows: its row of the table's metric for each pair of variants.
        beside: its rows of the metrics in columns, for the only pair.
        verdict: the verdict that speaks for it: of several pairs the most urgent.
        lead: the row of that verdict.

    """

    name: int
    group: int
    rows: dict[Pair, int]
    beside: dict[int, int]
    verdict: str
    lead: int


class Sheet(NamedTuple):
    """A table.

    Attributes:
        metric: the number of its metric; None where the lines are metrics.
        columns: the metrics beside it, in their order.
        pairs: the pairs of variants; those with the most that is worse first.
        lines: the lines that are shown.
        more: those that changed and have no room, by verdict.
        others: those that are not shown because nothing of them changed, by verdict.
        quiet: metrics that no column shows, because nothing of them changed.
        first: whether it is the first table, which counts all benchmarks.

    """

    metric: int | None
    columns: list[int]
    pairs: list[Pair]
    lines: list[Line]
    more: dict[str, list[Line]]
    others: dict[str, list[Line]]
    quiet: list[int]
    first: bool

    def row(self, line: Line) -> int | None:
        """Return the row of a line for the only pair."""
        return line.rows.get(self.pairs[0])


def sheets(comparison: Comparison, choice: Choice) -> list[Sheet]:
    """Return the tables of a comparison, the principal one first; none if there are no rows."""
    rows = _Rows(comparison)
    if not rows.metrics:
        return []
    return _of_metrics(rows, choice) if rows.one_benchmark else _of_benchmarks(rows, choice)


class _Rows:
    """The rows of a comparison by metric, by benchmark and group, and by pair."""

    def __init__(self, comparison: Comparison) -> None:
        weighing = comparison.weighing
        self.weighing = weighing
        self.of: dict[int, dict[tuple[int, int], dict[Pair, int]]] = {}
        self.fact = comparison.briefs
        pairs: dict[Pair, int] = {}
        sections = weighing.sections()
        for group, metric, base, contender, rows in sections:
            pairs.setdefault((base, contender), 0)
            lines = self.of.setdefault(metric, {})
            for row in rows:
                lines.setdefault((self.fact[row][0], group), {})[base, contender] = row
        self.metrics = [*self.of]
        self.one_benchmark = len(self.metrics) > 1 and len({fact[0] for fact in self.fact}) == 1
        found = comparison.answer
        self.place = {row: place for place, row in enumerate(found.leads)}
        place_of = {row: (group, (base, contender)) for group, _, base, contender, own in sections for row in own}
        self.lead = {(self.fact[row][0], *place_of[row]): row for row in found.leads}
        for row in found.leads:
            pairs[place_of[row][1]] += self.verdict(row) in _BAD
        # The sort is stable: variants that are equally bad keep their order.
        self.pairs = sorted(pairs, key=lambda pair: -pairs[pair])

    def verdict(self, row: int) -> str:
        return self.fact[row][1]

    def places(self, sort: str) -> dict[int, int]:
        """Return the place of each row in an order."""
        order = self.weighing.order([*range(len(self.fact))], sort, changed=False)
        return {row: place for place, row in enumerate(order)}

    def most_urgent(self, rows: Iterable[int]) -> int:
        """Return the row whose verdict stands first where verdicts are counted; what changed comes before the rest."""
        first, *others = rows
        if not others:
            return first
        last = len(_URGENCY)

        def key(row: int) -> tuple[int, int, int]:
            verdict = self.verdict(row)
            return (verdict not in _MOVED, _URGENCY[verdict], self.place.get(row, last))

        return min((first, *others), key=key)


def _of_benchmarks(rows: _Rows, choice: Choice) -> list[Sheet]:
    """Return the tables whose lines are benchmarks."""
    principal, *others = rows.metrics
    beside = [metric for metric in others if len(rows.pairs) == 1 and _goes_beside(rows, principal, metric)]
    own = [metric for metric in others if metric not in beside]
    speaking = [metric for metric in beside if choice.every or _moves(rows, metric)]
    quiet = [metric for metric in beside if metric not in speaking]
    found = [_sheet(rows, principal, speaking, choice)._replace(first=True, quiet=quiet)]
    found += [_sheet(rows, metric, [], choice) for metric in own]
    return [found[0], *(each for each in found[1:] if each.lines or choice.every)]


def _goes_beside(rows: _Rows, principal: int, metric: int) -> bool:
    """Whether a metric needs no table: exact, unchanged, or changed as the principal metric of the benchmark did."""
    [pair] = rows.pairs
    lines = rows.of[principal]
    for key, of in rows.of[metric].items():
        if pair not in of or pair not in lines.get(key, {}):
            return False
        own, main = of[pair], lines[key][pair]
        _, verdict, is_exact, _ = rows.fact[own]
        told = rows.verdict(main)
        same = (verdict in _GOOD and told in _GOOD) or (verdict in _BAD and told in _BAD)
        if not (is_exact or verdict not in _MOVED or same):
            return False
    return True


def _moves(rows: _Rows, metric: int) -> bool:
    told = _MOVED | {"one-value"}
    return any(rows.verdict(row) in told for of in rows.of[metric].values() for row in of.values())


def _sheet(rows: _Rows, metric: int, columns: list[int], choice: Choice) -> Sheet:
    """Return the table of a metric."""
    lines = []
    is_principal = metric == rows.metrics[0]
    whole = is_principal or choice.every or choice.only
    for (benchmark, group), of in rows.of[metric].items():
        # A further table has only what changed.
        if not whole and not any(rows.verdict(row) in _MOVED for row in of.values()):
            continue
        beside = {each: rows.of[each].get((benchmark, group), {}) for each in columns}
        extra = {each: found[rows.pairs[0]] for each, found in beside.items() if rows.pairs[0] in found}
        speaking = [rows.lead.get((benchmark, group, pair), row) if is_principal else row for pair, row in of.items()]
        lead = rows.most_urgent(speaking)
        lines.append(Line(benchmark, group, of, extra, rows.verdict(lead), lead))
    return _chosen(rows, Sheet(metric, columns, rows.pairs, lines, {}, {}, [], first=False), choice)


def _of_metrics(rows: _Rows, choice: Choice) -> list[Sheet]:
    """Return the table whose lines are the metrics of the only benchmark."""
    lines = []
    for metric, of in rows.of.items():
        for (_, group), pairs in of.items():
            lead = rows.most_urgent(pairs.values())
            lines.append(Line(metric, group, pairs, {}, rows.verdict(lead), lead))
    return [_chosen(rows, Sheet(None, [], rows.pairs, lines, {}, {}, [], first=True), choice)]


def _chosen(rows: _Rows, sheet: Sheet, choice: Choice) -> Sheet:
    """Choose the lines that are shown, and sort all of them."""
    lines = _sorted(rows, sheet.lines, choice)
    if choice.only:
        return sheet._replace(lines=[line for line in lines if line.verdict in choice.only])
    if choice.every:
        return sheet._replace(lines=lines)
    if all(line.verdict in {"one-value", *ALONE} for line in lines):
        return _suite(sheet, lines, choice)
    if len(lines) == 1 and lines[0].verdict not in ALONE:
        # One line takes no more room than a sentence that counts it.
        return sheet._replace(lines=lines)
    others: dict[str, list[Line]] = {}
    moved = []
    for line in lines:
        if line.verdict in _MOVED:
            moved.append(line)
        else:
            others.setdefault(line.verdict, []).append(line)
    # One more line takes no more room than the sentence on it.
    most = choice.most if len(moved) > choice.most + 1 else len(moved)
    more: dict[str, list[Line]] = {}
    for line in moved[most:]:
        more.setdefault(line.verdict, []).append(line)
    return sheet._replace(lines=moved[:most], more=more, others=others)


def _suite(sheet: Sheet, lines: list[Line], choice: Choice) -> Sheet:
    """Show the ends of a suite of single values, of which nothing can be judged."""
    both = [line for line in lines if line.verdict not in ALONE]
    others: dict[str, list[Line]] = {}
    for line in lines:
        if line.verdict in ALONE:
            others.setdefault(line.verdict, []).append(line)
    if len(both) > choice.most + 1:
        worst = round(choice.most * _WORST_OF_SUITE)
        best = len(both) - (choice.most - worst)
        others["one-value"] = both[worst:best]
        both = both[:worst] + both[best:]
    return sheet._replace(lines=both, others=others)


def _sorted(rows: _Rows, lines: list[Line], choice: Choice) -> list[Line]:
    if choice.sort != "worst":
        place = rows.places(choice.sort)
        return sorted(lines, key=lambda line: min(place[row] for row in line.rows.values()))
    if all(line.verdict in {"one-value", *ALONE} for line in lines):
        place = rows.places("effect")
        return sorted(lines, key=lambda line: place[line.lead])
    if all(line.rows.keys() == lines[0].rows.keys() for line in lines) and rows.one_benchmark:
        # Of metrics the first are those that readers ask for.
        return sorted(lines, key=lambda line: (line.verdict not in _MOVED, _URGENCY[line.verdict]))
    last = len(rows.place)
    place = rows.place
    if any(line.lead not in place for line in lines):
        place = rows.places("worst")
    return sorted(lines, key=lambda line: place.get(line.lead, last))
