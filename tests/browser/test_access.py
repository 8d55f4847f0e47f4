"""A report is used by keys, without scripts and on paper, and its policy keeps out what was not there."""

import io

import pypdf
from looked import FOCUSED

INJECTED = """(source) => {
  const made = document.createElement("script");
  made.textContent = source;
  document.body.append(made);
}"""

BACKGROUNDS = "(all) => all.map((svg) => getComputedStyle(svg.querySelector('rect, path')).fill)"


def test_the_focus_is_seen_wherever_the_keys_lead(opened, report):
    for scheme in ("light", "dark"):
        with opened(report("pair"), scheme=scheme) as found:
            seen = set()
            for _ in range(80):
                found.page.keyboard.press("Tab")
                at = found.page.evaluate(FOCUSED)
                assert at["outline"] != "none", at
                assert at["width"] >= 1
                assert at["left"] >= 0
                seen.add(at["tag"])
            assert {"A", "BUTTON", "INPUT", "DIV"} <= seen, scheme


def test_a_printed_report_is_whole(opened, report):
    with opened(report("factorial"), scheme="dark") as found:
        figures = found.page.locator(".picture").count()
        pages = pypdf.PdfReader(io.BytesIO(found.page.pdf())).pages
        text = " ".join(page.extract_text() for page in pages)
        for words in ("Summary", "Results", "Data quality", "Reproduction", f"Figure {figures}"):
            assert words in text
        assert "Search " not in text


def test_paper_has_every_picture_on_white_and_every_fold_open(opened, report):
    with opened(report("pair"), scheme="dark") as found:
        found.draw()
        found.page.evaluate("document.querySelectorAll('.fold').forEach((each) => { each.open = false; })")
        found.page.emulate_media(media="print", color_scheme="dark")
        found.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert found.page.locator(".live:visible").count() == 0
        stills = found.page.locator(".still > svg")
        assert found.page.locator(".still > svg:visible").count() == stills.count() > 3
        assert set(stills.evaluate_all(BACKGROUNDS)) == {"rgb(255, 255, 255)"}
        found.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert found.page.locator(".fold[open]").count() == 0


def test_a_page_without_scripts_still_has_its_words(browser, report):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report("pair").as_uri())
    assert page.get_by_role("heading", name="Summary", exact=True).is_visible()
    assert page.get_by_role("row").count() > 20
    for fold in page.locator(".fold > summary").all():
        fold.click()
    stills = page.locator(".still > svg")
    assert page.locator(".still > svg:visible").count() == stills.count() > 3
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        widths = stills.evaluate_all("(all) => all.map((svg) => svg.getBoundingClientRect().right)")
        assert max(widths) <= width
    # They are drawn once, and follow the theme without scripts.
    for scheme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(22, 26, 33)")):
        page.emulate_media(color_scheme=scheme)
        assert set(stills.evaluate_all(BACKGROUNDS)) == {colour}
    context.close()


def test_an_injected_script_does_not_run(opened, report):
    with opened(report("pair")) as found:
        body = "document.body"
        for source in ("window.__pwned = 1", "eval('window.__pwned = 1')"):
            found.page.evaluate(INJECTED, source)
        found.page.evaluate(f"{body}.insertAdjacentHTML('beforeend', '<img src=x onerror=window.__pwned=1>')")
        found.page.evaluate(f"{body}.setAttribute('onclick', 'window.__pwned=1')")
        found.page.locator("h1").click()
        found.page.evaluate("fetch('https://example.invalid/').catch(() => 0)")
        found.page.evaluate("void (new Image().src = 'https://example.invalid/i.png')")
        assert found.page.evaluate("window.__pwned") is None
        refused = [words for words in found.complaints if "Content Security Policy" in words]
        assert len(refused) >= 5
        found.requests.clear()
        found.complaints.clear()
