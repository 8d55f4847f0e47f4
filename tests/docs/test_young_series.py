"""The delays of docs/history.md are those of the detector."""

import re
from statistics import median

import numpy as np
import pytest

from statera import stats
from support import ROOT

ROWS = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \|$", (ROOT / "docs/history.md").read_text(), re.MULTILINE)


def delay(chance, before, size):
    """The number of values until a change is told."""
    values = 100 * (1 + 0.02 * chance.standard_normal(before + 60))
    values[before:] *= size
    alarms = stats.change_points(values).alarms
    return next((alarm.raised - before + 1 for alarm in alarms if abs(alarm.place - before) <= 3), 60)


def test_the_table_is_there():
    assert len(ROWS) == 6


@pytest.mark.later
@pytest.mark.parametrize(("before", "small", "large"), [tuple(map(int, row)) for row in ROWS])
def test_half_of_the_changes_are_told_by_then(before, small, large):
    for size, stated in ((1.1, small), (1.3, large)):
        found = median(delay(np.random.default_rng([before, number]), before, size) for number in range(200))
        assert abs(found - stated) <= 1, (size, found)
