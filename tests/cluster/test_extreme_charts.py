"""Charts of samples at the ends of floating point: finite places, on axes with two different ends."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from statera.cluster.charts import courses, distributions
from statera.cluster.charts import courses as timeline
from statera.cluster.charts.sorted_samples import MetricSamples
from statera.cluster.metrics import METRICS

sys.path.insert(0, str(Path(__file__).parents[1] / "plots"))
from extremes import DATA
from looks import data

from support import every

NO_NUMBER = re.compile(r"\b(NaN|nan|inf|Infinity|undefined)\b")
ONE_A_UNIT = {metric.unit: metric for metric in METRICS}
LABELS = ["old", "new"]


def columns(name, times=1):
    """The samples of a data set as two runs; ``times`` makes many different ones of each."""
    taken = [np.array([value for values in table.values() for value in values]) for table in DATA[name].values()]
    return [np.sort(np.repeat(each, times) * np.linspace(1, 0.5, times * len(each))) for each in taken]


def distribution(metric, runs):
    return distributions.draw(
        metric, LABELS, [MetricSamples(i, run, (), (run, run, run)) for i, run in enumerate(runs)], 720
    )


def course(metric, runs):
    none = np.empty(0)
    found = [
        courses.Course(i, 1, np.arange(float(len(run))), run, run / 2, run, 5, (none, none))
        for i, run in enumerate(runs)
    ]
    means = {i: float(run[0]) for i, run in enumerate(runs)}
    return timeline.draw(metric, LABELS, found, means, epoch_length=None, width=720)


def has_finite_places(picture):
    assert not NO_NUMBER.search(picture.json() + picture.alt)
    *_, chart = picture.spec["vconcat"]
    for layer in chart["layer"]:
        for channel in ("x", "y"):
            low, high = layer["encoding"][channel]["scale"]["domain"]
            assert low < high
            assert np.isfinite(high - low)


@every("name", DATA)
def test_charts_of_extremes_have_finite_places(name):
    for times in (1, 100):
        # Times have a unit of their size, all others one of their own.
        for metric in ONE_A_UNIT.values() if times == 1 else (ONE_A_UNIT["s"], ONE_A_UNIT["#"]):
            runs = columns(name, times)
            has_finite_places(distribution(metric, runs))
            has_finite_places(course(metric, runs))


@pytest.mark.parametrize(("name", "draw"), [("600 decades", distribution), ("both signs of the largest", course)])
def test_charts_of_extremes_are_drawn(name, draw):
    picture = draw(ONE_A_UNIT["s"], columns(name))
    assert not NO_NUMBER.search(picture.svg())
    assert data(picture.spec)
