"""What an inspection finds: each trouble where it is and not where it is not, and a decided outcome for bad input."""

import csv
import io
import json
import math
import random
import re
from itertools import pairwise

import pyarrow as pa
import pytest
from scipy import stats

import statera
from statera import Stop
from statera.inspected import Inspected
from support import cells, go, noisy, table, write


def chance(seed):
    return random.Random(seed)  # noqa: S311 - noise, no secret


def normal(count, *, centre=1.0, spread=0.01, seed=1):
    dice = chance(seed)
    return [centre * (1 + spread * dice.gauss(0, 1)) for _ in range(count)]


def timed(values, *, name="B", unit="s", metric="time", **more):
    """A table of the values of one benchmark, in their order."""
    return table([{"benchmark": name, "metric": metric, "value": repr(v), "unit": unit, **more} for v in values])


def look(folder, text, **options):
    """Inspect one text and give its only row."""
    (path,) = write(folder, data=text)
    (row,) = statera.inspect(path, **options)
    return row


def runs(groups, **more):
    """A table of values by process."""
    rows = [
        {"benchmark": "B", "metric": "time", "value": repr(v), "unit": "s", "process": number, **more}
        for number, values in enumerate(groups)
        for v in values
    ]
    return table(rows)


def test_a_quiet_benchmark_is_fit_and_every_number_is_its_definition(tmp_path):
    values = normal(30, seed=5)
    row = look(tmp_path, timed(values))
    assert (row.grade, row.troubles, row.verdict) == ("fit", (), "fit")
    assert (row.values, row.n, row.sampled, row.runs) == (30, 30, "values", None)
    w, p = stats.shapiro(values)
    assert row.normality == pytest.approx(w, rel=1e-9)
    assert row.normality_p == pytest.approx(p, rel=1e-7)
    assert row.log_normality == pytest.approx(stats.shapiro([math.log(v) for v in values])[0], rel=1e-9)
    assert row.skewness == pytest.approx(stats.skew(values, bias=False))
    assert row.mad == pytest.approx(stats.median_abs_deviation(values))
    assert row.iqr == pytest.approx(stats.iqr(values))
    assert row.cv == pytest.approx(stats.variation(values, ddof=1))
    assert row.drift_rho == pytest.approx(stats.spearmanr(values, range(30))[0])
    assert row.low < row.centre < row.high
    assert row.level >= 0.95
    assert row.modes == 1
    assert (row.series, row.series_warming, row.series_unsteady) == (1, 0, 0)


