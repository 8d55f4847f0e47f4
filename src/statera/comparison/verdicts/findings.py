"""The findings of a comparison: two or three sentences on what matters most, the method, and what is missing.

What only one build has is missing in the other; where nothing has values in both, the option that helps is named.
"""

from __future__ import annotations

from math import ceil, log10

from statera import _native
from statera.comparison.codes import OF_TAILS
from statera.reading.observations import Words
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping
    from typing import Any, Final

    from statera.support.settings import Policy

_USUAL = Words()
PARAMETRIC = "parametric"

# Examples come from the first rows; the others are only counted.
_SCANNED = 300

_UNDIRECTED = "in metrics without a known direction (--better METRIC=lower states it)"

# By verdict, in this order: the order of its rows, and how a sentence on them begins where they have several words.
_SAID: Final = {
    "invalid": ("gain", "Invalid, because more of it failed"),
    "worse": ("effect", "Worse"),
    "tail-worse": ("effect", "Tail worse"),
    "missing": ("file", "Gone"),
    "changed": ("effect", f"Changed {_UNDIRECTED}"),
    "shape-changed": ("effect", "Spread changed"),
    "better": ("gain", "Better"),
    "tail-better": ("gain", "Tail better"),
}
# The sentences on these begin with the word of their rows: slower, less, tail slower.
_WORDED: Final = {"worse", "tail-worse", "shape-changed", "better", "tail-better"}
_NAMED: Final = 2

_TESTS = {
    ("paired", "exact"): "Wilcoxon signed-rank, exact",
    ("paired", "normal"): "Wilcoxon signed-rank, normal approximation",
    ("independent", "exact"): "Mann-Whitney, exact",
    ("independent", "normal"): "Mann-Whitney, normal approximation",
    ("nested", "exact"): "Mann-Whitney on one value per {process}, exact",
    ("nested", "normal"): "Mann-Whitney on one value per {process}, normal approximation",
    ("independent", "t"): "moderated t",
    ("nested", "t"): "t on one value per {process}",
    ("nested", "prediction"): "prediction interval of one {process} by the spread of the others",
    ("paired", "t"): "t of the differences",
    ("series", "t"): "Welch's t of means of batches",
    ("series", None): "too short or too dependent",
    ("exact", None): "compared as they are",
    ("summary", "t"): "Welch's t of means, from their deviations and numbers of samples",
    ("summary", None): "means without spread",
    ("suite", None): "one value per build, no test",
    ("one-sided", None): "in one build only",
}

# With more variants, sentences on pairs are not a summary.
_MOST_PAIRS: Final = 5
# Closer to 1 a factor says less than the change in per cent.
_CLOSEST: Final = 1.0001


def findings(
    weighing: _native.Weighing, sections: int, words: Words = _USUAL, left_open: list[int] | None = None
) -> list[str]:
    """State what matters most beside the answer: names with old and new values, tails, and what would decide the rest.

    ``left_open`` are the rows without a clear change that more runs shall decide; None: all.
    The answer has the counts of benchmarks; no sentence repeats them. The worst come first, then the best.
    """
    subject = words.subject
    leads = weighing.answer(subject == "metric")["leads"]
    spoken = speedups(weighing)
    found = [*spoken.values()]
    found += [said for said in (_of(weighing, verdict, leads, subject, spoken) for verdict in _SAID) if said]
    found += _differing(weighing, weighing.order(weighing.with_verdict(["differs"]), "effect", changed=False), words)
    single = suite(weighing, subject)
    if single:
        found.append(single)
    undecided = weighing.with_verdict(["inconclusive"])
    if undecided:
        step = next_step(weighing, undecided if left_open is None else left_open, len(undecided))
        found += [said for said in (_slow(weighing, undecided, subject), step) if said]
    if found or undecided:
        return found
    if not sections:
        return ["Nothing was compared."]
    return [said for said in [equivalence(weighing, subject)] if said]


