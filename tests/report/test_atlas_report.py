"""The atlas of a report: of one variant by itself, beside a comparison where it is asked for."""

import pytest
from material import blocks, by_title, cells, of, texts
from reading_back import read

from support import ROOT, go, noisy, write

EXAMPLE = ROOT / "examples/hyperfine-31-runs/runs"
CASE = ROOT / "tests/cases/inspect-31-runs"
BOTH = ("W 0.9825", "0.878"), ("W 0.97904", "0.7854")


@pytest.fixture(scope="module")
def made():
    return of([EXAMPLE])


def test_one_variant_has_an_atlas_of_every_benchmark(made):
    material, document = made
    figures = blocks(document, "atlas", "Figure")
    assert sum(each.picture.marks["samples"] for each in figures) == 2 * len(material.inspection)
    ends = ["awk sum to sha256sum", "sleep 5 ms to xz"]
    assert [each.caption for each in figures] == [f"Normality atlas of time: {each}." for each in ends]


def test_the_summary_tells_the_share_that_passes(made):
    assert "time, medians of the runs: 2 of 6 (33%) pass Shapiro-Wilk at 0.05" in texts(made[1], "summary")
    assert "time, averages of the runs: 4 of 6 (67%) pass Shapiro-Wilk at 0.05" in texts(made[1], "summary")


def test_its_table_has_medians_beside_averages(made):
    material, document = made
    table = by_title(document, "atlas", "Tests of normality: time")
    rows = {row["benchmark"]: row for row in cells(table)}
    assert set(rows) == {row.benchmark for row in material.inspection}
    for row in material.inspection:
        assert rows[row.benchmark]["medians of the runs"] == f"W {row.normality:.5g}"
    assert all(cell.key is not None for row in table.rows for cell in row[1:])


@pytest.mark.later
def test_the_pdf_has_its_pages_and_their_text(made):
    reader, pages = read(made[1])
    text = " ".join(page for page in pages if "Normality atlas of time" in page)
    for row in made[0].inspection:
        assert f"W {row.normality:.5g}" in text
        assert row.benchmark in text
    assert "averages of 31 runs" in text
    assert "standard deviations" in text
    assert not any(page.images for page in reader.pages)


@pytest.mark.later
def test_an_atlas_of_many_benchmarks_goes_on_over_pages(tmp_path):
    names = [f"Case{number:02d}" for number in range(24)]
    (path,) = write(tmp_path, **{"many.txt": go({name: noisy(n + 1, 6, seed=n) for n, name in enumerate(names)})})
    _, pages = read(of([path])[1])
    held = [page for page in pages if "Normality atlas of sec/op:" in page]
    assert len(held) == 3
    for page, first, last in zip(held, (0, 8, 16), (7, 15, 23), strict=True):
        assert f"Case{first:02d} to Case{last:02d}" in page
        assert all(name in page for name in names[first : last + 1])


def test_beside_a_comparison_it_stands_where_it_is_asked_for(run, tmp_path):
    paths = [CASE / f"{name}.csv" for name in ("medians", "averages")]
    assert "atlas" not in {each.key for each in of(paths)[1].sections}
    assert run("report", *paths, "--atlas", "-o", "with.html").code == 0
    text = (tmp_path / "with.html").read_text()
    assert "Normality atlas" in text
    assert all(w in text and p in text for w, p in BOTH)


def test_the_62_figures_of_one_benchmark():
    for name, figures in zip(("medians", "averages"), BOTH, strict=True):
        document = of([CASE / f"{name}.csv"])[1]
        (row,) = cells(by_title(document, "atlas", "Tests of normality: time"))
        assert (row["values"], row["p (values)"]) == figures
        assert "the only sample passes" in texts(document, "summary")
        assert f"31 values: {figures[0]}, p {figures[1]}" in " ".join(read(document)[1])


def test_many_benchmarks_fill_pages_up_to_a_limit_that_is_said(tmp_path):
    (path,) = write(tmp_path, **{"many.txt": go({f"Case{n}": noisy(n + 1, 6, seed=n) for n in range(125)})})
    document = of([path])[1]
    figures = blocks(document, "atlas", "Figure")
    assert sum(each.picture.marks["samples"] for each in figures) == 120
    assert "the pictures show the first 120 of 125 benchmarks" in texts(document, "atlas")
    assert len(by_title(document, "atlas", "Tests of normality").rows) == 125


def test_without_a_shape_there_is_no_atlas(tmp_path):
    (path,) = write(tmp_path, **{"few.txt": go({"A": [1.0, 2.0]})})
    assert "atlas" not in {each.key for each in of([path])[1].sections}
