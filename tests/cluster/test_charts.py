"""The charts: curves, bands and courses against NumPy and polars, and which charts there are."""

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from fabricated import Analysis, column
from seed import SEED
from small import Cluster

from statera.cluster import charts as atlas
from statera.cluster.charts import courses, draw, groups, scale, sorted_samples
from statera.cluster.charts import courses as timeline
from statera.cluster.charts.groups import ChartRun
from statera.cluster.metrics import BY_KEY, METRICS
from statera.support.errors import Stop

sys.path.insert(0, str(Path(__file__).parents[1] / "plots"))
from looks import HOSTILE, fits_the_schema, is_drawn, is_harmless, layers, rows, without_data

from support import every

EXTRA = {"xForgerLeadToForged", "xForgerAddedToChain"}
# What the seed draws over slots: resources, the forge loop, the chain's density and the gap between blocks.
COURSES = {*SEED["Resources"], *SEED["Forge loop"], "cdfDensity", "cdfBlockGap"}


@pytest.fixture
def analysis(tmp_path):
    """Make analyses, one below the other."""

    def make(name="a", **about):
        return Analysis(tmp_path / name, **about)

    return make


def drawn(*folders, repeats=()):
    """Draw analyses as runs ``run 0``, ``run 1``; ``repeats`` are those of the first run."""
    runs = [
        ChartRun(f"run {place}", (folder, *(repeats if place == 0 else ()))) for place, folder in enumerate(folders)
    ]
    return Drawn(runs)


class Drawn:
    """The charts of runs by key and kind; those of a metric are drawn when one is asked for."""

    def __init__(self, runs):
        self._runs = runs

    def __getitem__(self, place):
        return {(chart.key, chart.kind): chart for chart in drawn_of(self._runs, place[0])}[place]

    def all(self):
        return {(chart.key, chart.kind): chart for chart in draw(self._runs)}


def drawn_of(runs, *keys, **options):
    """Draw the charts of some metrics."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atlas, "GROUPS", {"some": [BY_KEY[key] for key in keys]})
        return draw(runs, **options)


def curve_of(chart, place=0):
    """The row of a run's curve, which alone has dashes."""
    curves = [layer for layer in layers(chart.picture.spec, "line") if "strokeDash" in layer["encoding"]]
    [row] = [row for row in rows(curves) if row["place"] == place]
    return row


def band_of(chart):
    return rows(layers(chart.picture.spec, "area"))[0]


def points_of(chart):
    """The rows of points, without the legend's."""
    return [row for row in rows(layers(chart.picture.spec, "point")) if "label" not in row]


def test_every_chart_of_the_seed_is_drawn_in_its_order(analysis):
    charts = draw([ChartRun("a", (analysis().write(),))])
    cdfs = [chart for chart in charts if chart.kind == "cdf"]
    assert list(dict.fromkeys(chart.group for chart in charts)) == list(SEED)
    for group, wanted in SEED.items():
        found = {chart.key: chart.title for chart in cdfs if chart.group == group and chart.key not in EXTRA}
        assert found == wanted
    assert {chart.key for chart in cdfs} == set(BY_KEY)
    assert {chart.key for chart in charts if chart.kind == "timeline"} == COURSES | {"cdfBlockSize"}
    assert [chart.key for chart in charts][:4] == ["CentiCpu", "CentiCpu", "CentiGC", "CentiGC"]
    for chart in charts:
        assert chart.meaning == BY_KEY[chart.key].meaning
        assert chart.key in chart.picture.title
        assert chart.meaning.rstrip(".") in " ".join(chart.picture.spec["title"]["subtitle"])
        assert len(chart.picture.json()) < 60_000


def test_every_metric_stands_under_one_heading():
    keys = [metric.key for metrics in groups.GROUPS.values() for metric in metrics]
    assert sorted(keys) == sorted(metric.key for metric in METRICS)


