import numpy as np
import pytest
from looks import compared, data, is_drawn

import statera
from statera.output import plots
from support import noisy, table


def points(spec):
    return [row for row in data(spec) if "written" in row]


def test_points_are_the_speed_ups_of_the_quantiles(tmp_path):
    rng = np.random.default_rng(2)
    old, new = rng.lognormal(0, 0.5, 40), rng.lognormal(-0.1, 0.6, 40)
    picture = plots.draw("speedup", compared(tmp_path, old={"a": old}, new={"a": new}))
    levels = np.arange(0, 1.01, 0.1)
    wanted = 1 - np.quantile(new, levels) / np.quantile(old, levels)
    drawn = {row["level"]: row["value"] for row in points(picture.spec)}
    assert list(drawn) == list(range(0, 101, 10))
    assert list(drawn.values()) == pytest.approx(list(wanted), abs=1e-6)
    assert picture.marks == {"panels": 1, "lines": 1, "points": 11, "endless": 0}
    is_drawn(picture)


def test_few_values_have_no_extremes(tmp_path):
    picture = plots.draw("speedup", compared(tmp_path, old={"a": [1, 2, 3]}, new={"a": [1, 2, 4]}))
    assert {row["level"] for row in points(picture.spec)} == set(range(10, 100, 10))


@pytest.fixture
def factorial(tmp_path):
    rows = [
        {"benchmark": "b", "metric": "time", "unit": "s", "value": value, "branch": branch, "ghc": ghc}
        for i, branch in enumerate(("base", "split"))
        for j, ghc in enumerate(("9.2", "9.6"))
        for value in noisy(10 - i - 2 * j, 25, seed=5 * i + j)
    ]
    path = tmp_path / "t.csv"
    path.write_text(table(rows))
    return path


def test_levels_of_the_other_factor_are_lines_in_a_panel_a_variant(factorial):
    picture = plots.draw("speedup", statera.compare(factorial, by="ghc", within=["branch"], pair="unpaired"))
    assert picture.marks == {"panels": 1, "lines": 2, "points": 22, "endless": 0}
    assert {row["line"] for row in points(picture.spec)} == {"branch: base", "branch: split"}
    assert "9.6" in picture.alt


def test_variants_of_two_factors_have_a_panel_a_level_of_the_last(factorial):
    comparison = statera.compare(factorial, by=["branch", "ghc"], baseline="base/9.2", pair="unpaired")
    picture = plots.draw("speedup", comparison)
    assert picture.marks == {"panels": 2, "lines": 3, "points": 33, "endless": 0}
    assert {row["line"] for row in points(picture.spec)} == {"base", "split"}
    is_drawn(picture)


def test_panels_are_the_levels_of_the_factor_that_is_asked_for(factorial):
    comparison = statera.compare(factorial, by=["branch", "ghc"], baseline="base/9.2", pair="unpaired")
    picture = plots.draw("speedup", comparison, facet="branch")
    assert picture.marks == {"panels": 2, "lines": 3, "points": 33, "endless": 0}
    assert {row["line"] for row in points(picture.spec)} == {"9.2", "9.6"}
    levels = statera.compare(factorial, by="ghc", within=["branch"], pair="unpaired")
    assert plots.draw("speedup", levels, facet="branch").marks["panels"] == 2
    with pytest.raises(statera.Stop, match=r"--facet os: .*ghc and branch|--facet os: .*\(ghc, branch\)"):
        plots.draw("speedup", levels, facet="os")


def test_a_baseline_of_zero_has_no_speed_up(tmp_path):
    picture = plots.draw("speedup", compared(tmp_path, old={"a": [0, 0, 0]}, new={"a": [1, 2, 4]}))
    assert picture.marks["points"] == 0
    assert picture.marks["endless"] == 9
    assert "no ratio: from 0 s to 1.200 s" in picture.alt
    is_drawn(picture)


def test_many_benchmarks_are_limited_and_the_rest_is_said(tmp_path):
    many = {f"b{i}": [1 + i, 2 + i, 3 + i] for i in range(300)}
    picture = plots.draw("speedup", compared(tmp_path, old=many, new={**many, "b77": [1000, 1001, 1002]}), most=5)
    assert picture.marks["panels"] == 5
    assert "5 of 300 benchmarks, the largest changes" in picture.remarks
    assert "b77" in picture.alt
