"""The gate: whether a comparison fails a build, and on which rows. It fails closed: no answer is no pass."""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import TABLE
from statera.comparison.verdicts.findings import (
    PARAMETRIC,
    change_words,
    deciding,
    distinct,
    distinguishing,
    place_words,
    row_name,
    suite_words,
    why,
)
from statera.comparison.verdicts.notes import TOO_FEW, Note, elsewhere_words
from statera.support.errors import Stop
from statera.support.settings.policy import parse_fraction
from statera.support.typed import TYPE_CHECKING, NamedTuple, Protocol, cast
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any

    from statera.comparison.pairing import Arrangement
    from statera.reading.observations import Observations, Words

ONE_PROCESS = "one-process"
# The format of values that were read by another part than the readers of files: those of logs, of a run each.
IN_MEMORY = "columns"
# The verdicts that each word counts.
_COUNTED = {word: [each.code for each in TABLE if each.gate == word] for word in ("worse", "tail-worse", "missing")}
# Verdicts of rows that changed, for the worse or the better: nobody knows.
_UNDIRECTED = [each.code for each in TABLE if each.harm == "unknown" and each.part == "typical"]
_SINGLE, _UNCHANGED = ["one-value"], ["equivalent"]
# Designs that answer nothing: a side has no values, or one value.
_UNJUDGED = {"one-sided", "suite"}
# The typical value, the tail, or both.
_WORSE = ("worse", "typical-worse", "tail-worse", "suite-worse", "changed")
_SAY = (
    "Say what to fail on, for example worse:5% or worse,missing: worse, typical-worse, tail-worse, suite-worse or "
    "changed (each with :MARGIN if wanted), missing, inconclusive"
)
# Reasons of rows in which no change, however large, could be significant.
_SHOW_NOTHING = {TOO_FEW, "low-level"}
# How a note on what was asked for begins.
_ASKING = ("--benchmark ", "--metric ")
# Numbers of values that are one as good as the other.
_NEAR = 1.25
_SHOWN = 20
_NAMED = 3


class Gate(NamedTuple):
    """What fails the gate; margins are fractions.

    ``worse`` and ``tail`` are rows whose typical value, or whose tail, is worse; ``suite`` is a metric of which all
    rows together are worse; ``changed`` are all rows that changed, for the worse or the better.
    """

    worse: bool = False
    beyond: float | None = None
    tail: bool = False
    tail_beyond: float | None = None
    suite: bool = False
    suite_beyond: float | None = None
    changed: bool = False
    changed_beyond: float | None = None
    missing: bool = False
    inconclusive: bool = False
    accept_one_process: bool = False
    accept_parametric: bool = False

    def judges(self, row: Mapping[str, object]) -> bool:
        """Tell whether a row was judged in a way that this gate accepts."""
        warnings = cast("tuple[str, ...]", row["warnings"])
        refused = (not self.accept_one_process and ONE_PROCESS in warnings) or (
            not self.accept_parametric and PARAMETRIC in warnings
        )
        return row["design"] not in _UNJUDGED and not refused


class Compared(Protocol):
    """What a gate looks at: the rows, and the results and the arrangement that they come from."""

    @property
    def weighing(self) -> _native.Weighing:
        """The rows."""

    @property
    def observations(self) -> Observations:
        """What was read."""

    @property
    def arrangement(self) -> Arrangement:
        """Which build each value belongs to."""

    @property
    def notes(self) -> list[Note]:
        """What is remarked on them."""


class Judged(NamedTuple):
    """Which rows a gate judges; None: all."""

    # whether a row, or a summary of rows, can fail the gate; it goes by the metric
    of: Callable[[Mapping[str, Any]], bool] | None = None
    # whether a row without a clear change leaves something open
    open: Callable[[Mapping[str, Any]], bool] | None = None


