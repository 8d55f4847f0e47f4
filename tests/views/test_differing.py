"""Every output shows a row that differs with its size, quietly: grey, after what is known, never as better or worse."""

import re

import pytest
from looks import is_drawn
from material import blocks, of

import statera
from statera.output import plots
from statera.output.plots import theme
from statera.output.report import notebook
from statera.output.views import Layout, terminal
from support import noisy, table, write


def result(slow, quick, same):
    """A table with one process for `slow`, and four processes each for the others."""
    rows = [{"benchmark": "slow", "value": value, "unit": "s", "process": "p0"} for value in noisy(slow, 30, seed=3)]
    for name, centre in (("quick", quick), ("same", same)):
        rows += [
            {"benchmark": name, "value": value, "unit": "s", "process": f"p{number}"}
            for number in range(6)
            for value in noisy(centre, 5, seed=int(centre) + number)
        ]
    return table(rows)


@pytest.fixture
def paths(tmp_path):
    return write(tmp_path, **{"old.csv": result(100, 50, 70), "new.csv": result(120, 40, 70)})


@pytest.fixture
def found(paths):
    return statera.compare(*paths)


def test_tables_are_not_red_or_green(found):
    assert {row.benchmark: row.verdict for row in found} == {"slow": "differs", "quick": "better", "same": "equivalent"}
    [line] = [line for line in terminal.page(found, Layout(colour=True)).splitlines() if "slow  " in line]
    assert re.search(r"\x1b\[2m *\+\d\d\.\d%\x1b\[0m .*\x1b\[2mdiffers *\x1b\[0m$", line)
    variable = notebook._COLOURS["differs"]
    assert variable not in {notebook._COLOURS[verdict] for verdict in ("better", "worse", "changed")}
    assert '<tr class="differs"><td>slow' in found._repr_html_()


def test_what_differs_stands_after_what_is_known(found):
    known, differing = found.findings
    assert "quick (value −1" in known
    assert "slow (value +2" in differing
    rows = [found[index].benchmark for index in found.weighing.order([0, 1, 2], "worst", changed=True)]
    assert rows == ["quick", "slow"]
    marked = found.to_markdown()
    # In a comment it asks for a look, because it is for the worse; an improvement does not.
    assert marked.startswith("### 🟠 ")
    assert marked.index("| `slow` |") < marked.index("| `quick` |")
    assert "| differs |" in marked


def test_the_report_says_the_direction(paths):
    document = of(paths)[1]
    items = [item for each in blocks(document, "summary", "Items") if each.findings for item in each.items]
    assert [item.tone for item in items][:2] == ["better", "differs"]
    assert items[1].text.startswith("slow differs for the worse (one process per build): ")
    [row] = [row for each in blocks(document, "results", "Table") for row in each.rows if row[0].text == "slow"]
    assert [cell.text for cell in row if cell.chip] == ["differs"]
    assert {cell.tone for cell in row if cell.tone} == {"differs"}
    assert row[-1].text.startswith("one process per build")


def test_pictures_draw_it_in_grey_and_count_it_in_their_title(found):
    for kind in ("forest", "heatmap"):
        is_drawn(plots.draw(kind, found))
    assert "1 differs, 1 unchanged, 1 faster" in plots.draw("forest", found).title
    for mode in theme.MODES:
        colour = theme.css_variables(mode)["--differs"]
        channels = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
        assert max(channels) - min(channels) < 40
