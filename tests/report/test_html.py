"""The HTML report: one file, nothing fetched, nothing run but its own script, names as text."""

import base64
import gzip
import hashlib
import re
from html.parser import HTMLParser

import pytest
from material import of, pair, suite

from statera.report import html
from statera.views import csv


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and the text outside scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.raw, self._open = [], [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data):
        (self.raw.setdefault(self._open[-1], []) if self._open else self.texts).append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def text(self):
        return "".join(self.texts)


@pytest.fixture
def made(tmp_path):
    material, document = of(pair(tmp_path))
    return material, document, html.text(document)


def test_only_its_own_scripts_and_styles_are_allowed(made):
    text = made[2]
    (policy,) = [each["content"] for each in Page(text).all("meta") if "http-equiv" in each]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    allowed = set(re.findall(r"'(sha256-[^']+)'", policy))
    bodies = re.findall(r"<(script|style)>(.*?)</\1>", text, re.DOTALL)
    hashes = {f"sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}" for _, body in bodies}
    assert hashes == allowed
    data = [each for each in Page(text).all("script") if each]
    assert {each["type"] for each in data} <= {"application/json"}


def test_nothing_is_fetched_and_no_attribute_runs(made):
    for tag, attrs in Page(made[2]).elements:
        assert not any(name.startswith("on") or name == "style" for name in attrs), (tag, attrs)
        for name in ("src", "href"):
            assert name not in attrs or attrs[name].startswith(("#", "data:")), attrs
        assert tag not in {"link", "iframe", "object", "embed", "base", "form"}


def test_every_section_and_heading_stands_in_the_contents(made):
    page = Page(made[2])
    targets = [each["href"][1:] for each in page.all("a") if each["href"].startswith("#")]
    ids = {each["id"] for _, each in page.elements if "id" in each}
    assert set(targets) <= ids
    assert {section.key for section in made[1].sections} <= set(targets)


def test_tables_keep_their_rows_and_the_keys_that_sort_them(made):
    material, document, text = made
    tables = [block for section in document.sections for block in section.blocks if type(block).__name__ == "Table"]
    assert len(Page(text).all("table")) == len(tables)
    assert len(Page(text).all("tr")) == sum(len(table.rows) + 1 for table in tables)
    keys = {each["data-key"] for each in Page(text).all("td") if "data-key" in each}
    assert str(material.comparison[0].change) in keys
    assert all(each.get("scope") in {"col", "row"} for each in Page(text).all("th"))


def test_large_tables_can_be_searched_and_say_their_limits(tmp_path):
    text = html.text(of(suite(tmp_path, 1100))[1])
    page = Page(text)
    assert len([each for each in page.all("input") if each["type"] == "search"]) >= 3
    assert "1,000 of 1,100 rows are shown, the most important; rows.csv has all of them." in page.text


def test_the_full_data_can_be_downloaded(made):
    material, _, text = made
    (link,) = [each for each in Page(text).all("a") if each.get("download") == "rows.csv"]
    kind, _, data = link["href"].partition(",")
    assert kind == "data:text/csv;base64"
    assert base64.b64decode(data).decode() == csv.text(material.comparison)


def test_much_data_is_compressed(tmp_path):
    material, document = of(suite(tmp_path, 1100))
    (link,) = [each for each in Page(html.text(document)).all("a") if each.get("download") == "rows.csv.gz"]
    data = base64.b64decode(link["href"].partition(",")[2])
    assert gzip.decompress(data).decode() == csv.text(material.comparison)


def test_pictures_carry_their_data_and_words(made):
    _, document, text = made
    page = Page(text)
    drawn = [each for _, each in page.elements if each.get("role") == "img"]
    assert len(drawn) == len(document.figures) > 0
    for figure, each in zip(document.figures, drawn, strict=True):
        assert figure.picture.title in each["aria-label"]
    assert text.count('<script type="application/json">') == len(drawn)


def test_a_report_without_pictures_needs_no_library(tmp_path):
    text = html.text(of(pair(tmp_path), benchmarks=("NoSuch",))[1])
    assert "vegaEmbed =" not in text
    assert len(text) < 100_000


def test_the_same_report_is_the_same_bytes(tmp_path):
    paths = pair(tmp_path)
    assert html.text(of(paths)[1]) == html.text(of(paths)[1])