class GateResult(NamedTuple):
    """What a gate found."""

    failing: list[int]  # the rows that fail it
    suites: list[int]  # the summaries that fail it
    missing: list[int]  # the rows with this verdict
    inconclusive: list[int]  # the rows whose typical value has no clear change, also where the spread changed
    not_counted: list[int]  # rows that differ for the worse and do not count
    single: list[int]  # rows of one value per build
    undirected: list[int]  # rows that changed in a direction of which nobody knows whether it is worse
    within: list[int]  # rows that are worse by more than the gate allows, and by less than their own margin
    left_open: list[int]  # rows without a clear change that may be slower than the gate allows, the farthest first
    refusal: str  # why the gate has no answer; empty if it has one

    @property
    def code(self) -> int:
        """The exit code: 0 only if something was judged, all of it could be read, and nothing fails."""
        return 1 if self.failing or self.suites else 2 if self.refusal else 0

    @property
    def refusal_code(self) -> str | None:
        """The code at the end of ``refusal``; None if the gate has an answer."""
        return self.refusal.rpartition("[")[2].rstrip("]") if self.refusal else None


def parse_gate(text: str | None, *, accept_one_process: bool = False, accept_parametric: bool = False) -> Gate:
    """Read ``worse[:MARGIN][,changed[:MARGIN]][,missing]``; ``typical-worse`` and ``tail-worse`` are parts of worse.

    ``suite-worse`` counts a metric of which all rows together are worse; ``changed`` also counts what is better.
    """
    gate = Gate(accept_one_process=accept_one_process, accept_parametric=accept_parametric)
    if text is not None and not text.strip(" ,"):
        raise Stop("bad-option", f"--fail-on is empty. {_SAY}")
    margins: dict[str, float | None] = {}
    for word in (text or "").split(","):
        name, colon, margin = word.strip().partition(":")
        if name in _WORSE:
            beyond = _one_margin(margins, name, parse_fraction(margin, f"--fail-on {name}") if colon else None)
            if name in {"worse", "typical-worse"}:
                gate = gate._replace(worse=True, beyond=beyond)
            if name == "changed":
                gate = gate._replace(changed=True, changed_beyond=beyond)
            if name == "suite-worse":
                gate = gate._replace(suite=True, suite_beyond=beyond)
            if name in {"worse", "tail-worse"}:
                gate = gate._replace(tail=True, tail_beyond=beyond)
        elif name in {"missing", "inconclusive"} and not colon:
            gate = gate._replace(**{name: True})
        elif name or colon:
            raise Stop(
                "bad-option",
                f"--fail-on {word}: unknown. {_SAY}",
            )
    return gate


def _one_margin(margins: dict[str, float | None], name: str, beyond: float | None) -> float | None:
    """Return the margin of a word, and keep it. Raises ``Stop`` if the word has another one."""
    if margins.setdefault(name, beyond) != beyond:
        raise Stop("bad-option", f"--fail-on states two margins of {name}. Leave out one of them")
    return beyond


def examine(gate: Gate, compared: Compared, judged: Judged | None = None) -> GateResult:
    """Find the rows that fail the gate, and whether it has an answer at all."""
    weighing = compared.weighing
    judged = judged or Judged()

    def kept(rows: Iterable[int], fits: Callable[[Mapping[str, Any]], bool] | None) -> list[int]:
        return [index for index in rows if fits is None or fits(weighing.row_dict(index))]

    rows = range(len(weighing)) if judged.of is None else kept(range(len(weighing)), judged.of)
    worse = kept(_worse(gate, weighing), judged.of)
    # Runs are too few to judge a change; that most of the work failed needs no more of them.
    counts = {index for index in worse if weighing.row_dict(index)["verdict"] == "invalid"}
    counts |= {index for index in worse if gate.judges(weighing.row_dict(index))}
    not_counted = [index for index in worse if index not in counts]
    missing = kept(weighing.with_verdict(_COUNTED["missing"]), judged.of)
    inconclusive = [index for index in kept(weighing.undecided(), judged.open) if index not in counts]
    suites = weighing.suites_worse(gate.suite_beyond) if gate.suite else []
    summaries = weighing.summaries() if judged.of is not None else []
    open_from = (gate.beyond if gate.worse else gate.changed_beyond) or 0.0
    left_open = weighing.left_open(open_from) if gate.worse or gate.changed else []
    undecided = set(inconclusive)
    return GateResult(
        failing=[index for index in worse if index in counts]
        + (missing if gate.missing else [])
        + (inconclusive if gate.inconclusive else []),
        suites=[index for index in suites if judged.of is None or judged.of(summaries[index])],
        missing=missing,
        inconclusive=inconclusive,
        not_counted=not_counted,
        single=kept(_single(weighing), judged.of),
        undirected=_without_direction(gate, weighing, rows),
        within=kept(_within(gate, weighing), judged.of),
        left_open=[index for index in left_open if index in undecided],
        refusal=_refusal(gate, compared, rows, missing, not_counted),
    )


