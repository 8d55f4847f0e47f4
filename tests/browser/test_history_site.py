"""The pages of a history in a browser: alone, by keys, narrow and wide, light and dark, with hostile names."""

import json
import re
from pathlib import Path

import pytest
from looked import FOCUSED, LOW_CONTRAST
from playwright.sync_api import expect
from reports import HOSTILE
from sites import commit, make, steady, written

from statera._native import printable

ADDRESSES = "(all) => all.map((each) => each.getAttribute('href') || each.getAttribute('src'))"
NAMES = [name for name in HOSTILE if len(name) < 400]
URLS = ("https://ci.example.com/run/1", "javascript:window.__pwned=1", "https://ci.example.com/a b")


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A history with a change, two machines, a spike, and a series without any change."""
    place = tmp_path_factory.mktemp("calm")
    parse, scan = steady(1e-3, (40, 1.2)), steady(2e-6, seed=2)
    series = {
        "Parse": parse,
        "Scan": lambda number: scan(number) * (5 if number == 50 else 1),
        "Calm": steady(4, seed=4),
    }

    def machine(number):
        return "old" if number < 90 else "new"

    return written(make(place / "h", 120, series, cpu=machine), place / "out", "https://example.com/c/{commit}")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    place = tmp_path_factory.mktemp("hostile")
    series = {name: steady(1e-3, (35, 1.3), seed=seed) for seed, name in enumerate(NAMES)}
    site = make(
        place / "h",
        50,
        series,
        cpu=lambda _: HOSTILE[1],
        branch=lambda _: HOSTILE[0],
        subject=lambda number: NAMES[number % len(NAMES)],
        url=lambda number: URLS[number % len(URLS)],
    )
    return written(site, place / "out")


def pages(site):
    """Give the first page, that of a series with a change, and that of an alert."""
    index = json.loads((site.folder / "index.json").read_text())
    changed = next(each for each in index["series"] if each["tracks"][0]["last_change"])
    return [site.folder / name for name in ("index.html", changed["page"], index["alerts"][0]["page"])]


@pytest.fixture
def looking(opened):
    """Open a page of a site: it may load the files beside it, and nothing else."""

    def look(path, site, **how):
        return _Looking(opened(path, **how), site.folder)

    return look


class _Looking:
    def __init__(self, opening, folder):
        self.opening = opening
        self.folder = folder

    def __enter__(self):
        self.found = self.opening.__enter__()
        return self.found

    def __exit__(self, *error):
        own = self.folder.resolve().as_uri() + "/"
        self.found.requests[:] = [url for url in self.found.requests if not url.startswith(own)]
        return self.opening.__exit__(*error)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_every_width_and_can_be_read(looking, calm, place, scheme):
    with looking(pages(calm)[place], calm, scheme=scheme) as found:
        for width in (390, 900, 1440):
            found.page.set_viewport_size({"width": width, "height": 900})
            assert found.scrolls_sideways() <= 0
        assert found.page.evaluate(LOW_CONTRAST) == []


@pytest.mark.parametrize("place", [0, 1, 2])
def test_keys_reach_every_control_and_the_focus_is_seen(looking, calm, place):
    with looking(pages(calm)[place], calm) as found:
        controls = found.page.locator("a[href]:visible, button:visible:enabled, input:visible, select:visible, summary")
        wanted, seen = controls.count(), set()
        for _ in range(wanted + 20):
            found.page.keyboard.press("Tab")
            at = found.page.evaluate(FOCUSED)
            if at["tag"] == "BODY":
                break
            assert at["outline"] != "none", at
            seen.add(found.page.evaluate("Array.from(document.querySelectorAll('*')).indexOf(document.activeElement)"))
        reached = controls.evaluate_all(
            "(all) => all.map((each) => Array.from(document.querySelectorAll('*')).indexOf(each))"
        )
        assert set(reached) <= seen


def test_a_link_of_a_value_keeps_the_focus_when_the_chart_is_drawn_again(looking, calm):
    with looking(pages(calm)[1], calm) as found:
        found.page.get_by_role("slider").first.focus()
        found.page.keyboard.press("End")
        found.page.keyboard.press("Tab")
        link = found.page.locator(".tip a:focus")
        expect(link).to_have_count(1)
        drawn = "document.querySelector('.drawing svg .scale').firstElementChild"
        found.page.evaluate(f"window.mark = {drawn}")
        found.page.set_viewport_size({"width": 700, "height": 900})
        found.page.wait_for_function(f"window.mark !== {drawn}")
        expect(link).to_have_count(1)


def test_the_first_page_is_searched_sorted_and_selected(looking, calm):
    with looking(pages(calm)[0], calm) as found:
        rows = found.page.locator(".courses tbody:not(.group) tr:visible")
        # Five of the six rows did not change, and are folded.
        assert rows.count() == 1
        fold = found.page.get_by_role("button", name="5 without a change")
        expect(fold).to_have_attribute("aria-expanded", "false")
        fold.focus()
        found.page.keyboard.press("Enter")
        assert rows.count() == 6
        found.page.get_by_role("searchbox").fill("pars")
        assert rows.count() == 2
        expect(found.page.locator(".filters output")).to_have_text("2 of 6 rows")
        found.page.get_by_label("Machine").select_option("old · rack")
        assert rows.count() == 1
        found.page.get_by_role("searchbox").fill("")
        found.page.get_by_role("button", name="time", exact=True).click()
        # What changed stays first.
        assert rows.locator("th a").all_text_contents() == ["Parse", "Scan", "Calm"]


def test_rows_of_a_benchmark_on_two_machines_differ_on_a_phone(looking, calm):
    with looking(pages(calm)[0], calm, width=390) as found:
        found.page.get_by_role("button", name="without a change").click()
        names = found.page.locator(".courses tbody:not(.group) th").all_inner_texts()
        assert len(names) == len(set(names)) == 6


def test_a_chart_tells_its_values_by_keys(looking, calm):
    with looking(pages(calm)[1], calm) as found:
        cursor = found.page.get_by_role("slider")
        cursor.focus()
        found.page.keyboard.press("Home")
        track = json.loads(pages(calm)[1].with_suffix(".json").read_text())["tracks"][0]
        tip = found.page.locator(".tip")
        first = f"{track['values'][0] * 1e3:.4g}"
        expect(tip).to_contain_text(first[:5])
        expect(tip).to_contain_text(commit(0)[:8])
        expect(tip).to_contain_text("2026-01-01")
        expect(tip).to_contain_text("Tidy the parser")
        found.page.keyboard.press("PageDown")
        expect(tip).to_contain_text(commit(40)[:8])
        assert commit(40)[:8] in cursor.get_attribute("aria-valuetext")
        found.page.keyboard.press("Enter")
        links = tip.locator("a").evaluate_all(ADDRESSES)
        assert links == [f"https://example.com/c/{commit(40)}", "https://ci.example.com/1"]
        assert found.page.evaluate("document.activeElement.closest('.tip') !== null")
        found.page.keyboard.press("Escape")
        expect(tip).to_be_hidden()


def test_a_chart_tells_the_value_under_the_pointer_and_zooms(looking, calm):
    with looking(pages(calm)[1], calm) as found:
        svg = found.page.locator(".plot").first
        svg.scroll_into_view_if_needed()
        box = svg.bounding_box()
        found.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 150)
        tip, ring = found.page.locator(".tip"), found.page.locator(".ring")
        expect(tip).to_contain_text(commit(60)[:8])
        middle = ring.bounding_box()
        assert abs(middle["x"] + middle["width"] / 2 - box["x"] - 0.5 * box["width"]) < 8
        assert box["y"] <= middle["y"] <= box["y"] + box["height"]
        values = svg.locator(".values")
        whole = values.get_attribute("viewBox")
        found.page.mouse.down()
        found.page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 160, steps=3)
        found.page.mouse.up()
        left, _, width, _ = map(float, values.get_attribute("viewBox").split())
        assert 58 < left < 62
        assert 27 < width < 33
        found.page.get_by_role("button", name="Show all").click()
        assert values.get_attribute("viewBox") == whole


@pytest.mark.parametrize("width", [390, 1440])
def test_a_chart_shows_without_scripts(browser, calm, width):
    context = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 900})
    page = context.new_page()
    for path in pages(calm)[1:]:
        page.goto(path.resolve().as_uri())
        assert page.locator(".plot:visible").count() > 0
        box = page.locator(".plot .dots").first.bounding_box()
        assert box["width"] > 0.2 * width
        assert page.locator(".plot title").first.text_content().startswith("Parse")
        assert page.locator(".plot .labels text.worse").count() > 0
    page.goto(pages(calm)[0].resolve().as_uri())
    assert page.locator(".spark:visible").count() == 6
    context.close()


def test_the_theme_holds_on_the_next_page(looking, calm):
    with looking(pages(calm)[0], calm) as found:
        found.page.get_by_role("button", name="Theme").click()
        found.page.locator(".alerts a").first.click()
        found.page.wait_for_url("**/alerts/*")
        assert found.page.evaluate("document.documentElement.dataset.theme") == "light"
        assert found.page.get_by_role("button", name="Theme: light").is_visible()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_hostile_names_are_text(looking, hostile, place):
    path = pages(hostile)[place]
    with looking(path, hostile, width=390) as found:
        page = found.page
        if place == 1:
            page.get_by_role("slider").focus()
            for _ in range(25):
                page.keyboard.press("ArrowLeft")
        assert page.locator("img, iframe, object, embed, base, form, main script, svg image, svg script").count() == 0
        addresses = page.locator("[href], [src]").evaluate_all(ADDRESSES)
        inside = re.compile(r"(\.\./)?((series|alerts|lines)/)?[a-z0-9]+\.(html|json|js|css|xml)|#main")
        assert [each for each in addresses if not inside.fullmatch(each) and each != URLS[0]] == []
        assert found.scrolls_sideways() <= 0
        text = page.locator("body").inner_text()
        shown = NAMES[:2] if place == 0 else NAMES[:1]
        assert all(re.sub(r"\s+", " ", printable(name)) in re.sub(r"\s+", " ", text) for name in shown)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", text)


def test_paths_are_ids_whatever_the_names(hostile):
    names = {str(path.relative_to(hostile.folder)) for path in hostile.folder.rglob("*") if path.is_file()}
    shared = {"index", "feed", "files", "first", "site", "chart", "overview"}
    assert all(Path(name).stem in shared or re.fullmatch("[0-9a-f]{8,16}", Path(name).stem) for name in names)


def test_an_injected_script_does_not_run(looking, calm):
    with looking(pages(calm)[1], calm) as found:
        found.page.evaluate(
            "() => { const made = document.createElement('script'); made.textContent = 'window.__pwned = 1';"
            " document.body.append(made); document.body.setAttribute('onclick', 'window.__pwned = 1'); }"
        )
        found.page.locator("h1").click()
        assert found.page.evaluate("window.__pwned") is None
        assert len(found.complaints) >= 2
        found.complaints.clear()
