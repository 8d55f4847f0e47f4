import pytest
from looks import compared, data, is_drawn, layers, rows

import statera
from statera.output import plots
from statera.support.errors import Stop
from support import ROOT, noisy


def body(picture):
    """The rows of the picture, below its legend."""
    return picture.spec["vconcat"][1]


def marks(picture, kind):
    return rows(layers(body(picture), kind))


def points(picture):
    """The rows of the points that are changes, without arrows."""
    (layer,) = (each for each in body(picture)["layer"] if "shape" in each["encoding"])
    return layer["data"]["values"]


@pytest.fixture
def suite(tmp_path):
    old = {name: noisy(100, seed=i) for i, name in enumerate(("same", "slow", "fast", "gone"))}
    new = {
        "same": noisy(100, seed=11),
        "slow": noisy(130, seed=12),
        "fast": noisy(50, seed=13),
        "fresh": noisy(1, seed=14),
    }
    return compared(tmp_path, old=old, new=new)


def test_points_and_lines_are_the_rows(suite):
    picture = plots.draw("forest", suite)
    held = {row.benchmark: row for row in suite if row.change is not None}
    drawn = {point["benchmark"]: point for point in points(picture)}
    assert set(drawn) == set(held) == {"same", "slow", "fast"}
    for name, row in held.items():
        place = [drawn[name][key] for key in ("value", "low", "high")]
        assert place == pytest.approx([1 + row.change, 1 + row.change_low, 1 + row.change_high], rel=1e-6)
        assert drawn[name]["verdict"] == row.verdict
    assert picture.marks == {"rows": 3, "intervals": 3}
    is_drawn(picture)


def test_rows_stand_from_the_worst_to_the_best_and_the_finding_is_the_title(suite):
    picture = plots.draw("forest", suite)
    order = sorted(points(picture), key=lambda point: -point["base"])
    assert [point["benchmark"] for point in order] == ["slow", "same", "fast"]
    assert "1 slower (slow +30.0%), 1 unchanged, 1 faster" in picture.title
    assert "1 benchmark is gone" in picture.remarks
    assert "1 benchmark is new" in picture.remarks
    assert "slow +3" in picture.alt


def test_the_margin_is_shaded(suite):
    picture = plots.draw("forest", suite)
    (band,) = marks(picture, "rect")
    assert (band["value"], band["end"]) == pytest.approx((1 / 1.02, 1.02))


def test_of_hundreds_the_largest_changes_are_shown_and_the_rest_is_said(tmp_path):
    old = {f"b{i}": noisy(100, seed=i) for i in range(200)}
    new = {f"b{i}": noisy(100 * (1.5 if i == 77 else 0.5 if i == 78 else 1), seed=1000 + i) for i in range(200)}
    comparison = compared(tmp_path, old=old, new=new)
    picture = plots.draw("forest", comparison)
    assert picture.marks["rows"] == 40
    assert {"b77", "b78"} <= {point["benchmark"] for point in points(picture)}
    assert "40 of 200 benchmarks, the worst and the largest changes" in picture.remarks
    assert plots.draw("forest", comparison, most=500).marks["rows"] == 200
    is_drawn(picture)


def test_improvements_never_push_out_the_worst_row(tmp_path):
    centres = {f"b{i:03}": 100 + i for i in range(60)}
    sides = {
        side: {name: noisy(centre * factor(i), 8, seed=i) for i, (name, centre) in enumerate(centres.items())}
        for side, factor in {
            "old": lambda _: 1,
            "slower": lambda i: 1.2 if i == 7 else 1.1 if i % 2 else 1,
            "faster": lambda i: 1 if i == 7 else 0.5,
        }.items()
    }
    comparison = compared(tmp_path, **sides)
    worst = comparison.weighing.row_dict(comparison.answer.leads[0])["benchmark"]
    drawn = points(plots.draw("forest", comparison, most=10))
    assert worst == "b007"
    assert drawn[0]["benchmark"] == worst
    assert len({point["benchmark"] for point in drawn}) == 5


