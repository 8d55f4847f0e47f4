"""Pictures of a suite with several variants of a compiler, a single value each."""

import pytest

import statera
from statera.output import plots


@pytest.fixture
def suite(shared):
    folder = shared / "data/sandmark/old-2019"
    names = ("stock", "multicore", "multicore+parallel", "multicore+stw")
    return statera.compare(*(f"{name}={folder / f'4.06.1+{name}.orun.bench'}" for name in names))


@pytest.mark.parametrize("kind", ["suite", "heatmap", "forest", "scatter"])
def test_every_change_against_the_one_baseline_is_drawn(suite, kind):
    picture = plots.draw(kind, suite, most=1000)
    changes = sum(row.metric == "time_secs" and row.change is not None for row in suite)
    marks = {"suite": "changes", "heatmap": "cells", "forest": "rows", "scatter": "points"}
    assert picture.marks[marks[kind]] == changes
