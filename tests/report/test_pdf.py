"""The PDF report, read back: text, pages, contents, attachments."""

import io
import re

import pytest
from material import of, pair, suite

from statera.output.report import pdf
from statera.output.views import csv
from statera.support.wording import shown

pypdf = pytest.importorskip("pypdf")


def read(document):
    reader = pypdf.PdfReader(io.BytesIO(pdf.content(document)))
    # A blank of no width stands where a long word may break.
    return reader, [page.extract_text().replace("\u200b", "") for page in reader.pages]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    material, document = of(pair(tmp_path_factory.mktemp("pair")), title="Two builds")
    return material, document, *read(document)


def test_it_has_a_title_contents_and_numbered_pages(made):
    _, document, reader, pages = made
    assert reader.metadata.title == "Two builds: new against old"
    assert "Two builds" in pages[0]
    for section in document.sections:
        assert section.title in pages[0]
    for number, page in enumerate(pages, 1):
        assert f"{number} / {len(pages)}" in page
    assert 4 <= len(pages) <= 12


def test_its_outline_names_every_section(made):
    _, document, reader, _ = made
    named = [each.title for each in reader.outline if not isinstance(each, list)]
    assert named == [section.title for section in document.sections]


def test_pages_run_under_the_title_and_the_section(made):
    _, document, _, pages = made
    places = {f"Two builds: new against old {section.title}" for section in document.sections}
    assert all(page.splitlines()[0] in places for page in pages[1:])


def test_every_number_of_the_results_stands_in_it(made):
    material, _, _, pages = made
    text = " ".join(pages).replace("\n", " ")
    for index in range(len(material.comparison)):
        for column in ("benchmark", "change", "interval"):
            assert shown(material.comparison.weighing.cell(index, column)) in text


def test_the_full_data_is_attached(made):
    material, _, reader, _ = made
    held = {name: content[0] for name, content in reader.attachments.items()}
    assert held["rows.csv"].decode() == csv.comparison_table(material.comparison)


def test_heads_repeat_and_limits_are_said(tmp_path):
    _, pages = read(of(suite(tmp_path, 400), metrics=("sec/op",))[1])
    text = "\n".join(pages)
    assert "100 of 400 rows are shown" in text
    with_rows = [page for page in pages if re.search(r"^Case\d+ worse ", page, re.MULTILINE)]
    assert len(with_rows) >= 3
    assert all("benchmark verdict typical change" in page for page in with_rows)


def test_pictures_are_vectors_with_text(made):
    _, document, reader, pages = made
    assert document.figures
    assert any(f"Figure {1}." in page for page in pages)
    assert not any(page.images for page in reader.pages)
