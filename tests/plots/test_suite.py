import pytest
from looks import HOSTILE, compared, data, is_drawn

from statera.output import plots
from support import noisy


def bars(picture):
    return {
        (row["benchmark"], row["variant"]): row for row in data(picture.spec) if "contender" in row and "top" in row
    }


def test_bars_are_centres_and_changes(tmp_path):
    old = {"a": noisy(10, seed=1), "b": noisy(20, seed=2)}
    new = {"a": noisy(12, seed=3), "b": noisy(15, seed=4)}
    comparison = compared(tmp_path, old=old, new=new)
    picture = plots.draw("suite", comparison)
    drawn = bars(picture)
    for row in comparison:
        before, after = drawn[row.benchmark, "old"], drawn[row.benchmark, "new"]
        assert (before["centre"], after["centre"]) == pytest.approx(
            (row.baseline_centre, row.contender_centre), rel=1e-6
        )
        assert [after[key] for key in ("value", "low", "high")] == pytest.approx(
            [1 + row.change, 1 + row.change_low, 1 + row.change_high], rel=1e-6
        )
        assert "value" not in before
        assert "least" in before
        assert "most" in before
    assert picture.marks == {"benchmarks": 2, "bars": 4, "changes": 2}
    assert "geometric mean of 2 ratios" in picture.title
    is_drawn(picture)


def test_bars_begin_at_zero_and_points_stand_on_logarithmic_axes(tmp_path):
    near, far = {"a": [10], "b": [20]}, {"a": [10], "b": [20000]}
    linear = plots.draw("suite", compared(tmp_path, old=near, new=near)).json()
    log = plots.draw("suite", compared(tmp_path, old=far, new=far)).json()
    assert linear.count('"type":"rect"') == log.count('"type":"rect"') + 1
    assert '"domain":[0.0,' in linear


def test_several_variants_stand_together(tmp_path):
    tables = {label: {"a": [10 + i], "b": [20 + i]} for i, label in enumerate(("one", "two", "three"))}
    picture = plots.draw("suite", compared(tmp_path, **tables))
    assert picture.marks == {"benchmarks": 2, "bars": 6, "changes": 4}
    rows = bars(picture)
    assert [rows["b", label]["place"] for label in ("one", "two", "three")] == [0, 1, 2]
    is_drawn(picture)


def test_a_logarithmic_axis_says_what_it_cannot_hold(tmp_path):
    old, new = {"a": [0, 0, 0], "b": [5, 6, 7], "c": [-1, -2, -1]}, {"a": [1, 2, 3], "b": [5, 7, 8], "c": [1, -2, -2]}
    comparison = compared(tmp_path, old=old, new=new)
    is_drawn(plots.draw("suite", comparison))
    log = plots.draw("suite", comparison, log=True)
    assert any("zero or below" in remark for remark in log.remarks)
    is_drawn(log)


def test_many_are_limited(tmp_path):
    tables = {label: {n: [i + 1, 2, 3] for n in HOSTILE} for i, label in enumerate(("old", "new"))}
    few = plots.draw("suite", compared(tmp_path, **tables), most=3)
    assert few.marks["benchmarks"] == 3
    assert f"3 of {len(HOSTILE)} benchmarks, the largest changes" in few.remarks


def test_as_many_benchmarks_are_drawn_as_asked_also_where_builds_lack_some(tmp_path):
    names = [f"case{number}" for number in range(12)]
    old, new = ({name: [size + place] for place, name in enumerate(names, 1)} for size in (0, 1))
    comparison = compared(tmp_path, old=old, new=new, other={name: new[name] for name in names[:2]})
    for kind, mark in (("suite", "benchmarks"), ("heatmap", "rows")):
        assert plots.draw(kind, comparison, most=5).marks[mark] == 5
