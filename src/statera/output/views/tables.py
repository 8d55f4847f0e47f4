"""Tables beside those of rows, and how small ones are written: tests over all variants, interactions, quantiles."""

from __future__ import annotations

from statera import _native
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, counted, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Final

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.distribution import Distribution, Quantiles, SpeedUp

Table = list[list[str]]
_TESTS = {"kruskal-wallis": "Kruskal-Wallis", "friedman": "Friedman", "quade": "Quade"}
_COMPARED = {
    "friedman": "Friedman on the effects of {blocks} blocks",
    "signed-rank": "signed-rank on the effects of {blocks} blocks",
    "cochran-q": "Cochran's Q of the typical changes",
}
_MOST = 8
_PAIR = 2
OMNIBUS_HEADS: Final = ("test", "statistic", "df", "p", "effect", "n")
"""The headings of the cells of a test over all variants."""


def aligned(rows: Sequence[Sequence[str]], *, left: int = 1, bold: tuple[str, str] = ("", "")) -> str:
    """Write rows, the heading first, in columns; the first ``left`` columns are aligned left, the others right.

    ``bold`` has texts to write before and after the heading.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines[0] = f"{bold[0]}{lines[0]}{bold[1]}"
    return "\n".join(lines) + "\n"


def markdown(rows: Sequence[Sequence[str]], words: Collection[int] = ()) -> str:
    """Write rows, the heading first, as a Markdown table; cells are not escaped.

    The first column, and those whose numbers are in ``words``, are aligned left, the others right.
    """
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    sides = ("---" if column == 0 or column in words else "---:" for column in range(len(rows[0])))
    lines.insert(1, f"| {' | '.join(sides)} |")
    return "\n".join(lines) + "\n"


def omnibus_rows(comparison: Comparison, group: int, metric: int, sort: str = "worst") -> list[list[str]]:
    """Return the tests over all variants of a group and metric as a table, the heading first; empty without tests.

    A test stands where the first of its rows would stand.
    """
    found = omnibus_tests(comparison, [(group, metric)], sort)
    if not found:
        return []
    where = _native.printable(comparison.arrangement.groups[group])
    first = f"all {found[0]['variants']} variants: {_native.printable(found[0]['metric'])}{where and f', {where}'}"
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
    order = weighing.order(rows, sort, changed=False)
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


def interaction_lines(comparison: Comparison, *, every: bool = True) -> list[str]:
    """Write for each effect whether it depends on the level of the other factors, the smallest p first.

    Without ``every`` those that were not shown to depend are one sentence.
    """
    found = sorted(comparison.interactions, key=_least_first)
    if not found:
        return []
    arrangement = comparison.arrangement
    of, on = " and ".join(arrangement.by) or "variant", " and ".join(arrangement.factors)
    question = f"Does the effect of {_native.printable(of)} depend on {_native.printable(on)}?"
    alpha = comparison.policy.alpha
    many = len({(each["benchmark"], each["metric"]) for each in found}) > 1
    if not every:
        open_ = [each for each in found if not depends(each, alpha)]
        found = [each for each in found if depends(each, alpha)]
        if not found:
            least = open_[0]["p_corrected"]
            p = "" if least is None else f", smallest {_native.p_equals(least)}"
            return [f"{question} Not visibly ({counted(len(open_), 'effect')}{p})."]
    lines = [_interaction(comparison, each, alpha, named=many) for each in found[:_MOST]]
    if len(found) > _MOST:
        yes = sum(depends(each, alpha) for each in found)
        lines.append(f"{yes} of {len(found)} effects depend on it; -f json lists all")
    corrected = ", Benjamini-Hochberg over these questions" if len(found) > 1 else ""
    return [f"{question} ({_methods(found)}{corrected})", *(f"  {line}" for line in lines)]


def _methods(found: list[_native.Interaction]) -> str:
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


def _interaction(comparison: Comparison, each: _native.Interaction, alpha: float, *, named: bool) -> str:
    weighing = comparison.weighing
    effects = []
    for row in each["rows"]:
        fields = weighing.row_dict(row)
        effect = " ".join(map(shown, weighing.cells(row, ("change", "interval"))))
        effects.append(f"{effect} at {_level(comparison, fields['group'])}")
    answer = "yes" if depends(each, alpha) else "not shown"
    subject = _native.printable(each["contender"])
    if len(comparison.labels) > _PAIR:
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


def quantile_tables(comparison: Comparison) -> Iterator[tuple[str, Table]]:
    """Yield the tables of quantiles and of shift functions, with their titles."""
    found = comparison.distribution()
    of: dict[tuple[int, int, str], list[Quantiles]] = {}
    for each in found.quantiles:
        of.setdefault((each.group, each.metric, each.benchmark), []).append(each)
    speed_ups: dict[tuple[int, int, str], list[SpeedUp]] = {}
    for up in found.speed_ups:
        speed_ups.setdefault((up.baseline.group, up.baseline.metric, up.baseline.benchmark), []).append(up)
    metrics = comparison.observations.metrics
    for (group, metric, benchmark), variants in of.items():
        name = metrics[metric].name
        where = comparison.arrangement.groups[group]
        title = ", ".join(_native.printable(word) for word in (benchmark, name, where) if word)
        ups = speed_ups.get((group, metric, benchmark), [])
        yield f"{title}: quantiles (type 7)", _quantiles(comparison, found.levels, variants, ups)
    places = {metric.name: place for place, metric in enumerate(metrics)}
    for row, points in found.shifts.items():
        fields = comparison.weighing.row_dict(row)
        # Of few runs no level has a band, and their quantiles are not those of the values above.
        if fields["design"] == "nested" and not any(point.supported for point in points):
            continue
        words = (fields["benchmark"], fields["metric"], fields["group"])
        title = ", ".join(_native.printable(word) for word in words if word)
        pair = f"{_native.printable(fields['contender'])} against {_native.printable(fields['baseline'])}"
        unit = "one value per process; " if fields["design"] == "nested" else ""
        has_bands = any(point.supported for point in points)
        bands = "bands are for all levels at once" if has_bands else "too few values for bands"
        how = f"shift function of {pair} ({unit}Harrell-Davis; {bands})"
        yield f"{title}: {how}", _shift(comparison, found, row, places[fields["metric"]])


def percent_level(level: float) -> str:
    """Write a level as a percentage: 0.05 is 5%."""
    return f"{level * 100:g}%"


def _quantiles(
    comparison: Comparison,
    levels: tuple[float, ...],
    variants: list[Quantiles],
    ups: list[SpeedUp],
) -> Table:
    labels = comparison.labels
    metric = variants[0].metric
    names = [_native.printable(labels[each.variant]) for each in variants]
    several = len({each.baseline.variant for each in ups}) > 1
    heads = [
        f"change {_native.printable(labels[each.contender.variant])}"
        + (f" / {_native.printable(labels[each.baseline.variant])}" if several else "")
        for each in ups
    ]
    blank = [""] * len(ups)

    def written(values: list[float]) -> list[str]:
        size = min((abs(value) for value in values if value), default=0.0)
        return [_native.amount(comparison.observations.native, metric, value, size) for value in values]

    changes = [each.changes for each in ups]
    rows = [
        ["", *names, *heads],
        ["n", *(str(each.n) for each in variants), *blank],
        ["median", *written([each.median for each in variants]), *blank],
        ["IQR", *written([each.iqr for each in variants]), *blank],
    ]
    for place, level in enumerate(levels):
        rows.append(
            [
                percent_level(level),
                *written([each.at[place] for each in variants]),
                *(_native.percent(of[place]) for of in changes),
            ]
        )
    return rows


def _shift(comparison: Comparison, found: Distribution, row: int, metric: int) -> Table:
    fields = comparison.weighing.row_dict(row)
    ratio = fields["scale"] == "ratio"

    def change(value: float, size: float) -> str:
        return _native.percent(value) if ratio else _native.amount(comparison.observations.native, metric, value, size)

    names = [_native.printable(fields[side]) for side in ("baseline", "contender")]
    # Where no level has a band, the title says so once.
    has_bands = any(point.supported for point in found.shifts[row])
    rows = [["", *names, "change", *([f"{comparison.policy.level} % band"] if has_bands else [])]]
    for point in found.shifts[row]:
        size = min(abs(point.baseline), abs(point.contender)) or abs(point.baseline)
        values = [
            _native.amount(comparison.observations.native, metric, value, size)
            for value in (point.baseline, point.contender)
        ]
        band = "too few values"
        if point.supported and point.low is not None and point.high is not None:
            ends = (change(point.low, size), change(point.high, size))
            band = f"[{', '.join(_native.percent_ends(point.low, point.high) if ratio else ends)}]"
        rows.append([percent_level(point.level), *values, change(point.change, size), *([band] if has_bands else [])])
    return rows
