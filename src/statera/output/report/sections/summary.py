"""The summary: the answer with how many benchmarks have which verdict, findings as sentences, caveats, an overview."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.comparison.codes import ASKING, GAINS, GRADES, OF, OF_TAILS, words
from statera.comparison.verdicts.findings import PARAMETRIC, centres, distinct, equivalence
from statera.comparison.verdicts.findings import suite as single_values
from statera.output.report.model import Banner, Cell, Column, Fold, Item, Items, Lead, Prose, Section, Share, Table
from statera.output.report.sections import quality, suite
from statera.output.report.sections.quality import GRADE_TONES
from statera.output.report.sections.quantiles import MOST_LINES, where_it_differs
from statera.output.report.sections.rows import TONES, answer_words, axis_of, index_of, indexes, interval_words, where
from statera.output.views.comment import NO_BREAK
from statera.output.views.tables import depends, interaction_lines
from statera.output.views.texts import mean_parts
from statera.support.wording import conjoined, counted, listed, shown

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.verdicts import Answer
    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.output.report.sections.rows import Axis, Index

# Notes that affect the credibility of findings, the most important first.
_CARE: Final = (
    "moves-as-one",
    "machine-differs",
    "hosts-disagree",
    "measured-elsewhere",
    "one-process",
    "too-few-runs",
    "family-too-large",
    "empty-cell",
)
_OVERVIEW: Final = 60
# If the sentences name every row, an overview would repeat them.
_FEW: Final = 12
_ROWS_OF_EACH: Final = 4
# So many effects that depend on a level are open.
_EFFECTS: Final = 4


def section(material: Material) -> Section | None:
    """Summarise the findings."""
    blocks: list[Block] = banner(material)
    if material.comparison is not None:
        blocks += _compared(material.comparison)
    elif material.inspection is not None:
        said = tuple(Item(_native.printable(line)) for line in material.inspection.findings)
        blocks.append(Items(said if material.reason is not None else said[1:]))
    blocks += quality.normality_shares(material)
    if material.observations.left_out:
        kinds = ", ".join(f"{code} {count:,}" for code, count in material.observations.left_out_by_code.items())
        count = material.observations.left_out
        left = counted(count, "line, record or file was", "lines, records or files were")
        text = f"{left} left out of reading ({kinds})"
        blocks.append(Items((Item(f"{text}. See the data quality.", "inconclusive"),)))
    if apart := material.observations.counted_apart:
        blocks.append(Items((Item(f"Ignored, because they are not measurements: {apart}."),)))
    return Section("summary", "Summary", tuple(blocks))


def _compared(comparison: Comparison) -> list[Block]:
    """Summarise the findings of a comparison below its answer."""
    blocks: list[Block] = [*_findings(sentences(comparison)), *_interactions(comparison)]
    blocks += suite.described(comparison)
    along = where_it_differs(comparison)
    if 0 < len(along) <= MOST_LINES:
        blocks.append(Prose(("Where in the distribution, by bands for all quantiles at once:",)))
        blocks.append(Items(tuple(Item(line) for line in along)))
    care = [note for code in _CARE for note in comparison.notes if note.code == code]
    if care:
        texts = (Item(f"{note.text}{_rows(note.rows)}", "inconclusive") for note in care)
        blocks += [Prose(("Read this with care:",)), Items(tuple(texts))]
    overview = _overview(comparison)
    return [*blocks, overview] if overview else blocks


def _findings(items: list[Item]) -> list[Block]:
    """Show what is said of many rows; the sentences on single rows repeat the banner, and add values and p."""
    single, many = [item for item in items if item.link], [item for item in items if not item.link]
    title = f"In sentences: {counted(len(single), 'finding')}"
    found: list[Block] = []
    if single:
        found.append(Fold(title, (Items(tuple(single), findings=True),), on_paper=True, drawn_above=True))
    return [*found, Items(tuple(many), findings=True)] if many else found


def _interactions(comparison: Comparison) -> list[Block]:
    """Say whether effects depend on a level: those that do are open."""
    question, *lines = [line.strip() for line in interaction_lines(comparison)] or [""]
    if not lines:
        return []
    items = [Item(line) for line in lines]
    found = sum(depends(each, comparison.policy.alpha) for each in comparison.interactions)
    if len(items) > 1 and not found:
        said = f"{question} Not shown for any of {len(comparison.interactions):,} effects."
        return [Prose((said,)), Fold("The effects at each level", (Items(tuple(items)),))]
    most = min(max(found, 1), _EFFECTS)
    blocks: list[Block] = [Prose((question,)), Items(tuple(items[:most]))]
    return [*blocks, Fold("The other effects", (Items(tuple(items[most:])),))] if items[most:] else blocks


def _rows(count: int) -> str:
    return f" ({counted(count, 'row')})" if count else ""


def _mean(words: str) -> str:
    """Write a mean so that a narrow cell parts it from its interval, but not the interval's ends."""
    mean, _, interval = words.partition(" ")
    return f"{mean} {interval.replace(' ', NO_BREAK)}" if interval else mean