def _worse(gate: Gate, weighing: _native.Weighing) -> list[int]:
    """Return the rows that changed as the gate asks, also those that do not count."""
    found: list[int] = []
    for word, counts, beyond in (("worse", gate.worse, gate.beyond), ("tail-worse", gate.tail, gate.tail_beyond)):
        worse = set(weighing.with_verdict(_COUNTED[word])) if counts else set()
        found += [index for index in weighing.worse_beyond(beyond) if index in worse]
    return [*dict.fromkeys(found + (weighing.changed_beyond(gate.changed_beyond) if gate.changed else []))]


def _refusal(
    gate: Gate, compared: Compared, rows: Collection[int], missing: Sequence[int], not_counted: Sequence[int]
) -> str:
    """Say why the gate has no answer; empty if it has one."""
    return (
        _unjudged(gate, compared.weighing, rows, not_counted, compared.observations.words)
        or _without_suites(gate, compared.weighing)
        or _unread(compared.observations)
        or _lost(compared, missing)
        or _repeated(compared)
        or _elsewhere(compared)
        or _unselected(compared.notes)
    )


def _unjudged(
    gate: Gate, weighing: _native.Weighing, rows: Collection[int], not_counted: Sequence[int], words: Words
) -> str:
    """Say why nothing of the rows was judged, or not what differs for the worse; empty if it was."""
    if {design for design, _, _, _ in weighing.kinds()} <= {"one-sided"}:
        return f"nothing could be compared: {why(weighing)} [nothing-judged]"
    if all(weighing.row_dict(index)["design"] == "one-sided" for index in rows):
        return "the metric that decides is not in both builds. Name another one with --decide-by [nothing-judged]"
    if all(weighing.row_dict(index)["design"] in _UNJUDGED for index in rows):
        return f"there is one value per build. Measure more {words.processes} [nothing-judged]"
    if all(_is_no_time(weighing.row_dict(index)) for index in rows):
        return "every time is 0, so that nothing was measured. Measure longer at a time [nothing-judged]"
    if not any(_can_show(weighing.row_dict(index)) for index in rows):
        return f"so few values cannot show any change. Measure more {words.processes} [nothing-judged]"
    return _ignored(weighing, not_counted, words) or _undirected(gate, weighing, rows)


def _ignored(weighing: _native.Weighing, not_counted: Sequence[int], words: Words) -> str:
    """Say what helps where rows differ for the worse and do not count; empty if there are none."""
    if not not_counted:
        return ""
    options = " or ".join(
        option
        for option, code in (("--accept-one-process", ONE_PROCESS), ("--accept-parametric", PARAMETRIC))
        if any(code in weighing.row_dict(row)["warnings"] for row in not_counted)
    )
    return f"what differs is not judged. Measure more {words.processes}, or pass {options} [nothing-judged]"


