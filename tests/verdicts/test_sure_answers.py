"""Answers that once were wrong: by a slow run, a noisier build, a wandering machine, or failing requests."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr, t

import statera
from statera import Policy
from statera.comparison.verdicts.gate import examine, parse_gate
from statera.support.errors import Stop
from support import every, verdicts, write

ROWS = 50
HEY = Path(__file__).parents[1] / "formats" / "cases" / "hey" / "real"


def weighed(logs, runs, *, pair="auto", apart=False, **settings):
    """Compare rows of logarithms: the first `runs` of each row are old, the rest new."""
    rows, count = logs.shape
    names = [f"b{i}" for i in range(rows)]
    return statera.compare(
        {
            "benchmark": np.repeat(names, count).tolist(),
            "variant": (["old"] * runs + ["new"] * (count - runs)) * rows,
            "time_s": np.exp(logs).ravel().tolist(),
        },
        by="variant",
        pair=pair,
        apart=apart,
        policy=Policy(session=0.0, **settings),
    )


def wander(dice, runs):
    """Two series with AR(1) 0.8."""
    sides = []
    for _ in range(2):
        state = [dice.standard_normal()]
        while len(state) < runs:
            state.append(0.8 * state[-1] + 0.6 * dice.standard_normal())
        sides += state
    return np.array(sides)


@every("runs", [8, 10, 20])
@every("slow", [1.5, 5.0])
def test_one_slow_run_hides_no_regression(runs, slow):
    logs = 0.01 * np.random.default_rng(runs).standard_normal((ROWS, 2 * runs))
    logs[0, runs:] += np.log(1.15)
    logs[0, 0] += np.log(slow)
    result = weighed(logs, runs)
    assert verdicts(result)["b0"] == "worse"
    assert "b0" in result.answer.parts[0][1]


def test_a_noisier_build_is_neither_better_nor_worse():
    dice = np.random.default_rng(6)
    for old, new in ((20, 5), (10, 10)):
        alarms = 0
        for _ in range(20):
            logs = 0.05 * dice.standard_normal((ROWS, old + new))
            logs[:, old:] *= 3
            alarms += bool({"better", "worse"} & set(verdicts(weighed(logs, old)).values()))
        # Of 20 suites one alarms on average; the statistic with one variance alarmed in 19 and 4 of them.
        assert alarms <= 3


def test_a_wander_of_the_machine_is_no_change_of_every_benchmark():
    dice = np.random.default_rng(9)
    wrong = together = 0
    for _ in range(20):
        spreads = np.exp(dice.uniform(np.log(0.05), np.log(0.2), (ROWS, 1)))
        logs = spreads * np.sqrt(0.5) * (wander(dice, 10) + dice.standard_normal((ROWS, 20)))
        result = weighed(logs, 10)
        wrong += bool({"better", "worse"} & set(verdicts(result).values()))
        together += "moved with all others" in result.answer.line
    assert wrong <= 3
    assert together >= 3


def test_what_all_benchmarks_share_hides_neither_a_change_of_one_nor_of_all():
    dice = np.random.default_rng(4)
    bad_days = dice.standard_normal((1, 20))
    logs = 0.05 * (bad_days + dice.standard_normal((ROWS, 20)))
    one = logs.copy()
    one[0, 10:] += 0.3
    assert verdicts(weighed(one, 10))["b0"] == "worse"
    independent = 0.05 * dice.standard_normal((ROWS, 20))
    independent[:, 10:] += 0.2
    assert set(verdicts(weighed(independent, 10)).values()) == {"worse"}


def test_spread_is_found_where_the_typical_value_is_undecided():
    dice = np.random.default_rng(3)
    logs = 0.002 * dice.standard_normal((1, 60))
    logs[0, 30:] += np.tile([-0.07, 0.07], 15)
    row = weighed(logs, 30)[0]
    assert row.verdict == "shape-changed"
    # More runs would not look like these.
    assert row.runs_needed is None


def test_a_row_beyond_the_margin_is_not_counted_under_no_change():
    dice = np.random.default_rng(11)
    logs = 0.03 * dice.standard_normal((300, 10))
    logs[0, :5] = np.log([1.00, 1.01, 1.02, 0.99, 1.00])
    logs[0, 5:] = np.log([1.06, 1.08, 1.05, 1.07, 1.09])
    result = weighed(logs, 5)
    assert verdicts(result)["b0"] == "inconclusive"
    assert "lies beyond the margin but is not certain among 300 (b0 +" in result.answer.line
    assert "no change" not in result.answer.line.lower()


def test_the_interval_of_a_called_row_is_wider_the_fewer_rows_are_called():
    logs = 0.01 * np.random.default_rng(2).standard_normal((ROWS, 20))
    logs[:2, 10:] += 0.1
    logs[2, 10:] += 0.014
    shown, alone = weighed(logs, 10), weighed(logs, 10, correction="none")
    called = [row.benchmark for row in shown if row.verdict == "worse"]
    assert called == ["b0", "b1", "b2"]
    by_name = {row.benchmark: row for row in alone}
    for row in shown:
        own = by_name[row.benchmark]
        if row.benchmark not in called:
            assert (row.change_low, row.change_level) == (own.change_low, own.change_level)
            continue
        level = 1 - 0.05 * len(called) / ROWS
        assert row.change_level == pytest.approx(level)
        factor = t.ppf(0.5 + level / 2, 18) / t.ppf(0.5 + own.change_level / 2, 18)
        change, low, high = np.log1p([own.change, own.change_low, own.change_high])
        assert np.log1p(row.change_high) == pytest.approx(change + factor * (high - change))
        # The verdict excludes no change, and so does the interval.
        assert np.log1p(row.change_low) == pytest.approx(max(0.0, change - factor * (change - low)))
        assert row.change_low_open == (row.change_low == 0)
    assert [row.benchmark for row in shown if row.change_low_open] == ["b2"]


def test_a_gate_with_a_margin_holds_its_level_over_all_rows():
    dice = np.random.default_rng(8)
    failed = {0.05: 0, 0.15: 0}
    for change in failed:
        for _ in range(20):
            logs = 0.02 * dice.standard_normal((ROWS, 20))
            logs[:, 10:] += np.log1p(change)
            result = weighed(logs, 10)
            failed[change] += examine(parse_gate("worse:5%"), result).code == 1
    # Of unadjusted intervals 1 in 40 lies beyond the margin that is true: 12 of 20 suites failed.
    assert failed[0.05] <= 3
    assert failed[0.15] == 20


def wrk(latency, rate, failed):
    lines = [
        "Running 10s test @ http://127.0.0.1:8080/",
        "  2 threads and 10 connections",
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev",
        f"    Latency     {latency:.2f}ms  120.00us   5.10ms   90.00%",
        f"    Req/Sec     {rate / 2000:.2f}k   120.00     3.00k    80.00%",
        f"  {rate * 10} requests in 10.00s, 20.00MB read",
        *([f"  Non-2xx or 3xx responses: {failed}"] if failed else []),
        f"Requests/sec:  {rate}.00",
        "Transfer/sec:      2.00MB",
    ]
    return "\n".join(lines) + "\n"


def loads(tmp_path, runs, failed, **options):
    """Compare load tests of which the new ones are five times as fast; `failed` of a run's requests fail."""
    old = {f"o{i}": wrk(1.0 + i / 100, 10_000 - i * 20, 0) for i in range(runs)}
    fails = failed if callable(failed) else lambda run: failed and failed + run
    new = {f"n{i}": wrk(0.2 + i / 500, 50_000 - i * 100, fails(i)) for i in range(runs)}
    paths = write(tmp_path, **old, **new)
    builds = ["old"] * runs + ["new"] * runs
    return statera.compare(*(f"{build}={path}" for build, path in zip(builds, paths, strict=True)), **options)