def test_a_change_by_a_thousand_is_an_arrow_that_crowds_nobody(tmp_path):
    old = {f"b{i}": noisy(100, seed=i) for i in range(20)}
    new = {f"b{i}": noisy(100 * (1000 if i == 3 else 1 + i / 50), seed=50 + i) for i in range(20)}
    picture = plots.draw("forest", compared(tmp_path, old=old, new=new))
    (far,) = (point for point in points(picture) if point["after"])
    assert far["benchmark"] == "b3"
    assert far["change"].startswith("×")
    assert far["value"] == far["most"] < 100
    assert "arrows extend beyond the picture" in picture.remarks
    is_drawn(picture)


def test_the_only_row_that_changed_is_no_arrow(tmp_path):
    old = {f"b{i}": noisy(100, seed=i, spread=0.01) for i in range(40)}
    new = {f"b{i}": noisy(118 if i == 3 else 100, seed=500 + i, spread=0.01) for i in range(40)}
    picture = plots.draw("forest", compared(tmp_path, old=old, new=new))
    (worst,) = (point for point in points(picture) if point["benchmark"] == "b3")
    assert not worst["after"]
    assert worst["value"] < worst["most"]


def test_zeros_and_negatives_stand_on_an_axis_of_differences(tmp_path):
    old = {"zero": [0, 0, 0, 0], "negative": [-5, -4, -3, -5], "mixed": [-1, 0, 1, 2]}
    new = {"zero": [0, 1, 0, 2], "negative": [-9, -8, -9, -7], "mixed": [3, 0, 1, 9]}
    comparison = compared(tmp_path, old=old, new=new)
    picture = plots.draw("forest", comparison)
    drawn = {point["benchmark"]: point["value"] for point in points(picture)}
    assert drawn == {row.benchmark: pytest.approx(row.change) for row in comparison}
    is_drawn(picture)


def test_what_has_no_ratio_stands_at_the_end_to_which_it_changed(tmp_path):
    old = {"up": [0] * 6, "down": [8] * 6, "none": [0] * 6, "b": noisy(10), "c": noisy(20)}
    new = {"up": [12] * 6, "down": [0] * 6, "none": [0] * 6, "b": noisy(11), "c": noisy(20)}
    picture = plots.draw("forest", compared(tmp_path, old=old, new=new))
    drawn = {point["benchmark"]: point for point in points(picture)}
    assert {name for name, point in drawn.items() if point["shape"] == "elsewhere"} == {"up", "down", "none"}
    assert drawn["up"]["value"] == max(point["value"] for point in drawn.values())
    assert drawn["down"]["value"] == min(point["value"] for point in drawn.values())
    assert drawn["none"]["value"] == 1
    assert "no ratio: from 0 s to 12.00 s" in [row["label"] for row in data(picture.spec["vconcat"][0])]
    assert "from 8.000 s to 0 s" in [row.get("written") for row in data(picture.spec)]
    is_drawn(picture)


def test_what_went_to_zero_is_an_arrow_at_the_end(tmp_path):
    old = {f"b{i}": noisy(100, seed=i) for i in range(3)}
    new = {"b0": [0.0] * 10, "b1": noisy(100, seed=9), "b2": noisy(90, seed=10)}
    picture = plots.draw("forest", compared(tmp_path, old=old, new=new))
    assert picture.marks["rows"] == 3
    is_drawn(picture)


def test_variants_of_a_benchmark_stand_below_its_name(tmp_path):
    table = {"a": noisy(100), "b": noisy(50)}
    comparison = compared(tmp_path, one=table, two=table, three=table)
    picture = plots.draw("forest", comparison)
    assert picture.marks["rows"] == 4
    heads = [text for text in data(picture.spec) if text.get("heading")]
    assert {head["label"] for head in heads} == {"a", "b"}
    assert {point["label"] for point in points(picture)} == {"two", "three"}


def test_nothing_on_both_sides_is_said(tmp_path):
    with pytest.raises(Stop, match="both builds"):
        plots.draw("forest", compared(tmp_path, old={"a": [1, 2]}, new={"b": [1, 2]}))


def test_a_change_without_a_width_is_written_once():
    sides = [ROOT / "examples/go-decimal" / name for name in ("old", "new")]
    comparison = statera.compare(*sides, metrics=("B/op",))
    told = [row["written"] for row in marks(plots.draw("forest", comparison, width=900), "text") if "written" in row]
    assert "−54.5% (exact)" in told
    assert not any(len(words.split()) > 2 for words in told if "(exact)" in words)