def _is_no_time(row: Mapping[str, object]) -> bool:
    """Tell whether a row is of times that are 0 in both builds: counts may be, such as those of allocations."""
    return row["unit"] == "s" and row["baseline_centre"] == row["contender_centre"] == 0.0


def _undirected(gate: Gate, weighing: _native.Weighing, rows: Iterable[int]) -> str:
    """Say that only metrics whose better direction is unknown were judged, and changed; empty otherwise."""
    changed = _without_direction(gate, weighing, rows)
    if not changed or any(_has_direction(gate, weighing, index) for index in rows):
        return ""
    metric = shown(weighing.row_dict(changed[0])["metric"])
    return f"whether more {metric} is better is unknown. State it with --better METRIC=lower or higher [nothing-judged]"


def _has_direction(gate: Gate, weighing: _native.Weighing, index: int) -> bool:
    """Tell whether a row was judged, and could have been worse; one that did not move is taken for it."""
    return gate.judges(weighing.row_dict(index)) and not weighing.undirected([index])


def _without_direction(gate: Gate, weighing: _native.Weighing, rows: Iterable[int]) -> list[int]:
    """Return the rows that changed by more than the margin, for the worse or the better: nobody knows."""
    if gate.changed or not (gate.worse or gate.suite):
        return []
    counts = set(weighing.with_verdict(_UNDIRECTED)).intersection(rows)
    return [index for index in weighing.changed_beyond(gate.beyond) if index in counts]


def _without_suites(gate: Gate, weighing: _native.Weighing) -> str:
    """Say that no suite has an interval where only suites are asked for."""
    known = any(summary.get("method") in {"runs", "exact"} for summary in weighing.summaries())
    if known or not gate.suite:
        return ""
    return "no suite has an interval. Make 4 runs per build, or 6 pairs [nothing-judged]"


def _can_show(row: Mapping[str, object]) -> bool:
    """Tell whether any change, however large, would have been detected."""
    return row["design"] not in _UNJUDGED and row["reason"] not in _SHOW_NOTHING


def _unread(observations: Observations) -> str:
    """Say what could not be read; empty if nothing was left out."""
    unread = observations.unread
    if not unread:
        # A log may be empty: its run has no values.
        empty = next((each for each in observations.sources if each.format == IN_MEMORY and not each.values), None)
        return (
            f"{_native.printable(empty.name)} has no value. A gate needs all results [unread-results]" if empty else ""
        )
    more = f", and {counted(len(unread) - 1, 'more file')}" if len(unread) > 1 else ""
    said = f"{unread[0]}{more}"
    end = "" if said.endswith("?") else "."
    return f"not everything could be read: {said}{end} A gate needs all results [unread-results]"


def _lost(compared: Compared, missing: Sequence[int]) -> str:
    """Say that a contender lost records that may be what is missing, or the worst of its values; empty otherwise."""
    observations = compared.observations
    lost = observations.lost
    if not lost:
        return ""
    variants = _variants_of_sources(compared)
    # What a filter left aside lost nothing of what is compared.
    lost = {source: count for source, count in lost.items() if variants[source]}
    # A file of both builds may have lost records of either.
    suspects = {source for source in lost if variants[source] != {0}}
    if not suspects:
        return ""
    said = _gone(compared, missing) or _fewer(compared, lost, variants)
    # A run names the outputs that it keeps, which are no sources.
    others = {source.name for number, source in enumerate(observations.sources) if number not in suspects}
    first = next((f", the first: {each}" for each in observations.losses if each.source not in others), "")
    return f"{said}{first} [unread-results]" if said else ""


def _variants_of_sources(compared: Compared) -> list[set[int]]:
    """Return the variants of each file; those of its argument if no value of it was read, and none if none is used."""
    sources, assignment = compared.observations.sources, compared.arrangement.assignment
    every: list[set[int | None]] = [set() for _ in sources]
    of_argument: dict[int, set[int | None]] = {}
    for context, variant in zip(compared.observations.contexts, assignment.variant_of_context, strict=True):
        if context.values:
            every[context.source].add(variant)
            of_argument.setdefault(sources[context.source].argument, set()).add(variant)
    unknown: set[int | None] = set(range(assignment.variants))
    found = (of or of_argument.get(source.argument, unknown) for source, of in zip(sources, every, strict=True))
    return [{variant for variant in of if variant is not None} for of in found]