def _overview(comparison: Comparison) -> Table | None:
    """List every metric and pair with its verdicts and its geometric mean; None for one, or if each has few rows."""
    sections, index = comparison.sections("worst"), index_of(comparison)
    # Sections of two or three rows have no mean, and their verdicts stand in the tables.
    if len(sections) == 1 or len(comparison) <= _FEW or len(comparison) < _ROWS_OF_EACH * len(sections):
        return None
    # The description of a suite states the means.
    if len(suite.single_valued(comparison)) == len(sections):
        return None
    rows = []
    for each in sections[:_OVERVIEW]:
        change, how = mean_parts(each.summary) if each.summary.get("rows", 0) > 1 else ("", "")
        rows.append(
            (Cell(where(comparison, each)), Cell(answer_words(index, each.rows)), Cell(_mean(change)), Cell(how))
        )
    columns = (Column("metric"), Column("verdicts"), Column("geometric mean", numeric=True), Column("of", minor=True))
    return Table("Every metric at a glance", columns, tuple(rows), total=len(sections)).without_empty()


_PAIR: Final = 2
_MOST_LEADS: Final = 8
_SINGLE: Final = "one-value"
# Of a row without a change.
_ONE_SIDED: Final = {"missing": "gone", "new": "new"}
_AT_LEVEL: Final = {"missing": "gone at this level", "new": "new at this level"}


def banner(material: Material) -> list[Block]:
    """Answer the requested question, and below it the further ones in a line each."""
    if material.reason is not None or not material.questions:
        return [_without(material)] if material.reason is not None or material.inspection is not None else []
    first, *others = indexes(material)
    found: list[Block] = [_answer(first)]
    if others:
        lines = [
            _answered(index, question.words) for index, question in zip(others, material.questions[1:], strict=True)
        ]
        lead = f"The answer above compares {_lowered(material.questions[0].words)}. Further comparisons:"
        found += [Prose((lead,)), Items(tuple(lines))]
    return found


def _lowered(words: str) -> str:
    """Write the words of a question inside of a sentence."""
    return _native.printable(f"{words[:1].lower()}{words[1:]}")


def _answered(index: Index, words: str) -> Item:
    leads = index.answer.leads
    tone = TONES[index.fields(leads[0])["verdict"]] if leads else ""
    return Item(f"{_native.printable(words)}: {index.answer.line}.", tone, index.link(leads[0]) if leads else "")


def shares(answer: Answer) -> tuple[Share, ...]:
    """Return how many subjects have which verdict, in the words of the answer."""
    states = dict(zip(("worse", "better"), answer.states, strict=True))
    return tuple(Share(_state(states, code), count, TONES[code]) for code, count in answer.counts.items())


def _state(states: dict[str, str], code: str) -> str:
    found = states.get(code, code)
    return OF[code].word if found == code else found


