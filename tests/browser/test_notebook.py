"""A comparison in a notebook: tables sort and filter, text has contrast in any theme, nothing is fetched."""

import pytest
from looked import LOW_CONTRAST

import statera
from support import go, noisy

THEMES = {
    "jupyter light": '<body data-jp-theme-light="true">',
    "jupyter dark": '<body data-jp-theme-light="false">',
    "code light": '<body class="vscode-light">',
    "code dark": '<body class="vscode-dark">',
    "any": "<body>",
}


@pytest.fixture
def shown(tmp_path):
    """A notebook page with the same comparison twice and an inspection."""
    names = ["Slow", "Fast", "Same", "<b>x</b>", "Other", "Last", "New", "Gone"]
    old = {name: noisy(100 + 10 * place) for place, name in enumerate(names) if name != "New"}
    new = {name: noisy(100 + 10 * place, seed=2) for place, name in enumerate(names) if name != "Gone"}
    new |= {"Slow": noisy(300), "Fast": noisy(20)}
    paths = [tmp_path / "old", tmp_path / "new"]
    for path, values in zip(paths, (old, new), strict=True):
        path.write_text(go(values))
    comparison, inspection = statera.compare(*paths), statera.inspect(paths[0])

    def page(body="<body>"):
        html = comparison._repr_html_() * 2 + inspection._repr_html_()
        path = tmp_path / "page.html"
        path.write_text(f"<!doctype html><meta charset=utf-8>{body}{html}")
        return path

    return page


def names(page, table=0):
    return page.locator("table").nth(table).locator("tbody tr:visible td:first-child").all_text_contents()


def test_tables_sort_and_filter_each_by_itself(opened, shown):
    with opened(shown()) as found:
        page = found.page
        assert names(page)[0] == "Slow"
        before = names(page, 1)
        change = page.locator("table").first.locator("th", has_text="change")
        change.click()
        assert names(page)[0] == "Fast"
        assert change.get_attribute("aria-sort") == "ascending"
        change.press("Enter")
        assert names(page)[0] == "Slow"
        # What has no change comes last in either direction.
        assert set(names(page)[-2:]) == {"New", "Gone"}
        assert names(page, 1) == before
        page.locator("input").first.fill("same")
        assert names(page) == ["Same"]
        assert names(page, 1) == before
        page.locator("input").first.fill("")
        assert len(names(page)) == len(before) == 8
        assert page.locator("input").count() == 3
        assert page.locator(".statera b").count() == 0


def test_every_text_has_contrast_in_any_theme(opened, shown):
    for theme, body in THEMES.items():
        with opened(shown(body)) as found:
            for scheme in ("light", "dark"):
                found.page.emulate_media(color_scheme=scheme)
                assert found.page.evaluate(LOW_CONTRAST) == [], (theme, scheme)
                ground = found.page.evaluate("getComputedStyle(document.querySelector('.statera')).backgroundColor")
                dark = sum(map(int, ground.strip("rgb()").split(","))) < 200
                assert dark == (theme.endswith("dark") or (theme == "any" and scheme == "dark")), (theme, scheme)


def test_without_scripts_every_row_shows(browser, shown):
    page = browser.new_page(java_script_enabled=False)
    page.goto(shown().as_uri())
    assert page.locator("tbody tr:visible").count() == 8 + 8 + 7
    assert page.locator("input").count() == 0
    page.close()


def test_a_fragment_has_no_id_and_asks_for_nothing(shown):
    html = shown().read_text()
    assert " id=" not in html
    assert "http" not in html
    assert "url(" not in html
    assert "@import" not in html