def _gone(compared: Compared, missing: Sequence[int]) -> str:
    """Say how many benchmarks are gone; empty if none is."""
    if not missing:
        return ""
    of = compared.observations.words.subject
    gone = counted(distinct(compared.weighing, list(missing), of), f"{of} is", f"{of}s are")
    return f"{gone} gone, and may be among the results that were left out"


def _fewer(compared: Compared, lost: Mapping[int, int], variants: Sequence[set[int]]) -> str:
    """Say which contender lost more than its baseline: what is left of it may be the better values; empty if none did.

    Where one build has more runs than the other, the share of the runs counts. A file of both builds does not say whose
    its losses are: there the numbers of values that are left tell.
    """
    rows = [compared.weighing.row_dict(index) for index in range(len(compared.weighing))]
    rows = [row for row in rows if row["design"] != "one-sided"]
    mixed = any(len(variants[source]) > 1 for source in lost)
    labels = compared.arrangement.labels
    for baseline, contender in compared.arrangement.assignment.pairs:
        of_pair = [row for row in rows if (row["baseline"], row["contender"]) == (labels[baseline], labels[contender])]
        counts = [(row["baseline_values"], row["contender_values"]) for row in of_pair]
        before, after = (
            sum(count for source, count in lost.items() if variants[source] == {variant})
            for variant in (baseline, contender)
        )
        most = [max((count[side] for count in counts), default=1) for side in (0, 1)]
        # Harnesses that choose how often they run a benchmark give each build about as many values.
        is_near = max(most) <= _NEAR * min(most)
        if after * most[0] > before * most[1] and (after > before or not is_near):
            new, old = (_native.printable(labels[variant]) for variant in (contender, baseline))
            return f"{new} lost {counted(after, 'result')} and {old} {before:,}, and what is lost may be the worst"
        if not mixed and not after:
            continue
        # A contender that lost as much as its baseline may have lost it elsewhere, and lacks no more than that.
        scale, at_most = ((1, 1), None) if mixed else (most, after)
        lacking = [old * scale[1] / scale[0] - new for old, new in counts]
        fewer = (
            index for index, lacks in enumerate(lacking) if round(lacks) > 0 and (at_most is None or lacks <= at_most)
        )
        if (index := next(fewer, None)) is not None:
            name = _native.printable(of_pair[index]["benchmark"])
            old, new = (_native.printable(labels[variant]) for variant in (baseline, contender))
            before, after = counts[index]
            return f"{name} has {counted(before, 'value')} of {old} and {after:,} of {new}, and results were left out"
    return ""


def _repeated(compared: Compared) -> str:
    """Say which file of a build, or which build, has the values of another; empty if none has."""
    arrangement, assignment = compared.arrangement, compared.arrangement.assignment
    if arrangement.copies_across:
        copy, original = map(_native.printable, arrangement.copies_across[0])
        return (
            f"{original} has the values of {copy}, which is of another build. Measure each by itself [nothing-judged]"
        )
    repeats = compared.observations.native.repeats(
        assignment.variant_of_context, assignment.group_of_context, assignment.pairs
    )
    if not repeats:
        return ""
    baseline, contender = (_native.printable(arrangement.labels[variant]) for variant in repeats[0])
    return f"{contender} has the values of {baseline}, all of them. Measure each by itself [nothing-judged]"