def _differing(weighing: _native.Weighing, rows: list[int], words: Words) -> list[str]:
    """Name the largest changes that need more processes or runs, and state what would decide."""
    few = [row for row in rows if PARAMETRIC in weighing.row_dict(row)["warnings"]]
    lone = [row for row in rows if row not in set(few)]
    return [
        _differ(weighing, of, words, why)
        for of, why in (
            (lone, f"Each build {words.alone}, so this is not proof. {deciding(words)}"),
            (few, "So few runs leave only a t-test, so this is not proof. Run more often."),
        )
        if of
    ]


def _differ(weighing: _native.Weighing, rows: list[int], words: Words, why: str) -> str:
    worse = weighing.harmed(rows)
    some, every = (distinct(weighing, of, words.subject) for of in (worse, rows))
    harm = f" ({some:,} of {every:,} for the worse)" if 0 < some < every else " for the worse" if worse else ""
    return f"Differs{harm}: {_examples(weighing, rows, rows, words.subject)}. {why}"


def deciding(words: Words) -> str:
    """State what would settle whether what differs between single processes is a change."""
    return f"Four or more {words.processes} per build would settle this. More values of one {words.process} would not."


def _slow(weighing: _native.Weighing, rows: list[int], subject: str) -> str:
    """Name the rows without a clear change whose typical value is unchanged, and whose slow runs are too few."""
    slow = [row for row in rows[:_SCANNED] if weighing.row_dict(row)["reason"] == "tail-undecided"]
    if not slow:
        return ""
    names = listed(dict.fromkeys(row_name(weighing, row, subject) for row in slow), 3)
    return f"No clear change, because of slow runs alone: {names}."


def _of(weighing: _native.Weighing, verdict: str, leads: list[int], subject: str, spoken: Container[int] = ()) -> str:
    """Name the subjects that the answer counts under a verdict, with examples; empty if it counts none.

    The rows of ``spoken`` have sentences of their own.
    """
    order, _ = _SAID[verdict]
    rows = weighing.order(weighing.with_verdict([verdict]), order, changed=False)
    of = set(rows)
    said = [row for row in leads if row in of]
    if verdict == "missing":
        return _missing(weighing, said, subject)
    others = [row for row in rows if row not in spoken]
    # A benchmark whose time has a sentence of its own may have changed in other metrics, too.
    said = [row for row in weighing.order(said, order, changed=False) if row not in spoken] or others * bool(said)
    if not said or (len(rows) == 1 and _adds_nothing(weighing, verdict, said[0])):
        return ""
    some = _tails(weighing, said, subject) if verdict in OF_TAILS else _examples(weighing, said, others, subject)
    return f"{_begin(weighing, verdict, said)}: {some}."


def _begin(weighing: _native.Weighing, verdict: str, rows: list[int]) -> str:
    """Begin the sentence on the rows of a verdict with their word, if all have the same one."""
    words = {shown(weighing.cell(row, "word")) for row in rows[:_SCANNED]} if verdict in _WORDED else set()
    if len(words) != 1:
        return _SAID[verdict][1]
    word = words.pop()
    return word[:1].upper() + word[1:]


def _adds_nothing(weighing: _native.Weighing, verdict: str, row: int) -> bool:
    """Return whether the answer states all that a sentence on this only row of its verdict could state."""
    return verdict in {"worse", "changed"} and not centres(weighing, row)


def _missing(weighing: _native.Weighing, rows: list[int], subject: str) -> str:
    """Name what the contenders lack altogether, at some levels only, and in one metric."""
    found = missing(weighing, rows, subject)
    metrics = _metrics(weighing, found.metrics)
    several = any(len(each) > 1 for each in metrics.values())
    said = (
        ("Gone", _names(weighing, found.gone, subject, at_level=False)),
        ("Gone at some levels", _names(weighing, found.levels, subject, at_level=True)),
        (
            "Gone in some metrics" if several else "Gone in one metric",
            [f"{name} ({listed(each, 3)})" for name, each in metrics.items()],
        ),
    )
    return " ".join(f"{state}: {listed(names, 3)}." for state, names in said if names)