@pytest.mark.parametrize("runs", [1, 5])
def test_failing_requests_are_no_faster(tmp_path, runs):
    result = loads(tmp_path, runs, 499_000)
    assert result.answer.line.startswith("http://127.0.0.1:8080/: invalid: ")
    assert result.answer.line.endswith(" k errors in new, 0 in old")
    assert "better" not in verdicts_of_metrics(result).values()
    assert verdicts_of_metrics(result)["throughput"] == "invalid"
    assert examine(parse_gate("worse:900%"), result).code == 1
    # What failed is compared wherever something failed, also after it was converted.
    for side in "on":
        statera.read(*tmp_path.glob(f"{side}[0-9]")).write(tmp_path / f"{side}.csv", "csv")
    again = statera.compare(tmp_path / "o.csv", tmp_path / "n.csv")
    assert verdicts_of_metrics(again)["throughput"] == "invalid"


def test_runs_of_which_some_fail_as_a_whole_are_no_faster(tmp_path):
    result = loads(tmp_path, 8, lambda run: 499_000 if run < 3 else 0)
    assert result.answer.line == "http://127.0.0.1:8080/: invalid: 187.1 k errors a run in new, none in old"
    assert verdicts_of_metrics(result) == {"latency-mean": "invalid", "throughput": "invalid", "errors": "inconclusive"}


