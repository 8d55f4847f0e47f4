"""Names are text from strangers: shown as text everywhere, executed nowhere."""

import re

import pytest
from material import of
from reading_back import Page, read

from rendered import HOSTILE, acting, shown
from statera._native import printable
from statera.output.report import html, markdown
from statera.output.report.drawn import Drawing
from support import noisy, table, write

NAMES = {
    "html": "<script>alert('x')</script><img src=x onerror=alert(1)>&amp;",
    "close": "</script></style></title></table>",
    "typst": '#panic("x") *b* $x$ @ref <lab> // c',
    "jinja": "{{ 7919*7 }}{% raw %}{# c",
    "vega": "datum.value; [a].b + alert(1)",
    "latex": "\\input{/etc/passwd} $\\alpha$",
    "markdown": "|a|b| [x](javascript:alert(1)) ``` ![i](http://evil/x.png) @user",
    "quotes": "a\"b'c`d",
    "long": "long" * 125,
    "comment": "<!-- x --> ]]> --!> <![CDATA[y]]>",
    "import": '#import "x": * #read("/etc/passwd") \\ #link("https://evil.invalid")[z]',
    "address": "javascript:alert(1) https://evil.invalid www.evil.invalid",
    "unicode": "größe/Ω",
}
UNSEEN = {"bidi": "a\u202eb\u200bc\ufeffd", "control": "a\x1b[31mred\x07\tb\nc"}


def report(folder, names):
    sides = []
    for side, factor in (("old", 1), ("new", 2)):
        rows = [
            {"benchmark": name, "metric": "<b>m|t</b>{{1}}", "value": value * factor, "unit": "#x"}
            for name in names
            for value in noisy(1)
        ]
        (path,) = write(folder, **{f"{side}.csv": table(rows)})
        sides.append(f"<i>{side}{{{{x}}}}={path}")
    return of(sides, title="<u>#panic()")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return report(tmp_path_factory.mktemp("names"), [*NAMES.values(), *UNSEEN.values()])


def test_html_shows_names_as_text(made):
    page = Page(html.page(made[1]))
    for key, name in NAMES.items():
        assert (name if key != "long" else "longlong") in page.text
    assert not page.all("img")
    addresses = [value for _, found in page.elements for name, value in found.items() if name in {"href", "src"}]
    assert addresses
    assert not any("javascript:" in address for address in addresses)
    assert not page.all("i")
    assert not page.all("u")
    assert "55433" not in page.text
    assert not re.search(
        r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\ufeff]",
        html.page(made[1]).split("<main>")[1].split("</main>")[0],
    )


def test_html_data_of_pictures_cannot_end_its_script(made):
    text = html.page(made[1])
    for body in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL):
        assert body.startswith("{")
        assert body.endswith("}")
        assert "<" not in body


def test_markdown_shows_names_as_text(made):
    text = markdown.report(made[1])
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", re.sub(r"\\.", "", text))
    tags = set(re.findall(r"</?([a-z]+)", outside))
    assert tags <= {"details", "summary", "b"}
    assert not re.search(r"\]\((?:javascript|http)", outside)
    assert "@user" not in outside
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\ufeff]", text)


def test_pdf_shows_names_as_text(made):
    reader, pages = read(made[1])
    text = re.sub(r"\s+", "", "".join(pages))
    for key, name in NAMES.items():
        wanted = re.sub(r"\s+", "", name if key != "long" else "longlong")
        assert wanted in text, key
    assert "<u>#panic()" in text
    links = [each.get_object() for page in reader.pages for each in page.get("/Annots", ())]
    assert not [link for link in links if "/URI" in link.get("/A", {}) or "/JS" in link.get("/A", {})]
    assert "a\\u{202e}b\\u{200b}c\\u{feff}d" in text
    assert "a\\u{1b}[31mred\\u{7}\\tb\\nc" in text


def test_a_character_that_no_font_has_is_its_code_point_in_the_pdf(tmp_path):
    _, pages = read(report(tmp_path, ["漢字 🦀"])[1])
    text = "".join(pages)
    assert "U+6F22U+5B57 U+1F980" in text
    assert "漢" not in text
    assert "🦀" not in text


def everywhere(folder, names, **options):
    """Three variants of hostile files and labels, with hostile columns, and a line that is left out."""
    made = []
    for place, (name, label) in enumerate((("a.csv", names[3]), ("@u #1 www.evil.invalid.csv", ""), ("c.csv", "x"))):
        rows = [
            {
                "benchmark": each,
                "metric": f"m {names[0]}",
                "unit": names[1],
                "value": value,
                names[2]: level,
                "batch": place,
            }
            for each in names
            for level in (names[4], names[5])
            for value in noisy(1 + place, 8)
        ]
        path = folder / name
        path.write_text(table([*rows, {**rows[0], "value": HOSTILE[0]}]), newline="")
        word = printable(label).replace("/", "").replace("=", "")
        made.append(f"{word} @{place}={path}" if word else str(path))
    return of(made, within=(names[2],), title=names[0], command=f"statera report {names[1]}", **options)[1]


def test_a_report_acts_nowhere_but_in_its_own_files(tmp_path):
    for names in (HOSTILE[:10], HOSTILE[10:20]):
        document = everywhere(tmp_path, names)
        files = enumerate([*document.figures, *document.attachments])
        links = {id(each): markdown.File(f"files/{number}", 300) for number, each in files}
        text = markdown.report(document, links)
        assert acting(text, ours=[file.address for file in links.values()]) == []
        assert all(printable(name).strip()[:12] in shown(text) for name in names)


def test_no_name_reaches_a_path(tmp_path, monkeypatch):
    # Names of files do not depend on what is drawn.
    monkeypatch.setattr(markdown, "drawing", lambda _: Drawing("", 1.0, 1.0, 0.0, ()))
    monkeypatch.setattr(Drawing, "png", lambda *_: b"")
    names = ("../../up", "/etc/passwd", "a/../b", "..", "~root", "x\0y")
    path = tmp_path / "out" / "report.md"
    path.parent.mkdir()
    written = markdown.write(everywhere(tmp_path, names), str(path))
    assert {str(each) for each in path.parent.rglob("*") if each.is_file()} == set(written)
    for each in written:
        assert re.fullmatch(r"report\.md|(figure-\d+-[a-z]+|rows|inspection)\.[a-z]+", each.rpartition("/")[2])


def test_a_value_in_prose_needs_no_joiner_outside_of_github(tmp_path):
    names = ["@user", "#1", "key", "x", "y", "z"]
    document = everywhere(tmp_path, names, notes='It is {{median("z", "x @2", key="y")}}.')
    assert "\u2060" in markdown.report(document)
    prose = re.search(r"<p>It is .*?</p>", html.page(document))[0]
    assert "#1" in prose
    assert "\u2060" not in prose
