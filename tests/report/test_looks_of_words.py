"""What is small, empty or repeated reads well: parts of the bar, axes, legends, columns, captions and line ends."""

import re

import pytest
from material import blocks, by_title, cells, factorial, of, texts

from statera.comparison.codes import OF
from statera.output.report import html
from statera.output.report.html import page as html_of
from statera.output.report.html import sentence
from statera.output.report.model import Share
from statera.output.report.sections import summary
from support import ROOT, go, noisy, write

SUITE = ROOT / "tests/cases/sandmark-suite"


def drawn(document, key):
    """Give the drawn changes of the first table of a section, by benchmark."""
    table = next(block for block in blocks(document, key, "Table") if block.anchors)
    return {row[0].text: next(cell.interval for cell in row if cell.interval) for row in table.rows}, table


def test_the_only_change_of_many_rows_is_on_the_axis(tmp_path):
    sides = [
        go({f"Case{n}": noisy(100 * (1.18 if n == slow else 1), seed=seed + n, spread=0.01) for n in range(60)})
        for seed, slow in ((1, None), (900, 7))
    ]
    found, _ = drawn(of(write(tmp_path, old=sides[0], new=sides[1]))[1], "results")
    assert not found["Case7"].cut_high
    assert found["Case7"].middle > max(each.middle for name, each in found.items() if name != "Case7")


def test_an_axis_without_any_change_states_no_ends(tmp_path):
    same = {f"Case{n}": {"B/op": [64 * (n + 1)] * 6} for n in range(3)}
    _, table = drawn(of(write(tmp_path, old=go(same), new=go(same)))[1], "results")
    assert table.drawn == "Marks beside the changes: worse to the right."


def test_the_smallest_part_of_the_bar_is_seen():
    bar = html.bar((Share("slower", 1, "worse"), Share("unchanged", 9_999, "equivalent")))
    widths = [float(width) for width in re.findall(r'width="([\d.]+)"', bar)]
    assert min(widths) > 0.6
    assert sum(widths) == pytest.approx(100, abs=0.01)


def test_verdicts_agree_with_their_number():
    assert [summary._more(None, "differs", count, []) for count in (1, 5)] == ["1 more differs", "5 more differ"]


def test_words_of_verdicts_are_those_of_people():
    assert OF["one-value"].word == "not judged"
    assert OF["inconclusive"].word == "no clear change"
    assert OF["equivalent"].word == "unchanged"
    assert OF["missing"].word == "gone"
    assert not any("-" in each.word for each in OF.values())


def test_colours_of_changes_are_explained_and_pale_where_nothing_is_shown(tmp_path):
    document = of(factorial(tmp_path), by=("build",), within=("cc",), quantiles=(0.1, 0.5, 0.9))[1]
    tables = [block for block in blocks(document, "distribution", "Table") if block.title.startswith("Change of")]
    assert tables
    for table in tables:
        assert any(note.startswith("Colours show slower and faster changes, strongest from ") for note in table.notes)
        shown = [cell for row in table.rows for cell in row if cell.heat is not None]
        assert all(abs(cell.heat) <= 0.5 for cell in shown if not cell.text.endswith("*"))
        assert all(cell.heat == 0 for cell in shown if cell.text.startswith("("))
        assert any(abs(cell.heat) > 0.5 for cell in shown)


def test_largest_gains_stand_beside_the_changes_of_other_metrics():
    document = of(sorted(SUITE.glob("*.bench")))[1]
    for title in ("Worst offenders: time_secs", "Largest gains: time_secs"):
        table = by_title(document, "suite", title)
        assert all(row["maxrss"] == "0%" for row in cells(table))
        assert [note.startswith("The columns on the right") for note in table.notes] == [True]


def test_a_detectable_change_that_nobody_asks_for_is_not_named(tmp_path):
    nearly = {"Case": {"B/op": [64_000_000 + n % 3 for n in range(20)]}}
    exact = {f"Same{n}": {"B/op": [64 * (n + 1)] * 20} for n in range(3)}
    (path,) = write(tmp_path, old=go(nearly | exact))
    assert "All benchmarks are fit to be compared." in of([path])[0].inspection.findings


def test_columns_of_samples_are_explained_once(tmp_path):
    (path,) = write(tmp_path, old=go({"Case": {"ns/op": noisy(10, 12), "MB/s": noisy(90, 12, seed=4)}}))
    tables = [block for block in blocks(of([path])[1], "quality", "Table") if block.title.endswith("alone")]
    assert len(tables) == 2
    assert ["IQR is the distance between" in " ".join(table.notes) for table in tables] == [True, False]
    for column in tables[0].columns:
        if column.name in {"IQR", "skew", "shows"}:
            assert f"{column.name} is the" in tables[0].notes[-1]


def test_a_further_question_is_led_by_a_sentence(tmp_path):
    document = of(factorial(tmp_path), by=("build",), within=("cc",))[1]
    said = "The answer above compares by build, at each cc. Further comparisons:"
    assert said in texts(document, "summary")


def test_a_table_does_not_repeat_the_heading_above_it(tmp_path):
    both = {f"Case{n}": {"ns/op": noisy(10 + n, 8, seed=n), "B/op": [64] * 8} for n in range(12)}
    page = html_of(of(write(tmp_path, old=go(both), new=go(both)))[1])
    for name in ("sec/op", "B/op"):
        assert re.search(rf"<h3 [^>]*>{name}</h3>", page)
        assert f'<figcaption><span class="unseen">{name}</span>' in page
        assert f'<span class="title">{name}</span>' not in page


def test_numbers_stay_with_what_they_belong_to():
    assert sentence("Cmp is slower: 175.0 ns → 1,068 ns (p <0.001); 2 rows") == (
        "Cmp is slower: 175.0\u00a0ns → 1,068\u00a0ns (p\u00a0&lt;0.001); 2 rows"
    )
    assert sentence("(p = 0.006)") == "(p\u00a0=\u00a00.006)"


def test_long_names_are_short_in_the_contents(tmp_path):
    name = f"{'Validation' * 11}/case=1"
    sides = [go({name: noisy(100 * factor, 12, seed=factor)}) for factor in (1, 2)]
    page = html_of(of(write(tmp_path, old=sides[0], new=sides[1]))[1])
    contents = page[page.index('<nav class="contents"') : page.index("</nav>")].replace("<wbr>", "")
    assert name not in contents
    assert "…" in contents
    assert "/case=1</a>" in contents
