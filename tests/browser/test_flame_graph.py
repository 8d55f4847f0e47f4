"""The flame graph of a page is read with the pointer or with keys alone, and zooms."""

import pytest

from statera.cli import profiles as command
from statera.output.report import html
from statera.output.report.model import Document
from statera.output.report.sections import profile
from statera.support.settings.file import Settings


@pytest.fixture
def page(browser, tmp_path):
    (tmp_path / "old.folded").write_text("main;parse<b>;row 400\nmain;sum 300\n")
    (tmp_path / "new.folded").write_text("main;parse<b>;row 640\nmain;sum 310\n")
    found = command.differences([str(tmp_path / "old.folded"), str(tmp_path / "new.folded")], Settings(), None)
    (tmp_path / "page.html").write_text(html.page(Document("T", "", "", (profile.of(found),))))
    opened = browser.new_page()
    errors = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto((tmp_path / "page.html").as_uri())
    yield opened
    assert not errors
    opened.close()


def test_keys_go_from_frame_to_frame_and_zoom(page):
    said = page.locator(".flame .told")
    assert said.inner_text().startswith("Point at a frame")
    page.locator(".flame .frame").first.focus()
    assert said.inner_text().startswith("main: 700 → 950 samples")
    for key, name in (("ArrowDown", "parse<b>: "), ("ArrowRight", "sum: "), ("ArrowLeft", "parse<b>: "),
                      ("ArrowDown", "row: "), ("ArrowUp", "parse<b>: ")):  # fmt: skip
        page.keyboard.press(key)
        assert said.inner_text().startswith(name), key
    page.keyboard.press("Enter")
    assert page.locator(".flame .frame").evaluate_all("all => all.map((each) => each.getAttribute('width'))") == [
        "100%", "100%", "100%", page.locator(".flame .frame").nth(3).get_attribute("width"),
    ]  # fmt: skip
    assert not page.locator(".flame .frame").nth(3).is_visible()
    page.keyboard.press("ArrowUp")
    assert said.inner_text().startswith("main: ")
    page.keyboard.press("Escape")
    assert page.locator(".flame .frame").nth(3).is_visible()


def test_the_pointer_reads_a_frame(page):
    page.locator(".flame .frame").nth(3).hover()
    assert page.locator(".flame .told").inner_text().startswith("sum: 300 → 310 samples (+1.43% of the whole)")


def test_shades_have_rules():
    assert html.flame_rules().count("--shade") == 10
