"""What is not drawn is said: in the remarks of a picture, and below its title."""

import numpy as np
import pytest
from looks import compared

import statera
from statera.output import plots

CHANCE = np.random.default_rng(5)
MANY = {"a": CHANCE.normal(10, 1, 500)}
FEW = {"n=1": [1, 2, 3], "n=2": [2, 3, 4], "n=4": [4, 5, 6]}
ABOUT_ZERO = {f"n={n}": [n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, -n] for n in (1, 2, 4)}


@pytest.mark.parametrize(
    ("kind", "old", "options", "remark"),
    [
        ("ridgeline", MANY, {}, "of more than 300 values 300 are drawn, evenly"),
        ("qq", MANY, {}, "of more than 400 values 400 are drawn, and all near the ends"),
        ("atlas", MANY, {}, "Q-Q plots of more than 120 values have 120 points, and all near the ends"),
        ("scaling", {**FEW, "plain": [1, 2]}, {}, "1 benchmark without a number left out"),
        ("scaling", ABOUT_ZERO, {"log": True}, "6 intervals down to zero or below end with a logarithmic axis"),
        ("suite", ABOUT_ZERO, {"log": True}, "6 intervals down to zero or below end with a logarithmic axis"),
        ("shift", {**FEW, "one": [1]}, {}, "1 benchmark without a shift function left out"),
    ],
)
def test_what_is_not_drawn_is_said(tmp_path, kind, old, options, remark):
    new = {name: np.asarray(values) + 0.5 for name, values in old.items()}
    new = {name: np.where(np.asarray(old[name]) < 0, old[name], values) for name, values in new.items()}
    picture = plots.draw(kind, compared(tmp_path, old=old, new=new), **options)
    assert remark in picture.remarks
    below = " ".join(picture.spec["title"]["subtitle"]).lower()
    assert remark.lower() in below


def test_a_suite_says_which_changes_it_has_no_bars_for(tmp_path):
    tables = {label: {"a": [10 + i, 11 + i, 12 + i]} for i, label in enumerate(("one", "two", "three"))}
    compared(tmp_path, **tables)
    source = statera.compare(*[f"{label}={tmp_path / f'{label}.csv'}" for label in tables], pairs="all")
    assert "1 change against other variants left out" in plots.draw("suite", source).remarks
