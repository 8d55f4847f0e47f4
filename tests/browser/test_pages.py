"""Every kind of report opens by itself, asks for nothing, complains of nothing, and is built for every reader.

What is asked of each page is asked of the same one, in this order; ``opened`` sees to requests and complaints.
"""

from itertools import pairwise

import pytest
from looked import LOW_CONTRAST
from reports import MADE


@pytest.mark.parametrize("name", MADE)
def test_a_report_is_built_for_every_reader(opened, report, name):
    with opened(report(name)) as found:
        found.draw()
        for check in (
            headings_go_down_one_step_at_a_time,
            tables_have_names_and_their_headings_say_what_they_head,
            no_two_elements_have_one_name_and_every_link_leads_somewhere,
            no_window_is_too_narrow,
            words_stand_out_from_what_is_behind_them,
            pictures_follow_the_theme,
            paper_is_white_and_nothing_on_it_scrolls,
            the_first_key_offers_a_way_past_the_contents,
        ):
            check(found)


def headings_go_down_one_step_at_a_time(found):
    levels = found.page.locator("h1, h2, h3, h4, h5, h6").evaluate_all("(all) => all.map((h) => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert levels.count(2) >= 3
    assert all(after <= before + 1 for before, after in pairwise(levels))


def tables_have_names_and_their_headings_say_what_they_head(found):
    page = found.page
    assert page.locator("figure.table").count() > 0
    assert page.locator("figure.table:not([aria-label])").count() == 0
    assert page.locator("figure.table thead th:not([scope=col])").count() == 0
    assert page.locator("figure.table tbody tr > :first-child:not(th[scope=row], th[scope=rowgroup])").count() == 0
    # What scrolls can be reached by keys, and says what it is.
    assert page.locator(".scroll:not([tabindex][role=region][aria-label])").count() == 0
    assert page.locator("input:not(label input), button:empty:not([aria-label])").count() == 0


def no_two_elements_have_one_name_and_every_link_leads_somewhere(found):
    names = found.page.locator("[id]").evaluate_all("(all) => all.map((each) => each.id)")
    assert len(names) == len(set(names))
    links = found.page.locator("a[href^='#']").evaluate_all("(all) => all.map((each) => each.hash.slice(1))")
    assert set(links) <= set(names)


def no_window_is_too_narrow(found):
    for width in (320, 390, 768, 900, 1440, 1920):
        found.page.set_viewport_size({"width": width, "height": 700})
        assert found.scrolls_sideways() == 0


def words_stand_out_from_what_is_behind_them(found):
    for scheme in ("light", "dark"):
        found.page.emulate_media(color_scheme=scheme)
        assert found.page.evaluate(LOW_CONTRAST) == [], scheme


def pictures_follow_the_theme(found):
    for scheme in ("dark", "light"):
        found.page.emulate_media(color_scheme=scheme)
        found.wait_drawn(scheme)


def paper_is_white_and_nothing_on_it_scrolls(found):
    found.page.emulate_media(media="print", color_scheme="dark")
    assert found.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    tall = "(all) => all.filter((each) => each.scrollHeight > each.clientHeight + 1).length"
    assert found.page.locator(".scroll").evaluate_all(tall) == 0
    found.page.emulate_media(media="screen", color_scheme="light")


def the_first_key_offers_a_way_past_the_contents(found):
    found.page.evaluate("scrollTo(0, 0)")
    found.page.keyboard.press("Tab")
    assert found.page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    found.page.keyboard.press("Enter")
    assert found.page.evaluate("document.querySelector(location.hash).tagName") == "SECTION"


def test_nine_variants_are_no_longer_than_a_reader_scrolls(opened, report):
    with opened(report("nine"), width=1440) as found:
        assert found.page.locator("main .findings li").count() > 3
        assert found.page.evaluate("document.documentElement.scrollHeight") <= 15_000


def test_lines_of_a_picture_stand_below_each_other_without_scripts(browser, report):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report("pair").resolve().as_uri())
    lines = page.locator("main > section:not([hidden]) .picture svg text:has(tspan + tspan)")
    shown = [each for each in lines.all() if each.is_visible()]
    assert shown
    for each in shown:
        tops = [line.bounding_box()["y"] for line in each.locator("tspan").all()]
        assert all(below - above > 8 for above, below in pairwise(tops))
    context.close()


# Chromium drops the event of a change if the query that is listened to is read between the change and its event.
READS = """(() => {
  const { get } = Object.getOwnPropertyDescriptor(MediaQueryList.prototype, "matches");
  const listen = MediaQueryList.prototype.addEventListener;
  const listened = new Set();
  window.reads = 0;
  MediaQueryList.prototype.addEventListener = function (...words) { listened.add(this); listen.apply(this, words); };
  Object.defineProperty(MediaQueryList.prototype, "matches", {
    get() { window.reads += listened.has(this); return get.call(this); },
  });
})()"""


def test_no_change_of_the_theme_can_be_lost(opened, report):
    with opened(report("pair")) as found:
        found.page.add_init_script(READS)
        found.page.reload()
        found.draw()
        found.page.emulate_media(color_scheme="dark")
        found.wait_drawn("dark")
        assert found.page.evaluate("window.reads") == 0
