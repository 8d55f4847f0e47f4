"""The tables that people read of a comparison: a line for each benchmark, what changed first, the rest counted.

    for sheet in sheets(comparison, Choice(most=12)):
        sheet.lines, sheet.more, sheet.others

The first table is of the principal metric, which is the first time or rate. Metrics that are exact, that did not
change, or that moved with it are its columns; a metric that tells something else has a table of its own. Where there is
one benchmark, the lines are its metrics.
"""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import CHANGES, GAINS, OF, VERDICTS
from statera.comparison.verdicts.findings import next_step
from statera.comparison.verdicts.notes import brief
from statera.output.views.texts import mean_parts, quantile_words
from statera.reading.formats import titles
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
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
Key = tuple[int, int]
"""The numbers of a benchmark and a group."""


class Choice(NamedTuple):
    """Which lines a reader wants."""

    most: int  # at most so many lines of a table
    every: bool = False  # all lines, also those without a change
    sort: str = "worst"  # the order of the lines, as ``Weighing.order`` names it
    only: tuple[str, ...] = ()  # the verdicts whose lines are shown; empty for those that changed


class Line(NamedTuple):
    """A line of a table."""

    name: int  # the number of the benchmark, or of the metric where lines are metrics
    group: int  # the number of the group
    rows: dict[Pair, int]  # its row of the table's metric for each pair of variants
    verdict: str  # the verdict that speaks for it: of several pairs the most urgent
    lead: int  # the row of that verdict


class Sheet(NamedTuple):
    """A table."""

    metric: int | None  # the number of its metric; None where the lines are metrics
    columns: dict[int, dict[Key, int]]  # the metrics beside it, in their order, and their rows for the only pair
    pairs: list[Pair]  # the pairs of variants; those with the most that is worse first
    lines: list[Line]  # the lines that are shown
    more: dict[str, list[Line]]  # those that changed and have no room, by verdict
    others: dict[str, list[Line]]  # those that are not shown because nothing of them changed, by verdict
    quiet: list[int]  # metrics that no column shows, because nothing of them changed
    first: bool  # whether it is the first table, which counts all benchmarks

    def row(self, line: Line) -> int | None:
        """Return the row of a line for the only pair."""
        return line.rows.get(self.pairs[0])

    def beside(self, line: Line, metric: int) -> int | None:
        """Return the row of a line in the column of a metric."""
        return self.columns[metric].get((line.name, line.group))


def sheets(comparison: Comparison, choice: Choice) -> list[Sheet]:
    """Return the tables of a comparison, the principal one first; none if there are no rows."""
    rows = _Rows(comparison)
    if not rows.metrics:
        return []
    return _of_metrics(rows, choice) if rows.one_benchmark else _of_benchmarks(rows, choice)


