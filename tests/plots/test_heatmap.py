import math

import pytest
from looks import HOSTILE, compared, data, is_drawn, is_harmless

import statera
from statera.output import plots
from statera.support.errors import Stop
from support import noisy


def cells(picture):
    return {
        (row["benchmark"], row["variant"]): row for row in data(picture.spec) if "tone" in row and "benchmark" in row
    }


def test_cells_are_the_rows_and_colours_their_changes(tmp_path):
    base = {"a": noisy(10, seed=1), "b": noisy(10, seed=2)}
    slow = {"a": noisy(20, seed=3), "b": noisy(10, seed=4)}
    fast = {"a": noisy(5, seed=5), "b": noisy(10, seed=6)}
    comparison = compared(tmp_path, base=base, slow=slow, fast=fast)
    picture = plots.draw("heatmap", comparison)
    drawn = cells(picture)
    assert set(drawn) == {(row.benchmark, row.contender) for row in comparison}
    assert drawn["a", "slow"]["tone"] > 0.9
    assert drawn["a", "fast"]["tone"] < -0.9
    assert abs(drawn["b", "slow"]["tone"]) < 0.2
    assert drawn["a", "slow"]["change"].startswith("+")
    told = [row["label"] for row in data(picture.spec) if str(row.get("label")).endswith("and beyond")]
    assert {label.split(":")[0] for label in told} == {"faster", "slower"}
    assert picture.marks == {"rows": 2, "columns": 2, "cells": 4}
    is_drawn(picture)


def test_more_is_better_turns_the_colours_round(tmp_path):
    paths = []
    for label, factor in (("old", 1), ("new", 2)):
        path = tmp_path / f"{label}.csv"
        values = "".join(f"a,rate,B/s,{value}\n" for value in noisy(10 * factor, seed=factor))
        path.write_text("benchmark,metric,unit,value\n" + values)
        paths.append(f"{label}={path}")
    comparison = statera.compare(*paths, policy=statera.Policy(directions=(("rate", "higher"),)))
    (row,) = comparison
    assert row.verdict == "better"
    picture = plots.draw("heatmap", comparison)
    (cell,) = cells(picture).values()
    assert cell["tone"] < 0
    told = [row["label"] for row in data(picture.spec) if str(row.get("label")).endswith("and beyond")]
    assert {label.split(":")[0] for label in told} == {"lower", "higher"}


def test_what_was_not_compared_is_marked_and_zeros_have_frames(tmp_path):
    base = {"a": [1, 2, 3], "b": [4, 5, 6], "zero": [0, 0, 0]}
    one = {"a": [1, 2, 3], "b": [4, 5, 6], "zero": [1, 1, 1]}
    picture = plots.draw("heatmap", compared(tmp_path, base=base, one=one, two={"a": [1, 2, 4]}))
    gaps = [row for row in data(picture.spec) if row.get("change") == "-" and "tone" not in row]
    assert {(row["row"], row["middle"]) for row in gaps} == {(0, 1.5), (2, 1.5)}
    assert cells(picture)["zero", "one"]["tone"] > 0
    assert not cells(picture)["zero", "one"]["held"]
    assert "framed, no ratio: from 0 s to 1.000 s" in [row.get("label") for row in data(picture.spec)]
    is_drawn(picture)


def test_nothing_changed_is_pale(tmp_path):
    table = {f"b{i}": [1, 2, 3] for i in range(5)}
    picture = plots.draw("heatmap", compared(tmp_path, old=table, new=table))
    assert {cell["tone"] for cell in cells(picture).values()} == {0}
    is_drawn(picture)


def test_without_ratios_it_is_said(tmp_path):
    with pytest.raises(Stop, match="ratio"):
        plots.draw("heatmap", compared(tmp_path, old={"a": [0, 0, -1]}, new={"a": [1, 2, -3]}))


def test_names_are_text_and_many_are_limited(tmp_path):
    tables = {f"v{i}": {n: [i + 1, 2, 3] for n in HOSTILE} for i in range(8)}
    comparison = compared(tmp_path, **tables)
    picture = plots.draw("heatmap", comparison)
    assert picture.marks["cells"] == 7 * len(HOSTILE)
    assert all(math.isfinite(cell["tone"]) for cell in cells(picture).values())
    is_harmless(picture, HOSTILE)
    is_drawn(picture)
    assert plots.draw("heatmap", comparison, most=3).marks["rows"] == 3
