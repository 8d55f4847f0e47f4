"""The first screen answers; links lead from the answer to cards, rows and back; values can be left out to explore."""

import re

import pytest
from playwright.sync_api import expect


def test_the_answer_is_above_the_fold(opened, report):
    for width, height in ((390, 844), (900, 900), (1440, 900), (1920, 1080)):
        with opened(report("pair"), width=width, height=height) as found:
            box = found.page.locator(".answer .line").bounding_box()
            assert box["y"] + box["height"] < height / 2, width
            leads = found.page.locator(".leads li").all()
            assert len(leads) > 3
            bottom = max(each.bounding_box()["y"] + each.bounding_box()["height"] for each in leads)
            assert bottom < height, width
            assert found.scrolls_sideways() == 0


def test_the_answer_leads_to_a_card_the_card_to_its_row_and_both_are_marked(opened, report):
    with opened(report("pair")) as found:
        page = found.page
        page.locator(".leads a").first.click()
        card = page.locator(".card.marked")
        expect(card).to_have_count(1)
        expect(card).to_be_in_viewport()
        card.locator(".back a").first.click()
        row = page.locator("tr.marked")
        expect(row).to_have_count(1)
        expect(row).to_be_in_viewport()
        assert page.url.endswith(f"#{row.get_attribute('id')}")
        assert page.locator(".card.marked").count() == 0
        row.locator("th a:not(.at)").click()
        expect(page.locator(".card.marked")).to_be_in_viewport()


def test_an_address_opens_what_hides_a_row(opened, report):
    with opened(report("many")) as found:
        page = found.page
        table = page.locator("#results figure.table").first
        row = table.locator("tbody:not(.group) tr").last
        name = row.get_attribute("id")
        assert name.startswith("row-")
        table.get_by_role("searchbox").fill("no such row")
        expect(row).to_be_hidden()
        page.evaluate("(name) => { location.hash = name; }", name)
        expect(row).to_be_in_viewport()
        expect(row).to_have_class(re.compile("marked"))
        table.locator("tbody.group button").last.click()
        expect(row).to_be_hidden()
        page.evaluate("location.hash = ''")
        page.evaluate("(name) => { location.hash = name; }", name)
        expect(row).to_be_in_viewport()


def test_a_row_shows_its_values_and_some_can_be_left_out(opened, report):
    with opened(report("pair")) as found:
        page = found.page
        found.draw()
        row = page.locator("tr.has-values").first
        row.get_by_role("button", name="Values").press("Enter")
        values = page.locator(".values")
        expect(values).to_have_count(1)
        dots = values.locator("circle")
        assert dots.count() == 40
        before = values.locator(".medians").inner_text()
        assert "of 20 values" in before
        expect(values.locator(".exploration")).to_be_hidden()
        values.scroll_into_view_if_needed()
        box = values.locator(".strip").bounding_box()
        page.mouse.move(box["x"] + 1, box["y"] + 1)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 34, steps=4)
        page.mouse.up()
        assert 0 < values.locator(".picked").count() <= 20
        values.get_by_role("button", name="Take all back").click()
        values.locator("summary").click()
        values.get_by_role("checkbox").first.uncheck()
        expect(values.locator(".exploration")).to_have_text(
            "Exploration, without the values that you left out; not a test."
        )
        assert "of 19 of 20 values" in values.locator(".medians").inner_text()
        values.get_by_role("button", name="Take all back").click()
        assert values.locator(".medians").inner_text() == before
        row.locator("td").first.click()
        expect(values).to_have_count(0)


def test_medians_of_a_page_are_those_of_the_table(opened, report):
    with opened(report("pair")) as found:
        row = found.page.locator("tr.has-values").first
        old, new = (row.locator("td").nth(place).inner_text().split("±")[0].strip() for place in (2, 3))
        row.get_by_role("button", name="Values").press("Enter")
        said = found.page.locator(".medians").inner_text()
        assert f"median {old} of" in said
        assert f"median {new} of" in said


