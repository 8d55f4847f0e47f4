"""Notes on a comparison: the footnotes of its rows, what was pooled, what differs and what was not used."""

from __future__ import annotations

import itertools
import os
from math import comb

from statera import _native
from statera.comparison.pairing.keys import HOST, HOSTS, MACHINE_KEYS, NUMBER_KEYS
from statera.reading.formats import block_name, without_processes
from statera.support.patterns import matcher, nearest, selects, tidy_metric, without_threads
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted, form, listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from statera.comparison.pairing import Arrangement, Request
    from statera.reading.observations import Observations, Words
    from statera.support.settings import Policy
    from statera.support.settings.file import Settings

    _T = TypeVar("_T")

_FEW = 3
_FEW_LOOKS = 6
_PAIR = 2
# Two builds with two runs each.
_NUMBERED = 4
# At most so many keys of a configuration are shown one by one; a table can have a thousand.
_MOST_KEYS = 12
_WIDE = 60
_DIGITS_OF_A_COMMIT = (40, 64)
_DIGITS = 12
_MANY_RUNS = 1000
# A time in seconds in which a processor of today does one or two additions.
_CYCLES = 5e-10
# Keys that name the builds themselves.
_OF_A_BUILD = frozenset({"commit", "executable"})
# The characters of a date that state its day.
_DAY = 10
TOO_FEW = "too-few"
INCLUDES = "--metric NAME or --all-metrics includes them"
"""How the verbs that read results take more metrics."""


# The footnote of each warning; the fields in braces are those of ``Words``.
_WARNINGS = {
    "one-process": "Each build {alone}, so the interval lacks the variation between {processes}. "
    "Run at least four per build.",
    "pairs-dropped": "A {block} that only one build has has no partner, and is not in the test.",
    "outliers": "Outliers were found and kept (double MAD). The rank test tolerates them.",
    "drift": "Values drift over time, so the machine may be the cause. Alternate the builds.",
    "autocorrelation": "Consecutive values are correlated. Use more {processes} with fewer values each.",
    "few-distinct": "Few values are distinct, because the clock or the printed digits round. Measure longer at a time.",
    "order-correlation": "Both builds rise and fall together. If they alternated, --pair order cancels it.",
    "medians-disagree": "The two medians suggest another change. Rely on the change column.",
    "exact-varies": "The metric is stated to be exact, but its values vary, so it is tested like any other.",
    "no-ratio": "A value is zero or negative, so the change is shown as a difference.",
    "parametric": "So few runs leave only a t-test, which assumes a normal distribution and cannot see slow runs. "
    "Run more often.",
    "blocks-repeated": "A {block} occurs several times in a build. Its median is used.",
    "several-modes": "The values of a build form several groups (dip test). The typical change lies between them.",
    "level-changed": "A build shifts level between its runs. Find out what happened there, and measure again.",
    "warm-up": "A build starts slow and settles during its first third. Warm up longer, or discard the first values.",
    "from-summary": "Compared by Welch's t-test of the means, with the deviations and counts that the files state.",
    "beyond-range": "A number is too large to compute (above 10^308). CSV and JSON leave it out.",
    "low-level": "So few values cannot reach the confidence level. The interval states the level that they reach.",
}

_BEFORE = {"base", "baseline", "before", "control", "main", "master", "old", "prev", "previous"}


class Note(NamedTuple):
    """A footnote of some rows, or a note on the whole output."""

    code: str  # the code that ``statera explain`` takes
    text: str  # the sentence
    number: int = 0  # the number of the footnote; 0 for a note on the whole
    rows: int = 0  # the number of rows that it concerns; 0 for the whole
    brief: str = ""  # the sentence in one line; empty if the text is short


