"""The pictures of three builds under three compilers: their marks are the figures of the reference."""

import pytest
from study import BUILDS

import statera
from statera.output import plots

LEVELS = range(0, 101, 10)


@pytest.fixture
def compared(manifest):
    return lambda **options: statera.compare(manifest=manifest, metrics=["totalTime"], **options)


def drawn(spec):
    """Give the points of a picture of panels by the panel's title, line and level."""
    panels = spec["vconcat"][1]["concat"]
    return {
        (panel["title"]["text"][0], row["line"], row["level"]): row["value"]
        for panel in panels
        for row in panel["layer"][-1]["data"]["values"]
    }


def test_the_first_picture_of_speed_up_has_each_branch_against_its_own_compiler(compared, reference):
    picture = plots.draw("speedup", compared(by="ghc", within=["branch"]))
    known = reference["speedup_percent_at_deciles_0_to_100"]["each_branch_against_its_own_8.10.7"]
    wanted = {
        (compiler, f"branch: {build}", level): pytest.approx(value / 100, abs=1e-6)
        for compiler, column in (("9.2", "speedup92"), ("9.6.2", "speedup96"))
        for build in BUILDS
        for level, value in zip(LEVELS, known[build][column], strict=True)
    }
    assert drawn(picture.spec) == wanted
    assert picture.marks == {"panels": 2, "lines": 6, "points": 66, "endless": 0}
    # The slowest slots gain the most.
    assert "9.6.2: from −1.12% at 20% (branch: NoFailT) to +31.4% at 100% (branch: SplitUMElem)" in picture.alt


def test_the_second_picture_of_speed_up_has_all_against_one_baseline(compared, reference):
    picture = plots.draw("speedup", compared(by=["branch", "ghc"], baseline="baseline/8.10.7"))
    found = drawn(picture.spec)
    known = reference["speedup_percent_at_deciles_0_to_100"]["each_against_the_8.10.7_baseline"]
    for name, values in known.items():
        build, compiler = name.split(" ")
        for level, value in zip(LEVELS, values, strict=True):
            assert found[f"ghc: {compiler}", build, level] == pytest.approx(value / 100, abs=1e-6)


def test_the_forest_tells_what_the_analysts_concluded(compared):
    picture = plots.draw("forest", compared(by="branch", within=["ghc"]))
    assert picture.title == "5 differ, 1 no clear change"
    assert picture.marks == {"rows": 6, "intervals": 6}


def test_slots_are_the_points_of_paired_pictures(compared):
    picture = plots.draw("pairs", compared(by="branch", within=["ghc"]))
    assert picture.marks == {"panels": 6, "points": 6 * 122}
