"""An inspection shows itself in a notebook: findings, rows with the cells of the terminal, names as text."""

import re

import statera
from rendered import tags
from support import go, noisy, table, write


def test_every_row_has_the_cells_of_the_terminal(tmp_path):
    (path,) = write(tmp_path, **{"a.txt": go({"Good": noisy(100, 12), "Few": noisy(5, 1)})})
    inspection = statera.inspect(path)
    html = inspection._repr_html_()
    for finding in inspection.findings:
        assert finding in html
    cells = inspection.native.cells([0, 1])
    for row in cells:
        assert all(re.search(rf"<td[^>]*>{re.escape(cell)}</td>", html) for cell in (row[0], row[2], row[3]))
    assert html.count('<tr class="unfit">') == 1
    assert "grade" not in html
    assert html.index("Few") < html.index("Good")


def test_groups_and_metrics_name_their_tables(tmp_path):
    rows = [
        {"benchmark": "X", "value": value, "unit": "s", "level": level} for level in ("v1", "v3") for value in noisy(1)
    ]
    (path,) = write(tmp_path, **{"a.csv": table(rows)})
    html = statera.inspect(path, within=["level"])._repr_html_()
    assert html.count("<table>") == 2
    for level in ("v1", "v3"):
        assert re.search(rf"<th>[^<]*level: {level}</th>", html)


def test_names_are_text(tmp_path):
    evil = "<script>alert(1)</script>\x1b&\"'"
    rows = [{"benchmark": evil, "metric": evil, "value": value, "unit": evil} for value in noisy(1)]
    (path,) = write(tmp_path, **{"a.csv": table(rows)})
    html = statera.inspect(f"<b>={path}")._repr_html_()
    assert tags(html) <= {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert "\x1b" not in html
    assert "&lt;script&gt;" in html


def test_a_self_test_shows_its_findings(tmp_path):
    (path,) = write(tmp_path, **{"a.txt": go({"A": noisy(10, 12)})})
    tested = statera.inspect(path, aa=True, splits=5)
    assert tested.findings[0] in tested._repr_html_()


def test_a_comparison_names_the_levels_of_its_tables(tmp_path):
    rows = [
        {"benchmark": "X", "value": value, "unit": "s", "level": level} for level in ("v1", "v3") for value in noisy(1)
    ]
    paths = write(tmp_path, **{"a.csv": table(rows), "b.csv": table(rows)})
    html = statera.compare(*paths, within=["level"])._repr_html_()
    for level in ("v1", "v3"):
        assert re.search(rf"<th>[^<]*level: {level}</th>", html)
