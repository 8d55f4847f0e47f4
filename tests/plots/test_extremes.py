"""Every kind, scale and axis over data that strains them: a picture whose numbers are finite, or a clear reason."""

import math
import re
import xml.etree.ElementTree as ET
from itertools import product

import pytest
from extremes import DATA, sources
from looks import compared, data, layers, rows, write

import statera
from statera.output import plots
from statera.output.plots.raw_values import samples
from statera.support.errors import Stop

NO_NUMBER = re.compile(r"\b(NaN|nan|Infinity|undefined)\b")
RENDERED = (
    ("ridgeline", "600 decades", "auto", None),
    ("histogram", "subnormal", "auto", None),
    ("qq", "largest", "alone", True),
    ("ecdf", "both signs of the largest", "alone", False),
    ("strip", "near 1e15", "alone", True),
    ("atlas", "600 decades and both signs", "alone", None),
    ("trace", "negative zero", "alone", True),
    ("forest", "600 decades", "auto", None),
    ("speedup", "600 decades", "auto", None),
    ("shift", "largest", "difference", None),
    ("suite", "subnormal", "difference", None),
    ("scatter", "a baseline of zero", "auto", True),
    ("heatmap", "one value a side", "auto", None),
)


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    return {name: sources(tmp_path_factory.mktemp("data"), table) for name, table in DATA.items()}


def drawn(kind, source, log):
    """Draw; None where there is nothing to draw, which must be said in words."""
    try:
        return plots.draw(kind, source, log=log)
    except Stop as stop:
        found = stop
    assert found.code in {"nothing-to-draw", "bad-option"}
    assert not NO_NUMBER.search(str(found))
    return None


def test_a_picture_of_extremes_has_finite_numbers_inside_its_axes(every):
    for kind, name, log in product(plots.KINDS, DATA, (None, True, False)):
        for way, source in every[name].items():
            picture = drawn(kind, source, log)
            if picture is None:
                continue
            where = f"{kind} of {name}, {way}, log {log}"
            assert not NO_NUMBER.search(picture.json() + picture.alt), where
            holds_its_marks(picture.spec, where)


def holds_its_marks(spec, where):
    """Hold that axes have two different ends and ticks between them, and that marks lie on the axes."""
    for layer in each_layer(spec):
        for channel in ("x", "y"):
            encoding = layer["encoding"].get(channel, {})
            domain = encoding.get("scale", {}).get("domain")
            if domain is None or encoding.get("field") is None:
                continue
            low, high = sorted(domain)
            assert low < high, where
            assert -1e300 <= low < high <= 1.8e308, where
            assert math.isfinite(high - low), where
            assert encoding["scale"].get("type") != "log" or low > 0, where
            if not layer["mark"].get("clip"):
                room = (high - low) * 1e-3  # a pixel
                places = [row[encoding["field"]] for row in layer["data"]["values"]]
                assert all(low - room <= place <= high + room for place in places), (where, layer["mark"], domain)


def each_layer(spec):
    found = [spec] if "mark" in spec else []
    parts = [part for key in ("layer", "concat", "hconcat", "vconcat") for part in spec.get(key, [])]
    return found + [layer for part in parts for layer in each_layer(part)]


def test_svg_and_png_of_extremes_have_finite_coordinates(every):
    for kind, name, way, log in RENDERED:
        picture = plots.draw(kind, every[name][way], log=log)
        svg = picture.svg()
        ET.fromstring(svg)  # noqa: S314 - our own
        assert not re.search(r"NaN|Infinity|undefined|null", svg), kind
        places = re.findall(r'(?:d|transform|points|[xy][12]?|width|height)="([^"]*)"', svg)
        numbers = [float(n) for n in re.findall(r"(?<![\w#.])-?\d+\.?\d*(?:e[+-]?\d+)?", " ".join(places))]
        assert max(map(abs, numbers)) < 10_000, kind
        assert len(picture.png(scale=0.5)) > 1_000, kind


def test_the_suite_is_drawn_on_the_scale_of_differences(every):
    picture = plots.draw("suite", every["plain"]["difference"])
    assert "geometric mean" not in picture.title
    assert picture.marks == {"benchmarks": 2, "bars": 4, "changes": 2}


