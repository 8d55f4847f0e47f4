"""Matrix: each variant against each other, as a table of colours with the changes and their p-values in the cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.output.plots import effects as rows_of
from statera.output.plots import frame, heatmap
from statera.output.plots.frame import Options, tidy
from statera.output.plots.picture import Picture
from statera.output.plots.raw_values import samples as samples_of
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.effects import Effect
    from statera.output.plots.raw_values import Samples, Source

MOST: Final = 6  # default number of groups
_TOLD: Final = 5
_P: Final = "Row against column; below each change its corrected p; bold is judged, pale has no clear change"
_MEAN: Final = "Row against column; below each change its interval; pale where the interval includes no change"


class _Pair(NamedTuple):
    """The place of a cell: baseline and contender in a group."""

    group: int
    base: int
    contender: int


def draw(source: Source, options: Options) -> Picture:
    """Draw a cell for each pair of variants: of the one benchmark, or the geometric mean of several."""
    comparison, samples = frame.compared(source), samples_of(source)
    every, one_sided = rows_of.two_sided(rows_of.effects(comparison, samples, options))
    variants = sorted({side for effect in every for side in (effect.base, effect.contender)})
    metric = samples.metrics[every[0].metric]
    benchmarks = {effect.benchmark for effect in every}
    one = len(benchmarks) == 1
    cells = _of_rows(comparison, samples, every) if one else _of_means(comparison, samples, every)
    groups = list(dict.fromkeys(effect.group for effect in every))
    grids = [_grid(samples, cells, group, variants, options) for group in groups[: options.most]]
    titles = [samples.groups[group] if len(groups) > 1 else "" for group in groups]
    panels = [
        frame.titled({"vconcat": drawn.panels, "spacing": 4}, title, options.width)
        for drawn, title in zip(grids, titles, strict=False)
    ]
    of = frame.benchmark(samples, every[0].benchmark) if one else f"geometric mean of {len(benchmarks)} benchmarks"
    title = rows_of.tally(comparison, every) if one else f"{len(variants)} variants against each other"
    left_out = [f"{options.most} of {counted(len(groups), 'level')}"] if len(groups) > options.most else []
    choose = [] if one else ["--benchmark draws one benchmark, with its p-values"]
    said = [*grids[0].common, *left_out, *one_sided, *choose]
    below = [f"Change of {frame.name(metric.name)}, {of}", _P if one else _MEAN]
    legend = heatmap.legend(samples, every, width=options.width - 24, left=grids[0].beside)
    return Picture(
        kind="matrix",
        title=title,
        alt=f"{title}; {frame.name(metric.name)}, {of}. {_told(samples, cells)}",
        spec={"title": rows_of.title(title, [*below, *said], options.width), "vconcat": [legend, *panels]},
        marks={"variants": len(variants), "cells": len(cells), "panels": len(panels)},
        remarks=tuple(said),
    )


def _of_rows(comparison: Comparison, samples: Samples, every: Iterable[Effect]) -> dict[_Pair, dict[str, Any]]:
    """Return the cells of one benchmark: the change of each row and its corrected p-value."""
    found = {}
    for effect in every:
        text, p = (shown(word) for word in comparison.weighing.cells(effect.row, ("brief", "p")))
        pair = _Pair(effect.group, effect.base, effect.contender)
        cell = heatmap.cell(comparison, samples, effect, (0, 0))
        found[pair] = {**cell, "variant": _sides(samples, pair), "text": text, "below": p}
    return found


def _of_means(comparison: Comparison, samples: Samples, every: list[Effect]) -> dict[_Pair, dict[str, Any]]:
    """Return the cells of several benchmarks: the geometric mean of each pair and its interval."""
    better = samples.metrics[every[0].metric].better
    groups = {effect.group for effect in every}
    found = {}
    for summary in comparison.weighing.summaries():
        if summary["metric"] != every[0].metric or summary["group"] not in groups or "ratio" not in summary:
            continue
        pair = _Pair(summary["group"], summary["baseline"], summary["contender"])
        found[pair] = _of_mean(samples, pair, summary, better)
    return found


def _of_mean(samples: Samples, pair: _Pair, summary: dict[str, Any], better: str | None) -> dict[str, Any]:
    low, high = summary["low"], summary["high"]
    clear = low is not None and high is not None and not low <= 1 <= high
    tone = heatmap.shade(math.log(summary["ratio"]), better) * (1.0 if clear else heatmap.PALE)
    change = _native.percent(summary["ratio"] - 1)
    ends = "" if low is None or high is None else "[{}, {}]".format(*_native.percent_ends(low - 1, high - 1))
    return {
        "variant": _sides(samples, pair),
        "change": change,
        "interval": ends,
        "held": True,
        "tone": tidy(tone),
        "letters": heatmap.letters(abs(tone)),
        "judged_so": False,
        "text": change,
        "longer": "",
        "below": ends,
    }


def _sides(samples: Samples, pair: _Pair) -> str:
    return f"{frame.whole(samples.labels[pair.contender])} against {frame.whole(samples.labels[pair.base])}"


def _grid(
    samples: Samples, cells: dict[_Pair, dict[str, Any]], group: int, variants: list[int], options: Options
) -> heatmap.Grid:
    """Place the cells of a group below the diagonal: contenders at the left, baselines above."""
    labels = [samples.labels[variant] for variant in variants]
    placed = [
        {**cell, **heatmap.box((variants.index(pair.contender) - 1, variants.index(pair.base)))}
        for pair, cell in cells.items()
        if pair.group == group
    ]
    places = [(row, column) for row in range(len(labels) - 1) for column in range(row + 1)]
    better = samples.metrics[frame.first_metric(samples, options)].better
    return heatmap.grid(placed, places, (labels[1:], labels[:-1]), options, better=better)


def _told(samples: Samples, cells: dict[_Pair, dict[str, Any]]) -> str:
    """Write the first cells for the alternative text."""
    said = []
    for pair, cell in list(cells.items())[:_TOLD]:
        place = f" at {frame.name(samples.groups[pair.group])}" if len(samples.groups) > 1 else ""
        below = f" (p {cell['below']})" if "judged" in cell else f" {cell['below']}"
        said.append(f"{cell['variant']}{place} {cell['change']}{below}")
    return f"{listed(said, _TOLD, between='; ', last='; and ', total=len(cells))}."