def notes(
    observations: Observations,
    arrangement: Arrangement,
    weighing: _native.Weighing,
    settings: Settings,
    request: Request,
) -> list[Note]:
    """Return all notes: numbered footnotes of rows first, then notes on the whole."""
    found = _on_rows(weighing, observations.words)
    found += on_reading(observations)
    found += on_variants(arrangement)
    found += _on_other_circumstances(arrangement, weighing)
    found += _on_runs(observations, arrangement, weighing, settings.policy, request)
    found += _on_the_order(arrangement)
    found += _on_the_machine(arrangement, weighing)
    found += _on_removed_work(weighing)
    found += _on_own_parts(observations, arrangement, weighing)
    found += on_what_is_left(arrangement, "compared")
    found += on_files(observations, arrangement)
    found += _on_baseline(arrangement, request)
    found += _on_patterns(observations, request, settings)
    return found


def on_reading(observations: Observations) -> list[Note]:
    """Return notes on stored runs and summaries, and one for each kind of remark: the first, and how many others."""
    found = [Note("stored-run", _native.printable(f"{name}: {place}")) for name, place in observations.stored]
    found += [_summaries(observations)] if observations.summaries else []
    remarks = observations.remarks_by_code
    first = {problem.code: problem for problem in reversed(observations.problems)} if remarks else {}
    for code, count in remarks.items():
        text = _native.printable(str(first[code]).replace(f" [{code}]", ""))
        found.append(Note(code, text + (f" (and {count - 1:,} more)" if count > 1 else "")))
    return found


def _summaries(observations: Observations) -> Note:
    """Say how many values stand for samples that nobody can see."""
    summaries = counted(observations.summaries, "value summarises", "values summarise")
    text = (
        f"{summaries} samples that the files do not contain. Several files per build count as runs, and show how "
        "runs vary."
    )
    return Note("summaries", text)


def on_what_is_left(arrangement: Arrangement, done: str) -> list[Note]:
    """Return notes on metrics and values that were read but not used; ``done`` is compared or inspected."""
    found = []
    if arrangement.unused_metrics:
        # Several metrics, in different units, can have one name.
        names = [_native.printable(name) for name in dict.fromkeys(arrangement.unused_metrics)]
        shown = listed(names, _FEW)
        text = f"Not {done}: {shown}. {INCLUDES}."
        found.append(Note("metrics-not-compared", text))
    if arrangement.unused_values:
        found.append(
            Note(
                "values-unused",
                f"{counted(arrangement.unused_values, 'value belongs', 'values belong')} to no variant or "
                f"{form(arrangement.unused_values, 'was', 'were')} filtered out. Check --by and --where.",
            )
        )
    return found


def _on_rows(weighing: _native.Weighing, words: Words) -> list[Note]:
    """Return a footnote for each warning of a few rows; one that holds for most rows is a note on the whole."""
    named = words._replace(block=words.block or "block")._asdict() | {"alone": words.alone}
    counts = [(code, count) for code, count in weighing.warning_counts() if count]
    few = [(code, count) for code, count in counts if 2 * count <= len(weighing)]
    numbered = [
        Note(code, _WARNINGS[code].format(**named), number, count) for number, (code, count) in enumerate(few, 1)
    ]
    most = [
        Note(code, _WARNINGS[code].format(**named), 0, count) for code, count in counts if 2 * count > len(weighing)
    ]
    return numbered + most


def on_variants(arrangement: Arrangement) -> list[Note]:
    """Return notes on what differs between the variants, what was not measured and what was pooled."""
    found: list[Note] = []
    differs = {
        key: values
        for key, values in arrangement.differs.items()
        if key not in NUMBER_KEYS
        and not _names_the_variants(key, values, arrangement.labels)
        # Builds of different commits, or programs, are what a comparison is for.
        and not (key in _OF_A_BUILD and len(set(values)) == len(values))
        # No two builds are measured at once; that they were measured on different days matters.
        and not (key == "date" and len({value[:_DAY] for value in values}) == 1)
    }
    machine = {key: values for key, values in differs.items() if key in MACHINE_KEYS}
    for key, values in machine.items():
        what = f"{key} differs between the builds ({_sides(values)})"
        text = f"{what}. A change may come from the machine, not from the program."
        found.append(Note("machine-differs", text))
    others = {key: values for key, values in differs.items() if key not in machine}
    for key, values in _first(others, found, "differ between the variants", "configuration-differs"):
        found.append(Note("configuration-differs", f"{brief(key)} differs between the builds: {_sides(values)}."))
    for group, label in arrangement.empty[:_FEW]:
        text = f"{_native.printable(label)} was not measured at {_native.printable(group)}"
        more = len(arrangement.empty) - _FEW
        found.append(
            Note("empty-cell", text + (f", nor were {counted(more, 'other combination')}" if more > 0 else ""))
        )
    pooled = {key: count for key, count in arrangement.pooled.items() if key not in NUMBER_KEYS}
    if HOSTS in arrangement.common and HOST in pooled:
        text = (
            f"{pooled.pop(HOST)} hosts are pooled; no pair is of two hosts. --by variant --within host separates them."
        )
        found.append(Note("hosts-pooled", text))
    for key, count in _first(pooled, found, "are pooled over", "pooled"):
        text = f"Values are pooled over {brief(key)} ({count} levels). --within {brief(key)} compares them separately."
        found.append(Note("pooled", text))
    return found


