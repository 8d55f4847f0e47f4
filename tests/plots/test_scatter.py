"""Changes over the values of the baseline."""

import pytest
from looks import compared, data, is_drawn

from statera.output import plots
from support import noisy


def points(picture):
    """The rows that are points, without arrows and names."""
    return {row["benchmark"]: row for row in data(picture.spec) if "at" in row and "label" not in row}


def test_points_are_the_rows(tmp_path):
    old = {f"b{i}": noisy(2.0**i, seed=i) for i in range(9)}
    new = {f"b{i}": noisy(2.0**i * (2 if i == 8 else 1), seed=20 + i) for i in range(9)}
    comparison = compared(tmp_path, old=old, new=new)
    picture = plots.draw("scatter", comparison)
    drawn = points(picture)
    unit = drawn["b0"]["at"] / next(row.baseline_centre for row in comparison if row.benchmark == "b0")
    for row in comparison:
        assert drawn[row.benchmark]["at"] == pytest.approx(row.baseline_centre * unit, rel=1e-6)
        assert drawn[row.benchmark]["value"] == pytest.approx(1 + row.change, rel=1e-6)
        assert drawn[row.benchmark]["verdict"] == row.verdict
    assert [row["label"] for row in data(picture.spec) if "at" in row and "label" in row] == [
        f"b8 {drawn['b8']['change']}"
    ]
    assert "median change of the half with small values" in picture.alt
    assert picture.marks == {"panels": 1, "points": 9}
    is_drawn(picture)


def test_zeros_stand_in_the_corner(tmp_path):
    old = {"zero": [0] * 6, **{f"b{i}": noisy(10.0**i, seed=i) for i in range(3)}}
    picture = plots.draw("scatter", compared(tmp_path, old=old, new={**old, "zero": [5] * 6}))
    drawn = points(picture)
    assert drawn["zero"]["at"] == min(row["at"] for row in drawn.values())
    assert drawn["zero"]["value"] == max(row["value"] for row in drawn.values())
    assert drawn["zero"]["shape"] == "elsewhere"
    assert "1 baseline of zero or below stands at the left end: the axis is logarithmic" in picture.remarks
    is_drawn(picture)


def test_each_variant_has_a_panel_with_the_same_axes(tmp_path):
    table = {"a": noisy(10), "b": noisy(20)}
    picture = plots.draw("scatter", compared(tmp_path, one=table, two=table, three={"a": noisy(30), "b": noisy(20)}))
    assert picture.marks == {"panels": 2, "points": 4}
    is_drawn(picture)