def _elsewhere(compared: Compared) -> str:
    """Say which benchmarks a contender has where the baseline has none, and which have no row; empty if none."""
    weighing, found = compared.weighing, compared.weighing.elsewhere()
    rows = map(weighing.row_dict, range(len(weighing) if found else 0))
    judged = {row["benchmark"] for row in rows if row["design"] != "one-sided"}
    # A contender that was measured in more circumstances may be worse there.
    found = [each for each in found if each[2] or each[0] not in judged]
    said = elsewhere_words(compared.arrangement, found).rstrip(".")
    return f"{said[0].lower()}{said[1:]} [nothing-judged]" if found else ""


def _unselected(notes: Iterable[Note]) -> str:
    """Say which benchmark or metric that was asked for is in no build; empty if all are in one."""
    idle = (note.text for note in notes if note.code == "pattern-unused")
    # What excludes something, or rules it, hides nothing from a gate where it fits no name.
    asked = [text for text in idle if text.startswith(_ASKING) and not text.partition(" ")[2].startswith("!")]
    return f"{asked[0].rstrip('.')} [nothing-judged]" if asked else ""


def _single(weighing: _native.Weighing) -> list[int]:
    """Return the rows of one value per build; failures that only one build states are no values to judge."""
    rows = weighing.with_verdict(_SINGLE)
    return [index for index in rows if weighing.row_dict(index)["design"] != "one-sided"]


def _within(gate: Gate, weighing: _native.Weighing) -> list[int]:
    """Return the unchanged rows that are worse by more than the gate allows: a setting allows them more."""
    if not gate.worse or gate.beyond is None:
        return []
    rows = weighing.harmed(weighing.with_verdict(_UNCHANGED))
    far = [(weighing.row_dict(index), index) for index in rows]
    return [index for row, index in far if row["scale"] == "ratio" and abs(row["change"]) > gate.beyond]


def message(gate: Gate, result: GateResult, weighing: _native.Weighing, words: Words) -> list[str]:
    """Write the rows that fail the gate, and what it leaves open."""
    lines = []
    whose = distinguishing(weighing)
    if result.failing:
        of = _subjects(weighing, result.failing, words, "fails", "fail")
        lines.append(f"statera: {of} the gate:")
        for index in weighing.order(result.failing, "worst", changed=False)[:_SHOWN]:
            verdict = shown(weighing.cell(index, "verdict"))
            names = [row_name(weighing, index, each) for each in dict.fromkeys((words.subject, "metric"))]
            names[0] += place_words(weighing, index, whose)
            verdict = verdict.replace("one process", f"one {words.process}")
            lines.append(f"  {'  '.join(names)}  {change_words(weighing, index)}  {verdict}")
        left = len(result.failing) - _SHOWN
        lines += [f"  and {left:,} more"] if left > 0 else []
    summaries = weighing.summaries() if result.suites else []
    lines += [f"statera: {suite_words(weighing, summaries[index])} fails the gate" for index in result.suites]
    few = [index for index in result.not_counted if PARAMETRIC in weighing.row_dict(index)["warnings"]]
    lone = [index for index in result.not_counted if index not in set(few)]
    way = "" if gate.changed else " for the worse"
    if lone:
        lines.append(
            f"statera: {_subjects(weighing, lone, words, 'differs', 'differ')}{way}, but each build "
            f"{words.alone}, so the gate does not judge that. {deciding(words)} --accept-one-process makes the gate "
            "judge it."
        )
    if few:
        lines.append(
            f"statera: {_subjects(weighing, few, words, 'differs', 'differ')}{way}, but by a t-test of few runs, so "
            "the gate does not judge that. Run more often. --accept-parametric makes the gate judge it."
        )
    if result.refusal:
        lines.append(f"statera: the gate has no answer: {result.refusal}")
    lines.append(f"statera: --fail-on {in_words(gate)}: {_left(result, weighing, words)}")
    return lines


def _subjects(weighing: _native.Weighing, rows: Sequence[int], words: Words, one: str, several: str) -> str:
    """Count the benchmarks (or metrics) of some rows, with the verb that suits the number."""
    of = words.subject
    return counted(distinct(weighing, list(rows), of), f"{of} {one}", f"{of}s {several}")


