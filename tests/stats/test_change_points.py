"""The detector of changes: equal to a naive model, and what must not matter does not."""

from __future__ import annotations

import math

import change_points_model as model
import numpy as np
import pytest

from statera import stats
from statera.support.settings.detector import Detector
from support import every

_NOISES = ("normal", "lognormal", "two levels", "spikes", "autoregressive", "cycle", "coarse", "counts")


def _noise(kind: str, rng: np.random.Generator, n: int) -> list[float]:
    before, values = 0.0, []
    for i in range(n):
        value = rng.normal(0, 0.02)
        if kind == "lognormal":
            value = math.exp(rng.normal(0, 0.3)) / 10
        elif kind == "two levels":
            value += 0.2 * (rng.random() < 0.2)
        elif kind == "spikes":
            value += rng.uniform(0.2, 2) * (rng.random() < 0.02)
        elif kind == "autoregressive":
            value = before = 0.5 * before + value
        elif kind == "cycle":
            value += 0.02 * math.sin(2 * math.pi * i / 24)
        elif kind == "coarse":
            value = round(value * 50) / 50
        elif kind == "counts":
            value = float(rng.random() < 0.05)
        values.append(value)
    return values


def _series(seed: int) -> list[float]:
    """Make a series of some noise, with up to three steps, every third on a slope."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice((12, 20, 35, 60, 90, 130)))
    noise = _noise(str(rng.choice(_NOISES)), rng, n)
    steps = [(int(rng.integers(n)), rng.choice((0.02, 0.05, 0.1, 0.3, -0.05, -0.2))) for _ in range(rng.integers(4))]
    sign = rng.choice((1, 1, 1, 0))
    slope = 0.015 if seed % 3 == 0 else 0.0
    level = [sum(size for place, size in steps if i >= place) + slope * i for i in range(n)]
    return [3 * sign + each + at for each, at in zip(noise, level, strict=True)]


def _same(values: list[float], places: set[int]) -> None:
    found = stats.change_points(values, places=[i in places for i in range(len(values))])
    logs = [math.log(value) for value in values] if min(values) > 0 else values
    assert [(alarm.place, alarm.raised) for alarm in found.alarms] == model.alarms(logs, places)
    expected = model.points(logs, places)
    assert [(each.place, each.first, each.last) for each in found.points] == [
        (each.place, each.first, each.last) for each in expected
    ]
    back = math.log1p if found.scale == "ratio" else float
    for each, of in zip(found.points, expected, strict=True):
        numbers = [back(each.change), back(each.size.low), back(each.size.high)]
        assert numbers == pytest.approx([of.size, of.low, of.high], rel=1e-9, abs=1e-12)
        assert each.p == pytest.approx(of.p, rel=1e-9, abs=0)


def test_its_constants_are_those_of_the_definition() -> None:
    of = Detector()
    assert of[:3] == (model.MEMORY, model.LONGEST, model.FIRST_LOOK)
    assert of.size_errors == model.NORMAL_975
    for n in (11, 200, 201, 1000, 1200):
        assert of.per_log * math.log(max(n, of.least_length)) + of.base == pytest.approx(model.threshold(n))
        assert max(3, min(of.longest, int(of.reach * n))) == model.reach(n)


@pytest.mark.parametrize("part", [0, 1, *(pytest.param(part, marks=pytest.mark.later) for part in range(2, 10))])
def test_it_is_its_definition(part: int) -> None:
    for seed in range(part * 60, part * 60 + 60):
        values = _series(seed)
        _same(values, set(range(len(values))))


@every("seed", range(40))
def test_it_is_its_definition_with_several_measurements_of_a_commit(seed: int) -> None:
    values = _series(seed)
    rng = np.random.default_rng(seed)
    _same(values, {i for i in range(len(values)) if i == 0 or rng.random() < 0.6})


def test_it_is_its_definition_beyond_the_memory() -> None:
    rng = np.random.default_rng(5)
    level = [1.0 + 0.06 * (i >= 700) + 0.1 * (i >= 1250) for i in range(1400)]
    values = [at * math.exp(rng.normal(0, 0.03)) for at in level]
    found = stats.change_points(values)
    assert len(found.points) == 2
    _same(values, set(range(len(values))))


@every("seed", [9, 90, 132, 176])
def test_changes_close_to_each_other_keep_apart(seed: int) -> None:
    # With hindsight a point moves by up to ten values, and so does its neighbour.
    rng = np.random.default_rng(seed)
    values = 100 + 2 * rng.standard_normal(120)
    for _ in range(4):
        begin = int(rng.integers(60, 90))
        values[begin:] += float(rng.choice([-20, -10, 10, 20]))
    found = stats.change_points(values)
    places = [point.place for point in found.points]
    assert len(places) > 1
    assert places == sorted(set(places))
    _same(values.tolist(), set(range(len(values))))


def test_unit_and_sign_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    values = [100 * (1.2 if i >= 30 else 1.0) * math.exp(rng.normal(0, 0.02)) for i in range(60)]
    found = stats.change_points(values)
    for unit in (1e-9, 1e3, 1e200):
        other = stats.change_points([value * unit for value in values])
        assert other.alarms == found.alarms
        assert [each.change for each in other.points] == pytest.approx([each.change for each in found.points])
    above = stats.change_points([value - 110 for value in values])
    below = stats.change_points([200 - value for value in values])
    assert above.alarms
    assert above.alarms == stats.change_points([value - 1000 for value in values]).alarms
    assert [-each.change for each in above.points] == pytest.approx(
        [each.change for each in stats.change_points([-value for value in [v - 110 for v in values]]).points]
    )
    assert above.scale == "difference"
    assert below.scale == "ratio"


def test_what_is_told_never_depends_on_how_often_somebody_looks() -> None:
    rng = np.random.default_rng(8)
    values = [100 * (1 + 0.1 * (i >= 150)) * math.exp(rng.normal(0, 0.02)) for i in range(260)]
    whole = stats.change_points(values).alarms
    assert whole
    for n in range(1, 261, 5):
        early = stats.change_points(values[:n]).alarms
        assert [(each.place, each.raised) for each in early] == [
            (each.place, each.raised) for each in whole if each.raised < n
        ]


def test_too_few_values_tell_nothing_and_say_so() -> None:
    found = stats.change_points([1.0] * 5 + [9.0] * 5)
    assert found.points == ()
    assert found.warnings == ("too few values: 11 are needed",)
    assert found.noise is None


def test_the_newest_value_outside_is_suspect() -> None:
    rng = np.random.default_rng(1)
    values = [100 * math.exp(rng.normal(0, 0.01)) for _ in range(60)]
    assert stats.change_points(values).suspect is None
    found = stats.change_points([*values, 130.0])
    assert found.suspect is not None
    assert (found.suspect.place, found.suspect.values) == (60, 1)
    back = stats.change_points([*values, 130.0, 100.0])
    assert back.suspect is None
    assert [(spike.place, spike.values) for spike in back.spikes] == [(60, 1)]


@every(("begin", "by", "raised"), [(15, 0.04, 18), (0, 0.015, 27)])
def test_a_level_that_climbs_is_told_and_stays_told(begin: int, by: float, raised: int) -> None:
    rng = np.random.default_rng(2)
    values = [(1 + by) ** max(i - begin + 1, 0) * math.exp(rng.normal(0, 0.012)) for i in range(40)]
    found = stats.change_points(values)
    assert [(alarm.raised, alarm.withdrawn) for alarm in found.alarms][:1] == [(raised, False)]
    point = found.points[0]
    assert point.change > 0.2
    assert begin <= point.first <= point.place <= raised
    # No value came back.
    assert found.spikes == ()
    settled = stats.change_points([*values, *(values[-1] * math.exp(rng.normal(0, 0.012)) for _ in range(60))])
    assert (settled.points[0].raised, settled.points[0].returns) == (raised, False)


def test_a_count_that_climbs_from_zero_is_a_change() -> None:
    rng = np.random.default_rng(4)
    values = [0.0] * 10 + [120.0 * i + rng.normal(0, 8) for i in range(1, 21)]
    (point,) = stats.change_points(values).points
    assert point.raised == 12
    assert point.change > 1000


def test_places_must_fit() -> None:
    with pytest.raises(ValueError, match="as many as the values, 3, not 2"):
        stats.change_points([1, 2, 3], places=[True, True])
    with pytest.raises(ValueError, match="has no values"):
        stats.change_points([])
    with pytest.raises(ValueError, match="must be finite"):
        stats.change_points([1, float("nan"), 3])


@every(("errors", "level"), [(1.959963984540054, 0.95), (2.5758293035489004, 0.99), (1.0, 0.6826894)])
def test_the_level_of_sizes_follows_from_their_width(errors: float, level: float) -> None:
    values = [1.0, 1.01, 0.99] * 10 + [2.0, 2.02, 1.98] * 10
    usual = stats.change_points(values).points[0].size
    (point,) = stats.change_points(values, detector=Detector(size_errors=errors)).points
    assert point.size.level == pytest.approx(level, abs=1e-7)
    wide, wide_usual = (math.log1p(each.high) - math.log1p(each.low) for each in (point.size, usual))
    assert wide / wide_usual == pytest.approx(errors / 1.959963984540054)