class _Rows:
    """The rows of a comparison by metric, by pair, and by benchmark and group."""

    def __init__(self, comparison: Comparison) -> None:
        self.weighing = comparison.weighing
        self.fact = fact = comparison.briefs
        self.place = {row: place for place, row in enumerate(comparison.answer.leads)}
        self.of: dict[int, dict[Pair, dict[Key, int]]] = {}
        self.lead: dict[tuple[Key, Pair], int] = {}
        worse: dict[Pair, int] = {}
        for group, metric, base, contender, rows in self.weighing.sections():
            pair = base, contender
            worse.setdefault(pair, 0)
            self.of.setdefault(metric, {}).setdefault(pair, {}).update({(fact[row][0], group): row for row in rows})
            for row in filter(self.place.__contains__, rows):
                self.lead[(fact[row][0], group), pair] = row
                worse[pair] += fact[row][1] in _BAD
        self.metrics = [*self.of]
        self.one_benchmark = len(self.metrics) > 1 and len({benchmark for benchmark, *_ in fact}) == 1
        # The sort is stable: variants that are equally bad keep their order.
        self.pairs = sorted(worse, key=lambda pair: -worse[pair])

    def lines(self, metric: int, *, changed: bool) -> dict[Key, dict[Pair, int]]:
        """Return the rows of a metric by benchmark and group, or only of those that changed."""
        (pair, rows), *others = self.of[metric].items()
        found = {key: {pair: row} for key, row in rows.items() if not (changed and self.is_quiet(key, metric))}
        for other, own in others:
            for key, row in own.items():
                if key in found or not (changed and self.is_quiet(key, metric)):
                    found.setdefault(key, {})[other] = row
        return found

    def is_quiet(self, key: Key, metric: int) -> bool:
        """Whether a metric of a benchmark changed for no pair."""
        return not any(key in rows and self.verdict(rows[key]) in _MOVED for rows in self.of[metric].values())

    def verdict(self, row: int) -> str:
        return self.fact[row][1]

    def places(self, sort: str, rows: list[int]) -> dict[int, int]:
        """Return the place of each of the rows in an order."""
        return {row: place for place, row in enumerate(self.weighing.order(rows, sort, changed=False))}

    def most_urgent(self, rows: Sequence[int]) -> int:
        """Return the row whose verdict stands first where verdicts are counted; what changed comes before the rest."""
        if len(rows) == 1:
            return rows[0]
        last = len(_URGENCY)

        def key(row: int) -> tuple[int, int, int]:
            verdict = self.verdict(row)
            return (verdict not in _MOVED, _URGENCY[verdict], self.place.get(row, last))

        return min(rows, key=key)


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
    main, own = rows.of[principal].get(pair, {}), rows.of[metric][pair]
    if not own.keys() <= main.keys():
        return False
    for key, row in own.items():
        _, verdict, is_exact, _ = rows.fact[row]
        if verdict in _MOVED and not is_exact:
            told = rows.verdict(main[key])
            if not ((verdict in _GOOD and told in _GOOD) or (verdict in _BAD and told in _BAD)):
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
    # A further table has only what changed.
    for key, of in rows.lines(metric, changed=not whole).items():
        speaking = [rows.lead.get((key, pair), row) for pair, row in of.items()] if is_principal else [*of.values()]
        lead = rows.most_urgent(speaking)
        lines.append(Line(*key, of, rows.verdict(lead), lead))
    beside = {each: rows.of[each][rows.pairs[0]] for each in columns}
    return _chosen(rows, Sheet(metric, beside, rows.pairs, lines, {}, {}, [], first=False), choice)


def _of_metrics(rows: _Rows, choice: Choice) -> list[Sheet]:
    """Return the table whose lines are the metrics of the only benchmark."""
    lines = []
    for metric in rows.metrics:
        for (_, group), pairs in rows.lines(metric, changed=False).items():
            lead = rows.most_urgent([*pairs.values()])
            lines.append(Line(metric, group, pairs, rows.verdict(lead), lead))
    return [_chosen(rows, Sheet(None, {}, rows.pairs, lines, {}, {}, [], first=True), choice)]


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
        place = rows.places(choice.sort, [row for line in lines for row in line.rows.values()])
        return sorted(lines, key=lambda line: min(place[row] for row in line.rows.values()))
    if all(line.verdict in {"one-value", *ALONE} for line in lines):
        place = rows.places("effect", [line.lead for line in lines])
        return sorted(lines, key=lambda line: place[line.lead])
    if all(line.rows.keys() == lines[0].rows.keys() for line in lines) and rows.one_benchmark:
        # Of metrics the first are those that readers ask for.
        return sorted(lines, key=lambda line: (line.verdict not in _MOVED, _URGENCY[line.verdict]))
    place = rows.place
    if any(line.lead not in place for line in lines):
        place = rows.places("worst", [line.lead for line in lines])
    return sorted(lines, key=lambda line: place[line.lead])


ROOM: Final = 98
"""Columns of a line that names benchmarks, where there is no terminal."""
_LABELS: Final = 6
_PAIR: Final = 2
_LEAST: Final = 8
# Rows whose numbers of runs are looked at.
_SCANNED: Final = 200
# Quantiles of so few changes say no more than the lines.
_FEW: Final = 4
_WORDS: Final = {"one-value": "not judged (one value per build)", "inconclusive": "with no clear change"}


