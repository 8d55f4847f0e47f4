import math

import pytest
from looks import HOSTILE, compared, data, is_drawn, is_harmless

from statera.output import plots
from statera.output.plots.heatmap import shade
from support import noisy


def pairwise(folder, **variants):
    return compared(folder, pairs="all", **variants)


def cells(picture):
    """Give the cells of a matrix by baseline and contender, those of its legend left out."""
    return {
        tuple(reversed(row["variant"].split(" against "))): row
        for row in data(picture.spec)
        if "tone" in row and "left" in row
    }


def test_cells_are_the_rows_of_the_comparison_with_their_corrected_p(tmp_path):
    comparison = pairwise(
        tmp_path,
        **{
            name: {"x": noisy(s, seed=n, spread=0.05)}
            for n, (name, s) in enumerate(zip("abc", (10, 10, 20), strict=True))
        },
    )
    picture = plots.draw("matrix", comparison)
    drawn, told = cells(picture), comparison.weighing.cell
    assert {pair: (cell["text"], cell["below"]) for pair, cell in drawn.items()} == {
        (row.baseline, row.contender): (told(place, "brief"), told(place, "p")) for place, row in enumerate(comparison)
    }
    assert drawn["a", "b"]["text"] == "~"
    assert abs(drawn["a", "b"]["tone"]) < 0.2
    assert drawn["a", "c"]["judged_so"]
    assert drawn["a", "c"]["tone"] > 0.9
    # Contenders are rows, baselines are columns.
    places = {pair: (cell["row"], cell["middle"]) for pair, cell in drawn.items()}
    assert places == {("a", "b"): (0, 0.5), ("a", "c"): (1, 0.5), ("b", "c"): (1, 1.5)}
    assert picture.title == "2 slower, 1 no clear change"
    assert picture.marks == {"variants": 3, "cells": 3, "panels": 1}
    is_drawn(picture)


def test_of_several_benchmarks_it_shows_the_geometric_means(tmp_path):
    tables = {
        name: {each: noisy(size, seed=size + place) for place, each in enumerate("xyz")}
        for name, size in zip("abc", (10, 11, 30), strict=True)
    }
    comparison = pairwise(tmp_path, **tables)
    picture = plots.draw("matrix", comparison)
    ratios = {
        ("abc"[each["baseline"]], "abc"[each["contender"]]): each["ratio"] for each in comparison.weighing.summaries()
    }
    tones = {pair: pytest.approx(shade(math.log(ratio), "lower"), abs=0.001) for pair, ratio in ratios.items()}
    assert {pair: cell["tone"] for pair, cell in cells(picture).items()} == tones
    assert picture.remarks == ("--benchmark draws one benchmark, with its p-values",)
    assert plots.draw("matrix", comparison, benchmarks=[0]).title == "3 slower"


def test_pairs_that_were_not_compared_are_marked(tmp_path):
    picture = plots.draw("matrix", compared(tmp_path, a={"x": [1, 2]}, b={"x": [1, 3]}, c={"x": [1, 4]}))
    gaps = [(row["row"], row["middle"]) for row in data(picture.spec) if row.get("change") == "-" and "tone" not in row]
    assert gaps == [(1, 1.5)]


def test_names_are_text(tmp_path):
    picture = plots.draw("matrix", pairwise(tmp_path, **{f"v{i}": {HOSTILE[0]: [i, 2, 3]} for i in range(1, 4)}))
    is_harmless(picture, HOSTILE[:1])


def test_the_command_compares_all_pairs(run, tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.csv").write_text("benchmark,metric,unit,value\nx,time,s,1\nx,time,s,2\n")
    target = tmp_path / "matrix.json"
    assert run("plot", "matrix", *(tmp_path / f"{name}.csv" for name in "abc"), "-o", target).code == 0
    assert target.read_text().count('"below":') >= 3
