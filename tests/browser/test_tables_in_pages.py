"""Tables of a page sort and search, by mouse and by keyboard."""

import gzip

import pytest

RESULTS = "#results figure.table"


def column(table, place):
    return table.locator(f"tbody:not(.group) tr:not([hidden]) > :nth-child({place})").all_inner_texts()


def place_of(table, name):
    return [head.strip() for head in table.locator("thead th").all_inner_texts()].index(name) + 1


def keys(table, place):
    found = table.locator(f"tbody tr > :nth-child({place})").evaluate_all(
        "(all) => all.map((cell) => cell.dataset.key)"
    )
    return [float(key) for key in found if key is not None]


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_numbers_sort_by_their_size_whatever_their_unit(opened, report, by):
    with opened(report("pair")) as found:
        # While pictures are drawn, the page moves under a mouse.
        found.draw()
        table = found.page.locator(RESULTS).first
        place = place_of(table, "old")
        head = table.locator(f"thead th:nth-child({place})")
        before = column(table, 1)
        for state, reverse in (("ascending", False), ("descending", True), (None, None)):
            press(head.get_by_role("button"), by)
            assert head.get_attribute("aria-sort") == state
            if reverse is None:
                assert column(table, 1) == before
            else:
                assert keys(table, place) == sorted(keys(table, place), reverse=reverse)
                assert column(table, 1) != before
                assert sorted(column(table, 1)) == sorted(before)


def press(button, by):
    if by == "mouse":
        button.click()
    else:
        button.focus()
        button.press("Enter")


def test_one_column_sorts_at_a_time(opened, report):
    with opened(report("pair")) as found:
        table = found.page.locator(RESULTS).first
        press(table.get_by_role("button", name="benchmark"), "keyboard")
        names = column(table, 1)
        assert names == sorted(names, key=str.lower)
        press(table.get_by_role("button", name="verdict"), "keyboard")
        assert table.locator("[aria-sort]").count() == 1
        assert table.locator("th[aria-sort]").inner_text().strip() == "verdict"


def test_rows_without_a_number_sort_last_both_ways(opened, report):
    with opened(report("pair")) as found:
        found.draw()
        # A table whose every row is exact has no such column.
        with_p = found.page.locator(RESULTS).filter(
            has=found.page.get_by_role("button", name="p (corrected)", exact=True)
        )
        assert with_p.count() >= 2
        for table in with_p.all():
            place = place_of(table, "p (corrected)")
            for _ in range(2):
                table.get_by_role("button", name="p (corrected)", exact=True).click()
                cells = table.locator(f"tbody tr > :nth-child({place})")
                has = cells.evaluate_all("(all) => all.map((cell) => cell.dataset.key !== undefined)")
                assert any(has)
                assert has == sorted(has, reverse=True)


def test_search_leaves_the_rows_that_hold_every_word(opened, report):
    with opened(report("pair")) as found:
        table = found.page.locator(RESULTS).first
        names = column(table, 1)
        found.page.keyboard.press("Tab")
        box = table.get_by_role("searchbox")
        box.focus()
        found.page.keyboard.type("ROUND cut")
        wanted = [name for name in names if "round" in name.lower() and "cut" in name.lower()]
        assert column(table, 1) == wanted
        assert 0 < len(wanted) < len(names)
        assert table.locator("output").inner_text() == f"{len(wanted)} of {len(names)} rows"
        box.fill("no such row")
        assert column(table, 1) == []
        box.fill("")
        assert column(table, 1) == names
        assert table.locator("output").inner_text() == ""


def test_a_sorted_table_can_be_searched_and_a_searched_one_sorted(opened, report):
    with opened(report("many")) as found:
        found.draw()
        table = found.page.locator(RESULTS).first
        table.get_by_role("searchbox").fill("package13/")
        shown = column(table, 1)
        assert shown
        assert all(name.startswith("Package13/") for name in shown)
        table.get_by_role("button", name="benchmark").click()
        assert sorted(column(table, 1)) == sorted(shown)


def test_what_is_cut_is_said_and_attached_whole(opened, report):
    with opened(report("many")) as found:
        found.draw()
        limit = found.page.locator("#results .limit").first.inner_text()
        assert "of 5,000 rows are shown" in limit
        link = found.page.locator("a[download]").first
        with found.page.expect_download() as download:
            link.click()
        content = unpacked(download.value.path().read_bytes())
        assert content.count(b"\n") == 1 + 3 * 5_000


def unpacked(content):
    return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content


def test_the_values_of_an_open_row_say_its_estimate(opened, report):
    with opened(report("pair")) as found:
        row = (
            found.page.locator("tr.has-values").filter(has=found.page.get_by_role("img", name="No clear change")).first
        )
        words = row.get_by_role("img").get_attribute("title")
        assert row.locator("td.drawn").get_attribute("data-key") is not None
        row.get_by_role("button", name="Values").click()
        assert words in found.page.locator("tr.detail").inner_text()