def _metrics(weighing: _native.Weighing, rows: list[int]) -> dict[str, list[str]]:
    """Name the benchmarks of some rows, each with its metrics among them."""
    of: dict[str, dict[str, None]] = {}
    for row in rows[:1000]:
        of.setdefault(row_name(weighing, row, "benchmark"), {})[row_name(weighing, row, "metric")] = None
    return {name: list(metrics) for name, metrics in of.items()}


def equivalence(weighing: _native.Weighing, subject: str = _USUAL.subject) -> str:
    """State what was shown if nothing changed: how much is unchanged, and what that means; empty if nothing is."""
    rows = weighing.with_verdict(["equivalent"])
    if not rows:
        return ""
    some = _some_rows(weighing, rows)
    exact = sum(row["design"] == "exact" for row in some)
    count = distinct(weighing, rows, subject)
    every = "the interval lies" if len(rows) == 1 else "every interval lies"
    lies = "the values do not differ beyond the margin" if exact else f"{every} within the margin"
    tails = "" if exact == len(some) else _quiet(weighing, rows)
    metrics = list(dict.fromkeys(row_name(weighing, row, "metric") for row in rows[:_SCANNED]))
    several = subject != "metric" and len(metrics) < len({metric for _, metric, *_ in weighing.sections()})
    # The same benchmarks may have changed in another metric.
    where = f" in {listed(metrics, 3)}" if several else ""
    return f"{counted(count, subject)} unchanged{where}: {lies}.{tails}"


def _quiet(weighing: _native.Weighing, rows: list[int]) -> str:
    """State what the tails of unchanged rows show, as far as the runs could show anything."""
    asked = sum(row["tail_p"] is not None for row in _some_rows(weighing, rows))
    if not asked:
        return " The runs are too few to look for slow ones."
    return " Slow runs are not visibly more frequent."


def _tails(weighing: _native.Weighing, rows: list[int], subject: str) -> str:
    """Name the first rows whose tail or spread changed, each with what its tail shows."""
    whose = distinguishing(weighing)
    texts = []
    for index in rows[:_NAMED]:
        row = weighing.row_dict(index)
        of = [row["metric"] if subject != "metric" else "", row["contender"] if whose[1] else "", row["group"]]
        words = ", ".join(_native.printable(word) for word in of if word)
        texts.append(
            f"{row_name(weighing, index, subject)} ({words + ': ' if words else ''}{weighing.cell(index, 'tail')})"
        )
    return listed(texts, _NAMED, last=", and ", total=len(rows))


def suite(weighing: _native.Weighing, subject: str = _USUAL.subject) -> str:
    """Name the largest changes of a suite of single values, which has no verdicts; empty without such rows."""
    rows = weighing.order(weighing.with_verdict(["one-value"]), "effect", changed=False)
    if not rows:
        return ""
    which = "Not judged (one value per build)"
    worse, unknown = weighing.harmed(rows), weighing.undirected(rows)
    if worse:
        return f"{which}, largest changes for the worse: {_examples(weighing, worse, worse, subject, 3)}."
    if unknown:
        named = _examples(weighing, unknown, unknown, subject, 3)
        none = "none got worse, " if len(unknown) < len(rows) else ""
        return f"{which}, {none}largest changes {_UNDIRECTED}: {named}."
    return f"{which}: each improved or stayed the same."


def method(weighing: _native.Weighing, policy: Policy, words: Words = _USUAL) -> str:
    """Name the tests of the rows, and the correction of their p-values."""
    parts = []
    kinds: dict[tuple[str, str | None, str], int] = {}
    for design, how, scale, count in weighing.kinds():
        on = " on differences" if scale == "difference" and design not in {"exact", "one-sided", "suite"} else ""
        kinds[design, how, on] = kinds.get((design, how, on), 0) + count
    for (design, how, on), count in sorted(kinds.items(), key=lambda kind: -kind[1]):
        test = _TESTS.get((design, how), "not computable").format(process=words.process)
        said = f"{counted(count, 'comparison')} {design} ({test}{on})"
        parts.append(f"{count:,} {test}" if design == "one-sided" else said)
    family = ""
    if weighing.family:
        looks = ", each divided by its look's share of alpha" if weighing.shares() else ""
        of = counted(weighing.family, "p-value")
        family = f". {of} {correction(weighing, policy)}{looks}, alpha {policy.alpha:g}"
    share = weighing.shape_share
    tails = f". Tests of tails and spread are corrected separately, with {100 * share:.3g}% of alpha" if share else ""
    return ", ".join(parts) + family + tails


