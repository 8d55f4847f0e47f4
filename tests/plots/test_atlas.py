"""The normality atlas: which samples it takes, what their tests say, and what is drawn."""

import statistics

import looks
import numpy as np
import pytest
from scipy import stats as scipy

import statera
from statera.output import plots
from statera.output.plots import atlas, raw_values
from statera.output.plots.axes import whole_ticks
from statera.output.plots.raw_values import samples
from support import ROOT, go, noisy, table, write

FIGURES = {"medians": (0.9825, 0.878), "averages": (0.97904, 0.7854)}
EXAMPLE = ROOT / "examples/hyperfine-31-runs/runs"


def of_runs(folder, *, count=12, values=5):
    """One benchmark of so many runs of so many values each."""
    rows = [
        {"benchmark": "loop", "value": value, "unit": "s", "process": run}
        for run in range(count)
        for value in noisy(1 + run / 100, values, seed=run)
    ]
    (path,) = write(folder, **{"runs.csv": table(rows)})
    return statera.inspect(path), rows


def test_runs_give_their_medians_and_their_averages_as_the_definitions_say(tmp_path):
    inspection, rows = of_runs(tmp_path)
    medians, averages = raw_values.shapes(inspection)
    by_run = [[row["value"] for row in rows if row["process"] == run] for run in range(12)]
    assert (medians.of, averages.of) == (raw_values.MEDIANS, raw_values.AVERAGES)
    assert list(medians.values) == pytest.approx([statistics.median(each) for each in by_run], rel=1e-12)
    assert list(averages.values) == pytest.approx([statistics.fmean(each) for each in by_run], rel=1e-12)
    for shape in (medians, averages):
        w, p = scipy.shapiro(shape.values)
        assert (shape.statistic, shape.p) == (pytest.approx(w, abs=1e-6), pytest.approx(p, abs=1e-4))


def test_the_test_of_medians_is_that_of_the_inspection():
    inspection = statera.inspect(EXAMPLE)
    medians = {each.series.benchmark: each for each in raw_values.shapes(inspection) if each.of == raw_values.MEDIANS}
    names = samples(inspection).benchmarks
    for row in inspection:
        shape = medians[names.index(row.benchmark)]
        assert (shape.statistic, shape.p) == (row.normality, row.normality_p)


def test_values_stand_where_runs_have_one_value_or_are_not_known(tmp_path):
    known, _ = of_runs(tmp_path, values=1)
    (path,) = write(tmp_path, **{"unknown.txt": go({"A": noisy(5, 9)})})
    for inspection in (known, statera.inspect(path)):
        (shape,) = raw_values.shapes(inspection)
        assert shape.of == raw_values.VALUES
        assert list(shape.values) == list(samples(inspection).values(shape.series))


def test_the_figures_of_31_runs(tmp_path):
    folder = ROOT / "tests/cases/inspect-31-runs"
    comparison = statera.compare(*(folder / f"{name}.csv" for name in FIGURES))
    found = {comparison.labels[each.series.variant]: each for each in raw_values.shapes(comparison)}
    for name, (w, p) in FIGURES.items():
        assert (round(found[name].statistic, 5), round(found[name].p, 4)) == pytest.approx((w, p), abs=5e-5)
    picture = plots.draw("atlas", comparison)
    assert "31 values: W 0.9825, p 0.878" in picture.alt
    assert "31 values: W 0.97904, p 0.7854" in picture.alt
    assert picture.marks == {"samples": 2, "values": 62}
    picture.save(tmp_path / "atlas.html")
    assert "W 0.97904, p 0.7854" in (tmp_path / "atlas.html").read_text()


def test_shares_count_what_passes():
    inspection = statera.inspect(EXAMPLE)
    shapes = raw_values.shapes(inspection)
    medians, averages = raw_values.shares(shapes, 0.05)
    assert (medians.of, medians.tested, averages.of, averages.tested) == (raw_values.MEDIANS, 6, raw_values.AVERAGES, 6)
    assert medians.normal == inspection.sections()[0].summary["normal"] == 2
    assert averages.normal == sum(each.p >= 0.05 for each in shapes if each.of == raw_values.AVERAGES) == 4


