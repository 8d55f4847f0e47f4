"""Every kind of report opens by itself: it asks for nothing, complains of nothing, and fits its window."""

import pytest


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_opens_and_draws_all_its_pictures(opened, any_report, scheme):
    with opened(any_report, scheme=scheme) as found:
        assert found.page.locator("h1").count() == 1
        assert found.page.locator("section h2").count() >= 3
        found.draw()
        assert found.page.locator(f".canvas[data-drawn]:not([data-drawn={scheme}])").count() == 0


def test_a_report_fits_every_window(opened, any_report):
    with opened(any_report) as found:
        found.draw()
        for width in (320, 390, 768, 1600):
            found.page.set_viewport_size({"width": width, "height": 700})
            assert found.scrolls_sideways() == 0