def _names_the_variants(key: str, values: list[str], labels: list[str]) -> bool:
    """Return whether the labels of the variants state the values of a key: ``v1``, or ``gogc=100 rev=v1``."""
    return all(
        value == label or f" {key}={value} " in f" {label} " for value, label in zip(values, labels, strict=True)
    )


def _sides(values: list[str]) -> str:
    """Write the values of a key, one for each variant."""
    return listed((brief(value) or "(none)" for value in values), _MOST_KEYS, between=" / ")


def _on_other_circumstances(arrangement: Arrangement, weighing: _native.Weighing) -> list[Note]:
    """Return a note on benchmarks that both sides have, but never in the same circumstances."""
    elsewhere = weighing.elsewhere()
    return [Note("measured-elsewhere", elsewhere_words(arrangement, elsewhere), 0, 0)] if elsewhere else []


def elsewhere_words(arrangement: Arrangement, elsewhere: list[tuple[str, int, int]]) -> str:
    """Name the benchmarks without a partner in the same circumstances, and the options that compare them anyway."""
    of: dict[str, list[str]] = {}
    for benchmark, group, variant in elsewhere:
        at = f"{arrangement.labels[variant]} at {arrangement.groups[group]}"
        if at not in of.setdefault(benchmark, []):
            of[benchmark].append(at)
    texts = listed((_native.printable(f"{name} ({'; '.join(where)})") for name, where in of.items()), _FEW)
    options = " ".join(f"--pool {_native.printable(key)}" for key in arrangement.circumstances)
    return (
        "These benchmarks have no row, because the other build was measured under other circumstances: "
        f"{texts}. {options} compares them anyway."
    )


def _first(keys: dict[str, _T], found: list[Note], what: str, code: str) -> Iterator[tuple[str, _T]]:
    """Yield the first keys, then add a note with the number of the others."""
    yield from itertools.islice(keys.items(), _MOST_KEYS)
    if len(keys) > _MOST_KEYS:
        found.append(Note(code, f"{counted(len(keys) - _MOST_KEYS, 'more key')} {what}, not shown."))


def brief(text: str) -> str:
    """Shorten a key or a value for output; it can be as long as a line of the file. A commit keeps its first digits."""
    if len(text) in _DIGITS_OF_A_COMMIT and set(text) <= set("0123456789abcdef"):
        return text[:_DIGITS]
    return _native.shortened(_native.printable(text), _WIDE)


def _on_runs(
    observations: Observations,
    arrangement: Arrangement,
    weighing: _native.Weighing,
    policy: Policy,
    request: Request,
) -> list[Note]:
    found = []
    formats = {source.format for source in observations.sources if source.values}
    designs = {design for design, _, _, _ in weighing.kinds()}
    if "paired" in designs:
        found.append(Note("paired", f"Paired by {paired_by(observations, arrangement.pair)}."))
    if request.pair == "unpaired" and observations.has_blocks:
        block = paired_by(observations, "block")
        text = f"The results could be paired by {block}. --unpaired ignores that, and may miss real changes."
        found.append(Note("pairing-unused", text))
    if request.apart and request.pair == "auto":
        text = "No block was measured for both builds, so blocks pair nothing, and values are of independent runs."
        found.append(Note("blocks-apart", text))
    if "independent" in designs:
        found += on_processes(formats, arrangement)
    found += _on_looks(weighing, policy)
    found += _on_numbers_of_runs(weighing, policy)
    return found