def compared(comparison: Comparison) -> str:
    """Name the builds: ``old → new``."""
    first, *others = map(brief, comparison.labels)
    return f"{first} → {listed(others, _LABELS)}"


def facts(comparison: Comparison) -> str:
    """State the harness, the benchmarks, and the runs of each build; a single benchmark by its name."""
    rows = comparison.briefs
    names = len({fact[0] for fact in rows})
    which = comparison.weighing.cell(0, "benchmark") or "" if names == 1 else counted(names, "benchmark")
    harness = titles({source.format for source in comparison.observations.sources if source.values})
    end = comparison.common_end
    said = [harness, which, _runs(comparison), f"names end in {end}" if end else ""]
    return ", ".join(part for part in said if part)


def _runs(comparison: Comparison) -> str:
    """Write how many runs, processes or pairs each build has."""
    of: set[int] = set()
    designs = set()
    for *_, rows in comparison.weighing.sections()[:1]:
        for row in rows[:_SCANNED]:
            fields = comparison.weighing.row_dict(row)
            of |= {count for count in (fields["baseline_n"], fields["contender_n"]) if count}
            designs.add(fields["design"])
    if not of:
        return ""
    words = comparison.observations.words
    # Where a run is a whole measurement, its values are no runs.
    single = "value" if words.process == "run" else "run"
    unit = "pair" if designs == {"paired"} else words.process if designs == {"nested"} else single
    some = counted(max(of), unit, words.processes if unit == "process" else "")
    span = some if len(of) == 1 else f"{min(of):,} to {some}"
    return span if unit == "pair" else f"{span} per build"


def names_of(comparison: Comparison, lines: Iterable[Line], sheet: Sheet) -> list[str]:
    """Return the names of lines, printable and without what all of them end in."""
    weighing = comparison.weighing
    if sheet.metric is None:
        return [_native.printable(weighing.row_dict(line.lead)["metric"]) for line in lines]
    end = comparison.common_end
    return [(weighing.cell(line.lead, "benchmark") or "").removesuffix(end) for line in lines]


def summaries(comparison: Comparison, sheet: Sheet, room: int = ROOM, *, named: bool = True) -> list[str]:
    """Count what did not change, a line for each verdict, and say what would settle it; then the means.

    Only the first table counts all benchmarks. A line has ``room`` columns. ``named`` says whether the first names
    follow all counts; those of what is gone do anyhow.
    """
    if not sheet.first:
        return _means(comparison, sheet)
    shown = {line.verdict for line in sheet.lines}
    counts, advice = [], []
    for code, others in sheet.others.items():
        more = "more " if code in shown else ""
        # Of one benchmark the lines are metrics; the answer counts benchmarks.
        count = f"{len(others):,} {more}" if sheet.metric is not None else f"{counted(len(others), f'{more}metric')} "
        begin = f"{count}{_WORDS.get(code, OF[code].word)}{_of(comparison, sheet, code)}"
        names = [*dict.fromkeys(_named(comparison, others, sheet))] if named or code == "missing" else []
        begin += ": " if names else ""
        counts.append(begin + _fitting(names, room - _native.columns(begin)) if names else begin)
    if not named:
        counts = [" · ".join(counts)] if counts else []
    if "inconclusive" in sheet.others:
        advice = _slow(comparison, sheet.others["inconclusive"])
        step = next_step(
            comparison.weighing, comparison.left_open(), len(comparison.weighing.with_verdict(["inconclusive"]))
        )
        advice += [f"  {step}"] if step else []
    place = 1 + [*sheet.others].index("inconclusive") if advice and named else len(counts)
    found = [*counts[:place], *advice, *counts[place:]]
    return [*found, *_quiet(comparison, sheet.quiet), *_means(comparison, sheet)]


def _named(comparison: Comparison, lines: list[Line], sheet: Sheet) -> list[str]:
    """Name lines; what one build lacks at a level, with the level."""
    names = names_of(comparison, lines, sheet)
    groups = comparison.arrangement.groups
    if len(groups) == 1:
        return names
    return [
        f"{name} at {_native.printable(groups[line.group])}" if line.verdict in ALONE else name
        for name, line in zip(names, lines, strict=True)
    ]


