import numpy as np
import pytest
from looks import is_drawn, layers, rows

import statera
from statera.output import plots


@pytest.fixture
def runs(tmp_path):
    """Three runs of forty values: of `old` the first eight of each are slower."""
    rng = np.random.default_rng(3)
    for label in ("old", "new"):
        lines = ["benchmark,metric,unit,value,process"]
        for process in range(3):
            values = rng.normal(10, 0.1, 40)
            if label == "old":
                values[:8] += np.linspace(4, 0.5, 8)
            lines += [f"parse,time,ms,{value},{process}" for value in values]
        (tmp_path / f"{label}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "old.csv", tmp_path / "new.csv"


def test_a_trace_shows_runs_and_warm_up(runs):
    picture = plots.draw("trace", statera.compare(*runs))
    assert picture.marks["points"] == 240
    assert picture.marks["runs"] == 4
    warm = rows(layers(picture.spec, "rect"))
    assert [row["from"] for row in warm] == [0.5, 40.5, 80.5]
    assert all(4 <= row["to"] - row["from"] <= 9 for row in warm)
    assert "old: warm-up" in picture.alt
    assert "grey areas warm-ups" in " ".join(picture.spec["title"]["subtitle"])
    is_drawn(picture, themes=("light",))


def test_a_logarithmic_axis_says_that_levels_are_not_drawn(runs):
    remark = "levels and warm-ups are drawn on linear axes alone"
    assert remark in plots.draw("trace", statera.compare(*runs), log=True).remarks
    assert remark not in plots.draw("trace", statera.compare(*runs)).remarks


def test_points_stand_in_the_order_of_measurement(runs):
    comparison = statera.compare(*runs)
    picture = plots.draw("trace", comparison)
    points = [row for row in rows(layers(picture.spec, "point")) if row["place"] == 1]
    written = [float(line.split(",")[3]) for line in runs[1].read_text().splitlines()[1:]]
    assert [row["value"] for row in points] == pytest.approx(written, rel=1e-6)
    assert [row["order"] for row in points] == list(range(1, 121))


def test_an_inspection_is_drawn_as_well(runs):
    picture = plots.draw("trace", statera.inspect(runs[0]))
    assert picture.marks["traces"] == 1
    assert picture.marks["warm_ups"] == 3


def test_steady_values_have_no_levels(runs):
    picture = plots.draw("trace", statera.inspect(runs[1]))
    assert (picture.marks["levels"], picture.marks["warm_ups"]) == (0, 0)
    assert "no drift" in picture.alt


def scales(picture):
    """Give the ends of the vertical axis of each trace."""
    return [tuple(layer["encoding"]["y"]["scale"]["domain"]) for layer in layers(picture.spec, "point")]


@pytest.mark.parametrize(("factor", "own"), [(1.02, False), (30, True)])
def test_variants_that_lie_far_apart_have_scales_of_their_own(tmp_path, factor, own):
    paths = []
    for label, centre in (("old", 1.0), ("new", factor)):
        values = np.random.default_rng(5).normal(centre, 0.02 * centre, 20)
        paths.append(tmp_path / f"{label}.csv")
        paths[-1].write_text("\n".join(["benchmark,metric,unit,value", *(f"parse,time,ms,{v}" for v in values)]) + "\n")
    picture = plots.draw("trace", statera.compare(*paths))
    assert (len(set(scales(picture))) == 2) is own
    assert ("each trace has its own scale" in " ".join(picture.spec["title"]["subtitle"])) is own
    is_drawn(picture, themes=("light",))