def _on_looks(weighing: _native.Weighing, policy: Policy) -> list[Note]:
    """Return a note on rows that were looked at several times: the levels of their intervals."""
    shares = weighing.shares()
    if not shares:
        return []
    levels = [f"{100 * (1 - policy.alpha * share):.6g}% ({share:.6g} of alpha)" for share, _ in shares]
    each = (
        f"{counted(count, 'row')} at {level}" if len(shares) > 1 else level
        for level, (_, count) in zip(levels, shares, strict=True)
    )
    text = (
        "The results were looked at while they were measured. Each look spends a share of alpha, which widens the "
        f"intervals: {listed(each, _FEW_LOOKS)}."
    )
    return [Note("looks", text, 0, sum(count for _, count in shares))]


def paired_by(observations: Observations, pair: str) -> str:
    """Name what pairs the values: a key, the order of measurement, or the harness's word for a block."""
    if pair not in {"auto", "block"}:
        return "order of measurement" if pair == "order" else _native.printable(pair)
    return observations.words.block or block_name({source.format for source in observations.sources if source.values})


def on_processes(formats: set[str], arrangement: Arrangement) -> list[Note]:
    """Return a note if the formats do not state which values share a process."""
    harness = without_processes(formats)
    if not harness or all(arrangement.assignment.files_are_runs):
        return []
    text = (
        f"{harness} output does not say which values came from the same process, so each counts as an independent "
        "run. To keep processes apart, write one file per process."
    )
    return [Note("runs-not-said", text)]


def _on_the_order(arrangement: Arrangement) -> list[Note]:
    """Return a note if variants were measured one after another, as the dates of the results state."""
    if not arrangement.in_sequence:
        return []
    sides = [[_native.printable(label) for label in pair] for pair in arrangement.in_sequence]
    said = listed((f"all of {earlier} was measured before all of {later}" for earlier, later in sides), _FEW)
    text = (
        f"{said[:1].upper()}{said[1:]}, so a drift of the machine looks like a change of the program. Alternate the "
        "builds."
    )
    short = "One build was measured after the other, so the machine may be the cause. Alternate the builds."
    return [Note("one-after-the-other", text, brief=short)]


def _on_numbers_of_runs(weighing: _native.Weighing, policy: Policy) -> list[Note]:
    rows = weighing.with_verdict(["inconclusive"])
    few = 0
    example = None
    least = 1.0
    for index in rows[:_MANY_RUNS]:
        row = weighing.row_dict(index)
        if row["reason"] == TOO_FEW:
            few += 1
            example = example or row
        elif row["least_p"] is not None:
            least = min(least, row["least_p"])
    found = []
    if example is not None:
        paired = example["design"] == "paired"
        old, new = example["baseline_n"], example["contender_n"]
        runs = counted(old, "pair") if paired else f"{old} + {new} runs"
        enough = next(n for n in itertools.count(1) if 2 / (2**n if paired else comb(2 * n, n)) <= policy.alpha)
        can = f"{enough} pairs" if paired else f"{enough} + {enough} runs"
        text = f"{runs} cannot show any change: the smallest possible p is {example['least_p']:.2g}. {can} can."
        found.append(Note("too-few-runs", text, 0, few))
    dependent = weighing.dependent()
    if dependent:
        count, units, effective = dependent
        worth = f"{effective:,.0f}" if effective >= _FEW else f"{effective:.1f}"
        tells = f"{units:,.0f} carry as much information as {worth}"
        text = (
            f"Consecutive runs resemble each other: {tells}. Intervals and p-values allow for this. Alternate the "
            "builds, or start a new process for each run."
        )
        short = f"Consecutive runs are correlated ({units:,.0f} tell as much as {worth}): alternate the builds."
        found.append(Note("dependent-runs", text, 0, count, short))
    of_one_session, session = weighing.sessions()
    if of_one_session:
        text = (
            f"Each build was measured in one session. Intervals allow for {100 * session:.2g}% by which sessions of "
            "one build differ. Alternate the builds, as statera run does, to measure it."
        )
        short = "Each build was measured in one session: alternate the builds."
        found.append(Note("one-session", text, 0, of_one_session, short))
    family = _native.family(weighing)
    if family["too_large"] and rows:
        why = "The rows have different numbers of runs and cannot be permuted jointly. "
        text = (
            f"{why if family['no_joint_relabeling'] else ''}A single change cannot pass the correction for "
            f"{weighing.family} tests: the smallest possible p of these runs is {least:.2g}. Make more runs, or select "
            "fewer benchmarks or metrics with --benchmark or --metric."
        )
        found.append(Note("family-too-large", text))
    return found


