import numpy as np
import pytest
from looks import compared, data, is_drawn

from statera.output import plots
from statera.support.errors import Stop


def test_points_and_bands_are_the_shift_function(tmp_path):
    rng = np.random.default_rng(3)
    comparison = compared(tmp_path, old={"a": rng.normal(10, 1, 80)}, new={"a": rng.normal(12, 1, 80)})
    picture = plots.draw("shift", comparison)
    (points,) = comparison.distribution().shifts.values()
    drawn = {row["level"]: row for row in data(picture.spec) if "supported" in row}
    assert [drawn[level]["value"] for level in sorted(drawn)] == pytest.approx(
        [point.change for point in points], rel=1e-6
    )
    for point in points:
        row = drawn[round(100 * point.level, 7)]
        assert row["supported"] == point.supported
        if point.supported:
            assert (row["low"], row["high"]) == pytest.approx((point.low, point.high), rel=1e-6)
    supported = sum(point.supported for point in points)
    assert picture.marks == {"panels": 1, "points": len(points), "bands": supported}
    assert 0 < supported < len(points)
    assert "hollow points have too few values for a band" in picture.remarks
    assert "higher at" in picture.alt
    is_drawn(picture)


def test_what_the_band_does_not_show_is_not_told(tmp_path):
    rng = np.random.default_rng(4)
    picture = plots.draw(
        "shift", compared(tmp_path, old={"a": rng.normal(10, 1, 50)}, new={"a": rng.normal(10, 1, 50)})
    )
    assert "no difference shown at any percentile" in picture.alt


def test_differences_have_their_unit(tmp_path):
    old, new = {"a": [-5.0, -4, -3, -5, 0]}, {"a": [-9.0, -8, -9, -7, 1]}
    picture = plots.draw("shift", compared(tmp_path, old=old, new=new))
    assert '"change (points)"' in picture.json()
    assert picture.marks["bands"] == 0
    is_drawn(picture)


def test_one_value_has_no_shift_function(tmp_path):
    with pytest.raises(Stop, match="several values"):
        plots.draw("shift", compared(tmp_path, old={"a": [1]}, new={"a": [2]}))