def _slow(comparison: Comparison, lines: list[Line]) -> list[str]:
    """Name the undecided lines of which only slow runs are open."""
    found = []
    for line in lines[:_SCANNED]:
        fields = comparison.weighing.row_dict(line.lead)
        if fields["reason"] == "tail-undecided":
            name, verdict = comparison.weighing.cells(line.lead, ("benchmark", "verdict"))
            found.append(f"  {name}: {(verdict or '').partition(': ')[2]}")
    left = len(found) - _FEW
    return [*found[:_FEW], f"  and {left:,} more with too few slow runs to decide"] if left > 0 else found


def _quiet(comparison: Comparison, metrics: list[int]) -> list[str]:
    """Name the metrics in which nothing changed: those that are decided, and those that are not."""
    of: dict[str, list[str]] = {}
    for metric in metrics:
        rows = [row for section in comparison.sections() if section.metric == metric for row in section.rows]
        same = comparison.of_verdict("equivalent").issuperset(rows)
        word = "unchanged" if same else "no clear change"
        of.setdefault(word, []).append(_native.printable(comparison.observations.metrics[metric].name))
    return [f"{word} in {listed(names, _FEW)}" for word, names in of.items()]


def _of(comparison: Comparison, sheet: Sheet, code: str) -> str:
    """Say of which metric or of how many builds no clear change is."""
    if code != "inconclusive":
        return ""
    if len(sheet.pairs) > 1:
        return " in any build"
    if sheet.metric is None or not sheet.columns:
        return ""
    metric = comparison.observations.metrics[sheet.metric]
    return f" ({'time' if metric.unit == 's' else _native.printable(metric.name)})"


def overflow(comparison: Comparison, code: str, lines: list[Line]) -> str:
    """Count the lines of a verdict that have no room, with the range of their changes."""
    weighing = comparison.weighing
    words = {weighing.cell(line.lead, "word") or code for line in lines[:_SCANNED]}
    word = words.pop() if len(words) == 1 else OF[code].word
    order = weighing.order([line.lead for line in lines], "fall", changed=False)
    rows = [weighing.row_dict(row) for row in (order[0], order[-1])]
    ends = [_native.percent(row["change"]) for row in rows if row["change"] is not None and row["scale"] == "ratio"]
    span = f", {' to '.join(dict.fromkeys(ends))}" if ends else ""
    return f"{len(lines):,} {'other' if word in {'more', 'less'} else 'more'} {word}{span}"


def _fitting(names: list[str], room: int) -> str:
    """Write names as far as they fit a line; an ellipsis stands for the others."""
    text = ", ".join(names)
    if _native.columns(text) <= room:
        return text
    kept: list[str] = []
    for name in names:
        if _native.columns(", ".join([*kept, name, "…"])) > room:
            break
        kept.append(name)
    return ", ".join([*kept, "…"]) if kept else _native.shortened(text, max(room, _LEAST))


def _means(comparison: Comparison, sheet: Sheet) -> list[str]:
    """Write the geometric means of the metrics of a table of one pair, or the quantiles of a suite."""
    if len(sheet.pairs) > 1 or sheet.metric is None or len(comparison.arrangement.groups) > 1:
        return []
    found = []
    several = bool(sheet.columns or sheet.quiet) or not sheet.first
    for section in comparison.sections():
        if section.metric not in {sheet.metric, *sheet.columns} or section.summary.get("rows", 0) < _PAIR:
            continue
        if section.summary["quantiles"] is not None and section.summary["rows"] > _FEW:
            levels = (f"{level} {value}" for level, value in quantile_words(section.summary))
            return [f"quantiles of change: {' · '.join(levels)}"]
        mean, _ = mean_parts(section.summary)
        name = _native.printable(comparison.observations.metrics[section.metric].name)
        left = section.summary["without_ratio"]
        mean += f" ({left:,} without a ratio left out)" if mean and left else ""
        found += [f"{name} {mean}" if several else mean] if mean else []
    return [f"geometric mean: {', '.join(found)}"] if found else []
