"""Reports over data that strains them: every section is written, and every picture has finite numbers."""

import json
import re

import material
import pytest
from extremes import DATA, files

from statera.output.plots import inline
from statera.output.report import html, markdown, pdf
from statera.support.settings import Policy
from support import table

NO_NUMBER = re.compile(r"\b(NaN|nan|Infinity|undefined)\b")
RUNS = {
    "largest": [1e308, 1.5e308, 1.7e308, 1.2e308],
    "subnormal": [5e-324, 1e-323, 1.5e-323, 2e-323],
    "wide": [1e-300, 1.0, 1e300, 5e-324],
}


@pytest.fixture
def undrawn(monkeypatch):
    """Pages with the same picture in place of each: to draw them all would take most of the time."""
    monkeypatch.setattr(inline, "drawing", lambda *_: inline.Drawing("<svg></svg>", 1.0, 1.0, follows=True))


@pytest.mark.usefixtures("undrawn")
def test_a_report_of_extremes_is_written(tmp_path):
    for name, data in DATA.items():
        paths = files(tmp_path, data)
        for given, scale in ((paths, "auto"), (paths, "difference"), (paths[:1], "auto")):
            _, document = material.of(given, policy=Policy(scale=scale))
            assert html.page(document)
            assert markdown.report(document)
            for figure in document.figures:
                assert not NO_NUMBER.search(json.dumps(figure.picture.spec)), (name, scale)


def test_pictures_of_a_report_of_extremes_are_drawn(tmp_path):
    for name in ("600 decades", "largest"):
        text = html.page(material.of(files(tmp_path, DATA[name]))[1])
        drawings = re.findall("<svg.*?</svg>", text, re.DOTALL)
        assert drawings
        assert not [each for each in drawings if NO_NUMBER.search(each)], name


def test_a_pdf_of_extremes_is_set(tmp_path):
    for name in ("600 decades", "both signs of the largest"):
        _, document = material.of(files(tmp_path, DATA[name]))
        assert pdf.content(document).startswith(b"%PDF"), name


def test_an_atlas_of_medians_and_averages_of_extreme_runs_is_drawn(tmp_path):
    for name, values in RUNS.items():
        rows = [
            {"benchmark": "a", "value": value, "unit": "s", "process": process}
            for process in range(6)
            for value in values[process % 3 :]
        ]
        path = tmp_path / "runs.csv"
        path.write_text(table(rows))
        figures = material.of([path])[1].figures
        assert "atlas" in [figure.picture.kind for figure in figures], name
        for figure in figures:
            assert not NO_NUMBER.search(figure.picture.json()), name
            assert not NO_NUMBER.search(figure.picture.svg()), name