def test_a_curve_goes_through_exact_quantiles(analysis):
    made = analysis(hosts=3)
    made.tables["host_slots"]["started"] = made.chance.lognormal(-7, 0.5, 900)
    folder = made.write()
    row = curve_of(drawn(folder)["cdfStarted", "cdf"])
    [values] = column(folder, "host_slots", "started")
    inside = slice(1, -1)
    assert len(row["x"]) > 200
    assert np.allclose(np.array(row["x"])[inside] / 1e3, np.quantile(values, row["y"])[inside], rtol=1e-5)


SPREADS = [(3, (0.0, 1.0)), (9, (0.0, 1.0)), (10, (0.1, 0.9)), (14, (0.1, 0.9))]


@every("hosts, ends", SPREADS)
def test_a_band_is_the_spread_of_the_quantiles_of_hosts(analysis, hosts, ends):
    folder = analysis(str(hosts), hosts=hosts).write()
    chart = drawn(folder)["CentiCpu", "cdf"]
    found = band_of(chart)
    host, values = column(folder, "intervals", "host", "cpu")
    own = np.array([np.quantile(values[host == h], found["y"]) for h in range(hosts)])
    low, high = np.quantile(own, ends, axis=0)
    assert np.allclose(found["x"], low, rtol=6e-6)
    assert np.allclose(found["x2"], high, rtol=6e-6)
    assert (f"all {hosts} hosts" if hosts < 10 else f"10 to 90 % of {hosts} hosts") in " ".join(chart.picture.remarks)
    assert f"medians of {hosts} hosts" in chart.picture.alt


def test_of_few_values_all_are_steps(analysis):
    folder = analysis(hosts=4).write()
    chart = drawn(folder)["cdfStarts", "cdf"]
    row, band = curve_of(chart), band_of(chart)
    host, values = column(folder, "host_slots", "host", "starts")
    assert row["x"][1:-1] == [0, 1, 2, 3]
    assert row["y"][0] == 0
    assert row["y"][1:] == pytest.approx([*((values <= k).mean() for k in range(4)), 1.0])
    own = np.array([[(values[host == h] <= k).mean() for k in range(4)] for h in range(4)])
    assert band["y"][1:-1] == pytest.approx(own.min(axis=0))
    assert band["y2"][1:-1] == pytest.approx(own.max(axis=0))
    assert layers(chart.picture.spec, "line")[-1]["mark"]["interpolate"] == "step-after"


def test_a_curve_stands_up_where_many_samples_have_one_value():
    values = np.sort(np.concatenate([np.zeros(300), np.linspace(1, 2, 401), np.full(299, 3.0)]))
    at, up = sorted_samples.curve(values)
    assert up[at == 0][-1] == pytest.approx(0.3)
    assert up[at == 0][0] == 0
    assert up[at == 3][0] == pytest.approx(0.701)
    assert up[at == 3][-1] == 1
    assert (np.diff(at) >= 0).all()
    assert (np.diff(up) >= 0).all()


def test_each_run_is_drawn_as_its_values_ask(analysis):
    few, many = analysis("few"), analysis("many")
    few.tables["host_slots"]["started"] = np.repeat([1.0, 1.5, 2.0], 300)
    chart = drawn(many.write(), few.write())["cdfStarted", "cdf"]
    smooth, steps = (next(iter(rows([layer]))) for layer in layers(chart.picture.spec, "line")[::-1])
    assert (smooth["place"], len(smooth["x"])) == (0, len(sorted_samples.LEVELS))
    assert (steps["place"], steps["x"][1:-1]) == (1, [1, 1.5, 2])


def test_where_nearly_all_have_the_least_value_the_axis_of_shares_begins_high(analysis):
    made = analysis()
    made.tables["intervals"]["gcs_major"] = np.zeros(900)
    made.tables["intervals"]["gcs_major"][:3] = [0.5, 1.0, 1.0]
    chart = drawn(made.write())["GcsMajor", "cdf"]
    [line] = layers(chart.picture.spec, "line")
    assert line["encoding"]["y"]["scale"]["domain"] == [0.99, 1]
    assert "the axis of shares begins at 99 %" in chart.picture.remarks
    assert line["data"]["values"][0]["y"][1:] == pytest.approx([897 / 900, 898 / 900, 1, 1])