def correction(weighing: _native.Weighing, policy: Policy) -> str:
    """Name the correction of the p-values of all rows for multiple comparisons."""
    family = _native.family(weighing)
    if family["how"] == "two-stage":
        tests, selected = family["families"], family["selected"]
        return (
            f"corrected in two stages (Benjamini-Hochberg over {counted(tests, 'test')} of all variants selects "
            f"{selected}, then Holm between the pairs of each)"
        )
    if family["how"] == "pooled-null":
        which = "all" if family["all_relabelings"] else "a sample of"
        return (
            f"corrected together (Benjamini-Hochberg over the pooled null distribution of {which} "
            f"{family['relabelings']:,} permutations of the runs)"
        )
    if family["how"] == "westfall-young":
        which = "all" if family["all_relabelings"] else "a sample of"
        return (
            f"corrected together (Westfall-Young over {which} {family['relabelings']:,} joint permutations of the runs)"
        )
    if policy.correction == "none":
        return "not corrected"
    if policy.correction == "westfall-young":
        return "corrected together (Benjamini-Hochberg, because the runs cannot be permuted jointly for Westfall-Young)"
    return f"corrected together ({_title('benjamini-hochberg' if policy.correction == 'auto' else policy.correction)})"


def _title(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))


def distinct(weighing: _native.Weighing, rows: list[int], subject: str) -> int:
    """Count the benchmarks (or metrics) of some rows."""
    if subject == "benchmark":
        return weighing.distinct_benchmarks(rows)
    return len({weighing.row_dict(index)[subject] for index in rows})


def row_name(weighing: _native.Weighing, index: int, subject: str) -> str:
    """Return the benchmark of a row, or its metric where that is the subject."""
    if subject == "benchmark":
        return shown(weighing.cell(index, "benchmark"))
    return _native.printable(weighing.row_dict(index)[subject])


def _examples(weighing: _native.Weighing, leads: list[int], rows: list[int], subject: str, most: int = _NAMED) -> str:
    """Name the first subjects (benchmarks or metrics) of some rows, each with its changes among all rows."""
    whose = distinguishing(weighing)
    names = list(dict.fromkeys(row_name(weighing, index, subject) for index in leads[:_SCANNED]))[:most]
    of: dict[str, list[int]] = {name: [] for name in names}
    for index in dict.fromkeys([*rows[:_SCANNED], *leads[:_SCANNED]]):
        name = row_name(weighing, index, subject)
        if name in of:
            of[name].append(index)
    texts = [f"{name} ({_changes(weighing, indices, whose, subject)})" for name, indices in of.items()]
    return listed(texts, most, last=", and ", total=distinct(weighing, leads, subject))


def distinguishing(weighing: _native.Weighing) -> tuple[bool, bool, bool]:
    """Return whether baseline, contender and group differ between rows, so that a row must name them."""
    sections = weighing.sections()
    return tuple(len({section[place] for section in sections}) > 1 for place in (2, 3, 0))  # type: ignore[return-value]


def place_words(weighing: _native.Weighing, index: int, whose: tuple[bool, bool, bool]) -> str:
    """Write the pair and the group of a row as far as ``whose`` tells rows apart, such as `` of new at ghc: 9``."""
    row, (baselines, contenders, groups) = weighing.row_dict(index), whose
    words = f" of {row['contender']}" if contenders else ""
    words += f" against {row['baseline']}" if baselines else ""
    return _native.printable(words + (f" at {row['group']}" if groups and row["group"] else ""))


