"""A comparison of runs answers first: in the terminal, in Markdown, and in the report with links both ways."""

import re

import pytest

from statera.cluster.analysis import Options
from statera.cluster.comparison import alone, compare
from statera.cluster.inputs import opened
from statera.cluster.observations import Variant
from statera.cluster.report import document
from statera.cluster.report.material import Material
from statera.cluster.views import comparison as text
from statera.output.report.model import Banner, Card, Fold, Table
from support import every

COLOURED = re.compile(r"\x1b\[([\d;]+)m([^\x1b]*)\x1b\[0m")


@pytest.fixture(scope="module")
def reported(analysed):
    """The comparison of the example, and its report."""
    runs = [f"{side}={analysed(f'{side}-{number}')}" for side in ("base", "slower") for number in (1, 2, 3)]
    with opened(runs, Options()) as given:
        comparison = compare(given)
        return comparison, document(Material(comparison))


@pytest.fixture(scope="module")
def single(analysed):
    with opened([str(analysed("base-1"))], Options()) as given:
        return document(Material(alone(given[0])))


def blocks(made, kind):
    return [block for block in made.blocks if isinstance(block, kind)]


def test_the_answer_comes_first_and_counts_what_the_rows_say(reported):
    comparison, made = reported
    said = text.compared(comparison, "terminal")
    cells = [row.cells[0] for row in comparison.rows]
    worse = [cell for cell in cells if cell.verdict == "worse"]
    open_ones = [cell for cell in cells if cell.verdict == "inconclusive"]
    first = said.split("\n", 1)[0]
    assert first == (
        f"3 of 57 metrics slower (worst Forged to added to chain +26.3%), {len(open_ones)} no clear change, "
        f"{57 - 3 - len(open_ones)} unchanged"
    )
    assert len(worse) == 3
    assert text.compared(comparison, "markdown").startswith(f"**{first}**")
    banner = made.sections[0].blocks[0]
    assert isinstance(banner, Banner)
    assert banner.line == first
    assert sum(share.count for share in banner.shares) == 57
    assert {share.tone: share.count for share in banner.shares}["worse"] == len(worse)
    # The keys of metrics are not words of sentences.
    assert not [cell.metric.key for cell in cells if cell.metric.key in first]


def test_what_changed_stands_before_the_tables_and_the_manifest_after_them(reported):
    said = text.compared(reported[0], "terminal")
    places = [
        said.index(title) for title in ("Changed, the worst first", "could not be decided", "2.1 Res", "Manifest")
    ]
    assert places == sorted(places)
    rows = said[places[0] : places[1]].splitlines()[2:5]
    assert all(row.endswith(("  slower", "  higher")) for row in rows)
    changes = [float(re.search(r"\+([\d.]+)%", row)[1]) for row in rows]
    assert changes == sorted(changes, reverse=True)


def test_rows_have_the_colour_of_their_verdict(reported):
    coloured = COLOURED.findall(text.compared(reported[0], "terminal", colour=True))
    assert {code for code, row in coloured if row.endswith("]  slower")} == {"1;31"}
    assert {code for code, row in coloured if row.endswith("  no clear change")} == {"2"}
    assert not [row for _, row in coloured if row.endswith("  unchanged")]
    assert "\x1b" not in text.compared(reported[0], "terminal")


@every("width", (80, 100, 140))
def test_widths_hold_and_both_means_stay(reported, width):
    lines = text.compared(reported[0], "terminal", width=width).splitlines()
    assert max(map(len, lines)) <= width
    [row] = [line for line in lines if line.startswith("Forged to self-adopted, ms")][:1]
    assert "52.468" in row
    assert "66.010" in row
    assert "[+11.4, +15.7]" in row


def test_one_run_each_is_stated_once_a_table(noisy):
    old, new = noisy(seed=1), noisy(seed=2, size=1100, delay=0.05)
    comparison = compare([Variant("old", (old,)), Variant("new", (new,))])
    said = text.compared(comparison, "terminal")
    assert re.search(r"^\d+ of \d+ metrics? differs? \(.*, one run per build\)", said)
    assert "No metric changed" not in said
    assert "Changed, the worst first (one run per build)" in said
    marks = [line for line in said.splitlines() if line.endswith("no clear change *")]
    assert (marks != []) == ("* one run: within the margin" in said)


def test_every_link_leads_to_an_anchor_and_charts_lead_back(reported):
    _, made = reported
    tables, cards = blocks(made, Table), blocks(made, Card)
    anchors = [anchor for table in tables for anchor in table.anchors] + [card.anchor for card in cards]
    assert len(anchors) == len(set(anchors))
    numbered = {f"figure-{number}": figure for number, figure in enumerate(made.figures, 1)}
    links = [cell.link for table in tables for row in table.rows for cell in row if cell.link]
    assert len(links) >= 57
    assert [link for link in links if link not in {*anchors, *numbered}] == []
    assert [figure.caption for figure in made.figures if figure.link and figure.link not in anchors] == []
    # A row leads to the charts of its own metric.
    for table in tables:
        for anchor, row in zip(table.anchors, table.rows, strict=False):
            if row[0].link in numbered:
                assert numbered[row[0].link].link == anchor


def test_charts_of_what_changed_stand_on_cards_and_all_others_are_folded(reported):
    comparison, made = reported
    changed = {row.metric.key for row in comparison.rows if row.cells[0].changed}
    cards = blocks(made, Card)
    assert {card.anchor.removeprefix("suspect-") for card in cards} == changed
    assert all(card.said.startswith("slower: +2") for card in cards)
    assert all(len(card.table.rows) == 6 for card in cards)
    charts = next(section for section in made.sections if section.key == "charts")
    folded = [
        figure for fold in charts.blocks if isinstance(fold, Fold) for pair in fold.blocks for figure in pair.figures
    ]
    carded = [figure for card in cards for figure in card.figures]
    # One more shows where the time of a block went.
    assert len(folded) + len(carded) + 1 == len(made.figures)
    assert all(figure.link for figure in folded)
    titles = [figure.picture.title for figure in made.figures]
    assert len(titles) == len(set(titles))
    assert not [title for title in titles if "…" in title]


def test_changes_are_drawn_with_worse_to_the_right(reported):
    _, made = reported
    drawn = [(row, cell) for table in blocks(made, Table) for row in table.rows for cell in row if cell.interval]
    assert len(drawn) > 50
    for row, cell in drawn:
        places = cell.interval
        assert 0 <= places.low <= places.middle <= places.high <= 1
        if row[-2].text in {"slower", "higher"}:
            assert places.zero < places.low
        if cell.key == 0:
            assert places.middle == places.zero


def test_a_single_run_answers_too(single):
    banner = single.sections[0].blocks[0]
    assert isinstance(banner, Banner)
    assert re.match(
        r"Half of the cluster adopted a block [\d.]+ ms after the start of its slot; .*of 4 hosts", banner.line
    )
    assert [section.title for section in single.sections][:3] == ["1 Findings", "2 Analysis", "3 Charts"]
    assert blocks(single, Card) == []