def _left(result: GateResult, weighing: _native.Weighing, words: Words) -> str:
    """Write what neither fails nor passes: what is gone, and which slowdowns remain possible without a clear change."""
    whose = distinguishing(weighing)

    def leads_of(rows: Sequence[int]) -> list[int]:
        return weighing.leads_of(words.subject == "metric", list(rows))

    def named(rows: Sequence[int], *cells: str) -> str:
        # Several metrics of a benchmark are one benchmark: its first row stands for it.
        firsts: dict[str, int] = {}
        for row in rows:
            firsts.setdefault(row_name(weighing, row, words.subject) + place_words(weighing, row, whose), row)
            if len(firsts) == _NAMED:
                break
        total = len(leads_of(rows))
        each = (" ".join(filter(None, [name, *cells_of(row, cells)])) for name, row in firsts.items())
        return listed(each, _NAMED, total=total) if rows else ""

    def cells_of(row: int, cells: Sequence[str]) -> list[str]:
        return [
            _native.printable(weighing.row_dict(row)[cell]) if cell == "metric" else weighing.cell(row, cell) or ""
            for cell in cells
        ]

    def also(rows: Sequence[int], one: str, several: str, cell: str) -> str:
        if not rows:
            return ""
        worst = weighing.order(list(rows), "worst", changed=False)
        return f", {counted(distinct(weighing, list(rows), words.subject), one, several)} ({named(worst, cell)})"

    lacking = set(weighing.missing_metrics()) if words.subject == "benchmark" else set()
    gone, lacks = ([row for row in result.missing if (row in lacking) == is_metric] for is_metric in (False, True))
    lost = f" ({named(gone)})" if gone else ""
    lost += also(lacks, "lacks a metric", "lack a metric", "metric")
    lost += also(result.single, "not judged", "not judged", "change")
    lost += also(result.within, "worse within its margin", "worse within their margins", "change")
    lost += also(result.undirected, "changed in an unknown direction", "changed in an unknown direction", "change")
    # As the answer counts: each once, by its most urgent row. What is worse in one metric may be unclear in another.
    leads, slower = leads_of(result.inconclusive), len(leads_of(result.left_open))
    unclear = len(set(leads).intersection(weighing.with_verdict(["inconclusive"])))
    partly = f", {len(leads) - unclear:,} unclear in part" if len(leads) > unclear else ""
    some = "all" if slower == len(leads) else f"{slower:,}"
    which = "which" if len(leads) == 1 else f"{some} of which"
    left = f", {which} may still be slower: {named(result.left_open, 'interval')}" if slower else ""
    return f"{distinct(weighing, gone, words.subject):,} gone{lost}, {unclear:,} with no clear change{partly}{left}"


def in_words(gate: Gate) -> str:
    """Write a gate as ``--fail-on`` takes it, and what it accepts."""
    typical = _margin("typical-worse", gate.beyond) if gate.worse else ""
    tail = _margin("tail-worse", gate.tail_beyond) if gate.tail else ""
    if gate.worse and gate.tail and gate.beyond == gate.tail_beyond:
        typical, tail = _margin("worse", gate.beyond), ""
    suite = _margin("suite-worse", gate.suite_beyond) if gate.suite else ""
    changed = _margin("changed", gate.changed_beyond) if gate.changed else ""
    parts = [
        typical,
        tail,
        suite,
        changed,
        "missing" if gate.missing else "",
        "inconclusive" if gate.inconclusive else "",
    ]
    accepted = " --accept-one-process" if gate.accept_one_process else ""
    accepted += " --accept-parametric" if gate.accept_parametric else ""
    return (",".join(part for part in parts if part) or "nothing") + accepted


def _margin(word: str, beyond: float | None) -> str:
    return word if beyond is None else f"{word}:{beyond * 100:.12g}%"