def test_many_values_above_such_a_least_value_have_exact_shares():
    values = np.sort(np.concatenate([np.zeros(99_000), np.linspace(1, 2, 1_000)]))
    told = sorted_samples.told(values, 0.9)
    assert len(told) > 15
    assert sorted_samples.up_to(values, told) == pytest.approx([(values <= value).mean() for value in told])


ENDS = scale.Ends


AXES = [
    (ENDS(1, 1.1, 5, 9, 9.5), "linear", (False, False)),
    (ENDS(1, 1.1, 5, 9, 900), "linear", (False, True)),
    (ENDS(-900, 1.1, 5, 9, 9.5), "linear", (True, False)),
    (ENDS(1, 1.1, 5, 900, 950), "log", (False, False)),
    (ENDS(-1, 1.1, 5, 900, 950), "log", (True, False)),
    (ENDS(0, 0, 5, 900, 950), "symlog", (False, False)),
    (ENDS(0, 0, 0, 0, 950), "linear", (False, False)),
    (ENDS(1, 1, 1, 1, 950, few=True), "log", (False, False)),
    (ENDS(0, 0, 0, 0, 0), "linear", (False, False)),
    (ENDS(3, 3, 3, 3, 3), "linear", (False, False)),
]


@every("ends, kind, cut", AXES)
def test_the_axis_suits_the_values(ends, kind, cut):
    found = scale.chosen(BY_KEY["RSS"], [ends])
    assert (found.kind, found.cut) == (kind, cut)
    assert found.low < found.high
    assert found.low <= ends.low <= ends.high <= found.high
    assert cut[0] or kind == "log" or found.low <= ends.least
    assert cut[1] or found.high >= ends.largest


@every("seconds, unit", ((5, "s"), (0.5, "s"), (0.05, "ms"), (5e-5, "µs"), (5e-8, "ns")))
def test_times_have_a_unit_of_their_size(seconds, unit):
    ends = scale.Ends(0, seconds / 100, seconds / 2, seconds, seconds)
    assert scale.chosen(BY_KEY["cdfStarted"], [ends]).unit == unit
    assert scale.chosen(BY_KEY["RSS"], [ends]).unit == "MiB"


def test_what_lies_outside_is_told_in_words(analysis):
    made = analysis()
    made.tables["host_slots"]["blk_ctx"][17] = 77.0
    chart = drawn(made.write())["cdfBlkCtx", "cdf"]
    assert any("highest 0.5 % lie outside: largest value 77 s of run 0" in remark for remark in chart.picture.remarks)
    assert "largest 77 s" in chart.picture.alt
    is_drawn(chart.picture, themes=("light",))