def test_what_is_said_to_be_shown_is_found_with_the_power_that_is_stated(tmp_path):
    """Samples of ten against as many, shifted by what inspection says they show: four in five are found."""
    dice = chance(11)
    shown, found, samples = [], 0, 300
    tables = []
    for number in range(samples):
        name = f"B{number}"
        first = [math.exp(0.02 * dice.gauss(0, 1)) for _ in range(10)]
        second = [math.exp(0.02 * dice.gauss(0, 1)) for _ in range(10)]
        tables.append((name, first, second))
    (path,) = write(
        tmp_path, one="".join(["benchmark,value,unit\n"] + [f"{n},{v!r},s\n" for n, a, _ in tables for v in a])
    )
    shown = sorted(row.detectable for row in statera.inspect(path))[samples // 2]
    shift = [f"{n},{v * (1 + shown)!r},s\n" for n, _, b in tables for v in b]
    (other,) = write(tmp_path, two="".join(["benchmark,value,unit\n", *shift]))
    comparison = statera.compare(path, other, policy=statera.Policy(correction="none"))
    found = sum(row.p <= 0.05 for row in comparison)
    assert 0.73 < found / samples < 0.87


def test_the_runs_needed_are_those_that_show_the_change(tmp_path):
    values = normal(20, spread=0.03, seed=4)
    row = look(tmp_path, timed(values))
    assert row.runs_for_1 > row.runs_for_2 > row.runs_for_5 >= 4
    assert row.margin == 0.02
    assert row.runs_for_margin == row.runs_for_2
    assert row.runs_for_1 == pytest.approx(4 * row.runs_for_2, rel=0.05)
    assert row.detectable > 0.02
    assert row.troubles == ("noisy",)
    assert re.fullmatch(r"noisy: hides changes below [\d.]+%; ~\d+ runs would show 2%", row.verdict)
    wider = look(tmp_path, timed(values), policy=statera.Policy(margins=(("*", 0.1),)))
    assert wider.grade == "fit"
    assert (wider.margin, wider.runs_for_margin) == (0.1, 4)


def test_a_far_value_costs_no_more_than_it_does_in_a_test_of_ranks(tmp_path):
    values = normal(20, spread=0.005, seed=3)
    plain = look(tmp_path, timed(values))
    far = look(tmp_path, timed([*values[:-1], 40.0]))
    assert far.outliers == 1
    assert far.troubles == ("outliers",)
    assert far.grade == "fit"
    assert far.detectable < 1.5 * plain.detectable
    assert far.cv > 100 * plain.cv


TROUBLED = {
    "drift": [1 + 0.004 * i + 0.002 * x for i, x in enumerate(normal(30, spread=1, seed=1))],
    "warm-up": [1.6, 1.4, 1.25, *normal(27, seed=2)],
    "unsteady": [v * (1.2 if i // 10 % 2 else 1) for i, v in enumerate(normal(40, spread=0.003, seed=3))],
    "autocorrelation": None,
    "several-modes": [v * (1.3 if (i * 7) % 5 < 2 else 1) for i, v in enumerate(normal(40, spread=0.01, seed=5))],
    "coarse-clock": [round(v, 1) for v in normal(30, spread=0.15, seed=6)],
    "constant": [0.25] * 12,
    "few-distinct": [0.2501, 0.2502, 0.2503, 0.2502, 0.2501] * 4,
    "too-few": [1.0, 1.1, 1.2],
}


def neighbours(count=100):
    """Each value shares half of its noise with the one before."""
    noise = normal(count + 1, centre=1, spread=0.003, seed=4)
    return [(a + b) / 2 for a, b in pairwise(noise)]


TROUBLED["autocorrelation"] = neighbours()


@pytest.mark.parametrize("trouble", TROUBLED)
def test_a_trouble_is_found_where_it_is_and_said_in_words(tmp_path, trouble):
    row = look(tmp_path, timed(TROUBLED[trouble]))
    assert trouble in row.troubles
    assert row.grade in {"doubtful", "unfit"}
    assert row.verdict.startswith(f"{row.grade}: ")
    assert "; " in row.verdict


def test_a_warm_up_ends_where_it_ends(tmp_path):
    row = look(tmp_path, timed(TROUBLED["warm-up"]))
    assert row.warm_up == 3
    assert row.warm_up_change == pytest.approx(0.4, abs=0.05)
    assert row.verdict.startswith("doubtful: warms up (")
    assert "; discard the first 3" in row.verdict


def test_what_grows_slower_is_no_warm_up(tmp_path):
    row = look(tmp_path, timed([0.6, 0.62, 0.61, *normal(27, seed=2)]))
    assert "warm-up" not in row.troubles
    assert "unsteady" in row.troubles
    rate = look(tmp_path, timed([0.6, 0.62, 0.61, *normal(27, seed=2)], unit="1/s", metric="rate"))
    assert "warm-up" in rate.troubles


def test_the_first_of_several_runs_warm_nothing_up(tmp_path):
    values = TROUBLED["warm-up"]
    row = look(tmp_path, runs([[v] for v in values]))
    assert (row.sampled, row.n, row.runs) == ("values", 30, 30)
    assert "warm-up" not in row.troubles
    assert "unsteady" in row.troubles


def test_noise_alone_raises_no_trouble(tmp_path):
    """Of 500 samples of normal noise at most one in fifty is called doubtful."""
    rows = [f"B{k},{v!r},s\n" for k in range(500) for v in normal(20, spread=0.002, seed=100 + k)]
    (path,) = write(tmp_path, noise="".join(["benchmark,value,unit\n", *rows]))
    inspection = statera.inspect(path)
    doubtful = [row for row in inspection if row.grade != "fit"]
    assert len(doubtful) <= 10
    (section,) = inspection.sections()
    assert section.summary["tested"] == 500
    # Of normal samples one in twenty fails the test of normality: 25 of 500, within three standard errors.
    assert abs(500 - section.summary["normal"] - 25) < 15
    assert "by chance 25 of 500 normal samples would not" in repr(inspection)


def test_the_units_are_those_of_a_comparison(tmp_path):
    dice = chance(7)
    groups = [[(1 + 0.05 * level) * (1 + 0.01 * dice.gauss(0, 1)) for _ in range(12)] for level in (0, 1, 3, 2, 5, 4)]
    row = look(tmp_path, runs(groups))
    assert (row.sampled, row.n, row.values, row.runs, row.iterations) == ("runs", 6, 72, 6, 12)
    medians = [sorted(group) for group in groups]
    medians = [(group[5] + group[6]) / 2 for group in medians]
    assert row.normality == pytest.approx(stats.shapiro(medians)[0], rel=1e-9)
    (path,) = write(tmp_path, data=runs(groups))
    (compared,) = statera.compare(f"a={path}", f"b={path}")
    assert (compared.old_n, compared.old_centre) == (row.n, row.centre)
    assert row.icc > 0.9
    assert row.icc_low < row.icc < row.icc_high
    assert row.runs_p < 1e-6
    assert "runs-differ" in row.troubles
    assert row.series == 6


def test_the_parts_of_the_variance_are_those_of_the_analysis_of_variance(tmp_path):
    dice = chance(8)
    groups = [[10 + dice.gauss(0, 1) for _ in range(9)] for _ in range(5)]
    row = look(tmp_path, runs(groups), policy=statera.Policy(scale="difference"))
    f, p = stats.f_oneway(*groups)
    assert row.runs_p == pytest.approx(p, rel=1e-9)
    assert row.icc == pytest.approx(max(0, (f - 1) / (f - 1 + 9)), abs=1e-9)


def test_iterations_are_weighed_against_their_cost(tmp_path):
    dice = chance(9)
    starts = [1 + 0.03 * dice.gauss(0, 1) for _ in range(8)]
    groups = [[start * (1 + 0.06 * dice.gauss(0, 1)) for _ in range(10)] for start in starts]
    unknown = look(tmp_path, runs(groups))
    assert (unknown.best_iterations, unknown.best_runs) == (None, None)
    assert unknown.break_even == pytest.approx(100 * (unknown.between_sd / unknown.within_sd) ** 2)
    known = look(tmp_path, runs(groups), cost_run=16.0)
    ratio = known.within_sd / known.between_sd
    assert known.best_iterations == pytest.approx(math.sqrt(16.0 / known.centre) * ratio, abs=0.5)
    assert known.best_seconds <= known.present_seconds
    assert known.best_seconds == pytest.approx(known.best_runs * (16 + known.best_iterations * known.centre))
    given = look(tmp_path, runs(groups), cost_run=1.0, cost_iteration=100.0)
    assert given.best_iterations == 1


def test_means_over_iterations_do_not_say_what_one_costs(tmp_path):
    paths = write(tmp_path, **{f"{k}.txt": go({"B": noisy(100, 10, seed=k)}) for k in range(4)})
    (row,) = statera.inspect(*(f"runs={path}" for path in paths), cost_run=1.0)
    assert row.sampled == "runs"
    assert row.best_iterations is None
    (row,) = statera.inspect(*(f"runs={path}" for path in paths), cost_run=1.0, cost_iteration=1.0)
    assert row.best_iterations >= 1


def test_two_and_three_runs_are_planned_by_the_t_test(tmp_path):
    groups = [[v * (1 + 0.01 * k) for v in normal(10, seed=k)] for k in range(3)]
    row = look(tmp_path, runs(groups))
    assert "few-processes" in row.troubles
    assert 0 < row.detectable < 1
    one = look(tmp_path, runs(groups[:1]))
    assert "one-process" in one.troubles
    assert one.sampled == "values"


def test_blocks_tell_of_the_work_and_not_of_the_noise(tmp_path):
    sizes = [10 ** (k % 5) for k in range(40)]
    rows = [{"benchmark": "B", "value": size, "unit": "s", "block": k} for k, size in enumerate(sizes)]
    row = look(tmp_path, table(rows))
    assert row.sampled == "blocks"
    assert row.troubles == ("by-block",)
    assert row.grade == "fit"
    assert (row.detectable, row.runs_for_1) == (None, None)
    unpaired = look(tmp_path, table(rows), pair="unpaired")
    assert unpaired.sampled == "values"
    # Several replays: what is left when the blocks' own sizes are taken out.
    replays = [
        {"benchmark": "B", "value": repr(size * v), "unit": "s", "block": k, "process": run}
        for run in range(5)
        for k, (size, v) in enumerate(zip(sizes, normal(40, seed=run), strict=True))
    ]
    several = look(tmp_path, table(replays))
    assert (several.sampled, several.n) == ("runs", 5)
    assert several.cv < 0.02


def test_exact_counts_are_fit_whatever_they_are(tmp_path):
    text = go({"B": {"ns/op": noisy(100), "allocs/op": [7] * 10}})
    (path,) = write(tmp_path, data=text)
    rows = {row.metric: row for row in statera.inspect(path)}
    allocs = rows["allocs/op"]
    assert (allocs.exact, allocs.grade, allocs.troubles, allocs.verdict) == (True, "fit", (), "fit: exact")
    assert allocs.detectable == 0
    assert not rows["sec/op"].exact


@pytest.mark.parametrize(
    ("values", "grade", "troubles"),
    [
        ([1.0], "unfit", {"too-few"}),
        ([1.0, 2.0], "unfit", {"too-few"}),
        ([1.0, 1.0], "unfit", {"constant"}),
        ([0.0] * 5, "unfit", {"constant"}),
        ([3.0] * 20, "unfit", {"constant"}),
        ([1e300, 2e300, 1.5e300, 1.2e300, 1.7e300], "noisy", {"noisy"}),
        ([1e-300, 1.001e-300, 1.0005e-300, 1.0012e-300, 1.0007e-300], "fit", set()),
        ([0.0, 1.0, 2.0, 3.0, 5.0], "noisy", {"noisy"}),
        ([0.0, 1.0, 2.0, 3.0, 5.0] * 2, "doubtful", {"noisy", "coarse-clock"}),
    ],
)
def test_every_small_or_strange_sample_has_a_decided_outcome(tmp_path, values, grade, troubles):
    row = look(tmp_path, timed(values))
    assert row.grade == grade
    assert set(row.troubles) == troubles
    assert repr(statera.inspect(tmp_path / "data"))


def test_two_values_have_no_test_and_no_interval(tmp_path):
    row = look(tmp_path, timed([1.0, 2.0]))
    assert (row.normality, row.skewness, row.drift_p, row.low) == (None, None, None, None)
    assert (row.detectable, row.runs_for_1) == (None, None)
    text = repr(statera.inspect(tmp_path / "data"))
    assert "three values are the least for a test" in text
    assert "Too few" not in text
    assert "2 values are too few: measure at least 4 [too-few]" in text


def test_no_value_at_all_stops(tmp_path):
    (path,) = write(tmp_path, data="benchmark,value,unit\n")
    with pytest.raises(Stop, match="no value was read") as stop:
        statera.inspect(path)
    assert stop.value.code == "nothing-to-compare"
    (path,) = write(tmp_path, data=timed(normal(5)))
    with pytest.raises(Stop, match="nothing to inspect") as stop:
        statera.inspect(path, benchmarks=["other"])
    assert stop.value.code == "nothing-to-compare"


def test_infinities_are_dropped_counted_and_said(tmp_path):
    (path,) = write(tmp_path, data=timed([*normal(10), float("inf"), float("nan"), float("-inf")]))
    inspection = statera.inspect(path)
    (row,) = inspection
    assert row.values == 10
    assert inspection.observations.left_out == 3
    assert "left out: 3 (not-finite 3)" in repr(inspection)


def test_beyond_5000_values_anderson_darling_stands_for_shapiro_wilk_and_says_so(tmp_path):
    values = normal(5001, spread=0.003, seed=1)
    most = look(tmp_path, timed(values[:5000]))
    assert most.normality_test == "shapiro-wilk"
    assert most.normality == pytest.approx(stats.shapiro(values[:5000])[0], rel=1e-9)
    row = look(tmp_path, timed(values))
    assert row.normality_test == "anderson-darling"
    reference = stats.anderson(values, "norm", method="interpolate").statistic
    assert row.normality == pytest.approx(reference, rel=1e-6)
    inspection = statera.inspect(tmp_path / "data")
    assert "Anderson-Darling (above 5,000 values) A²" in repr(inspection)
    assert "1 row has more than 5,000 values: normality by Anderson-Darling" in " ".join(inspection.findings)


def test_zero_and_negative_values_are_judged_on_differences(tmp_path):
    row = look(tmp_path, timed([v - 1 for v in normal(20, seed=4)], unit="widgets", metric="balance"))
    assert row.scale == "difference"
    assert (row.log_normality, row.log_normality_p) == (None, None)
    assert row.detectable > 0
    assert repr(statera.inspect(tmp_path / "data"))


def test_variants_are_looked_at_alone_and_keys_that_vary_stay_apart(tmp_path):
    rows = [
        {"benchmark": "B", "value": repr(v * threads), "unit": "s", "threads": threads}
        for threads in (1, 4)
        for v in normal(12, seed=threads)
    ]
    (path,) = write(tmp_path, data=table(rows))
    inspection = statera.inspect(path)
    assert [row.group for row in inspection] == ["threads: 1", "threads: 4"]
    assert {row.grade for row in inspection} == {"fit"}
    by = statera.inspect(path, by="threads")
    assert [row.variant for row in by] == ["1", "4"]
    (pooled,) = statera.inspect(path, pool=["threads"])
    assert pooled.n == 24


def test_the_rows_are_typed_frozen_and_a_table(tmp_path):
    (path,) = write(tmp_path, data=timed(normal(12)))
    inspection = statera.inspect(path)
    row = inspection[-1]
    assert isinstance(row, Inspected)
    assert isinstance(row, statera.Inspected)
    with pytest.raises(AttributeError):
        row.n = 3
    with pytest.raises(IndexError, match="there is no row 1"):
        inspection[1]
    assert len(inspection) == 1
    columns = pa.table(inspection)
    assert columns.num_rows == 1
    assert columns.column_names == list(Inspected.__slots__)
    assert columns["centre"][0].as_py() == row.centre
    assert columns["exact"][0].as_py() is False
    assert columns["runs"][0].as_py() is None


def test_csv_and_json_hold_the_same_numbers_as_the_rows(tmp_path):
    dice = chance(3)
    names = {f"B{k}": [100 * (1 + 0.002 * dice.gauss(0, 1)) for _ in range(12)] for k in range(6)}
    (path,) = write(tmp_path, data=go(names))
    inspection = statera.inspect(path)
    lines = list(csv.DictReader(io.StringIO(inspection.to_csv())))
    document = json.loads(inspection.to_json())
    assert document["schema"] == "statera.inspection/1"
    assert document["self_test"] is None
    assert document["summaries"][0]["grades"] == {"fit": 6, "noisy": 0, "doubtful": 0, "unfit": 0}
    assert len(lines) == len(document["rows"]) == len(inspection) == 6
    for row, line, found in zip(inspection, lines, document["rows"], strict=True):
        assert set(line) == set(found) == set(Inspected.__slots__)
        for name in Inspected.__slots__:
            value = getattr(row, name)
            assert (list(value) if isinstance(value, tuple) else value) == found[name]
            if isinstance(value, float):
                assert float(line[name]) == value


def test_the_worst_come_first(tmp_path):
    values = {"quiet": normal(20, spread=0.001), "loud": normal(20, spread=0.2, seed=2), "few": normal(2)}
    values |= {"drifting": [v / 3 for v in TROUBLED["drift"][:20]], "wide": normal(20, spread=0.05, seed=3)}
    rows = [{"benchmark": n, "value": repr(v), "unit": "s"} for n, given in values.items() for v in given]
    (path,) = write(tmp_path, data=table(rows))
    inspection = statera.inspect(path)
    order = [row[0] for row in inspection.native.cells(inspection.native.order(list(range(5)), "trouble"))]
    assert order == ["few", "drifting", "loud", "wide", "quiet"]
    findings = inspection.findings
    assert findings[0].startswith("1 row is unfit: few (2 values are too few)")
    assert findings[1].startswith("1 row is doubtful: drifting (drifts +")
    assert findings[2].startswith("2 rows are noisy: half of them show changes from ")
    assert findings[3].startswith("1 row is fit to be compared: half of them")
    text = repr(inspection)
    assert text.index("\nfew ") < text.index("\ndrifting ") < text.index("\nquiet ")
    assert "troubles: too-few 1 · drift 1 · noisy 3 · outliers 1 (statera explain CODE)" in text


@pytest.mark.parametrize("name", ["a\x1b[31mred\x07", "a|b`c<script>", "x\ny", "漢字/🦀" * 12, "", "</details>"])
def test_names_are_text_from_strangers(tmp_path, name):
    rows = [{"benchmark": n, "value": repr(v), "unit": "s"} for n in (name, "P", "Q", "R") for v in normal(9)]
    (path,) = write(tmp_path, data=table(rows))
    inspection = statera.inspect(f"a\x1b[0mb={path}", f"c|d={path}")
    for text in (repr(inspection), repr(statera.inspect(path, benchmarks=["!P", "!Q"], aa=True))):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    markdown = inspection.to_markdown()
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len({len(cells(line)) for line in lines}) == 1
    assert len(lines) == 2 + 8
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", markdown)
    assert "<script" not in outside
    assert outside.count("</details>") == 1
    assert json.loads(inspection.to_json())["rows"][0]["benchmark"] == name
