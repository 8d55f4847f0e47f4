"""Pictures of a page show the data: a mark a row, pixels, words for those who cannot see them."""

import base64

import pytest
from drawn import COLOURS, COUNTED, expected, specs

NAMED = """(svg) => svg.getAttribute("aria-labelledby").split(" ")
  .map((name) => document.getElementById(name).textContent).join(". ")"""
DRAWN = ("factorial", "runs", "atlas", "suite", "hostile_drawn")


@pytest.mark.parametrize("name", DRAWN)
def test_the_marks_of_the_page_are_the_rows_of_the_data(opened, report, name):
    path = report(name)
    with opened(path) as found:
        assert found.draw() == len(specs(path)) > 0
        for place, forms in zip(found.page.locator(".picture .canvas").all(), specs(path), strict=True):
            wanted = expected(forms[place.get_attribute("data-form")])
            assert sum(wanted.values()) > 0
            drawn = place.evaluate(COUNTED)
            assert {name: drawn.get(name) for name in wanted} == wanted


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", DRAWN)
def test_the_pixels_are_there_in_the_colours_of_the_theme_and_told_in_words(opened, report, browser, name, scheme):
    with opened(report(name), scheme=scheme) as found:
        found.draw()
        blank = browser.new_page()
        for place in found.page.locator(".picture .canvas").all():
            is_told_in_words(place)
            png = base64.b64encode(place.screenshot()).decode()
            assert blank.evaluate(COLOURS, f"data:image/png;base64,{png}") > 30
            painted = place.locator(".live svg").evaluate("(svg) => getComputedStyle(svg).backgroundColor")
            assert painted == found.page.evaluate("getComputedStyle(document.body).backgroundColor")
        blank.close()


def is_told_in_words(place):
    for svg in place.locator(".live svg, .still > svg").all():
        assert svg.get_attribute("role") == "img"
        assert len(svg.evaluate(NAMED)) > 40
    assert place.evaluate("(each) => Object.values(JSON.parse(each.dataset.marks)).some((count) => count > 0)")
    # The words stand for the whole: nothing inside is read out or takes the focus.
    assert place.locator("[tabindex], a, button, details").count() == 0


def test_the_theme_is_the_readers_choice(opened, report):
    with opened(report("factorial")) as found:
        found.draw()
        button = found.page.get_by_role("button", name="Theme")
        for word, mode in (("light", "light"), ("dark", "dark"), ("automatic", "light")):
            button.click()
            assert button.inner_text() == f"Theme: {word}"
            found.page.locator(f".canvas[data-drawn={mode}]").first.wait_for()
        found.page.emulate_media(color_scheme="dark")
        found.page.locator(".canvas[data-drawn=dark]").first.wait_for()


# Counts the drawings that begin in the first picture from now on.
BEGUN = """() => {
  window.begun = 0;
  new MutationObserver((changes) => changes.forEach((change) => {
    window.begun += Array.from(change.addedNodes).filter((node) => node.classList.contains("stage")).length;
  })).observe(document.querySelector(".picture .canvas"), { childList: true });
}"""
CLICKED = "() => { for (let click = 0; click < 7; ++click) document.getElementById('theme').click(); }"


def test_a_theme_that_another_overtook_is_not_drawn(opened, report):
    with opened(report("pair"), scheme="dark") as found:
        found.draw()
        found.page.evaluate(BEGUN)
        found.page.evaluate(CLICKED)
        found.wait_drawn("light")
        # A drawing that was overtaken would follow at once.
        found.page.wait_for_timeout(500)
        assert found.page.evaluate("begun") == 1