def test_every_value_stands_in_a_bar_and_in_the_q_q_plot():
    inspection = statera.inspect(EXAMPLE)
    pages = atlas.pages(inspection, 0, range(6))
    assert [page.marks["samples"] for page in pages] == [6, 6]
    for page in pages:
        bars = looks.rows(looks.layers(page.spec, "rect"))
        assert sum(row["count"] for row in bars) == page.marks["values"] == 6 * 31
        assert len(looks.rows(looks.layers(page.spec, "point"))) == 6 * 31
    looks.is_drawn(pages[0])
    looks.fits_the_schema(pages[0])


def test_medians_and_averages_of_a_benchmark_share_their_axes():
    page = atlas.pages(statera.inspect(EXAMPLE), 0, [0])[0]
    medians, averages = page.spec["concat"]
    for part in (0, 1):
        domains = [
            each["hconcat"][part]["layer"][-1]["encoding"]["x" if part == 0 else "y"]["scale"]["domain"]
            for each in (medians, averages)
        ]
        assert domains[0] == domains[1]
    values = [row["value"] for row in looks.rows(looks.layers(page.spec, "point"))]
    low, high = medians["hconcat"][1]["layer"][-1]["encoding"]["y"]["scale"]["domain"]
    assert low <= min(values) <= max(values) <= high


def test_counts_stand_at_whole_numbers():
    assert whole_ticks(1.05, 3) == [0, 1]
    assert whole_ticks(3.2, 3) == [0, 2]
    assert whole_ticks(12.6, 3) == [0, 5, 10]
    assert whole_ticks(6_300.0, 3) == [0, 5_000]
    assert whole_ticks(3e307) == [0, 10**307, 2 * 10**307]


def test_what_has_no_shape_is_not_drawn(tmp_path):
    rows = {"same": [1.0] * 8, "few": [1.0, 2.0], "fit": noisy(3, 8)}
    (path,) = write(tmp_path, **{"all.txt": go(rows)})
    (page,) = atlas.pages(statera.inspect(path), 0, range(3))
    assert page.marks == {"samples": 1, "values": 8}
    assert atlas.pages(statera.inspect(path), 0, [0, 1]) == []


def test_small_and_large_and_negative_samples_are_drawn(tmp_path):
    generator = np.random.default_rng(3)
    tables = {
        "one": [1.0],
        "equal": [2.0] * 5,
        "negative": generator.normal(-5, 20, 30).tolist(),
        "heavy": generator.standard_cauchy(6_000).tolist(),
    }
    comparison = looks.compared(tmp_path, old=tables, new=tables)
    for width in (320, 720):
        picture = plots.draw("atlas", comparison, width=width, log=True)
        looks.is_drawn(picture, ("dark",))
        assert picture.marks["samples"] == 8
        assert "the axes stay linear" in picture.remarks[-1]


def test_names_are_data_alone(tmp_path):
    tables = {name: noisy(place + 1, 9, seed=place) for place, name in enumerate(looks.HOSTILE)}
    comparison = looks.compared(tmp_path, old=tables, new=tables)
    looks.is_harmless(plots.draw("atlas", comparison), looks.HOSTILE)


def test_medians_and_averages_that_the_harness_wrote_stand_side_by_side(tmp_path):
    line = "Loop, 5, 10, {:.6g}, 0.1, 0.3, {:.6g}"
    runs = list(zip(noisy(0.2, 6, seed=1), noisy(0.21, 6, seed=2), strict=True))
    for place, (median, average) in enumerate(runs):
        text = "# Benchmark, evals, iterations, total, min, max, median\n" + line.format(average * 50, median) + "\n"
        (tmp_path / f"run{place}.csv").write_text(text)
    inspection = statera.inspect(tmp_path, all_metrics=True)
    of = {metric.name: number for number, metric in enumerate(inspection.observations.metrics)}
    shapes = raw_values.shapes(inspection, of["median"])
    assert [shape.of for shape in shapes] == [raw_values.MEDIANS, raw_values.AVERAGES]
    for shape, values in zip(shapes, zip(*runs, strict=True), strict=True):
        assert list(shape.values) == pytest.approx(values, rel=1e-5)
    assert not raw_values.shapes(inspection, of["average"])
    picture = plots.draw("atlas", inspection)
    assert picture.title == "Normality atlas of median and average"
    assert picture.marks == {"samples": 2, "values": 12}
