"""The findings in sentences: the two or three things that matter most, and how they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from statera import _native

if TYPE_CHECKING:
    from statera.settings import Policy

# Examples are looked for among so many rows; the rest is counted only.
_SCANNED = 300

_UNDIRECTED = "with no direction known (--better METRIC=lower)"

# In the order in which a summary counts them.
VERDICTS = ("better", "worse", "changed", "equivalent", "inconclusive", "one value", "missing", "new")

_TESTS = {
    ("paired", "exact"): "Wilcoxon signed-rank, exact",
    ("paired", "normal"): "Wilcoxon signed-rank, normal approximation",
    ("independent", "exact"): "Mann-Whitney, exact",
    ("independent", "normal"): "Mann-Whitney, normal approximation",
    ("nested", "exact"): "Mann-Whitney on one value per process, exact",
    ("nested", "normal"): "Mann-Whitney on one value per process, normal approximation",
    ("nested", "t"): "Welch's t on one value per process",
    ("exact", ""): "exact values, compared as they are",
    ("suite", ""): "one value a side, no test",
    ("one-sided", ""): "present on one side only",
}


def findings(weighing: _native.Weighing, sections: int) -> list[str]:
    """State what matters most: the worst first, then the best, then what could not be decided."""
    found = []
    worse = weighing.order(weighing.with_verdict(["worse"]), "effect", False)  # noqa: FBT003
    if worse:
        found.append(f"{_benchmarks(weighing, worse)} worse: {_examples(weighing, worse)}.")
    missing = weighing.with_verdict(["missing"])
    if missing:
        count = _count("benchmark", weighing.distinct_benchmarks(missing))
        found.append(f"{count} vanished: {_some(_names(weighing, missing))}.")
    changed = weighing.order(weighing.with_verdict(["changed"]), "effect", False)  # noqa: FBT003
    if changed:
        found.append(f"{_benchmarks(weighing, changed)} changed, {_UNDIRECTED}: {_examples(weighing, changed)}.")
    better = weighing.order(weighing.with_verdict(["better"]), "gain", False)  # noqa: FBT003
    if better:
        found.append(f"{_benchmarks(weighing, better)} better: {_examples(weighing, better)}.")
    single = suite(weighing)
    if single:
        found.append(single)
    undecided = weighing.with_verdict(["inconclusive"])
    if undecided and len(found) < 3:  # noqa: PLR2004 - two or three things, no more
        found.append(f"{_count('row', len(undecided))} undecided{_next_step(weighing, undecided)}.")
    if not found:
        found.append("Nothing changed beyond the margin." if sections else "Nothing was compared.")
    return found


def suite(weighing: _native.Weighing) -> str:
    """Name the largest changes of a suite of single values, which has no verdicts; empty where there is none."""
    rows = weighing.order(weighing.with_verdict(["one value"]), "effect", False)  # noqa: FBT003
    if not rows:
        return ""
    count = f"{_count('row', len(rows))} with one value a side, not judged"
    worse, unknown = weighing.harmed(rows), weighing.undirected(rows)
    if worse:
        return f"{count}; the largest changes for the worse: {_examples(weighing, worse, 3)}."
    if unknown:
        return f"{count}; none got worse; {_UNDIRECTED}: {_examples(weighing, unknown, 3)}."
    return f"{count}; each improved or stayed."


def method(weighing: _native.Weighing, policy: Policy) -> str:
    """Say how the rows were judged."""
    parts = []
    kinds: dict[tuple[str, str, str], int] = {}
    for design, how, scale, count in weighing.kinds():
        on = " on differences" if scale == "difference" and design not in {"exact", "one-sided", "suite"} else ""
        kinds[design, how, on] = kinds.get((design, how, on), 0) + count
    for (design, how, on), count in sorted(kinds.items(), key=lambda kind: -kind[1]):
        parts.append(f"{_count('row', count)} {design} ({_TESTS.get((design, how), 'not computable')}{on})")
    family = ""
    if weighing.family:
        family = f"; {_count('p-value', weighing.family)} {_correction(weighing, policy)}, alpha {policy.alpha:g}"
    return "; ".join(parts) + family


def _correction(weighing: _native.Weighing, policy: Policy) -> str:
    """Say how the one family was corrected."""
    family = _native.family(weighing)
    if family["how"] == "two-stage":
        tests, selected = family["families"], family["selected"]
        return (
            f"corrected in two stages: Benjamini-Hochberg over {_count('test', tests)} of all variants selects "
            f"{selected}, Holm between the pairs of each"
        )
    if family["how"] == "westfall-young":
        which = "all" if family["all_relabelings"] else "a sample of"
        return (
            f"corrected together by Westfall-Young over {which} {family['relabelings']:,} joint relabelings of the runs"
        )
    if policy.correction == "none":
        return "not corrected"
    name = "benjamini-hochberg" if policy.correction in {"auto", "westfall-young"} else policy.correction
    return f"corrected together by {_title(name)}"


def _title(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))


def _count(word: str, count: int) -> str:
    return f"{count:,} {word if count == 1 else word + 's'}"


def _benchmarks(weighing: _native.Weighing, rows: list[int]) -> str:
    count = weighing.distinct_benchmarks(rows)
    return f"{_count('benchmark', count)} {'is' if count == 1 else 'are'}"


def _examples(weighing: _native.Weighing, rows: list[int], most: int = 2) -> str:
    """Name the first benchmarks with the changes of all their metrics among these rows."""
    whose = _whose(weighing)
    of: dict[str, list[int]] = {}
    for index in rows[:_SCANNED]:
        of.setdefault(weighing.cell(index, "benchmark"), []).append(index)
    texts = [f"{name} ({_changes(weighing, indices, whose)})" for name, indices in list(of.items())[:most]]
    more = weighing.distinct_benchmarks(rows) - len(texts)
    return ", ".join(texts) + (f", and {more:,} more" if more > 0 else "")


def _whose(weighing: _native.Weighing) -> tuple[bool, bool, bool]:
    """Tell which of baseline, contender and group a row must name to be told from the others."""
    sections = weighing.sections()
    return tuple(len({section[place] for section in sections}) > 1 for place in (2, 3, 0))  # type: ignore[return-value]


def _changes(weighing: _native.Weighing, rows: list[int], whose: tuple[bool, bool, bool]) -> str:
    texts: list[str] = []
    for index in rows[:3]:
        row = weighing.row_dict(index)
        old, new = (_centre(weighing, index, side) for side in ("old", "new"))
        values = f", {old} → {new}" if not texts else ""
        of = [row["contender"] if whose[1] else "", f"against {row['baseline']}" if whose[0] else ""]
        at = f"at {row['group']}" if whose[2] else ""
        words = " ".join(_native.printable(word) for word in (*of, row["metric"]) if word)
        texts.append(" ".join(word for word in (words, weighing.cell(index, "change"), _native.printable(at)) if word))
        texts[-1] += values
    more = f"; {len(rows) - 3} more" if len(rows) > 3 else ""  # noqa: PLR2004
    return "; ".join(texts) + more


def _centre(weighing: _native.Weighing, index: int, side: str) -> str:
    return weighing.cell(index, side).split(" ± ")[0]


def _names(weighing: _native.Weighing, rows: list[int]) -> list[str]:
    """Name the benchmarks of some rows; where there are several groups, with the group."""
    several = _whose(weighing)[2]
    names = []
    for index in rows[:1000]:
        group = _native.printable(weighing.row_dict(index)["group"]) if several else ""
        names.append(weighing.cell(index, "benchmark") + (f" at {group}" if group else ""))
    return list(dict.fromkeys(names))


def _some(names: list[str], most: int = 3) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _next_step(weighing: _native.Weighing, rows: list[int]) -> str:
    needed = sorted(row["runs_needed"] for row in _some_rows(weighing, rows) if row["runs_needed"])
    if not needed:
        return ""
    middle = needed[len(needed) // 2]
    least = _some_rows(weighing, rows[:1])[0]
    if middle <= max(least["old_n"], least["new_n"]):
        return ""
    digits = -(len(str(int(middle))) - 2)
    runs = int(round(middle, digits) if digits < 0 else middle)
    return f"; about {runs:,} runs a side would decide half of them at their margin"


def _some_rows(weighing: _native.Weighing, rows: list[int]) -> list[dict[str, Any]]:
    return [weighing.row_dict(index) for index in rows[:1000]]
