"""Defaults that the documentation states are those of the code."""

import re

import pytest

from statera.support.settings import Policy
from statera.support.settings.policy import CORRECTIONS
from support import ROOT

PELT = ROOT / "crates/kernels/src/pelt.rs"


def plain(path):
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "path",
    ["docs/statistics.md", "docs/stats/segments.md", "src/statera/stats/series.py", "crates/kernels/src/pelt.rs"],
)
def test_the_penalty_of_a_change_point_is_the_one_that_is_used(path):
    code = PELT.read_text(encoding="utf-8")
    a, b, least = re.search(r"\((\S+)\.0 \* \(n as f64\)\.ln\(\) \+ (\S+)\.0\)\.max\((\S+)\.0\)", code).groups()
    stated = re.findall(r"(\S+) ln n \+ (\d+)(?: and at least (\d+))?", plain(path))
    assert stated == [(a, b, least)]


def test_the_guide_names_the_default_correction_and_every_other():
    family = plain("docs/compare.md").partition("## The correction and its family")[2].partition(" ## ")[0]
    assert f"default is `{Policy().correction}`" in family
    assert set(re.findall(r"`([a-z-]+)`", family)) >= set(CORRECTIONS)
