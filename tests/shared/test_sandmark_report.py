"""Sandmark's variants: one command gives the report of a suite, with the figures that pandas gives."""

import json
import re

import pandas as pd
import pytest

from statera import _native

pypdf = pytest.importorskip("pypdf")
VARIANTS = {"stock": "stock", "multicore": "multicore", "stw": "multicore+stw"}
LEVELS = [0.10, 0.25, 0.50, 0.75, 0.95, 0.99]


def path_of(shared, name):
    return shared / f"data/sandmark/old-2019/4.06.1+{VARIANTS[name]}.orun.bench"


def orun(path):
    records = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return pd.Series({record["name"]: record["time_secs"] for record in records if "name" in record})


@pytest.fixture
def made(shared, run, tmp_path):
    paths = [f"{name}={path_of(shared, name)}" for name in VARIANTS]
    result = run("report", *paths, "--metric", "time_secs", "-o", "r.html", "-o", "r.pdf")
    assert (result.code, result.err) == (0, "")
    reader = pypdf.PdfReader(tmp_path / "r.pdf")
    pages = [page.extract_text().replace("\u200b", "") for page in reader.pages]
    return {"html": (tmp_path / "r.html").read_text(), "pdf": re.sub(r"\s+", " ", " ".join(pages))}


@pytest.mark.parametrize("name", ["multicore", "stw"])
def test_the_figures_are_those_of_pandas(shared, made, name):
    change = (orun(path_of(shared, name)) / orun(path_of(shared, "stock")) - 1).dropna()
    wanted = [*change.quantile(LEVELS), change.mean()]
    for text in made.values():
        for value in wanted:
            assert _native.percent(value) in text
        for benchmark in change.sort_values(ascending=False).index[:3]:
            assert benchmark in text
    low, middle, high = (_native.percent(each) for each in change.quantile([0.25, 0.5, 0.75]))
    assert f"half of the changes lie from {low} to {high}, their median is {middle}" in made["pdf"]


def test_it_is_described_and_not_judged(made):
    assert "described and not judged" in made["pdf"]
    assert "The geometric mean has no interval" in made["pdf"]
    assert "88 not judged (one value per build)" in made["pdf"]
    assert "The suite as a whole" in made["html"]


def test_bars_show_absolute_and_normalised_values(made):
    drawn = re.findall(r"<svg[^>]*><title[^>]*>([^<]*)</title>(.*?)</svg>", made["html"], re.DOTALL)
    text = next(svg for title, svg in drawn if title.startswith("time_secs"))
    assert "game_of_life.256" in text
    assert "+23.8%" in text