def test_metrics_that_are_chosen_do_not_hide_what_failed(tmp_path):
    chosen = loads(tmp_path, 5, 4000, metric="throughput")
    assert verdicts_of_metrics(chosen) == {"throughput": "invalid", "errors": "worse"}
    without = loads(tmp_path, 5, 4000, metric=["throughput", "!errors"])
    assert verdicts_of_metrics(without) == {"throughput": "better"}


def test_requests_that_do_not_fail_may_be_faster(tmp_path):
    result = loads(tmp_path, 5, 0)
    assert verdicts_of_metrics(result) == {"latency-mean": "better", "throughput": "better"}


def verdicts_of_metrics(result):
    return {row.metric: row.verdict for row in result}


def test_a_failure_that_only_the_new_build_states_is_the_answer(tmp_path):
    rows = ["benchmark,metric,value,unit,better,traits"]
    old = [*rows, "get,latency,0.010,s,lower,"]
    new = [*rows, "get,latency,0.010,s,lower,", "get,errors,40,1,lower,validity never-exact"]
    paths = write(tmp_path, old="\n".join(old) + "\n", new="\n".join(new) + "\n")
    result = statera.compare(*paths)
    assert "invalid: 40 errors in new, none in old" in result.answer.line
    assert examine(parse_gate("worse"), result).code == 1


def test_a_share_that_succeeds_is_told_as_the_share_that_fails(tmp_path):
    texts = [
        f"benchmark,metric,value,unit,better,traits\nget,latency,{time},s,lower,\nget,checks,{share},,higher,validity\n"
        for time, share in ((0.01, 0.999), (0.002, 0.01))
    ]
    answer = statera.compare(*write(tmp_path, old=texts[0], new=texts[1])).answer.line
    assert answer.endswith("invalid: 99% of new failed, 0.1% of old (checks)")


def test_times_of_one_status_do_not_hide_what_failed(tmp_path):
    header = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset"
    texts = {}
    for build, latency, failed in (("old", 0.010, 1), ("new", 0.002, 990)):
        for run in range(5):
            statuses = [500 if i < failed else 200 for i in range(1000)]
            rows = (f"{latency + (i + run) / 1e5:.5f},0,0,0,0,0,{status},0.1" for i, status in enumerate(statuses))
            texts[f"{build}{run}"] = "\n".join([header, *rows]) + "\n"
    paths = write(tmp_path, **texts)
    result = statera.compare(*(f"{path.rsplit('/', 1)[1][:3]}={path}" for path in paths))
    assert "invalid (requests at status: " in result.answer.line
    assert "99% of new failed, 0.1% of old (failed)" in result.answer.line
    assert "better" not in {row.verdict for row in result}


@every(("first", "last"), [(15, 33), (25, 40), (0, 14)])
def test_a_change_of_level_within_a_build_is_named_with_its_place(first, last):
    logs = 0.01 * np.random.default_rng(first).standard_normal((4, 80))
    logs[0, 40 + first : 40 + last] += np.log(2)
    result = weighed(logs, 40)
    row = next(row for row in result if row.benchmark == "b0")
    assert (row.level_change_of, row.reason) == ("contender", "level-changed")
    # A build that changes once is described by what comes after.
    begins, ends, size = (first, last, 1.0) if first else (last, 40, -0.5)
    assert (row.level_change_first, row.level_change_last) == (begins + 1, ends)
    assert row.level_change == pytest.approx(size, abs=0.03)
    assert "b0" in result.answer.line
    assert "shifted level within a build" in result.answer.line
    assert np.isnan(row.runs_needed or np.nan)
    assert all(row.level_change is None for row in result if row.benchmark != "b0")


def test_a_row_that_is_called_says_that_a_build_changed_its_level():
    logs = 0.01 * np.random.default_rng(20).standard_normal((4, 80))
    logs[0, 56:] += np.log(2)
    result = weighed(logs, 40)
    assert verdicts(result)["b0"] == "worse"
    assert "a build shifted level: +99" in result.answer.line


def test_noise_is_no_change_of_level():
    dice = np.random.default_rng(7)
    two_levels = 10 * (dice.random((ROWS, 80)) < 0.5) + dice.standard_normal((ROWS, 80))
    for noise in (dice.standard_normal((ROWS, 80)), dice.standard_t(3, (ROWS, 80)), two_levels):
        assert all(row.level_change is None for row in weighed(0.01 * noise, 40))