def test_a_course_is_the_mean_over_hosts_of_stretches(analysis):
    folder = analysis(hosts=12, slots=3_000, first=7, epoch_length=500).write()
    chart = drawn(folder)["CentiCpu", "timeline"]
    row, band = curve_of(chart), band_of(chart)
    host, slot, cpu = column(folder, "intervals", "host", "slot", "cpu")
    frame = pl.DataFrame({"host": host, "stretch": slot // 10, "cpu": cpu})
    means = frame.group_by("stretch", "host").agg(pl.col("cpu").mean())
    wanted = means.group_by("stretch").agg(
        pl.col("cpu").mean().alias("mean"),
        pl.col("cpu").quantile(0.1, "linear").alias("low"),
        pl.col("cpu").quantile(0.9, "linear").alias("high"),
    ).sort("stretch")  # fmt: skip
    assert row["x"] == [10 * stretch + 5 for stretch in wanted["stretch"]]
    assert row["y"] == pytest.approx(list(wanted["mean"]), rel=1e-4)
    assert band["y"] == pytest.approx(list(wanted["low"]), rel=1e-4)
    assert band["y2"] == pytest.approx(list(wanted["high"]), rel=1e-4)
    assert chart.picture.marks["epochs"] == 6
    assert [each["x"] for each in rows(layers(chart.picture.spec, "rule"))] == [500, 1000, 1500, 2000, 2500, 3000]
    assert "means over hosts and stretches of 10 slots" in " ".join(chart.picture.remarks)
    assert f"mean {cpu.mean():.3f}" in chart.picture.alt


def test_every_host_counts_alike_in_a_course(analysis):
    made = analysis(hosts=2, slots=640)
    table = made.tables["usage"]
    table["rss"] = np.where(table["host"] == 0, 100.0, 200.0)
    table["rss"][(table["host"] == 1) & (table["slot"] % 2 == 1)] = np.nan
    chart = drawn(made.write())["RSS", "timeline"]
    assert set(curve_of(chart)["y"]) == {150}
    assert "bands" not in chart.picture.remarks[0]


def test_where_no_host_has_values_a_course_has_a_gap(analysis):
    made = analysis()
    slot = made.tables["host_slots"]["slot"]
    for column_of in ("started", "blk_ctx"):
        made.tables["host_slots"][column_of][(slot >= 100) & (slot < 120)] = np.nan
    made.tables["host_slots"]["started"][(slot == 122) | (slot == 124)] = np.nan
    charts = drawn(made.write())
    row = curve_of(charts["cdfStarted", "timeline"])
    assert [x - 0.5 for x, y in zip(row["x"], row["y"], strict=True) if y is None] == [*range(100, 120), 122, 124]
    assert [point["x"] for point in points_of(charts["cdfStarted", "timeline"])] == [123.5]
    assert None not in curve_of(charts["cdfLgrView", "timeline"])["y"]
    svg = charts["cdfBlkCtx", "timeline"].picture.svg()
    lines = [part for part in svg.split("<path") if 'aria-roledescription="line mark"' in part]
    assert len(lines) == 1
    assert lines[0].split(' d="')[1].split('"')[0].count("M") == 2


WIDTHS = [(1, 320, 1), (320, 320, 1), (321, 320, 2), (1600, 320, 5), (45_000, 320, 200), (10**8, 320, 500_000)]


@every("slots, most, width", WIDTHS)
def test_stretches_are_round_numbers_of_slots(slots, most, width):
    assert courses.stretch_width(slots, most) == width
    assert slots / width <= most


TICKS = [
    ((0, 180_000), 350, [0, 50_000, 100_000, 150_000]),
    ((400, 2_000), 632, list(range(400, 2_001, 200))),
    ((7, 9), 632, [7, 8, 9]),
    ((98_000_000, 98_000_300), 350, [98_000_000, 98_000_100, 98_000_200, 98_000_300]),
]


@every("ends, width, ticks", TICKS)
def test_named_slots_are_round_and_have_room(ends, width, ticks):
    assert timeline._ticks(ends, width) == ticks


def test_a_mean_far_out_is_marked_at_the_edge(analysis):
    made = analysis()
    made.tables["host_slots"]["started"][50] = 1e4
    chart = drawn(made.write())["cdfStarted", "timeline"]
    assert chart.picture.marks["beyond"] == 1
    [triangle] = points_of(chart)
    assert (triangle["x"], triangle["turn"]) == (50.5, 0)
    assert any("triangles are means beyond the axis: 1 of run 0, up to" in each for each in chart.picture.remarks)


def test_blocks_are_points_around_the_means_of_stretches(analysis):
    folder = analysis().write()
    chart = drawn(folder)["cdfBlockGap", "timeline"]
    slot, gap = column(folder, "blocks", "slot", "gap")
    order = np.argsort(slot)
    [points] = points_of(chart)
    assert points["x"] == list(slot[order])
    assert points["y"] == pytest.approx(list(gap[order]), rel=1e-4)
    row = curve_of(chart)
    width = row["x"][1] - row["x"][0]
    assert width == 50
    assert row["y"] == pytest.approx([gap[slot // 50 == k].mean() for k in range(6)], rel=1e-4)


def test_of_many_blocks_points_are_the_largest_of_each_stretch(analysis, monkeypatch):
    monkeypatch.setattr(courses, "MOST_POINTS", 50)
    folder = analysis().write()
    chart = drawn(folder)["cdfBlockSize", "timeline"]
    slot, size = column(folder, "blocks", "slot", "size")
    [points] = points_of(chart)
    assert points["y"] == pytest.approx([size[slot // 50 == k].max() for k in range(6)], rel=1e-4)
    assert points["x"] == [slot[slot // 50 == k][size[slot // 50 == k].argmax()] for k in range(6)]
    assert "points are the largest block of each" in " ".join(chart.picture.remarks)


def test_blocks_that_are_not_accepted_and_values_outside_do_not_count(analysis):
    made = analysis()
    made.tables["blocks"]["accepted"][5:] = False
    made.tables["intervals"]["inside"][:] = made.tables["intervals"]["slot"] < 100
    charts = drawn(made.write())
    assert charts["cdfBlockGap", "timeline"].picture.marks["points"] == 5
    assert charts["cdf0.50", "cdf"].picture.marks["samples"] == 5
    assert charts["CentiCpu", "cdf"].picture.marks["samples"] == 300
    assert charts["CentiCpu", "timeline"].picture.marks["stretches"] == 100


def test_a_metric_without_samples_has_no_chart_and_a_run_without_is_named(analysis):
    one, other = analysis("one"), analysis("other", seed=2)
    for made in (one, other):
        made.tables["intervals"]["net_rd"][:] = np.nan
    other.tables["blocks"]["forger_send"][:] = np.nan
    other.tables["usage"]["live"][:] = np.nan
    charts = drawn(one.write(), other.write()).all()
    assert ("NetRd", "cdf") not in charts
    assert ("NetRd", "timeline") not in charts
    assert "no samples of run 1" in charts["cdfForgerSend", "cdf"].picture.remarks
    assert charts["Live", "timeline"].picture.marks["lines"] == 1
    assert charts["Live", "cdf"].picture.marks["curves"] == 1


def test_runs_share_the_axes(analysis):
    first = analysis("one").write()
    chart = drawn(first, analysis("other", seed=2, first=200).write())["CentiCpu", "timeline"]
    assert curve_of(chart, 0)["x"][0] == 1
    assert curve_of(chart, 1)["x"][0] == 201
    [line] = layers(chart.picture.spec, "line")
    assert line["encoding"]["x"]["scale"]["domain"] == [0, 500]


def test_repeats_are_pooled_and_each_is_a_thin_line(analysis):
    one, other = analysis("one").write(), analysis("other", seed=2).write()
    chart = drawn(one, repeats=(other,))["CentiCpu", "cdf"]
    thin, thick = layers(chart.picture.spec, "line")
    pooled = np.concatenate([column(folder, "intervals", "cpu")[0] for folder in (one, other)])
    [row] = thick["data"]["values"]
    assert np.allclose(row["x"], np.quantile(pooled, row["y"]), rtol=6e-6)
    assert [each["of"] for each in thin["data"]["values"]] == [0, 1]
    for each, folder in zip(thin["data"]["values"], (one, other), strict=True):
        assert np.allclose(each["x"], np.quantile(column(folder, "intervals", "cpu")[0], each["y"]), rtol=6e-6)
    assert chart.picture.marks == {"curves": 1, "bands": 1, "repeats": 2, "samples": 1800}
    assert "all 6 hosts" in " ".join(chart.picture.remarks)


def test_hosts_of_repeats_are_hosts_of_their_own(analysis):
    one, other = analysis("one", slots=100), analysis("other", slots=100)
    for made, value in ((one, 1.0), (other, 3.0)):
        made.tables["usage"]["rss"][:] = value
    chart = drawn(one.write(), repeats=(other.write(),))["RSS", "timeline"]
    assert set(curve_of(chart)["y"]) == {2}
    assert (set(band_of(chart)["y"]), set(band_of(chart)["y2"])) == ({1}, {3})
    assert "all 6 hosts" in " ".join(chart.picture.remarks)


def test_hosts_of_hardly_any_samples_have_no_band(analysis):
    charts = drawn(analysis().write())
    assert charts["cdfForgerSend", "cdf"].picture.marks["bands"] == 1
    assert charts["cdf0.50", "cdf"].picture.marks["bands"] == 0
    assert charts["cdfSpanLensCpuEpoch", "cdf"].picture.marks["bands"] == 0


def test_one_host_has_curves_and_no_bands(analysis):
    charts = drawn(analysis(hosts=1).write()).all()
    assert {chart.picture.marks["bands"] for chart in charts.values()} == {0}
    assert "hosts" not in " ".join(charts["CentiCpu", "timeline"].picture.remarks)


@pytest.mark.later
def test_labels_are_data(analysis):
    folder = analysis().write()
    charts = draw([ChartRun(label, (folder,)) for label in HOSTILE])
    for chart in charts:
        ours = json.dumps(without_data(chart.picture.spec))
        assert not [name for name in HOSTILE if name in ours or json.dumps(name)[1:-1] in ours]
        assert chart.picture.marks["curves" if chart.kind == "cdf" else "lines"] == len(HOSTILE)
        assert len(chart.picture.json()) < 120_000
    # Of each kind one is drawn.
    for kind in ("cdf", "timeline"):
        is_harmless(next(chart.picture for chart in charts if chart.kind == kind), HOSTILE)


def test_pictures_are_drawn_in_both_themes(analysis):
    one, other = analysis("one", hosts=12).write(), analysis("other", seed=2).write()
    runs = [ChartRun("old", (one,)), ChartRun("new", (other, one))]
    for width, theme in ((420, "dark"), (1000, "light")):
        charts = drawn_of(runs, "CentiCpu", "cdfBlockGap", width=width)
        assert [chart.kind for chart in charts] == ["cdf", "timeline"] * 2
        # A distribution and a course of each width.
        for chart in charts[:2]:
            fits_the_schema(chart.picture)
        for chart in charts[:1] if width == 420 else charts[3:]:
            is_drawn(chart.picture, themes=(theme,))


def test_the_median_of_a_chart_is_that_of_the_summary(tmp_path):
    cluster = Cluster(tmp_path, "h0", "h1", "h2")
    chance = np.random.default_rng(5)
    for host in cluster.events:
        for slot in range(120):
            cluster.start(host, slot, after=float(chance.uniform(0, 0.5)))
            cluster.use(host, slot + 0.5, CentiCpu=slot * 7, RSS=int(chance.integers(1, 10**9)))
    for number in range(9):
        cluster.forge("h0", f"a{number}", number * 9, number, f"a{number - 1}" if number else "9")
    result = cluster.analyse()
    charts = drawn(tmp_path)
    for key in ("cdfStarted", "RSS"):
        assert f"n {result.metric(key)['n']}" in json.dumps(charts[key, "cdf"].picture.spec)
    row = curve_of(charts["RSS", "cdf"])
    assert row["x"][row["y"].index(0.5)] == pytest.approx(result.metric("RSS")["median"], rel=1e-5)
    assert charts["RSS", "timeline"].picture.marks["epochs"] == 1


def test_an_analysis_that_is_not_whole_is_refused(analysis):
    folder = analysis().write()
    (folder / "tables/peers.parquet").unlink()
    with pytest.raises(Stop, match=r"peers\.parquet is missing. Analyse the run again"):
        drawn(folder).all()
