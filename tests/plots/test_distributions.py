"""Histograms, normal Q-Q, empirical distribution functions and strips: their rows are those of the data."""

import re
from itertools import product

import numpy as np
import pytest
from looks import HOSTILE, compared, fits_the_schema, is_drawn, is_harmless, layers, rows, write

import statera
from statera import stats
from statera.output import plots
from statera.output.plots.qq import normal_band
from statera.output.plots.raw_values import samples

KINDS = ("ridgeline", "histogram", "qq", "ecdf", "strip", "trace")
OLD, NEW = [0.012, 0.011, 0.0135, 0.0128, 0.0111], [0.0142, 0.0151, 0.0149]


@pytest.fixture
def comparison(tmp_path):
    return compared(tmp_path, old={"a": OLD, "b": [3.0, 1.0, 2.0]}, new={"a": NEW, "b": [2.0, 5.0, 4.0]})


def drawn(comparison, kind, **options):
    return plots.draw(kind, comparison, benchmarks=[0], **options)


def test_bars_count_every_value_once(comparison):
    picture = drawn(comparison, "histogram")
    bars = rows(layers(picture.spec, "rect"))
    for place, values in ((0, OLD), (1, NEW)):
        mine = [bar for bar in bars if bar["place"] == place]
        assert sum(bar["count"] for bar in mine) == len(values)
        for bar in mine:
            inside = [value for value in values if bar["value"] - 1e-6 <= value * 1000 < bar["end"] - 1e-6]
            assert len(inside) == bar["count"]
    assert picture.marks["values"] == len(OLD) + len(NEW)
    assert picture.marks["bars"] == len(bars)


def test_the_area_under_the_curve_is_that_of_the_bars(tmp_path):
    values = np.random.default_rng(2).normal(10, 1, 200)
    picture = plots.draw("histogram", compared(tmp_path, old={"a": values}, new={"a": values + 1}))
    bars, curve = rows(layers(picture.spec, "rect")), rows(layers(picture.spec, "line"))
    width = bars[0]["end"] - bars[0]["value"]
    at = [row["value"] for row in curve if row["place"] == 0]
    height = [row["height"] for row in curve if row["place"] == 0]
    assert np.trapezoid(height, at) == pytest.approx(200 * width, rel=0.02)


def test_medians_and_means_stand_beside_each_other(comparison):
    picture = drawn(comparison, "histogram")
    lines = [row["value"] for row in rows(layers(picture.spec, "rule"))]
    assert lines == pytest.approx([12, 12.08, 14.9, 14.7333333])


def test_the_points_of_a_qq_are_the_values_in_order(comparison):
    picture = drawn(comparison, "qq")
    points = rows(layers(picture.spec, "point"))
    assert [row["value"] for row in points if row["place"] == 0] == pytest.approx([v * 1000 for v in sorted(OLD)])
    z = [row["z"] for row in points if row["place"] == 0]
    assert z[2] == pytest.approx(0, abs=1e-9)
    assert z[0] == pytest.approx(-1.28155, abs=1e-4)  # the normal quantile of 0.1
    words = f"W {stats.normality(OLD).statistic:.5g}"
    assert words in picture.alt
    assert words in str(picture.spec)


def test_normal_samples_lie_inside_the_band_as_often_as_it_says():
    n = 30
    low, high = normal_band(n, 1)
    drawn = np.sort(np.random.default_rng(99).standard_normal((2000, n)), axis=1)
    drawn = (drawn - drawn.mean(axis=1, keepdims=True)) / drawn.std(axis=1, ddof=1, keepdims=True)
    inside = ((drawn >= low) & (drawn <= high)).all(axis=1).mean()
    assert 0.93 < inside < 0.97
    assert normal_band(n, 1) is normal_band(n, 1)
    assert normal_band(10_000, 1) is None