def suite_words(weighing: _native.Weighing, summary: Mapping[str, Any]) -> str:
    """Write the change of a metric over all rows: ``time of all 40 benchmarks +0.88% [+0.65%, +1.08%]``."""
    row = summary["first"]
    metric = _native.printable(weighing.row_dict(row)["metric"])
    change = _native.percent(summary["ratio"] - 1)
    if summary["low"] is not None:
        change += f" [{', '.join(_native.percent_ends(summary['low'] - 1, summary['high'] - 1))}]"
    place = place_words(weighing, row, distinguishing(weighing))
    return f"{metric} of all {counted(summary['rows'], 'benchmark')}{place} {change}"


def _changes(weighing: _native.Weighing, rows: list[int], whose: tuple[bool, bool, bool], subject: str) -> str:
    texts: list[str] = []
    for index in rows[:3]:
        row = weighing.row_dict(index)
        arrow = centres(weighing, index) if not texts else ""
        of = [row["contender"] if whose[1] else "", f"against {row['baseline']}" if whose[0] else ""]
        at = f"at {row['group']}" if whose[2] else ""
        words = " ".join(
            _native.printable(word) for word in (*of, "" if subject == "metric" else row["metric"]) if word
        )
        texts.append(
            " ".join(word for word in (words, shown(weighing.cell(index, "change")), _native.printable(at)) if word)
        )
        texts[-1] += f", {arrow}" if arrow else ""
    return listed(texts, between="; ", last="; ", total=len(rows))


def change_words(weighing: _native.Weighing, index: int) -> str:
    """Write the change of a row with its interval; exact values have one number, which is written once."""
    change, interval = (shown(weighing.cell(index, key)) for key in ("change", "interval"))
    if interval.startswith(f"{change} ("):
        return interval
    return change if weighing.cell(index, "interval") is None else f"{change} {interval}"


def centres(weighing: _native.Weighing, index: int) -> str:
    """Write the centres of both sides of a row, such as ``749.0 ns → 136.4 ns``.

    Empty where an arrow would contradict the change: the typical change is not a difference of the centres, so that a
    row can be better although its median rose.
    """
    row = weighing.row_dict(index)
    old, new, change = row["baseline_centre"], row["contender_centre"], row["change"]
    if old is None or new is None or change is None:
        return ""
    sides = [shown(weighing.cell(index, side)) for side in ("baseline_centre", "contender_centre")]
    agree = (new - old) * change > 0 and sides[0] != sides[1]
    return " → ".join(sides) if agree or (new == old and change == 0) else ""


def _names(weighing: _native.Weighing, rows: list[int], subject: str, *, at_level: bool) -> list[str]:
    """Name the benchmarks or metrics of some rows, with the level that lacks them."""
    names = []
    for index in rows[:1000]:
        group = _native.printable(weighing.row_dict(index)["group"]) if at_level else ""
        names.append(row_name(weighing, index, subject) + (f" at {group}" if group else ""))
    return list(dict.fromkeys(names))