def _on_removed_work(weighing: _native.Weighing) -> list[Note]:
    """Say which benchmarks are so fast that they hardly do anything."""
    rows = weighing.shorter_than(_CYCLES)
    if not rows:
        return []
    names = dict.fromkeys(_native.printable(weighing.row_dict(row)["benchmark"]) for row in rows[:_MANY_RUNS])
    text = (
        f"The compiler may have removed the work of {listed(names, _FEW, total=weighing.distinct_benchmarks(rows))}: "
        "less than 0.5 ns is a cycle or two of a processor."
    )
    return [Note("removed-work", text)]


def _on_own_parts(observations: Observations, arrangement: Arrangement, weighing: _native.Weighing) -> list[Note]:
    """Say what was taken out of the values, and which rows are as they were measured."""
    if not arrangement.shared:
        return []
    rows = {(group, metric, contender): len(own) for group, metric, _, contender, own in weighing.sections()}
    told = []
    for each in arrangement.shared:
        names = [
            arrangement.groups[each.group],
            observations.metrics[each.metric].name,
            arrangement.labels[each.variant],
        ]
        name = ", ".join(_native.printable(name) for name in names if name)
        told.append(f"{name} {_native.percent(each.change)} ({each.rows:,} benchmarks)")
        rows[each.group, each.metric, each.variant] = rows.get((each.group, each.metric, each.variant), 0) - each.rows
    found = [Note("own-part", f"Values are without what all benchmarks share: {listed(told, 5)}.")]
    if left := sum(count for count in rows.values() if count > 0):
        found.append(
            Note("as-measured", f"{counted(left, 'row')} of counts, sizes or other runs as measured: the whole change.")
        )
    return found


def _on_the_machine(arrangement: Arrangement, weighing: _native.Weighing) -> list[Note]:
    found = []
    for summary in weighing.summaries():
        if summary["moves_as_one"]:
            label = _native.printable(arrangement.labels[summary["contender"]])
            text = (
                f"Nearly all benchmarks of {label} moved in one direction by similar amounts. The machine changed, or "
                "something that all of them use. Compare the baseline with itself."
            )
            short = f"Nearly all benchmarks of {label} moved alike: the machine may be the cause."
            found.append(Note("moves-as-one", text, brief=short))
        if "spread" in summary:
            ratio, p, rows = summary["spread"]
            new, old = (_native.printable(arrangement.labels[summary[side]]) for side in ("contender", "baseline"))
            more, less = (new, old) if ratio > 1 else (old, new)
            text = (
                f"The values of {more} vary {max(ratio, 1 / ratio):.2g} times as much as those of {less} "
                f"({rows:,} benchmarks together, p {p:.2g})."
            )
            found.append(Note("spread-of-all", text))
        if "order" in summary:
            rho, p, width, rows = summary["order"]
            text = (
                f"Both builds rise and fall together (rank correlation {rho:.2f} over {rows:,} benchmarks, p {p:.2g}). "
                f"If they alternated, --pair order makes intervals {1 - width:.0%} narrower."
            )
            short = f"Both builds vary together. If they alternated, --pair order narrows intervals by {1 - width:.0%}."
            found.append(Note("order-of-all", text, brief=short))
    return list(dict.fromkeys(found))