def test_every_value_that_is_not_drawn_is_counted(every):
    source = every["zeros among positives"]["alone"]
    held = samples(source)
    zeros = sum(int((held.values(series) == 0).sum()) for series in held.series)
    for kind in ("ridgeline", "strip", "ecdf", "trace", "histogram", "qq"):
        # One variant has zeros alone: its Q-Q plot has an axis of its own, and that is a linear one.
        lost = zeros - 6 if kind == "qq" else zeros
        said = f"{lost} values of zero or below left out: a logarithmic axis cannot show them"
        assert said in plots.draw(kind, source, log=True).remarks, kind


def test_an_axis_without_values_above_zero_says_why_it_is_linear(every):
    picture = plots.draw("strip", every["all zero"]["alone"], log=True)
    assert picture.remarks == ("a linear axis where no value is above zero",)
    assert '"type": "log"' not in str(picture.spec)


def test_values_close_together_keep_their_places(every):
    for log in (None, True):
        picture = plots.draw("strip", every["near 1e15"]["alone"], benchmarks=[0], log=log)
        points = [row["value"] for row in rows(layers(picture.spec, "point")) if row["place"] == 0]
        assert points == pytest.approx([k / 8 for k in range(10)])
        assert "time − 1e15 s (s)" in str(picture.spec)
    assert picture.remarks == ("a linear axis where values lie too close together for a logarithmic one",)


def test_values_at_the_ends_of_floating_point_have_a_power_of_ten_as_their_unit(every):
    least, most = (plots.draw("strip", every[name]["alone"], benchmarks=[0]) for name in ("subnormal", "largest"))
    assert "time (1e-324 s)" in str(least.spec)
    assert "time (1e306 s)" in str(most.spec)
    points = [row["value"] for row in rows(layers(most.spec, "point")) if row["place"] == 0]
    assert points == pytest.approx([50, 60, 70, 80, 90, 100, 110, 120])
    points = [row["value"] for row in rows(layers(least.spec, "point")) if row["place"] == 0]
    assert points == pytest.approx([4.940656 * k for k in range(1, 9)])


def test_one_outlier_does_not_lengthen_the_numbers_of_an_axis(every):
    picture = plots.draw("qq", every["one outlier"]["alone"], log=False)
    for layer in layers(picture.spec, "point"):
        assert max(abs(row["value"]) for row in layer["data"]["values"]) < 1e6
        assert min(abs(row["value"]) for row in layer["data"]["values"]) < 1e4


def test_a_density_too_narrow_to_be_seen_is_left_out_and_said(tmp_path):
    source = compared(tmp_path, old={"a": [1, 2, 3, 4, 5, 6, 7, 8, 1e12]}, new={"a": [2, 3, 4, 5, 6, 7, 8, 9, 10]})
    picture = plots.draw("histogram", source, log=False)
    assert "2 densities narrower than a pixel left out" in picture.remarks
    assert not rows(layers(picture.spec, "line"))


def test_a_speed_up_too_large_for_any_axis_is_left_out_and_said(every):
    picture = plots.draw("speedup", every["600 decades"]["auto"])
    assert "1 benchmark left out: the change is too large to compute" in picture.remarks
    assert "c: " not in picture.alt


def test_numbers_in_names_beyond_floating_point_are_none(tmp_path):
    names = [f"n={'9' * digits}" for digits in (1, 100, 300, 400)]
    source = compared(tmp_path, old={n: [1, 2] for n in names}, new={n: [2, 3] for n in names})
    picture = plots.draw("scaling", source)
    assert picture.marks["points"] == 6
    assert max(row["at"] for row in data(picture.spec) if "at" in row) == pytest.approx(1e300)
    holds_its_marks(picture.spec, "names")
    assert not re.search("NaN|Infinity", picture.svg())


def test_the_order_of_few_values_is_numbered_once(tmp_path):
    source = statera.inspect(write(tmp_path, "old", [("a", 1)]))
    axes = [layer["encoding"]["x"]["axis"] for layer in layers(plots.draw("trace", source).spec, "point")]
    assert [axis["values"] for axis in axes] == [[1]]
