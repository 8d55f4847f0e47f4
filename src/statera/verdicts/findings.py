"""The findings of a comparison: two or three sentences on what matters most, and the method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.observations import Words
from statera.wording import counted, form, listed, shown

if TYPE_CHECKING:
    from statera.settings import Policy

_USUAL = Words()
PARAMETRIC = "parametric"

# Examples come from the first rows; the others are only counted.
_SCANNED = 300

_UNDIRECTED = "in metrics without a known direction (--better METRIC=lower states it)"

# By verdict, in this order: the order of its rows, what is said of them, and of which numbers.
_SAID: Final = {
    "worse": ("effect", "worse", "change"),
    "tail-worse": ("effect", "worse in the tail", "tail"),
    "missing": ("file", "vanished", ""),
    "changed": ("effect", f"changed {_UNDIRECTED}", "change"),
    "shape-changed": ("effect", "changed in shape", "tail"),
    "better": ("gain", "better", "change"),
    "tail-better": ("gain", "better in the tail", "tail"),
}

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
    ("exact", None): "exact values, compared as they are",
    ("summary", "t"): "Welch's t of means, from their deviations and numbers of samples",
    ("summary", None): "means without spread",
    ("suite", None): "one value a side, no test",
    ("one-sided", None): "present on one side only",
}


def findings(weighing: _native.Weighing, sections: int, words: Words = _USUAL) -> list[str]:
    """State what matters most: the worst first, then the best, then what could not be decided."""
    subject = words.subject
    found = [sentence for sentence in (_of(weighing, verdict, subject) for verdict in _SAID) if sentence]
    differing = weighing.order(weighing.with_verdict(["differs"]), "effect", False)  # noqa: FBT003
    found += _differing(weighing, differing, words)
    single = suite(weighing, subject)
    if single:
        found.append(single)
    undecided = weighing.with_verdict(["inconclusive"])
    if undecided and len(found) < 3:  # noqa: PLR2004 - two or three things, no more
        rows = counted(len(undecided), "row is", "rows are")
        found.append(f"{rows} undecided{_slow(weighing, undecided, subject)}{_next_step(weighing, undecided)}.")
    if not found:
        found.append(equivalence(weighing) if sections else "Nothing was compared.")
    return found


def _differing(weighing: _native.Weighing, rows: list[int], words: Words) -> list[str]:
    """Name the largest changes that need more processes or runs, and state what would decide."""
    few = [row for row in rows if PARAMETRIC in weighing.row_dict(row)["warnings"]]
    lone = [row for row in rows if row not in set(few)]
    return [
        _differ(weighing, of, words, why, step)
        for of, why, step in (
            (lone, f"one {words.process} each", deciding(words)),
            (few, "few runs", "So few runs decide only by a t-test; run more often"),
        )
        if of
    ]


def _differ(weighing: _native.Weighing, rows: list[int], words: Words, why: str, step: str) -> str:
    count = _distinct(weighing, rows, words.subject)
    worse = len(weighing.harmed(rows))
    some = f"{counted(worse, 'row')} " if worse < len(rows) else ""
    harm = f", {some}for the worse" if worse else ""
    return (
        f"{counted(count, words.subject)} {form(count, 'differs', 'differ')} ({why}){harm}: "
        f"{_examples(weighing, rows, words.subject)}. {step}."
    )


def deciding(words: Words) -> str:
    """State what would decide the rows that differ."""
    return f"Four or more {words.processes} a side decide; more values of one {words.process} do not"


def _slow(weighing: _native.Weighing, rows: list[int], subject: str) -> str:
    """Name the undecided rows whose typical value is equivalent, and whose slow runs are too few to decide."""
    slow = [row for row in rows[:_SCANNED] if weighing.row_dict(row)["reason"] == "tail-undecided"]
    if not slow:
        return ""
    names = listed([row_name(weighing, row, subject) for row in slow], 3)
    some = f"{len(slow)} of them " if len(slow) < len(rows) else ""
    return f", {some}because of slow runs ({names})"


def _of(weighing: _native.Weighing, verdict: str, subject: str) -> str:
    """State which benchmarks have a verdict, with examples; empty if there are none."""
    order, state, examples = _SAID[verdict]
    rows = weighing.order(weighing.with_verdict([verdict]), order, False)  # noqa: FBT003
    if not rows:
        return ""
    if verdict == "missing":
        return _missing(weighing, rows, subject)
    found = _tails(weighing, rows, subject) if examples == "tail" else _examples(weighing, rows, subject)
    return f"{_subjects(weighing, rows, subject)} {state}: {found}."


def _missing(weighing: _native.Weighing, rows: list[int], subject: str) -> str:
    """Name what the contenders lack altogether, and what they lack at some levels only."""
    levels = set(weighing.at_one_level())
    said = []
    for of, state in (
        ([row for row in rows if row not in levels], "vanished"),
        ([*filter(levels.__contains__, rows)], ""),
    ):
        count = _distinct(weighing, of, subject)
        lacks = state or f"{form(count, 'is', 'are')} missing at some levels"
        if of:
            names = listed(_names(weighing, of, subject, at_level=not state), 3)
            said.append(f"{counted(count, subject)} {lacks}: {names}.")
    return " ".join(said)


def equivalence(weighing: _native.Weighing) -> str:
    """State what was shown if no row changed: how many rows are equivalent, and what that means."""
    rows = weighing.with_verdict(["equivalent"])
    if not rows:
        return "No row is better, worse or changed."
    exact = sum(count for design, _, _, count in weighing.kinds() if design == "exact")
    every = "the interval lies" if len(rows) == 1 else "every interval lies"
    lies = "the values do not differ beyond the margin" if exact >= len(rows) else f"{every} within the margin"
    tails = "" if exact >= len(rows) else _quiet(weighing, rows)
    return f"{counted(len(rows), 'row is', 'rows are')} equivalent: {lies}{tails}."


def _quiet(weighing: _native.Weighing, rows: list[int]) -> str:
    """State what the tails of equivalent rows show, as far as the runs could show anything."""
    asked = sum(row["tail_p"] is not None for row in _some_rows(weighing, rows))
    if not asked:
        return "; there are too few runs to look for slow ones"
    return "; slow runs are not visibly more frequent"


def _tails(weighing: _native.Weighing, rows: list[int], subject: str) -> str:
    """Name the first rows whose tail or spread changed, each with what its tail shows."""
    whose = distinguishing(weighing)
    texts = []
    for index in rows[:2]:
        row = weighing.row_dict(index)
        of = [row["metric"] if subject != "metric" else "", row["contender"] if whose[1] else "", row["group"]]
        words = ", ".join(_native.printable(word) for word in of if word)
        texts.append(
            f"{row_name(weighing, index, subject)} ({words + ': ' if words else ''}{weighing.cell(index, 'tail')})"
        )
    return listed(texts, 2, last=", and ", total=len(rows))


def suite(weighing: _native.Weighing, subject: str = _USUAL.subject) -> str:
    """Name the largest changes of a suite of single values, which has no verdicts; empty without such rows."""
    rows = weighing.order(weighing.with_verdict(["one-value"]), "effect", False)  # noqa: FBT003
    if not rows:
        return ""
    count = (
        f"{counted(len(rows), 'row has', 'rows have')} one value a side and {form(len(rows), 'is', 'are')} not judged"
    )
    worse, unknown = weighing.harmed(rows), weighing.undirected(rows)
    if worse:
        return f"{count}; the largest changes for the worse: {_examples(weighing, worse, subject, 3)}."
    if unknown:
        return (
            f"{count}; none got worse; the largest changes {_UNDIRECTED}: {_examples(weighing, unknown, subject, 3)}."
        )
    return f"{count}; each improved or stayed the same."


def method(weighing: _native.Weighing, policy: Policy, words: Words = _USUAL) -> str:
    """Name the tests of the rows, and the correction of their p-values."""
    parts = []
    kinds: dict[tuple[str, str | None, str], int] = {}
    for design, how, scale, count in weighing.kinds():
        on = " on differences" if scale == "difference" and design not in {"exact", "one-sided", "suite"} else ""
        kinds[design, how, on] = kinds.get((design, how, on), 0) + count
    for (design, how, on), count in sorted(kinds.items(), key=lambda kind: -kind[1]):
        test = _TESTS.get((design, how), "not computable").format(process=words.process)
        parts.append(f"{counted(count, 'row')} {design} ({test}{on})")
    family = ""
    if weighing.family:
        looks = ", each divided by its look's share of alpha," if weighing.shares() else ""
        family = (
            f"; {counted(weighing.family, 'p-value')}{looks} {correction(weighing, policy)}, alpha {policy.alpha:g}"
        )
    share = weighing.shape_share
    tails = f"; tails and spreads corrected apart, with {100 * share:.3g}% of alpha" if share else ""
    return "; ".join(parts) + family + tails


def correction(weighing: _native.Weighing, policy: Policy) -> str:
    """Name the correction of the p-values of all rows for multiple comparisons."""
    family = _native.family(weighing)
    if family["how"] == "two-stage":
        tests, selected = family["families"], family["selected"]
        return (
            f"corrected in two stages: Benjamini-Hochberg over {counted(tests, 'test')} of all variants selects "
            f"{selected}, Holm between the pairs of each"
        )
    if family["how"] == "pooled-null":
        which = "all" if family["all_relabelings"] else "a sample of"
        return (
            f"corrected together by Benjamini-Hochberg over the pooled null distribution of {which} "
            f"{family['relabelings']:,} relabelings of the runs"
        )
    if family["how"] == "westfall-young":
        which = "all" if family["all_relabelings"] else "a sample of"
        return (
            f"corrected together by Westfall-Young over {which} {family['relabelings']:,} joint relabelings of the runs"
        )
    if policy.correction == "none":
        return "not corrected"
    if policy.correction == "westfall-young":
        return (
            "corrected together by Benjamini-Hochberg, because the rows have no joint relabelings of runs for "
            "Westfall-Young"
        )
    return f"corrected together by {_title('benjamini-hochberg' if policy.correction == 'auto' else policy.correction)}"


def _title(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))


def _subjects(weighing: _native.Weighing, rows: list[int], subject: str) -> str:
    count = _distinct(weighing, rows, subject)
    return f"{counted(count, subject)} {form(count, 'is', 'are')}"


def _distinct(weighing: _native.Weighing, rows: list[int], subject: str) -> int:
    if subject == "benchmark":
        return weighing.distinct_benchmarks(rows)
    return len({weighing.row_dict(index)[subject] for index in rows})


def row_name(weighing: _native.Weighing, index: int, subject: str) -> str:
    """Return the benchmark of a row, or its metric where that is the subject."""
    if subject == "benchmark":
        return shown(weighing.cell(index, "benchmark"))
    return _native.printable(weighing.row_dict(index)[subject])


def _examples(weighing: _native.Weighing, rows: list[int], subject: str, most: int = 2) -> str:
    """Name the first subjects (benchmarks or metrics) of these rows, each with its changes."""
    whose = distinguishing(weighing)
    of: dict[str, list[int]] = {}
    for index in rows[:_SCANNED]:
        of.setdefault(row_name(weighing, index, subject), []).append(index)
    texts = [f"{name} ({_changes(weighing, indices, whose, subject)})" for name, indices in list(of.items())[:most]]
    return listed(texts, most, last=", and ", total=_distinct(weighing, rows, subject))


def distinguishing(weighing: _native.Weighing) -> tuple[bool, bool, bool]:
    """Return whether baseline, contender and group differ between rows, so that a row must name them."""
    sections = weighing.sections()
    return tuple(len({section[place] for section in sections}) > 1 for place in (2, 3, 0))  # type: ignore[return-value]


def _changes(weighing: _native.Weighing, rows: list[int], whose: tuple[bool, bool, bool], subject: str) -> str:
    texts: list[str] = []
    for index in rows[:3]:
        row = weighing.row_dict(index)
        values = f", {centres(weighing, index)}" if not texts else ""
        of = [row["contender"] if whose[1] else "", f"against {row['baseline']}" if whose[0] else ""]
        at = f"at {row['group']}" if whose[2] else ""
        words = " ".join(
            _native.printable(word) for word in (*of, "" if subject == "metric" else row["metric"]) if word
        )
        texts.append(
            " ".join(word for word in (words, shown(weighing.cell(index, "change")), _native.printable(at)) if word)
        )
        texts[-1] += values
    return listed(texts, between="; ", last="; ", total=len(rows))


def centres(weighing: _native.Weighing, index: int) -> str:
    """Write the centres of both sides of a row, such as ``749.0 ns → 136.4 ns``."""
    return " → ".join(shown(weighing.cell(index, side)) for side in ("baseline_centre", "contender_centre"))


def _names(weighing: _native.Weighing, rows: list[int], subject: str, *, at_level: bool) -> list[str]:
    """Name the benchmarks or metrics of some rows, with the level that lacks them."""
    names = []
    for index in rows[:1000]:
        group = _native.printable(weighing.row_dict(index)["group"]) if at_level else ""
        names.append(row_name(weighing, index, subject) + (f" at {group}" if group else ""))
    return list(dict.fromkeys(names))


def _next_step(weighing: _native.Weighing, rows: list[int]) -> str:
    needed = sorted(
        (row["runs_needed"], row["runs_needed_low"], row["runs_needed_high"])
        for row in _some_rows(weighing, rows)
        if row["runs_needed"]
    )
    if not needed:
        return ""
    middle = needed[len(needed) // 2]
    least = _some_rows(weighing, rows[:1])[0]
    if middle[0] <= max(least["baseline_n"], least["contender_n"]):
        return ""
    runs, low, high = (f"{_two_digits(number):,}" for number in middle)
    which = form(len(rows), "it at its margin", "half of them at their margin")
    return f"; about {runs} ({low} to {high}) runs a side would decide {which}"


def _two_digits(number: float) -> int:
    """Round a forecast to two digits."""
    return int(round(number, min(0, 2 - len(str(int(number))))))


def _some_rows(weighing: _native.Weighing, rows: list[int]) -> list[dict[str, Any]]:
    return [weighing.row_dict(index) for index in rows[:1000]]
