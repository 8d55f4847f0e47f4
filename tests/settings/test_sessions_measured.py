"""The setting `session`, measured: how much sessions of one build differ, beyond what their runs show."""

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

import statera
from statera._native import chi_squared_quantile, t_quantile
from statera.comparison.verdicts.inspection import percent_up
from statera.comparison.weighing.self_test import _Difference, _measured, _pairs
from statera.support.settings.file import from_mapping
from support import every, write


def sessions(folder, shifts, *, seed=1, runs=10, noise=0.01, unit="s"):
    """Write a file for each session: ``shifts`` has the shift of each benchmark in each session."""
    dice = np.random.default_rng(seed)
    shifts = np.asarray(shifts)
    values = np.exp(shifts[..., None] + noise * dice.standard_normal((*shifts.shape, runs)))
    texts = {
        f"s{place:02}.csv": "\n".join(
            ["benchmark,value,unit", *(f"b{i},{v:.8f},{unit}" for i, own in enumerate(side) for v in own), ""]
        )
        for place, side in enumerate(values)
    }
    return write(folder, **texts)


def measured(paths):
    return statera.inspect(*paths, aa=True, splits=1).self_test.sessions


@pytest.mark.parametrize("deviation", [0.005, 0.02])
def test_the_deviation_of_sessions_is_found_beside_the_noise_of_their_runs(tmp_path, deviation):
    shifts = deviation * np.random.default_rng(2).standard_normal((6, 20))
    found = measured(sessions(tmp_path, shifts))
    assert (found.sessions, found.benchmarks, found.together, found.degrees) == (6, 20, False, 100)
    # Its error is 1 / sqrt(2 * 100) = 7 %, and the runs add to it.
    assert found.deviation == pytest.approx(deviation, rel=0.25)
    assert found.certain
    assert found.deviation < found.upper < 1.5 * found.deviation


def test_without_run_noise_it_is_the_standard_deviation_of_the_sessions(tmp_path):
    shifts = 0.02 * np.random.default_rng(3).standard_normal((4, 1))
    found = measured(sessions(tmp_path, shifts, noise=1e-5))
    # One benchmark is its own mean: the bound is that of a normal sample.
    expected = math.expm1(shifts.std(ddof=1))
    assert found.deviation == pytest.approx(expected, rel=1e-3)
    bound = shifts.std(ddof=1) * math.sqrt(3 / stats.chi2.ppf(0.05, 3))
    assert found.upper == pytest.approx(math.expm1(bound), rel=1e-3)


def test_sessions_whose_benchmarks_move_together_count_once(tmp_path):
    shifts = 0.01 * np.random.default_rng(4).standard_normal((5, 1)) * np.ones(20)
    found = measured(sessions(tmp_path, shifts))
    assert (found.together, found.degrees, found.certain) == (True, 4, True)
    assert found.upper > 2 * found.deviation


def test_noise_of_runs_is_not_taken_for_sessions_and_the_proposal_is_not_zero(run, tmp_path):
    paths = sessions(tmp_path, np.zeros((5, 20)), seed=5)
    found = measured(paths)
    assert not found.certain
    assert found.deviation < 0.002
    lines = run("inspect", "--aa", *paths, "--propose", "--no-config").out.splitlines()
    assert lines[0].startswith("# Sessions of this build differ by no more than their runs explain (5 sessions, 20 ben")
    assert lines[3] == f'session = "{percent_up(min(found.upper, 0.005))}"'


def test_two_sessions_say_how_little_they_tell(run, tmp_path):
    paths = sessions(tmp_path, [[0.0] * 4, [0.03] * 4])
    found = measured(paths)
    assert (found.sessions, found.degrees) == (2, 1)
    said = run("inspect", "--aa", *paths, "--no-config").out
    assert f"differ by {percent_up(found.deviation)} (standard deviation; 2 sessions, 4 benchmarks, 95% bound" in said
    assert "): two sessions tell little." in said


def test_the_proposed_line_is_a_setting_that_keeps_the_sessions_from_being_called(run, tmp_path):
    shifts = 0.02 * np.random.default_rng(6).standard_normal((4, 20))
    paths = sessions(tmp_path, shifts, noise=0.003)
    called = {}
    for name, text in (
        ("without", "session = 0.0\n"),
        ("with", run("inspect", "--aa", *paths, "--propose", "--no-config").out),
    ):
        (tmp_path / "statera.toml").write_text(text)
        document = json.loads(run("compare", *paths[:2], "-f", "json", cwd=tmp_path).out)
        called[name] = sum(row["verdict"] in {"better", "worse"} for row in document["rows"])
    assert document["policy"]["session"] == pytest.approx(measured(paths).deviation, abs=0.001)
    assert called["without"] > 10
    assert called["with"] <= 2


def test_the_setting_may_be_per_cent():
    assert from_mapping({"session": "0.8%"}, "statera.toml").session == pytest.approx(0.008)
    assert from_mapping({"session": 0.008}, "statera.toml").session == 0.008


def test_only_times_of_sessions_in_one_file_each_are_measured(tmp_path):
    shifts = 0.02 * np.random.default_rng(7).standard_normal((4, 3))
    counts = sessions(tmp_path, shifts, unit="B")
    assert measured(counts) is None
    times = sessions(tmp_path, shifts)
    assert measured(times[:1]) is None
    assert measured([f"one={times[0]}", f"one={times[1]}", f"two={times[2]}", f"two={times[3]}"]) is None


def test_json_has_every_field(run, tmp_path):
    paths = sessions(tmp_path, [[0.0], [0.01], [0.02]])
    document = json.loads(run("inspect", "--aa", *paths, "-f", "json", "--no-config").out)
    assert document["self_test"]["sessions"] == pytest.approx(asdict(measured(paths)))


@every("count", [2, 3, 14, 15, 31, 150])
def test_every_session_is_in_equally_many_pairs(count):
    pairs = _pairs(count)
    each = np.bincount(np.ravel(pairs), minlength=count)
    assert len(set(pairs)) == len(pairs) <= max(100, count)
    assert set(each) <= {each[0]}
    assert each[0] == count - 1 or count > 14


@every("level", [0.05, 0.95])
def test_quantiles_are_those_of_scipy(level):
    for degrees in (1, 2, 7, 400, 1000):
        assert chi_squared_quantile(level, degrees) == pytest.approx(stats.chi2.ppf(level, degrees), rel=1e-9)
    for degrees in (1, 4, 8, 18, 60):
        assert t_quantile(0.975, degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)


def test_a_bound_is_not_zero_where_sessions_differ_less_than_their_runs_explain():
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    calm = [_Difference(pair, 0.001, 0.01**2) for pair in pairs for _ in range(10)]
    found = _measured(calm, 10)
    assert (found.deviation, found.certain) == (0, False)
    assert found.upper > 0
    # Values that a coarse clock made equal have no noise.
    equal = [_Difference(pair, 0.0, 0.0) for pair in pairs]
    assert (_measured(equal, 1).deviation, _measured(equal, 1).upper) == (0, 0)
    assert _measured([*equal, _Difference(("a", "b"), 0.01, 0.0)], 2).deviation > 0
