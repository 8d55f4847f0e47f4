"""The findings as sentences, with numbers and intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.comparison.codes import OF_TAILS, words
from statera.comparison.verdicts.findings import PARAMETRIC, centres, equivalence, suite
from statera.output.report.model import Item
from statera.output.report.sections.index import index_of
from statera.output.report.sections.rows import TONES
from statera.support.wording import conjoined, counted, listed, shown

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison

# So many benchmarks have their own sentence; further ones are counted.
_MOST: Final = {
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
    "not-among-so-many": "significant alone but not among so many",
    "within-sessions": "no further than two sessions of one build may differ",
    "level-changed": "a build changed its level between its runs",
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
    "invalid": "is invalid, for more of it failed",
    "changed": "has changed",
    "inconclusive": "is undecided",
    "tail-worse": "is worse in the tail",
    "tail-better": "is better in the tail",
    "shape-changed": "has another shape",
}


def sentences(comparison: Comparison) -> list[Item]:
    """Return a sentence for each benchmark, pair and group that changed, the worst first; the undecided last."""
    found: list[Item] = []
    if all(design == "one-sided" for design, _, _, _ in comparison.weighing.kinds()):
        found.append(Item(f"{comparison.answer.line}.", "missing"))
    told: set[tuple[str, ...]] = set()
    for verdict in _ORDER:
        found += _of(comparison, verdict, told)
    found += _counts(comparison)
    return found or [Item(equivalence(comparison.weighing), "equivalent")]


def _of(comparison: Comparison, verdict: str, told: set[tuple[str, ...]]) -> list[Item]:
    """Write a sentence for each subject with a verdict; ``told`` are those that have a sentence already."""
    weighing, known = comparison.weighing, index_of(comparison)
    rows = weighing.order(weighing.with_verdict([verdict]), _ORDER[verdict], False)  # noqa: FBT003
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
    most = _MOST[verdict]
    if verdict == "inconclusive" and len(of) > most:
        return [Item(f"{counted(len(rows), 'row is', 'rows are')} undecided{_why(comparison, rows)}.", TONES[verdict])]
    found = []
    for key, each in list(of.items())[:most]:
        # A benchmark that is slower and smaller is not worse and better.
        also = " in other metrics" if key in told else ""
        found.append(Item(_sentence(comparison, verdict, each, also), TONES[verdict], known.link(each[0][0])))
    told.update(of)
    if len(of) > most:
        more = len(of) - most
        least = "at least " if len(rows) > _SCANNED else ""
        word = _STATES.get(verdict, f"is {verdict}").partition(" ")[2]
        state = (
            counted(more, "more differs", "more differ")
            if verdict == "differs"
            else f"{counted(more, 'more is', 'more are')} {word}"
        )
        first = list(of.values())[most][0][0]
        found.append(Item(f"And {least}{state}; the tables list all of them.", TONES[verdict], known.link(first)))
    return found


def _sentence(comparison: Comparison, verdict: str, rows: list[tuple[int, dict[str, Any]]], also: str) -> str:
    weighing = comparison.weighing
    fields = rows[0][1]
    one_pair = len(comparison.labels) == 2  # noqa: PLR2004
    name = shown(weighing.cell(rows[0][0], "benchmark"))
    contender, baseline, group = (_native.printable(fields[key]) for key in ("contender", "baseline", "group"))
    at = f" at {group}" if group else ""
    if verdict == "missing":
        without = " and ".join(dict.fromkeys(_native.printable(each["contender"]) for _, each in rows))
        if rows[0][0] in set(weighing.missing_metrics()):
            metrics = conjoined([_native.printable(each["metric"]) for _, each in rows[:_MOST_METRICS]])
            return f"{name} has no {metrics} in {without}{at}."
        return f"{name} is missing from {without}{at if fields['reason'] else ''}."
    subject = name if one_pair else f"{contender}"
    why = "few runs" if PARAMETRIC in fields["warnings"] else f"one {comparison.observations.words.process} each"
    states = {**_STATES, "differs": f"differs{_way(weighing, rows)} ({why})"}
    state = states.get(verdict, f"is {verdict}")
    of = f" against {baseline}" if verdict in states else f" than {baseline}"
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
    interval = weighing.cell(index, "interval") or ""
    text = f"{_native.printable(fields['metric'])} {shown(weighing.cell(index, 'change'))}"
    # The interval of an exact change only repeats it.
    if interval and not interval.endswith("exactly"):
        text += f" {interval}"
    arrow = centres(weighing, index) if values else ""
    if arrow:
        text += f", {arrow}"
    if fields["verdict"] in OF_TAILS:
        return f"{text} ({weighing.cell(index, 'tail')})"
    if fields["reason"] is not None:
        text += f" ({words(fields['reason'])})"
    elif fields["p_corrected"] is not None:
        text += f" ({_native.p_equals(fields['p_corrected'])})"
    return text


def _why(comparison: Comparison, rows: list[int]) -> str:
    reasons: dict[str, int] = {}
    for index in rows:
        code = index_of(comparison).fields(index)["reason"]
        reasons[code] = reasons.get(code, 0) + 1
    counts = sorted(reasons.items(), key=lambda each: -each[1])
    return f" ({', '.join(f'{count:,} {_REASONS.get(code) or words(code)}' for code, count in counts)})"


def _counts(comparison: Comparison) -> list[Item]:
    """Count equivalent and new rows, and list the extremes of a suite with too few values for verdicts."""
    found = []
    if comparison.weighing.with_verdict(["equivalent"]):
        found.append(Item(equivalence(comparison.weighing), TONES["equivalent"]))
    new = comparison.weighing.with_verdict(["new"])
    if new:
        found.append(Item(f"{counted(len(new), 'row is new', 'rows are new')}.", TONES["new"]))
    single = suite(comparison.weighing)
    index = index_of(comparison)
    leads = index.answer.leads
    return [*found, Item(single, "", index.link(leads[0]) if leads else "")] if single else found
