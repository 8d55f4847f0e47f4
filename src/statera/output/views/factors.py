"""Tables of the tests over all variants, and lines on interactions between factors."""

from __future__ import annotations

from statera import _native
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, shown

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

    from statera.comparison.results.comparison import Comparison

_TESTS = {"kruskal-wallis": "Kruskal-Wallis", "friedman": "Friedman", "quade": "Quade"}
_COMPARED = {
    "friedman": "Friedman on the effects of {blocks} blocks",
    "signed-rank": "signed-rank on the effects of {blocks} blocks",
    "cochran-q": "Cochran's Q of the typical changes",
}
_MOST = 8
OMNIBUS_HEADS: Final = ("test", "statistic", "df", "p", "effect", "n")
"""The headings of the cells of a test over all variants."""


def omnibus_rows(comparison: Comparison, group: int, metric: int, sort: str = "worst") -> list[list[str]]:
    """Return the tests over all variants of a group and metric as a table, the heading first; empty without tests.

    Args:
        comparison: the comparison.
        group: the number of the group.
        metric: the number of the metric.
        sort: the order of rows; a test stands where the first of its rows would stand.

    """
    found = omnibus_tests(comparison, [(group, metric)], sort)
    if not found:
        return []
    first = f"all {found[0]['variants']} variants: {_native.printable(found[0]['metric'])}"
    return [[first, *OMNIBUS_HEADS], *([_native.printable(test["benchmark"]), *omnibus_cells(test)] for test in found)]


def omnibus_tests(
    comparison: Comparison, at: Collection[tuple[int, int]], sort: str = "worst"
) -> list[_native.Omnibus]:
    """Return the tests over all variants of some groups and metrics, in the order of their rows."""
    found = [test for place in at for test in comparison.omnibus_at.get(place, ())]
    if len(found) <= 1:
        return found
    weighing = comparison.weighing
    rows = [row for place in at for row in comparison.rows_at[place]]
    order = weighing.order(rows, sort, False)  # noqa: FBT003 - compiled
    places: dict[tuple[str, str, str], int] = {}
    for place, row in enumerate(order):
        fields = weighing.row_dict(row)
        places.setdefault((fields["benchmark"], fields["metric"], fields["group"]), place)
    names = comparison.arrangement.groups
    return sorted(found, key=lambda test: places[test["benchmark"], test["metric"], names[test["group_number"]]])


def omnibus_cells(test: _native.Omnibus) -> list[str]:
    """Write a test over all variants as the cells below ``OMNIBUS_HEADS``."""
    df = ", ".join(f"{df:g}" for df in (test["df"], test["df2"]) if df is not None)
    # Quade's F is infinite if the variants have the same order in every block.
    statistic = "∞" if test["statistic"] is None else f"{test['statistic']:.5g}"
    letter = "F" if test["test"] == "quade" else "H" if test["test"] == "kruskal-wallis" else "χ²"
    effect = "ε²" if test["effect"] == "epsilon_squared" else "W"
    unit = " blocks" if test["design"] == "paired" else ""
    return [
        _TESTS[test["test"]],
        f"{letter} {statistic}",
        df,
        NOTHING if test["p"] is None else _native.p_value(test["p"]),
        NOTHING if test["effect_size"] is None else f"{effect} {test['effect_size']:.2f}",
        f"{test['n']}{unit}",
    ]


def interaction_lines(comparison: Comparison) -> list[str]:
    """Write for each effect whether it depends on the level of the other factors, the smallest p first."""
    found = sorted(comparison.interactions, key=_least_first)
    if not found:
        return []
    arrangement = comparison.arrangement
    of, on = " and ".join(arrangement.by) or "variant", " and ".join(arrangement.factors)
    question = f"Does the effect of {_native.printable(of)} depend on {_native.printable(on)}?"
    alpha = comparison.policy.alpha
    many = len({(each["benchmark"], each["metric"]) for each in found}) > 1
    lines = [_line(comparison, each, alpha, named=many) for each in found[:_MOST]]
    if len(found) > _MOST:
        yes = sum(depends(each, alpha) for each in found)
        lines.append(f"{yes} of {len(found)} effects depend on it; -f json lists all")
    corrected = ", Benjamini-Hochberg over these questions" if len(found) > 1 else ""
    return [f"{question} ({_tests(found)}{corrected})", *(f"  {line}" for line in lines)]


def _tests(found: list[_native.Interaction]) -> str:
    """Name the tests of all interactions; they differ where some effects have no blocks at every level."""
    of: dict[str, list[int]] = {}
    for each in found:
        of.setdefault(each["test"], []).append(each["blocks"])
    texts = []
    for test, blocks in of.items():
        least, most = min(blocks), max(blocks)
        how = _COMPARED[test].format(blocks=least if least == most else f"{least} to {most}")
        texts.append(f"{how} for {len(blocks)}" if len(of) > 1 else how)
    return ", ".join(texts)


def _line(comparison: Comparison, each: _native.Interaction, alpha: float, *, named: bool) -> str:
    weighing = comparison.weighing
    effects = []
    for row in each["rows"]:
        fields = weighing.row_dict(row)
        effect = " ".join(shown(weighing.cell(row, key)) for key in ("change", "interval"))
        effects.append(f"{effect} at {_level(comparison, fields['group'])}")
    answer = "yes" if depends(each, alpha) else "not shown"
    subject = _native.printable(each["contender"])
    if len(comparison.labels) > 2:  # noqa: PLR2004
        subject += f" against {_native.printable(each['baseline'])}"
    if named:
        subject = f"{_native.printable(each['benchmark'])} {_native.printable(each['metric'])}, {subject}"
    p = "-" if each["p_corrected"] is None else _native.p_value(each["p_corrected"])
    return f"{subject}: {answer} (p {p}): {', '.join(effects)}"


def _least_first(each: _native.Interaction) -> float:
    return 2.0 if each["p_corrected"] is None else each["p_corrected"]


def depends(each: _native.Interaction, alpha: float) -> bool:
    """Return whether an effect is shown to depend on the level."""
    return each["p_corrected"] is not None and each["p_corrected"] <= alpha


def _level(comparison: Comparison, group: str) -> str:
    """Write the levels of a group without the names of the factors, which the question contains."""
    arrangement = comparison.arrangement
    return _native.printable(", ".join(arrangement.levels[arrangement.groups.index(group)].values()))