def _answer(index: Index) -> Banner:
    answer = index.answer
    every = _leading(index)
    rows, best = _first(index, every)
    axis = axis_of(index, rows)
    metrics = {index.fields(row)["metric"] for row in rows}
    named = index.several_metrics and index.comparison.observations.words.subject != "metric"
    leads = tuple(_lead(index, row, axis, named=named and len(metrics) > 1) for row in rows)
    places = [_native.printable(metric) for metric in metrics] if named and len(metrics) == 1 else []
    places += [axis.words] if any(lead.interval for lead in leads) else []
    ticks = axis.ticks() if any(lead.interval for lead in leads) else ()
    return Banner(answer.line, shares(answer), leads, "; ".join(places), len(every), best, ticks)


def _leading(index: Index) -> list[int]:
    """Return the rows that matter most: what asks for action, then the largest gains, then the rest."""
    rows = index.answer.leads
    verdicts = {row: index.fields(row)["verdict"] for row in rows}
    gains = index.weighing.order([row for row in rows if verdicts[row] in GAINS], "gain", changed=False)
    urgent = [row for row in rows if verdicts[row] in ASKING]
    # Single values are not judged, but their largest changes are what there is to see.
    single = index.weighing.order([row for row in rows if verdicts[row] == _SINGLE], "effect", changed=False)
    changed = [*urgent, *gains, *single]
    return changed or rows


