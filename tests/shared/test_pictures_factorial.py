"""The pictures of three builds under three compilers: their marks are the figures of the reference."""

import json

import pytest

import statera
from statera import plots

COMPILERS = ("8.10.7", "9.2", "9.6.2")
BUILDS = ("baseline", "SplitUMElem", "NoFailT")
LEVELS = range(0, 101, 10)


@pytest.fixture
def reference(shared):
    return json.loads((shared / "reference/seed-000.json").read_text())


@pytest.fixture
def compared(shared, reference, tmp_path):
    names, folder = reference["files"], shared / "data/db-analyser"
    lines = ["file,branch,ghc"]
    for build in BUILDS:
        for compiler in COMPILERS:
            name = f"ledger-ops-cost-{names[build]}-{names['ghc'][compiler]}-from-63-nr-blocks-100000.csv"
            lines.append(f"{folder / name},{build},{compiler}")
    manifest = tmp_path / "variants.csv"
    manifest.write_text("\n".join(lines) + "\n")
    files = [line.split(",")[0] for line in lines[1:]]
    return lambda **options: statera.compare(*files, manifest=manifest, metrics=["totalTime"], **options)


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
    assert picture.marks == {"panels": 2, "lines": 6, "points": 66}
    # The slowest slots gain the most.
    assert "9.6.2: from -1.12% at 20% (branch: NoFailT) to +31.4% at 100% (branch: SplitUMElem)" in picture.alt


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
    assert picture.title == "totalTime: 3 worse, 2 better, 1 inconclusive"
    assert picture.marks == {"rows": 6, "intervals": 6}


def test_slots_are_the_points_of_paired_pictures(compared):
    picture = plots.draw("pairs", compared(by="branch", within=["ghc"]))
    assert picture.marks == {"panels": 6, "points": 6 * 122}