def on_files(observations: Observations, arrangement: Arrangement) -> list[Note]:
    """Return the notes on the files of the variants."""
    found = [_on_copies(arrangement.copies)] if arrangement.copies else []
    # What is one file in two builds is told where it is read.
    told = {problem.source for problem in observations.problems if problem.code == "shared-file"}
    across = [pair for pair in arrangement.copies_across if pair[0] not in told]
    found += [_on_copies_across(across)] if across else []
    return found + _on_numbered_builds(observations, arrangement) + _on_pooled_files(observations, arrangement)


def _on_numbered_builds(observations: Observations, arrangement: Arrangement) -> list[Note]:
    """Return a note if each file is a variant, and the names of several differ in numbers alone.

    A shell replaces an unquoted ``old*.json`` by its files.
    """
    paths = [source.name for source in observations.sources if source.values]
    if len(paths) < _NUMBERED or len(paths) != len(arrangement.labels):
        return []
    if not all(
        os.path.splitext(path)[0].endswith(label) for path, label in zip(paths, arrangement.labels, strict=True)
    ):
        return []
    import re  # noqa: PLC0415 - most comparisons are of few files
    import shlex  # noqa: PLC0415 - as above

    bare = [re.sub(r"\d+", "*", path) for path in paths]
    groups = dict.fromkeys(bare)
    if len(groups) < _PAIR or any(bare.count(pattern) < _PAIR for pattern in groups):
        return []
    words = []
    for pattern in groups:
        folder, name = os.path.split(os.path.splitext(pattern)[0])
        label = name.replace("*", "").strip("-_. ") or os.path.basename(folder)
        words.append(_native.printable(shlex.quote(f"{label}={pattern}")))
    text = (
        f"Each file is a build. Runs of one build have one label: statera compare {listed(words, _FEW, between=' ')}."
    )
    return [Note("files-are-builds", text)]


def _on_baseline(arrangement: Arrangement, request: Request) -> list[Note]:
    """Return a note if the baseline was not chosen and another variant has the name of one."""
    first, *others = arrangement.labels
    before = next((label for label in others if label.lower() in _BEFORE), None)
    if before is None or first.lower() in _BEFORE or request.baseline is not None:
        return []
    first, before = (_native.printable(label) for label in (first, before))
    text = f"The baseline is {first}, because it comes first. --baseline {before} compares with {before}."
    return [Note("baseline-first", text)]


def _on_copies(copies: list[tuple[str, str]]) -> Note:
    shown = listed(
        (f"{_native.printable(of)} has the values of {_native.printable(copy)}" for copy, of in copies), _FEW
    )
    return Note(
        "copies", f"{counted(len(copies), 'file is', 'files are')} not counted, as others have the values: {shown}."
    )


def _on_copies_across(copies: list[tuple[str, str]]) -> Note:
    shown = listed(
        (f"{_native.printable(of)} has the values of {_native.printable(copy)}" for copy, of in copies), _FEW
    )
    return Note("copies-across", f"{shown}, all of them. Both builds have one measurement.")


def _on_pooled_files(observations: Observations, arrangement: Arrangement) -> list[Note]:
    """Return a note if files whose names mean something count as runs of one another."""
    of_variant = _pooled(observations, arrangement) if any(arrangement.assignment.files_are_runs) else {}
    if not of_variant:
        return []
    sources = observations.sources
    first, *others = (_relative([sources[each].name for each in files]) for files in of_variant.values())
    import re  # noqa: PLC0415 - most comparisons are of single files

    # Numbers and dates number runs, and so do names that the other variants do not have.
    bare = {re.sub(r"\d+", "", name) for name in first}
    if len(first) <= 1 or len(bare) < len(first) or any(other != first for other in others):
        return []
    base = {os.path.basename(name) for name in first}
    stem, ending = os.path.splitext(os.path.basename(first[0]))
    pattern = f"{{work}}{ending}" if len(base) == len(first) else f"{{machine}}/{stem}{ending}"
    text = (
        f"Each file counts as a run: {listed(map(_native.printable, first), _FEW)}. If their names mean different work "
        f"or machines, --name-pattern {_native.printable(repr(pattern))} compares them separately."
    )
    return [Note("files-pooled", text)]


