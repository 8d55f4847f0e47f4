import pytest
from looks import HOSTILE, compared, data, is_drawn, is_harmless

import statera
from statera.output import plots
from statera.output.plots.scaling import number_of, spots_of_names
from statera.support.errors import Stop
from support import noisy, table, write


def points(picture):
    return {(row["variant"], row["at"]): row["value"] for row in data(picture.spec) if "at" in row}


def test_numbers_in_names_are_the_axis(tmp_path):
    sizes = (10, 100, 1000)
    tables = {
        label: {f"sort/n={n}": noisy(n * factor, seed=n) for n in sizes} for label, factor in (("old", 1), ("new", 2))
    }
    comparison = compared(tmp_path, **tables)
    picture = plots.draw("scaling", comparison)
    wanted = {("old", float(row.benchmark.split("=")[1])): pytest.approx(row.baseline_centre) for row in comparison}
    wanted |= {("new", float(row.benchmark.split("=")[1])): pytest.approx(row.contender_centre) for row in comparison}
    assert points(picture) == wanted
    assert picture.marks == {"panels": 1, "points": 6, "zeros": 0, "intervals": 6}
    assert picture.title == "time over n"
    assert '"type":"log"' in picture.json()
    is_drawn(picture)


def test_a_numeric_key_that_is_kept_apart_is_the_axis(tmp_path):
    rows = [
        {"benchmark": "b", "metric": "time", "unit": "s", "value": value, "impl": impl, "threads": threads}
        for impl in ("x", "y")
        for threads in (1, 2, 4)
        for value in noisy(10 / threads, 5, seed=threads)
    ]
    (path,) = write(tmp_path, **{"t.csv": table(rows)})
    picture = plots.draw("scaling", statera.compare(path, by="impl", within=["threads"], pair="unpaired"))
    assert {at for _, at in points(picture)} == {1, 2, 4}
    assert picture.title == "time over threads"
    assert picture.marks["points"] == 6
    is_drawn(picture)


def test_numeric_variants_make_one_line(tmp_path):
    rows = [
        {"benchmark": "b", "metric": "time", "unit": "s", "value": value, "threads": threads}
        for threads in (1, 2, 4, 8)
        for value in noisy(10 / threads, 5, seed=threads)
    ]
    (path,) = write(tmp_path, **{"t.csv": table(rows)})
    picture = plots.draw("scaling", statera.compare(path, by="threads", pair="unpaired"))
    assert {at for _, at in points(picture)} == {1, 2, 4, 8}
    assert {row["place"] for row in data(picture.spec) if "at" in row} == {0}
    assert picture.title == "time over threads"
    is_drawn(picture)


def test_without_a_number_it_is_said(tmp_path):
    with pytest.raises(Stop, match="--within"):
        plots.draw("scaling", compared(tmp_path, old={"a": [1, 2]}, new={"a": [1, 2]}))


def test_zeros_negatives_and_one_sample_are_drawn(tmp_path):
    comparison = compared(
        tmp_path, old={"f.1": [0], "f.2": [-3], "f.4": [5]}, new={"f.1": [1], "f.2": [-1], "f.4": [500]}
    )
    picture = plots.draw("scaling", comparison)
    assert picture.marks == {"panels": 1, "points": 6, "zeros": 0, "intervals": 0}
    is_drawn(picture)
    log = plots.draw("scaling", comparison, log=True)
    assert log.marks["points"] == 3
    assert log.marks["zeros"] == 3
    assert "0 or below: the axis is logarithmic" in [row.get("label") for row in data(log.spec)]
    is_drawn(log)


def test_names_are_text(tmp_path):
    names = [f"{name}/n={n}" for name in HOSTILE for n in (1, 2, 4)]
    tables = {label: {n: [i + 1, 2, 3] for n in names} for i, label in enumerate(("old", "new"))}
    picture = plots.draw("scaling", compared(tmp_path, **tables), most=20)
    assert picture.marks["points"] == 2 * len(names)
    is_harmless(picture, [*names, *HOSTILE])
    is_drawn(picture)


def test_numbers_of_texts():
    numbers = {"4": 4, "n=1_000": 1000, "64Ki": 65536, "10k": 10_000, "192bytes": 192, "v3": 3, "0.5": 0.5}
    numbers |= {"3a791fe1b8243e73": None, "a": None, "1-2": None}
    assert {text: number_of(text) for text in numbers} == numbers


def test_names_that_differ_in_one_number_make_a_family():
    names = ["Sort/n=10-8", "Sort/n=100-8", "Sort/n=1000-8", "Par-1", "Par-2", "Par-4", "Hash/3a791fe1-8", "Alone"]
    spots = spots_of_names(names, go=True)
    assert {name: (spot.panel, spot.parameter, spot.at) for name, spot in spots.items()} == {
        "Sort/n=10-8": ("Sort/n=*-8", "n", 10),
        "Sort/n=100-8": ("Sort/n=*-8", "n", 100),
        "Sort/n=1000-8": ("Sort/n=*-8", "n", 1000),
        "Par-1": ("Par-*", "GOMAXPROCS", 1),
        "Par-2": ("Par-*", "GOMAXPROCS", 2),
        "Par-4": ("Par-*", "GOMAXPROCS", 4),
    }