def test_the_spread_of_a_suite_is_the_finding_where_no_row_shows_its_own():
    dice = np.random.default_rng(11)
    logs = 0.02 * dice.standard_normal((ROWS, 25))
    alike = weighed(logs, 20)
    logs[:, 20:] *= 3
    wider = weighed(logs, 20)
    assert not {"better", "worse", "differs"} & set(verdicts(wider).values())
    assert "the values vary" in wider.answer.line.lower()
    assert "the values vary" not in alike.answer.line.lower()


def test_a_spread_that_all_runs_share_is_not_that_of_a_build():
    dice = np.random.default_rng(12)
    found = 0
    for _ in range(20):
        logs = 0.1 * (np.array([wander(dice, 10)]) + 0.5 * dice.standard_normal((ROWS, 20)))
        found += "the values vary" in weighed(logs, 10).answer.line.lower()
    assert found <= 1


def test_failures_that_no_longer_happen_are_not_missing(tmp_path):
    # Harnesses print no zeros.
    clean = (HEY / "new.txt").read_text()
    counts = "Status code distribution:\n"
    assert counts in clean
    old, new = write(tmp_path, old=clean.replace(counts, f"{counts}  [404]\t100 responses\n"), new=clean)
    found = {row.metric: row.verdict for row in statera.compare(old, new)}
    assert found["responses-404"] == "one-value"
    assert "missing" not in found.values()
    assert {row.metric: row.verdict for row in statera.compare(new, old)}["responses-404"] == "invalid"


def test_a_suite_that_moved_as_a_whole_is_told_and_can_fail_the_gate():
    dice = np.random.default_rng(3)
    logs = 0.02 * dice.standard_normal((40, 20))
    unchanged = weighed(logs, 10)
    logs[:, 10:] += 0.008
    slower = weighed(logs, 10)
    assert not {"better", "worse"} & set(verdicts(slower).values())
    assert slower.answer.line.startswith("Time of all 40 benchmarks +0.9")
    codes = {
        (result, words): examine(parse_gate(words), result).code
        for result in (unchanged, slower)
        for words in ("suite-worse", "suite-worse:0.4%", "suite-worse:3%", "worse")
    }
    assert [codes[slower, words] for words in ("suite-worse", "suite-worse:0.4%", "suite-worse:3%")] == [1, 1, 0]
    assert {code for (result, _), code in codes.items() if result is unchanged} == {0}
    # Two runs per build show no suite.
    few = weighed(logs[:, [0, 1, 10, 11]], 2)
    assert examine(parse_gate("suite-worse"), few).code == 2


def test_a_suite_on_a_wandering_machine_did_not_move_as_a_whole():
    dice = np.random.default_rng(5)
    told = 0
    for _ in range(20):
        logs = 0.02 * (dice.standard_normal((40, 20)) + wander(dice, 10))
        told += "of all" in weighed(logs, 10).answer.line
    assert told <= 1


def sessions(folder, sides):
    """Write a file for each build: rows of values in seconds."""
    texts = [
        "\n".join(["benchmark,time_s", *(f"b{i},{v:.8f}" for i, row in enumerate(np.exp(side)) for v in row), ""])
        for side in sides
    ]
    return write(folder, **dict(zip(("old.csv", "new.csv"), texts, strict=True)))


def test_two_sessions_of_one_build_are_no_change(tmp_path):
    dice = np.random.default_rng(8)
    called = {0.0: 0, 0.005: 0}
    for _ in range(10):
        shifts = 0.005 * dice.standard_normal((2, 20, 1))
        paths = sessions(tmp_path, shifts + 0.005 * dice.standard_normal((2, 20, 10)))
        for session in called:
            result = statera.compare(*paths, policy=statera.Policy(session=session))
            called[session] += sum(row.verdict in {"better", "worse"} for row in result)
    assert called[0.0] >= 5
    assert called[0.005] <= 3