def next_step(weighing: _native.Weighing, rows: list[int], undecided: int | None = None) -> str:
    """State how many runs would settle the rows without a clear change; empty where that is unknown or no more.

    ``undecided`` is the number of all such rows, if ``rows`` are those of them that are worth more runs.
    """
    known = [row for row in _some_rows(weighing, rows) if row["runs_needed"]]
    needed = sorted((row["runs_needed"], row["runs_needed_low"], row["runs_needed_high"]) for row in known)
    if not needed:
        return ""
    middle = needed[len(needed) // 2]
    if middle[0] <= max(max(row["baseline_n"], row["contender_n"]) for row in known):
        return ""
    runs, low, high = map(forecast, middle)
    units = "pairs" if all(row["design"] == "paired" for row in known) else "runs per build"
    which = "half of them"
    if len(needed) == 1:
        which = "one of them"
        if len(rows) == 1:
            which = "it" if undecided in {None, 1} else _native.printable(weighing.row_dict(rows[0])["metric"])
    elif len(needed) < min(len(rows), 1000):
        which = f"half of {len(needed):,} of them"
    return f"To settle {which}, plan about {runs} {units} ({low}–{high})."


def forecast(runs: float) -> str:
    """Write a forecast of a number of runs in a sentence: as tables do, with a comma before thousands."""
    text = _native.forecast(runs)
    return f"{int(text):,}" if text.isdigit() else text


def _some_rows(weighing: _native.Weighing, rows: list[int]) -> list[dict[str, Any]]:
    return [weighing.row_dict(index) for index in rows[:1000]]


def speedups(weighing: _native.Weighing) -> dict[int, str]:
    """Return a sentence for each pair of a few variants whose time changed, by its row.

    Empty where there are several benchmarks or groups, because then no number speaks for a variant.
    """
    sections = weighing.sections()
    pairs = {section[2:4] for section in sections}
    one = len({section[0] for section in sections}) == 1 and all(len(section[4]) == 1 for section in sections)
    if not one or not 0 < len(pairs) <= _MOST_PAIRS:
        return {}
    if weighing.distinct_benchmarks([section[4][0] for section in sections]) > 1:
        return {}
    both_ways = {pair for pair in pairs if _both_ways(weighing, [s[4][0] for s in sections if s[2:4] == pair])}
    # Times come first among the metrics of a pair.
    first = {section[2:4]: section[4][0] for section in reversed(sections) if section[2:4] not in both_ways}
    said = {row: _sentence(weighing, row) for row in sorted(first.values())}
    return {row: sentence for row, sentence in said.items() if sentence}


def _both_ways(weighing: _native.Weighing, rows: list[int]) -> bool:
    """Return whether of the times and rates of a pair some got better and some worse: none of them speaks for it."""
    found = map(weighing.row_dict, rows)
    moved = {row["verdict"] for row in found if row["unit"] == "s" or row["unit"].endswith("/s")}
    return moved >= {"better", "worse"}


def _sentence(weighing: _native.Weighing, index: int) -> str:
    row = weighing.row_dict(index)
    factors = _factors(row)
    if not factors:
        return ""
    contender, baseline = (_native.printable(row[side]) for side in ("contender", "baseline"))
    typical, low, high = written(factors)
    arrow = centres(weighing, index)
    values = f" ({row['metric']} {arrow})" if arrow else ""
    way = "faster" if row["verdict"] == "better" else "slower"
    return f"{contender} runs {typical} ({low}–{high}) times {way} than {baseline}{_native.printable(values)}."


def _factors(row: dict[str, Any]) -> list[float]:
    """Return how many times faster or slower a side is, and the ends of the interval; empty if that is undecided."""
    of_time = row["unit"] == "s" and row["change_unit"] == "ratio"
    if not of_time or row["verdict"] not in {"better", "worse"}:
        return []
    changes = [row[name] for name in ("change", "change_low", "change_high")]
    if any(change is None or change <= -1 for change in changes):
        return []
    ratios = [1 + change for change in changes]
    found = ratios if row["verdict"] == "worse" else [1 / ratio for ratio in ratios]
    found = [found[0], *sorted(found[1:])]
    return found if found[1] >= _CLOSEST else []


def written(factors: Iterable[float]) -> list[str]:
    """Write factors above 1 with as many digits as tell the smallest from 1: ``2.56``, ``1.008``, ``31.0``."""
    found = list(factors)
    least = min(found)
    places = max(0, 2 - int(log10(least)), 1 + ceil(-log10(least - 1)) if least < 1.1 else 0)  # noqa: PLR2004
    return [f"{factor:,.{places}f}" for factor in found]


_SCANNED_NAMES = 1000
# Names of strangers can state any number of keys, and be long.
_KEYS = 20
_LONGEST = 60
_MOST_NAMED = 3
# Parts of a word by which a renamed benchmark resembles another one, at least.
_ALIKE = 0.5


class Missing(NamedTuple):
    """What the contenders lack, each row in one list."""

    gone: list[int]  # rows of subjects that they lack altogether
    levels: list[int]  # rows of subjects that they lack at some levels only
    metrics: list[int]  # rows of benchmarks that they have, but not in this metric


def missing(weighing: _native.Weighing, leads: Iterable[int], subject: str) -> Missing:
    """Tell apart what missing rows lack; ``leads`` are the rows that speak for the subjects."""
    rows, at_level = set(weighing.with_verdict(["missing"])), set(weighing.at_one_level())
    # Where metrics are the subjects, one that is missing is gone.
    metrics = weighing.missing_metrics() if subject == "benchmark" else []
    lost = [row for row in leads if row in rows]
    held = at_level | set(metrics)
    return Missing(
        [row for row in lost if row not in held],
        [row for row in lost if row in at_level],
        metrics,
    )


class _Side(NamedTuple):
    """The benchmarks that one build has alone, and their metrics with their units."""

    benchmarks: list[str]
    metrics: dict[str, str]


def why(weighing: _native.Weighing) -> str:
    """Say why nothing was compared, and which option helps; empty if something was compared."""
    if any(design != "one-sided" for design, _, _, _ in weighing.kinds()):
        return ""
    lost, new = (_side(weighing, verdict) for verdict in ("missing", "new"))
    if not lost.benchmarks or not new.benchmarks:
        return f"only {'the baseline' if lost.benchmarks else 'the contender'} has values"
    if not set(lost.benchmarks).isdisjoint(new.benchmarks):
        return _other_metrics(lost.metrics, new.metrics)
    for key in weighing.keys_of_names()[:_KEYS]:
        of = {_without(name, key): name for name in lost.benchmarks if _without(name, key) != name}
        found = next((name for name in new.benchmarks if name != _without(name, key) in of), None)
        if found is not None:
            pair = f"{_named(of[_without(found, key)])} and {_named(found)}"
            return f"the names of the builds differ only in {key}, as {pair} do. --pool {_quoted(key)} compares them"
    return _other_names(lost.benchmarks, new.benchmarks)


def _other_metrics(lost: dict[str, str], new: dict[str, str]) -> str:
    for name, unit in lost.items():
        if new.get(name, unit) != unit:
            of = (_native.printable(each) or "no unit" for each in (unit, new[name]))
            return f"{_named(name)} is in {' in the baseline and in '.join(of)} in the contender"
    return f"the builds have no metric in common: {_list(lost)} in the baseline, {_list(new)} in the contender"


def _other_names(lost: list[str], new: list[str]) -> str:
    pairs = ((name, near) for name in lost[:_KEYS] for near in _native.nearest(name, new, 1) if _alike(name, near))
    found = next(pairs, None)
    said = f"the builds have no benchmark in common: {_list(lost)} in the baseline, {_list(new)} in the contender"
    example = "OLD=NEW" if found is None else _quoted("=".join(found))
    return f"{said}. --rename {example} compares a benchmark with its new name"


def _alike(one: str, other: str) -> bool:
    from difflib import SequenceMatcher  # noqa: PLC0415 - only where nothing was compared

    return SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _side(weighing: _native.Weighing, verdict: str) -> _Side:
    rows = [weighing.row_dict(row) for row in weighing.with_verdict([verdict])[:_SCANNED_NAMES]]
    return _Side(list(dict.fromkeys(row["benchmark"] for row in rows)), {row["metric"]: row["unit"] for row in rows})


def _without(name: str, key: str) -> str:
    """Return a name without the part that states a key: ``size=64``, ``threads:4``, and Go's ``-8``."""
    import re  # noqa: PLC0415 - most comparisons have all rows

    if key == "gomaxprocs":
        return re.sub(r"-\d+$", "", name)
    return re.sub(rf"(^|/){re.escape(key)}[=:][^/]*?(?=/|-\d+$|$)", "", name)


def _list(names: Iterable[str]) -> str:
    return listed(map(_named, names), _MOST_NAMED)


def _named(name: str) -> str:
    return _native.shortened(_native.printable(name), _LONGEST)


def _quoted(word: str) -> str:
    """Write a word as a shell takes it; what no terminal shows can only be written by the user."""
    from shlex import quote  # noqa: PLC0415 - only where nothing was compared

    return quote(word) if _native.printable(word) == word else _native.printable(word)
