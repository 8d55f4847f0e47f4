"""The report of generated runs of a cluster in a browser: lazy charts, sorting, phones, nothing that runs as code."""

import reported
from playwright.sync_api import expect


def test_charts_are_drawn_when_they_come_near_and_tables_sort(opened, tmp_path):
    runs = [reported.make(tmp_path / f"run{side}", side=side, slots=300, hosts=5) for side in (1, 2)]
    path = reported.report(tmp_path / "report", *runs, endings=["html"])["html"]
    assert path.stat().st_size < 6_000_000
    with opened(path) as found:
        page = found.page
        # What did not change is folded.
        page.locator("#charts details").evaluate_all("(all) => all.forEach((each) => { each.open = true; })")
        charts = page.locator("#charts .beside .canvas")
        assert charts.count() > 50
        assert page.locator(".canvas[data-drawn]").count() < 10
        charts.nth(20).scroll_into_view_if_needed()
        expect(charts.nth(20)).to_have_attribute("data-drawn", "light", timeout=30_000)
        assert charts.nth(20).locator("svg path").count() > 0
        first, second = (charts.nth(place).bounding_box() for place in (0, 1))
        assert first["y"] == second["y"]
        assert first["x"] + first["width"] <= second["x"]
        table = page.locator("#results figure.table").first
        table.get_by_role("button", name="Δ%").click()
        table.get_by_role("button", name="Δ%").click()
        keys = table.locator("tbody tr td:nth-child(5)").evaluate_all("(all) => all.map((each) => each.dataset.key)")
        numbers = [float(key) for key in keys if key is not None]
        assert numbers == sorted(numbers, reverse=True)
        page.set_viewport_size({"width": 390, "height": 844})
        assert found.scrolls_sideways() == 0
        first, second = (charts.nth(place).bounding_box() for place in (0, 1))
        assert first["y"] + first["height"] <= second["y"]


def test_names_of_strangers_are_text_in_tables_and_charts(opened, report):
    with opened(report("cluster")) as found:
        assert found.draw() > 3
        assert found.page.locator("img, iframe, object, embed, link, base, svg image, svg script, svg a").count() == 0
        assert "<script>window.__pwned=1</script>" in found.page.locator("#manifest").inner_text()
        words = " ".join(found.page.locator(".picture svg text").all_text_contents())
        assert "<b onclick>old" in words
        assert "{{7*7}}" in words
