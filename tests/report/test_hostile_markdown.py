"""The report on GitHub: names link, load, mention and refer to nothing, whatever they are names of."""

import re

from material import of

from rendered import HOSTILE, acting, shown
from statera._native import printable
from statera.output.report import html, markdown
from statera.output.report.drawn import Drawing
from support import noisy, table


def report(folder, names, **options):
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
        document = report(tmp_path, names)
        files = enumerate([*document.figures, *document.attachments])
        links = {id(each): markdown.File(f"files/{number}", 300) for number, each in files}
        text = markdown.text(document, links)
        assert acting(text, ours=[file.address for file in links.values()]) == []
        assert all(printable(name).strip()[:12] in shown(text) for name in names)


def test_no_name_reaches_a_path(tmp_path, monkeypatch):
    # Names of files do not depend on what is drawn.
    monkeypatch.setattr(markdown, "drawing", lambda _: Drawing("", 1.0, 1.0, 0.0, ()))
    monkeypatch.setattr(Drawing, "png", lambda *_: b"")
    names = ("../../up", "/etc/passwd", "a/../b", "..", "~root", "x\0y")
    path = tmp_path / "out" / "report.md"
    path.parent.mkdir()
    written = markdown.write(report(tmp_path, names), str(path))
    assert {str(each) for each in path.parent.rglob("*") if each.is_file()} == set(written)
    for each in written:
        assert re.fullmatch(r"report\.md|(figure-\d+-[a-z]+|rows|inspection)\.[a-z]+", each.rpartition("/")[2])


def test_a_value_in_prose_needs_no_joiner_outside_of_github(tmp_path):
    names = ["@user", "#1", "key", "x", "y", "z"]
    document = report(tmp_path, names, notes='It is {{median("z", "x @2", key="y")}}.')
    assert "\u2060" in markdown.text(document)
    prose = re.search(r"<p>It is .*?</p>", html.page(document))[0]
    assert "#1" in prose
    assert "\u2060" not in prose