def _first(index: Index, rows: list[int]) -> tuple[list[int], int]:
    """Return the rows that fit, and how many of them are the best.

    Single values have no verdicts, so that both ends of their order are shown.
    """
    if len(rows) <= _MOST_LEADS:
        return rows, 0
    harms = [index.weighing.harm(row) for row in rows]
    gains = sum(harm < 0 for harm in harms)
    if {index.fields(row)["verdict"] for row in rows} != {_SINGLE} or not 0 < gains < len(rows):
        return rows[:_MOST_LEADS], 0
    best = min(max(_MOST_LEADS // 2, _MOST_LEADS - (len(rows) - gains)), gains)
    return [*rows[: _MOST_LEADS - best], *rows[-best:]], best


def _lead(index: Index, row: int, axis: Axis, *, named: bool) -> Lead:
    fields, cell = index.fields(row), index.weighing.cell
    # Of a row that is open the interval says what is known.
    change = "" if index.is_open(row) else shown(cell(row, "change"))
    words = f"{change} {interval_words(index, row)}".strip()
    text = (_AT_LEVEL if fields["reason"] == "at-level" else _ONE_SIDED).get(fields["verdict"], words)
    title = index.title(row)
    if named:
        title += f", {_native.printable(fields['metric'])}"
    values = [cell(row, side) for side in ("old", "new")]
    arrow = f"{values[0]} → {values[1]}" if None not in values and len(index.comparison.labels) == _PAIR else ""
    return Lead(title, text, TONES[fields["verdict"]], axis.place(index, row), index.link(row), arrow)


def _without(material: Material) -> Banner:
    """Say why nothing was compared, or in an inspection whether the samples can be compared."""
    line, inspection = "", material.inspection
    if material.reason is not None:
        line = f"Nothing could be compared: {_native.printable(str(material.reason).replace(chr(10), ' ')).strip()}"
    elif inspection is not None:
        line = _native.printable(next(iter(inspection.findings), "Nothing was inspected"))
    shares = _grades(inspection) if inspection is not None and material.reason is None else ()
    return Banner(line.rstrip("."), shares, (), "")


def _grades(inspection: Inspection) -> tuple[Share, ...]:
    counts = inspection.native.summary([*range(len(inspection))])["grades"]
    made = (Share(grade, count, GRADE_TONES[grade]) for grade, count in zip(GRADES, counts, strict=True) if count)
    return tuple(reversed([*made]))


# So many benchmarks have their own sentence; further ones are counted.
_MOST_SENTENCES: Final = {
    "invalid": 12,
    "worse": 12,
    "tail-worse": 8,
    "missing": 6,
    "changed": 6,
    "shape-changed": 6,
    "better": 8,
    "tail-better": 4,
    "differs": 12,
    "inconclusive": 4,
}
# Reasons whose code alone says too little.
_REASONS: Final = {
    "too-few": "too few runs",
    "low-level": "low confidence level",
    "one-process": "one process per build",
    "tail-undecided": "typical unchanged, too few slow runs to tell",
    "not-among-so-many": "lost to the correction for all tests",
    "within-sessions": "no further than two sessions of one build may differ",
    "level-changed": "a build shifted level between its runs",
    "moves-with-all": "no further than all benchmarks moved, which may be the machine",
}
_MOST_METRICS: Final = 4
_SCANNED: Final = 2000
_ORDER: Final = {
    "invalid": "gain",
    "worse": "effect",
    "tail-worse": "effect",
    "missing": "effect",
    "changed": "effect",
    "shape-changed": "effect",
    "better": "gain",
    "tail-better": "gain",
    "differs": "effect",
    "inconclusive": "file",
}
_STATES: Final = {
    "invalid": "is invalid, because more of it failed",
    "changed": "has changed",
    "inconclusive": "shows no clear change",
}


def _is(verdict: str, word: str) -> str:
    """Write a verdict as what a benchmark is: ``is slower``, ``has more``, ``has a slower tail``."""
    of, space, how = word.rpartition(" ")
    if word in {"more", "less"}:
        return f"has {word}"
    return _STATES.get(verdict) or (f"has a {how} {of}" if space and of in {"tail", "spread"} else f"is {word}")


def sentences(comparison: Comparison) -> list[Item]:
    """Return a sentence for each benchmark, pair and group that changed, the worst first; what is unclear last."""
    found: list[Item] = []
    if all(design == "one-sided" for design, _, _, _ in comparison.weighing.kinds()):
        found.append(Item(f"{comparison.answer.line}.", "missing"))
    told: set[tuple[str, ...]] = set()
    for verdict in _ORDER:
        found += _of_verdict(comparison, verdict, told)
    found += _counts(comparison)
    return found


def _of_verdict(comparison: Comparison, verdict: str, told: set[tuple[str, ...]]) -> list[Item]:
    """Write a sentence for each subject with a verdict; ``told`` are those that have a sentence already."""
    weighing, known = comparison.weighing, index_of(comparison)
    rows = weighing.order(weighing.with_verdict([verdict]), _ORDER[verdict], changed=False)
    of: dict[tuple[str, ...], list[tuple[int, dict[str, Any]]]] = {}
    lacking = set(weighing.missing_metrics())
    for index in rows[:_SCANNED]:
        fields = known.fields(index)
        # A missing row is listed once, not for every variant it would have been compared with.
        names: tuple[str, ...] = ("benchmark", "contender", "baseline", "group")
        if verdict == "missing":
            names = ("benchmark", "group") if fields["reason"] else ("benchmark",)
            names = ("benchmark", "contender", "group") if index in lacking else names
        key = tuple(fields[name] for name in names)
        of.setdefault(key, []).append((index, fields))
    most = _MOST_SENTENCES[verdict]
    if verdict == "inconclusive" and len(of) > most:
        which = counted(distinct(weighing, rows, "benchmark"), "benchmark shows", "benchmarks show")
        return [Item(f"{which} no clear change{_why(comparison, rows)}.", TONES[verdict])]
    found = []
    for key, each in list(of.items())[:most]:
        # A benchmark that is slower and smaller is not worse and better.
        also = " in other metrics" if key in told else ""
        found.append(Item(_sentence(comparison, verdict, each, also), TONES[verdict], known.link(each[0][0])))
    told.update(of)
    if len(of) > most:
        more = len(of) - most
        least = "at least " if len(rows) > _SCANNED else ""
        state = _more(comparison, verdict, more, rows)
        first = list(of.values())[most][0][0]
        found.append(Item(f"And {least}{state}. The tables list all of them.", TONES[verdict], known.link(first)))
    return found


def _more(comparison: Comparison, verdict: str, more: int, rows: list[int]) -> str:
    """Say that more have a verdict: ``2 more are slower``."""
    if verdict == "differs":
        return counted(more, "more differs", "more differ")
    verb, word = _is(verdict, comparison.word(rows[:_SCANNED])).split(" ", 1)
    several = {"is": "are", "has": "have", "shows": "show"}[verb]
    return f"{counted(more, f'more {verb}', f'more {several}')} {word}"


def _sentence(comparison: Comparison, verdict: str, rows: list[tuple[int, dict[str, Any]]], also: str) -> str:
    weighing = comparison.weighing
    fields = rows[0][1]
    one_pair = not comparison.labels[2:]
    name = shown(weighing.cell(rows[0][0], "benchmark"))
    contender, baseline, group = (_native.printable(fields[key]) for key in ("contender", "baseline", "group"))
    at = f" at {group}" if group else ""
    if verdict == "missing":
        without = " and ".join(dict.fromkeys(_native.printable(each["contender"]) for _, each in rows))
        if rows[0][0] in set(weighing.missing_metrics()):
            metrics = conjoined([_native.printable(each["metric"]) for _, each in rows[:_MOST_METRICS]])
            return f"{name} has no {metrics} in {without}{at}."
        return f"{name} is gone from {without}{at if fields['reason'] else ''}."
    subject = name if one_pair else f"{contender}"
    why = "few runs" if PARAMETRIC in fields["warnings"] else f"one {comparison.observations.words.process} per build"
    differs = f"differs{_way(weighing, rows)} ({why})"
    word = comparison.word([index for index, _ in rows])
    state = differs if verdict == "differs" else _is(verdict, word)
    of = f" than {baseline}" if verdict in {"worse", "better"} else f" against {baseline}"
    than = "" if one_pair else of
    single = "" if one_pair or not _several(comparison) else f" in {name}"
    texts = [_change(weighing, index, each, values=place == 0) for place, (index, each) in enumerate(rows)]
    changes = listed(texts, _MOST_METRICS, between="; ", last="; ")
    return f"{subject} {state}{than}{single}{at}{also}: {changes}."


def _way(weighing: _native.Weighing, rows: list[tuple[int, dict[str, Any]]]) -> str:
    """Return the direction that all of these rows share; empty if they share none."""
    harms = [weighing.harm(index) for index, _ in rows]
    return " for the worse" if min(harms) > 0 else " for the better" if max(harms) < 0 else ""


def _several(comparison: Comparison) -> bool:
    rows = list(range(min(len(comparison), _SCANNED)))
    return comparison.weighing.distinct_benchmarks(rows) > 1


def _change(weighing: _native.Weighing, index: int, fields: dict[str, Any], *, values: bool) -> str:
    change, interval, tail = weighing.cells(index, ("change", "interval", "tail"))
    text = f"{_native.printable(fields['metric'])} {shown(change)}"
    # The interval of an exact change only repeats it.
    if interval and not interval.endswith("(exact)"):
        text += f" {interval}"
    arrow = centres(weighing, index) if values else ""
    if arrow:
        text += f", {arrow}"
    if fields["verdict"] in OF_TAILS:
        return f"{text} ({tail})"
    if fields["reason"] is not None:
        text += f" ({_reason(fields['reason'])})"
    elif fields["p_corrected"] is not None:
        text += f" ({_native.p_equals(fields['p_corrected'])})"
    return text


def _reason(code: str) -> str:
    return _REASONS.get(code) or words(code)


def _why(comparison: Comparison, rows: list[int]) -> str:
    """Count the benchmarks of some rows by the reason of their first row."""
    known, first = index_of(comparison), dict[str, str]()
    for index in rows:
        fields = known.fields(index)
        first.setdefault(fields["benchmark"], fields["reason"])
    counts = sorted(Counter(first.values()).items(), key=lambda each: -each[1])
    return f" ({', '.join(f'{count:,} {_reason(code)}' for code, count in counts)})"


def _counts(comparison: Comparison) -> list[Item]:
    """Count what is unchanged and new, and list the extremes of a suite with too few values for verdicts."""
    found = []
    if comparison.weighing.with_verdict(["equivalent"]):
        found.append(Item(equivalence(comparison.weighing), TONES["equivalent"]))
    new = comparison.weighing.with_verdict(["new"])
    if new:
        count = distinct(comparison.weighing, new, "benchmark")
        found.append(Item(f"{counted(count, 'benchmark is new', 'benchmarks are new')}.", TONES["new"]))
    single = single_values(comparison.weighing)
    index = index_of(comparison)
    leads = index.answer.leads
    return [*found, Item(single, "", index.link(leads[0]) if leads else "")] if single else found