def test_folds_open_by_button_and_a_picture_can_be_enlarged(opened, report):
    with opened(report("pair")) as found:
        page = found.page
        page.get_by_role("button", name="Unfold all").click()
        assert page.locator(".fold:not([open])").count() == 0
        page.get_by_role("button", name="Fold all").click()
        assert page.locator(".fold[open]").count() == 0
        found.draw()
        page.get_by_role("button", name="Enlarge").first.click()
        dialog = page.locator("dialog[open]")
        assert dialog.locator("svg").bounding_box()["width"] > 900
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_picture_is_copied_as_an_image_or_saved_where_it_may_not_be(opened, report):
    with opened(report("pair")) as found:
        found.draw()
        button = found.page.locator(".picture .tools button").nth(1)
        button.click()
        expect(button).to_have_text("Copied")
        expect(button).to_have_text("Copy image")
        found.page.evaluate("() => { navigator.clipboard.write = () => Promise.reject(new Error('not allowed')); }")
        with found.page.expect_download() as download:
            button.click()
        assert download.value.suggested_filename == "figure-1.png"
        assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_phone_shows_what_how_much_and_which_verdict(opened, report):
    with opened(report("pair"), width=390, height=844) as found:
        table = found.page.locator("#results figure.table").first
        heads = [head for head in table.locator("thead th").all() if head.is_visible()]
        assert [head.inner_text().strip() for head in heads] == ["benchmark", "verdict", "change"]
        scroll = table.locator(".scroll")
        assert scroll.evaluate("(each) => each.scrollWidth - each.clientWidth") == 0
        found.page.locator("#results .picture .canvas").first.scroll_into_view_if_needed()
        expect(found.page.locator(".canvas[data-form=narrow]").first).to_be_visible(timeout=30_000)


def test_pictures_of_cards_are_drawn_for_a_phone_and_can_be_enlarged_beyond_its_screen(opened, report):
    with opened(report("pair"), width=390, height=844) as found:
        found.draw()
        for svg in found.page.locator(".card .live svg").all():
            drawn, shown = svg.evaluate("(each) => [each.width.baseVal.value, each.getBoundingClientRect().width]")
            # A few pixels less leave the letters as they are.
            assert shown > 0.85 * drawn
        found.page.locator(".card .picture").first.get_by_role("button", name="Enlarge").click()
        svg = found.page.locator("dialog[open] svg")
        assert svg.bounding_box()["width"] > 1.5 * 390


def test_the_whole_of_a_short_name_is_found_and_shown(opened, report):
    with opened(report("long_names"), width=1440) as found:
        table = found.page.locator("#results figure.table").first
        table.get_by_role("searchbox").fill("internal/compaction size=4mib")
        row = table.locator("tbody:not(.group) tr:visible").first
        whole = row.locator(".short").get_attribute("title")
        assert "internal/compaction" in whole
        assert "internal/compaction" not in row.locator("th").inner_text()
        row.get_by_role("button", name="Values").press("Enter")
        expect(found.page.locator(".values")).to_contain_text(whole)


def test_nothing_of_the_results_is_cut_on_a_usual_screen(opened, report):
    with opened(report("pair"), width=1440) as found:
        scroll = found.page.locator("#results .scroll").first
        assert scroll.evaluate("(each) => each.scrollWidth - each.clientWidth") == 0


def test_cards_of_one_picture_share_a_row_if_there_is_room(opened, report):
    for width, columns in ((390, 1), (1280, 2), (1440, 2)):
        with opened(report("many_suspects"), width=width) as found:
            cards = found.page.locator(".card:has(> .beside > .picture:only-child)")
            boxes = [card.bounding_box() for card in cards.all()]
            assert len(boxes) >= 4
            assert len({round(box["x"]) for box in boxes}) == columns, width
            whole = found.page.locator("section:has(> .card)").bounding_box()
            assert max(box["x"] + box["width"] for box in boxes) == pytest.approx(whole["x"] + whole["width"], abs=1)