def _pooled(observations: Observations, arrangement: Arrangement) -> dict[int, list[int]]:
    """Return the files of each variant whose values of one benchmark are pooled in one group."""
    assignment = arrangement.assignment
    found: dict[int, set[int]] = {}
    contexts = observations.contexts
    for together in observations.native.contexts_of_one_benchmark():
        sources: dict[tuple[int, int], set[int]] = {}
        for number in together:
            variant = assignment.variant_of_context[number]
            if variant is not None:
                sources.setdefault((variant, assignment.group_of_context[number]), set()).add(contexts[number].source)
        for (variant, _), files in sources.items():
            if len(files) > 1:
                found.setdefault(variant, set()).update(files)
    return {variant: sorted(files) for variant, files in sorted(found.items())}


def _relative(names: list[str]) -> list[str]:
    """Return the names below the folder that all have in common, sorted."""
    # One file can be named from here and another one from the root.
    paths = [os.path.abspath(name) for name in names]
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    return sorted(os.path.relpath(path, folder) for path in paths)


def _on_patterns(observations: Observations, request: Request, settings: Settings) -> list[Note]:
    """Name the patterns of benchmarks and metrics that none has, each with the nearest names.

    Those of a settings file are for all results of a project, and not looked at.
    """
    metrics = [metric.name for metric in observations.metrics]
    given = [("--metric", pattern) for pattern in request.metrics]
    if settings.file is None:
        given += [("--better", pattern) for pattern, _ in settings.policy.directions]
        given += [("--margin", pattern) for pattern, _ in settings.policy.margins]
    # There can be very many names.
    benchmarks = observations.benchmarks if request.benchmarks else []
    idle = [_note("--benchmark", each, benchmarks) for each in request.benchmarks if not selects(each, benchmarks)]
    for option, each in given:
        # A margin may be one of benchmarks.
        names = [*metrics, *observations.benchmarks] if option == "--margin" else metrics
        fits = _of_metric(each, [*names, *map(without_threads, names)])
        idle += [] if fits else [_note(option, each, names)]
    return idle


def _of_metric(pattern: str, metrics: Sequence[str]) -> bool:
    bare = pattern.removeprefix("!")
    return any(map(matcher([bare, tidy_metric(bare)]), metrics))


def _note(option: str, pattern: str, names: Sequence[str]) -> Note:
    near = nearest(pattern.strip("!/*"), names)
    return Note("pattern-unused", f"{option} {_native.printable(pattern)} selects nothing. The nearest: {near}.")


# Effects that a note names.
_MOST_HOSTS = 3


def hosts_disagree(weighing: _native.Weighing, labels: Sequence[str], alpha: float) -> Note | None:
    """Name the benchmarks whose change differs between hosts by more than the noise of each, by Cochran's Q.

    ``weighing`` has the rows of each host by itself. None if no change differs.
    """
    tested = _native.interactions(weighing)
    differing = [each for each in tested if each["p_corrected"] is not None and each["p_corrected"] <= alpha]
    if not differing:
        return None
    differing.sort(key=lambda each: each["p"] or 0.0)
    said = listed((_of_hosts(each, weighing, labels) for each in differing), _MOST_HOSTS, between="; ")
    total = counted(len(differing), "change differs", "changes differ")
    text = f"{total} between hosts: {said}. Judge each host by itself with --by variant --within host."
    return Note("hosts-disagree", text)


def _of_hosts(each: _native.Interaction, weighing: _native.Weighing, labels: Sequence[str]) -> str:
    names = [each["benchmark"], each["metric"]]
    if labels[2:]:
        names.insert(1, each["contender"])
    changes = [
        f"{weighing.row_dict(row)['group'].removeprefix(f'{HOST}: ')} {shown(weighing.cell(row, 'change'))}"
        for row in each["rows"]
    ]
    return f"{' '.join(map(shown, names))} ({', '.join(changes)})"