def test_each_step_is_the_share_of_values_up_to_it(comparison):
    picture = drawn(comparison, "ecdf")
    for place, values in ((0, OLD), (1, NEW)):
        first, *steps, last = [row for row in rows(layers(picture.spec, "line")) if row["place"] == place]
        assert (first["share"], last["share"]) == (0, 1)
        assert [row["value"] for row in steps] == pytest.approx([v * 1000 for v in sorted(values)])
        assert [row["share"] for row in steps] == pytest.approx([(i + 1) / len(values) for i in range(len(values))])


def test_strips_hold_the_values_in_the_order_of_measurement(comparison):
    picture = drawn(comparison, "strip")
    points = [row for row in rows(layers(picture.spec, "point")) if row["place"] == 0]
    assert [row["value"] for row in points] == pytest.approx([value * 1000 for value in OLD])
    assert [row["at"] for row in points] == [1, 2, 3, 4, 5]
    assert [row["stands"] for row in points] == sorted(row["stands"] for row in points)
    (box,) = [row for row in rows(layers(picture.spec, "bar")) if row["place"] == 0]
    assert (box["first"], box["value"], box["third"]) == pytest.approx((11.1, 12.0, 12.8))
    assert (box["low"], box["high"]) == pytest.approx((11.0, 13.5))


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


def test_every_kind_is_drawn_and_is_vega_lite(comparison):
    for kind in KINDS:
        is_drawn(plots.draw(kind, comparison))
        is_drawn(plots.draw(kind, comparison, log=True, width=300), themes=("light",))
        assert not re.search("NaN|Infinity", plots.draw(kind, comparison, width=1000).svg()), kind
        fits_the_schema(drawn(comparison, kind))


def test_names_and_labels_are_text(tmp_path):
    comparison = compared(tmp_path, old={n: [1, 2, 3] for n in HOSTILE}, new={n: [2, 3, 4] for n in HOSTILE})
    paths = [write(tmp_path, name, [("a", value) for value in (1, 2, 3)]) for name in ("old", "new")]
    labels = ["${datum}<img onerror>", "x" * 500]
    labelled = statera.compare(*(f"{label}={path}" for label, path in zip(labels, paths, strict=True)))
    for kind in KINDS:
        picture = plots.draw(kind, comparison)
        assert picture.marks["panels"] >= len(HOSTILE), kind
        is_harmless(picture, HOSTILE)
        is_drawn(plots.draw(kind, comparison, most=2), themes=("dark",))
        picture = plots.draw(kind, labelled, width=520)
        is_harmless(picture, labels)
        is_drawn(picture, themes=("light",))


@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0, 3.0], [0.0, 0.0], [-2.0, -1.0, 0.0], [0.0, 1.0, 1e6]])
def test_little_and_odd_samples_are_drawn(values, tmp_path):
    comparison = compared(tmp_path, old={"a": values}, new={"a": values})
    for kind, log in product(KINDS, (False, True)):
        picture = plots.draw(kind, comparison, log=log)
        count = picture.marks.get("values", picture.marks.get("points"))
        lost = sum(value <= 0 for value in values) if log and max(values) > 0 else 0
        assert count == 2 * (len(values) - lost), (kind, log)
        assert any("of zero or below" in remark for remark in picture.remarks) == (lost > 0), (kind, log)
        if log:
            is_drawn(picture, themes=("light",))


def test_hundreds_of_benchmarks_are_limited_and_large_samples_thinned(tmp_path):
    many = {f"b{i}": [1.0 + i, 2.0 + i, 3.0 + i] for i in range(300)}
    comparison = compared(tmp_path, old=many, new=many)
    rng = np.random.default_rng(7)
    large = compared(tmp_path, old={"a": rng.lognormal(0, 1, 6000)}, new={"a": rng.lognormal(0.1, 1, 6000)})
    assert len(samples(large).values(samples(large).series[0])) == 6000
    for kind in KINDS:
        picture = plots.draw(kind, comparison)
        for said in (picture.remarks, picture.spec["title"]["subtitle"]):
            assert "12 of 300 benchmarks" in " ".join(said), kind
        assert len(picture.json()) < 400_000, kind
        picture = plots.draw(kind, large)
        assert len(picture.json()) < 400_000, kind
        assert "<svg" in picture.svg(), kind
