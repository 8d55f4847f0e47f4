"""Tables of the quantiles of each variant, and of the shift function of each pair."""

from __future__ import annotations

from statera import _native
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.distribution import Distribution, Quantiles, SpeedUp

Table = list[list[str]]


def tables(comparison: Comparison) -> Iterator[tuple[str, Table]]:
    """Yield all tables with their titles: first the quantiles, then the shift functions."""
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
        higher = metrics[metric].better == "higher"
        yield f"{title}: quantiles (type 7)", _quantiles(comparison, found.levels, variants, ups, higher=higher)
    places = {metric.name: place for place, metric in enumerate(metrics)}
    for row in found.shifts:
        fields = comparison.weighing.row_dict(row)
        words = (fields["benchmark"], fields["metric"], fields["group"])
        title = ", ".join(_native.printable(word) for word in words if word)
        pair = f"{_native.printable(fields['contender'])} against {_native.printable(fields['baseline'])}"
        unit = "one value per process; " if fields["design"] == "nested" else ""
        how = f"shift function of {pair} ({unit}Harrell-Davis; bands hold at all levels at once)"
        yield f"{title}: {how}", _shift(comparison, found, row, places[fields["metric"]])


def percent_level(level: float) -> str:
    """Write a level as a percentage: 0.05 is 5%."""
    return f"{level * 100:g}%"


def _quantiles(
    comparison: Comparison, levels: tuple[float, ...], variants: list[Quantiles], ups: list[SpeedUp], *, higher: bool
) -> Table:
    labels = comparison.labels
    metric = variants[0].metric
    names = [_native.printable(labels[each.variant]) for each in variants]
    speed = "gain" if higher else "speed-up"
    several = len({each.baseline.variant for each in ups}) > 1
    heads = [
        f"{speed} {_native.printable(labels[each.contender.variant])}"
        + (f" / {_native.printable(labels[each.baseline.variant])}" if several else "")
        for each in ups
    ]
    blank = [""] * len(ups)

    def written(values: list[float]) -> list[str]:
        size = min((abs(value) for value in values if value), default=0.0)
        return [_native.amount(comparison.observations.native, metric, value, size) for value in values]

    rows = [
        ["", *names, *heads],
        ["n", *(str(each.n) for each in variants), *blank],
        ["median", *written([each.median for each in variants]), *blank],
        ["IQR", *written([each.iqr for each in variants]), *blank],
    ]
    for place, level in enumerate(levels):
        changes = [each.at[place] for each in ups]
        rows.append(
            [
                percent_level(level),
                *written([each.at[place] for each in variants]),
                *(_native.percent(change) for change in changes),
            ]
        )
    return rows


def _shift(comparison: Comparison, found: Distribution, row: int, metric: int) -> Table:
    fields = comparison.weighing.row_dict(row)
    ratio = fields["scale"] == "ratio"

    def change(value: float, size: float) -> str:
        return _native.percent(value) if ratio else _native.amount(comparison.observations.native, metric, value, size)

    names = [_native.printable(fields[side]) for side in ("baseline", "contender")]
    rows = [["", *names, "change", f"{comparison.policy.level}% band"]]
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
        rows.append([percent_level(point.level), *values, change(point.change, size), band])
    return rows
