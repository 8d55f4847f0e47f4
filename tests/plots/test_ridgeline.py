import numpy as np
import pytest
from looks import compared, is_drawn, layers, rows

from statera.output import plots
from statera.output.plots.raw_values import samples


def test_the_values_under_the_ridges_are_those_of_the_data(tmp_path):
    old, new = [0.012, 0.011, 0.0135, 0.0128], [0.0142, 0.0151, 0.0149]
    comparison = compared(tmp_path, old={"a": old}, new={"a": new})
    picture = plots.draw("ridgeline", comparison)
    values = [(row["place"], row["value"]) for row in rows(layers(picture.spec, "tick"))]
    assert values == [(0, v * 1000) for v in sorted(old)] + [(1, pytest.approx(v * 1000)) for v in sorted(new)]
    assert picture.marks == {"panels": 1, "ridges": 2, "values": 7}
    assert "12.40 ms" in picture.alt
    is_drawn(picture)


def test_a_ridge_is_a_density(tmp_path):
    rng = np.random.default_rng(1)
    comparison = compared(tmp_path, old={"a": rng.normal(10, 1, 60)}, new={"a": rng.normal(12, 1, 60)})
    picture = plots.draw("ridgeline", comparison)
    for place in (0, 1):
        area = [row for row in rows(layers(picture.spec, "area")) if row["place"] == place]
        heights = [row["top"] - row["base"] for row in area]
        peak = area[int(np.argmax(heights))]["value"]
        assert abs(peak - (10 + 2 * place)) < 1
        assert min(heights) >= 0


def test_a_logarithmic_axis_says_what_it_cannot_hold(tmp_path):
    comparison = compared(tmp_path, old={"a": [0, -1, 1, 10, 1000]}, new={"a": [1, 20, 3000, 4, -5]})
    linear, log = (plots.draw("ridgeline", comparison, log=log) for log in (None, True))
    assert linear.marks["values"] == 10
    assert log.marks["values"] == 7
    assert any("3 values of zero or below" in remark for remark in log.remarks)
    assert "3 values of zero or below" in " ".join(log.spec["title"]["subtitle"])
    is_drawn(log)


def test_many_benchmarks_are_limited_and_the_rest_is_said(tmp_path):
    many = {f"b{i}": [1 + i, 2 + i, 3 + i] for i in range(300)}
    worst = {**many, "b77": [1000, 1001, 1002]}
    comparison = compared(tmp_path, old=many, new=worst)
    picture = plots.draw("ridgeline", comparison, most=5)
    assert picture.marks["panels"] == 5
    assert "5 of 300 benchmarks" in picture.remarks[-1]
    number = samples(comparison).benchmarks.index("b77")
    assert plots.draw("ridgeline", comparison, benchmarks=[number]).marks["panels"] == 1
    assert "b77" in plots.draw("ridgeline", comparison, most=1).title + str(picture.spec["concat"][0]["title"])
