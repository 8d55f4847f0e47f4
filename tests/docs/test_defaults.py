"""Defaults that the documentation states are those of the code."""

import re

import pytest

from statera.support.settings import Limits, Policy
from statera.support.settings.limits import parse_size
from statera.support.settings.policy import CORRECTIONS
from support import ROOT

PELT = ROOT / "crates/kernels/src/pelt.rs"


def plain(path):
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "path",
    [
        "docs/statistics.md",
        "docs/stats/segments.md",
        "src/statera/stats/series.py",
        "crates/kernels/src/pelt.rs",
    ],
)
def test_the_penalty_of_a_change_point_is_the_one_that_is_used(path):
    code = PELT.read_text(encoding="utf-8")
    a, b, least = re.search(r"\((\S+)\.0 \* \(n as f64\)\.ln\(\) \+ (\S+)\.0\)\.max\((\S+)\.0\)", code).groups()
    stated = re.findall(r"(\S+) ln n \+ (\d+)(?: and at least (\d+))?", plain(path))
    assert stated == [(a, b, least)]


def table(heading):
    """The rows of the table of settings.md with this heading, by the name in their first cell."""
    text = (ROOT / "docs/settings.md").read_text(encoding="utf-8").partition(heading)[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:]] for line in text.splitlines() if line[:3] == "| `"]
    return {row[0].strip("`"): row for row in rows}


def test_the_defaults_of_the_page_of_settings_are_those_of_the_code():
    settings = table("| setting | option | default |")
    for name, value in Policy()._asdict().items():
        if name not in {"margins", "directions", "noise"}:
            assert settings[name][2].strip('`"') == str(value).lower(), name
    limits = table("| limit | default |")
    for name, value in Limits()._asdict().items():
        assert parse_size(limits[name][1]) == value, name


def test_the_guide_names_the_default_correction_and_every_other():
    family = plain("docs/compare.md").partition("## The correction and its family")[2].partition(" ## ")[0]
    assert f"default is `{Policy().correction}`" in family
    assert set(re.findall(r"`([a-z-]+)`", family)) >= set(CORRECTIONS)