def test_sessions_are_allowed_for_only_where_the_data_cannot_show_them(tmp_path):
    dice = np.random.default_rng(9)
    logs = 0.002 * dice.standard_normal((2, 1, 10))
    logs[1] += 0.01
    (old, new) = sessions(tmp_path, logs)
    alone = statera.compare(old, new)[0]
    assert (alone.verdict, alone.reason, alone.session) == ("inconclusive", "within-sessions", 0.005)
    assert alone.p_corrected < 0.001
    assert "one-session" in notes_of(statera.compare(old, new))
    # Both builds in one file; several files of each.
    both = weighed(logs.reshape(1, 20), 10)[0]
    assert (both.verdict, both.session) == ("equivalent", 0)
    more = [
        sessions(folder, logs + 0.001 * dice.standard_normal(logs.shape))
        for folder in (tmp_path / str(k) for k in range(4))
        if folder.mkdir() is None
    ]
    several = statera.compare(*(f"old={path}" for path, _ in more), *(f"new={path}" for _, path in more))[0]
    assert several.session == 0
    # A file of other benchmarks changes nothing.
    (other,) = write(tmp_path, **{"other.csv": "benchmark,time_s\nc,1\nc,2\n"})
    beside = {row.benchmark: row for row in statera.compare(f"old={old}", f"old={other}", f"new={new}")}
    assert beside["b0"].session == 0.005


def notes_of(result):
    return {note.code for note in result.notes}


@every("shared", [True, False])
def test_runs_that_vary_together_in_their_order_are_told_over_the_whole_suite(shared):
    dice = np.random.default_rng(3)
    old = dice.standard_normal(10)
    state = np.concatenate([old, old if shared else dice.standard_normal(10)])
    logs = 0.01 * (0.8 * state + dice.standard_normal((20, 20)))
    result = weighed(logs, 10)
    # No single row shows it.
    assert sum("order-correlation" in row.warnings for row in result) <= 2
    assert ("order-of-all" in notes_of(result)) == shared
    if shared:
        rho, p, width, rows = result.weighing.summaries()[0]["order"]
        assert (rows, p) == (20, pytest.approx(1 / 2001))
        expected = np.mean([spearmanr(row[:10], row[10:]).statistic for row in logs])
        assert rho == pytest.approx(expected)
        paired = weighed(logs, 10, pair="order")
        widths = [np.diff(np.log1p([row.change_low, row.change_high]))[0] for row in sorted_rows(paired)]
        own = [np.diff(np.log1p([row.change_low, row.change_high]))[0] for row in sorted_rows(result)]
        assert width == pytest.approx(np.median(np.divide(widths, own)))


def sorted_rows(result):
    return sorted(result, key=lambda row: row.benchmark)


def test_what_one_benchmark_did_on_a_bad_day_is_found_apart_from_the_others():
    dice = np.random.default_rng(7)
    found = {False: 0, True: 0}
    alarms = 0
    for _ in range(10):
        logs = 0.02 * wander(dice, 10) + 0.005 * dice.standard_normal((20, 20))
        alarms += bool({"better", "worse"} & set(verdicts(weighed(logs, 10, apart=True)).values()))
        logs[0, 10:] += 0.02
        for apart in found:
            found[apart] += verdicts(weighed(logs, 10, apart=apart))["b0"] == "worse"
    assert found[True] == 10
    assert found[False] <= 5
    assert alarms <= 2


def test_own_parts_state_what_was_taken_out_and_keep_the_level_of_the_baseline():
    dice = np.random.default_rng(8)
    logs = 0.001 * dice.standard_normal((12, 20)) + np.r_[np.zeros(10), np.full(10, 0.1)]
    logs[0, 10:] += 0.05
    result = weighed(logs, 10, apart=True)
    row = result[0]
    assert row.baseline_centre == pytest.approx(1, rel=0.002)
    assert row.change == pytest.approx(np.expm1(0.05), abs=0.002)
    said = re.compile(
        r"Apart from what all 12 share \(\+10\.[56]%\): 1 of 12 benchmarks slower \(b0 \+5\.\d+%\), 11 unchanged"
    )
    assert said.fullmatch(result.answer.line)
    assert "own-part" in notes_of(result)
    (shared,) = result.arrangement.shared
    assert (shared.rows, shared.change) == (12, pytest.approx(np.expm1(0.1), abs=0.001))


@pytest.mark.parametrize(("count", "unit"), [(12, "B"), (9, "ms"), (1, "ms")])
def test_counts_and_few_benchmarks_have_no_own_part(tmp_path, count, unit):
    sides = [(b, v, r) for b in range(count) for v in ("old", "new") for r in range(6)]
    rows = [f"b{b},{v},{100 + r + (v == 'new')},{unit}" for b, v, r in sides]
    (path,) = write(tmp_path, **{"x.csv": "\n".join(["benchmark,variant,value,unit", *rows, ""])})
    with pytest.raises(Stop, match="no time or rate has ten benchmarks"):
        statera.compare(path, by="variant", apart=True)
