"""Names are text from strangers: a browser shows them and runs none, and so do the PDF and the Markdown."""

import re
from html import unescape

import pypdf
import pytest
from playwright.sync_api import expect
from reports import HOSTILE, make

from statera._native import printable

SHOWN = [printable(name) for name in HOSTILE]
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# A long name is short in its cell, which has the whole one as its title.
NAMES = "(all) => all.map((each) => each.querySelector('.short')?.title ?? each.textContent)"
ADDRESSES = "(all) => all.map((each) => each.getAttribute('href') || each.getAttribute('src'))"
HANDLERS = """Array.from(document.querySelectorAll("*"))
  .flatMap((each) => each.getAttributeNames()).filter((name) => name.startsWith("on"))"""


def test_every_name_is_text_of_a_cell(opened, report):
    with opened(report("hostile")) as found:
        table = found.page.locator("#results figure.table").first
        names = table.locator("th[scope=row]").evaluate_all(NAMES)
        # Very long ones are cut in the middle; each has a row in the groups of two levels.
        assert sorted(each[:90] for each in names) == sorted(each[:90] for each in SHOWN * 2)
        levels = table.locator("th[scope=rowgroup]").all_text_contents()
        assert len(levels) == 2
        for level in (SHOWN[1], SHOWN[11]):
            assert any(level in each for each in levels)
        assert found.page.locator("h1").text_content() == SHOWN[3]
        assert found.page.title().startswith(SHOWN[3])


def test_no_name_becomes_an_element_an_address_or_an_instruction(opened, report):
    with opened(report("hostile_drawn")) as found:
        found.draw()
        assert found.page.locator("img, iframe, object, embed, link, base, form:not(.vega-bindings)").count() == 0
        assert found.page.locator("svg image, svg script, svg foreignObject, svg a").count() == 0
        addresses = found.page.locator("[href], [src]").evaluate_all(ADDRESSES)
        # The notes of the analysts may link.
        assert all(each.startswith(("#", "data:", "https://example.invalid/")) for each in addresses)
        assert found.page.evaluate(HANDLERS) == []
        text = found.page.locator("body").inner_text()
        assert not UNSEEN.search(text)
        assert "{{7*7}}" in text
        assert "{% raw %}" in text


def test_pictures_write_names_as_they_are(opened, report):
    with opened(report("hostile_drawn")) as found:
        found.draw()
        words = " ".join(found.page.locator(".picture svg text").all_text_contents())
        for name in (SHOWN[0], SHOWN[8], SHOWN[11]):
            assert name[:9] in words, name
        assert not UNSEEN.search(words)


def test_every_name_can_be_searched(opened, report):
    with opened(report("hostile")) as found:
        table = found.page.locator("#results figure.table").first
        for name in SHOWN[:-1]:
            table.get_by_role("searchbox").fill(name)
            assert name in table.locator("tbody tr:not([hidden]) th").evaluate_all(NAMES)


def test_a_tooltip_shows_names_as_text(opened, report):
    with opened(report("hostile_drawn")) as found:
        found.draw()
        tooltip = found.page.locator("#vg-tooltip-element")
        shape = found.page.locator(".picture .mark-symbol.role-mark > path").nth(5)
        shape.scroll_into_view_if_needed()
        box = shape.bounding_box()
        found.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(tooltip).to_have_class(re.compile("visible"))
        assert "<b>old" in tooltip.inner_text() or SHOWN[1].replace("=", "") in tooltip.inner_text()
        assert tooltip.locator("b, img, script, svg").count() == 0


@pytest.mark.parametrize("ending", ["pdf", "md"])
def test_every_name_is_text_of_the_pdf_and_the_markdown(tmp_path, ending):
    path = make("hostile", tmp_path, ending)
    if ending == "pdf":
        # Where a long word may be broken stands a space without width.
        text = "".join(page.extract_text() for page in pypdf.PdfReader(path).pages).replace("\u200b", "")
    else:
        text = unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", path.read_text(encoding="utf-8"))).replace("\u2060", "")
    dense = re.sub(r"\s+", "", text)
    for name in SHOWN[:-1]:
        assert re.sub(r"\s+", "", name) in dense, name
    assert not UNSEEN.search(text)
