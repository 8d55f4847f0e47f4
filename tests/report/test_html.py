"""The HTML report: one file, nothing fetched, nothing run but its own script, names as text."""

import base64
import gzip
import hashlib
import json
import re
import statistics
from dataclasses import replace
from html import escape

import pytest
from material import of, pair, suite
from reading_back import Page

from statera.output.report import html
from statera.output.report.model import (
    Card,
    Cell,
    Column,
    Document,
    Fold,
    Group,
    Interval,
    Prose,
    Sampled,
    Section,
    Table,
)
from statera.output.views.json import comparison_table
from support import go, noisy


def unpacked(text, name):
    """Give the compressed data of a page."""
    return gzip.decompress(base64.b64decode(re.search(rf'id="{name}">([^<]*)<', text)[1]))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    material, document = of(pair(tmp_path_factory.mktemp("pair")))
    return material, document, html.page(document)


def test_only_its_own_scripts_and_styles_are_allowed(made):
    text = made[2]
    (policy,) = [each["content"] for each in Page(text).all("meta") if "http-equiv" in each]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    allowed = set(re.findall(r"'(sha256-[^']+)'", policy))
    bodies = re.findall(r"<(script|style)>(.*?)</\1>", text, re.DOTALL)
    run = [body for _, body in bodies] + [unpacked(text, "library").decode()]
    assert {f"sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}" for body in run} == allowed
    data = [each for each in Page(text).all("script") if each]
    assert {each["type"] for each in data} == {"application/json", "text/plain"}


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
    tables = [block for block in document.blocks if isinstance(block, Table)]
    assert len(Page(text).all("table")) == len(tables)
    assert len(Page(text).all("tr")) == sum(len(table.rows) + len(table.groups) + 1 for table in tables)
    keys = [float(each["data-key"]) for each in Page(text).all("td") if "data-key" in each]
    assert material.comparison[0].change in [pytest.approx(key, rel=1e-5) for key in keys]
    assert all(each.get("scope") in {"col", "row"} for each in Page(text).all("th"))


def test_long_names_beside_numbers_are_short_and_have_their_whole_name(tmp_path):
    names = [f"example.com/{'storage/engine/' * 6}Read/size={size}" for size in (1, 2)]
    labels = ["a" * 40 + "-left", "b" * 40 + "-right"]
    paths = []
    for label, size in zip(labels, (100, 120), strict=True):
        path = tmp_path / label[:1]
        path.write_text(go({name: noisy(size, 12, seed=size) for name in names}))
        paths.append(f"{label}={path}")
    page = Page(html.page(of(paths)[1]))
    assert [each["title"] for each in page.all("span") if each.get("class") == "short"] == names
    heads = [each["title"] for each in page.all("th") if "title" in each]
    assert heads[:2] == labels


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    material, document = of(suite(tmp_path_factory.mktemp("suite"), 1100))
    return material, Page(html.page(document))


def test_large_tables_can_be_searched_and_say_their_limits(large):
    page = large[1]
    assert len([each for each in page.all("input") if each["type"] == "search"]) >= 3
    assert "1,000 of 1,100 rows are shown, the most important; rows.csv has all of them." in page.text


def test_the_full_data_can_be_downloaded(made):
    material, _, text = made
    (link,) = [each for each in Page(text).all("a") if each.get("download") == "rows.csv"]
    kind, _, data = link["href"].partition(",")
    assert kind == "data:text/csv;base64"
    assert base64.b64decode(data).decode() == comparison_table(material.comparison)


def test_much_data_is_compressed(large):
    material, page = large
    (link,) = [each for each in page.all("a") if each.get("download") == "rows.csv.gz"]
    data = base64.b64decode(link["href"].partition(",")[2])
    assert gzip.decompress(data).decode() == comparison_table(material.comparison)


def test_pictures_carry_their_data_and_words(made):
    _, document, text = made
    page = Page(text)
    drawn = [each for _, each in page.elements if each.get("role") == "img"]
    assert len(drawn) == len(document.figures) > 0
    for number, (figure, each) in enumerate(zip(document.figures, drawn, strict=True), 1):
        assert each["aria-labelledby"] == f"figure-{number}-title figure-{number}-desc"
        assert f'<title id="figure-{number}-title">{escape(figure.picture.title)}</title>' in text
        assert f'<desc id="figure-{number}-desc">{escape(figure.picture.alt)}</desc>' in text
    assert len(json.loads(unpacked(text, "shapes"))["pictures"]) == len(drawn)


def test_the_values_of_rows_travel_with_the_page_suspects_first(made):
    material, document, text = made
    held = json.loads(unpacked(text, "samples"))
    anchors = [anchor for block in document.blocks if isinstance(block, Table) for anchor in block.anchors]
    assert set(held) <= set(anchors)
    assert next(iter(held)).startswith("row-Slow")
    row = held[next(iter(held))]
    assert row["unit"] == "ns"
    assert [(label, len(values)) for label, values in row["sides"]] == [("old", 30), ("new", 30)]
    assert statistics.median(row["sides"][0][1]) == pytest.approx(
        material.comparison[0].baseline_centre * 1e9, rel=0.01
    )


def test_the_banner_links_to_what_the_page_has(made):
    page = Page(made[2])
    (line,) = [attrs for tag, attrs in page.elements if attrs.get("class") == "line"]
    assert line is not None
    assert made[0].comparison.answer.line in page.text
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [each["href"][1:] for each in page.all("a") if each["href"].startswith("#")]
    assert set(links) <= set(ids)
    assert any(link.startswith("suspect-") for link in links)


def test_groups_folds_heat_and_intervals_of_any_document():
    rows = (
        (Cell("<a>", heat=1.0), Cell("+1%", 0.01, "worse", Interval(0, 0.4, 0.9, 0.5, cut_low=True, cut_high=True))),
    ) * 3
    table = Table("t", (Column("n"), Column("c", numeric=True)), rows, groups=(Group("g<", "2", 2), Group("h", "1", 1)))
    fold = Fold("folded", (table, Fold("inner", (Prose(("deep",)),))))
    text = html.page(Document("t", "s", "b", (Section("k", "K", (fold,)),)))
    page = Page(text)
    assert [each.get("class") for each in page.all("tbody")] == ["group", None, "group", None]
    assert [each["class"] for each in page.all("details") if "class" in each] == ["fold", "fold"]
    assert "g<" in page.text
    assert "deep" in page.text
    assert len([each for each in page.all("th") if each.get("class") == "heat hot-10"]) == 3
    assert len([each for each in page.all("svg") if each.get("class") == "interval"]) == 3
    assert {each["x"] for each in page.all("svg") if "x" in each} == {"0%", "90%"}


def test_a_card_promises_values_only_where_the_page_has_them():
    table = Table("t", (Column("n"),), ((Cell("A", link="suspect-a"),),), anchors=("row-a",))
    card = Card("suspect-a", "A", "worse", "worse", "", (), None)
    document = Document("t", "s", "b", (Section("k", "K", (card, table)),))
    assert "Its row in the table</a>" in html.page(document)
    values = Sampled("row-a", "ms", (("old", (1.0,)), ("new", (2.0,))))
    assert "Its row in the table, with its values</a>" in html.page(replace(document, samples=(values,)))


def test_a_report_without_pictures_needs_no_library(tmp_path):
    text = html.page(of(pair(tmp_path), benchmarks=("NoSuch",))[1])
    assert "vegaEmbed =" not in text
    assert len(text) < 100_000


def test_the_same_report_is_the_same_bytes(tmp_path):
    paths = pair(tmp_path)
    assert html.page(of(paths)[1]) == html.page(of(paths)[1])


def test_a_row_whose_direction_is_not_known_shows_a_sign_that_sorts_by_the_estimate(tmp_path):
    calm, wild = noisy(100, 10, seed=1, spread=0.002), noisy(100, 10, seed=2, spread=0.05)
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(go({"Open": wild, "Within": calm}))
    new.write_text(go({"Open": noisy(101, 10, seed=3, spread=0.05), "Within": [1.01 * value for value in calm]}))
    material, document = of([old, new])
    rows = {row.benchmark: row for row in material.comparison}
    assert [rows[name].reason for name in ("Open", "Within")] == ["noise", "within-sessions"]
    assert rows["Within"].change_low < 0 < rows["Within"].change_high
    table = next(block for block in document.blocks if isinstance(block, Table) and block.anchors)
    place = [column.name for column in table.columns].index("change")
    cells = {row[0].text: row[place] for row in table.rows}
    assert (cells["Open"].text, cells["Open"].key) == ("~", rows["Open"].change)
    assert (cells["Within"].text, cells["Within"].means) == ("+1.00%", "")
    (sign,) = (each for each in Page(html.page(document)).all("span") if each.get("role") == "img")
    number = material.comparison.weighing.cell([*rows].index("Open"), "change")
    assert sign["title"].startswith(f"No clear change, not even the direction is known: estimate {number}, interval [")
