"""The Markdown report: within GitHub's limit, its pictures and data beside it."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from material import of, pair, suite

from statera.output.report import html, markdown, model, pdf, writers
from statera.output.views import comment, json
from support import cells


def addresses(text):
    """Where the pictures and the attachments of a report are."""
    return [*re.findall(r'<img src="([^"]+)"', text), *re.findall(r"\]\(([^)]+)\)", text)]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    material, document = of(pair(tmp_path_factory.mktemp("pair")))
    return material, document, markdown.report(document)


def test_it_begins_with_the_answer_which_it_says_once_and_has_every_section(made):
    material, document, text = made
    assert text.startswith("# Benchmark comparison\n\n**old → new**\n")
    line = material.comparison.answer.line
    assert text.count(line) == 1
    assert text.index(line) < text.index("Slow is slower")
    for section in document.sections:
        assert section.title in text


def test_findings_are_marked_and_rows_keep_their_columns(made):
    material, _, text = made
    assert "- 🔴 Slow is slower: sec/op +" in text
    assert "- 🟢 Fast is faster: sec/op −" in text
    rows = [cells(line) for line in text.splitlines() if line.startswith("| Slow ")]
    rows = [row for row in rows if row[1].startswith("slower")]
    assert rows[0][2] == material.comparison.weighing.cell(0, "change")
    for block in text.split("\n\n"):
        table = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(cells(line)) for line in table}) <= 1


def test_pictures_and_data_are_files_beside_it(made, tmp_path):
    material, document, _ = made
    path = tmp_path / "my report.md"
    written = markdown.write(document, str(path))
    assert written[0] == str(path)
    text = path.read_text()
    links = addresses(text)
    assert links
    for link in links:
        assert (tmp_path / unquote(link)).is_file()
    assert (tmp_path / "my report-files/rows.csv").read_text() == json.comparison_table(material.comparison)
    pictures = sorted((tmp_path / "my report-files").glob("*.png"))
    assert len(pictures) == len(document.figures) > 0
    assert all(each.read_bytes().startswith(b"\x89PNG") for each in pictures)
    assert {str(each) for each in Path(tmp_path / "my report-files").iterdir()} == set(written[1:])


def test_it_never_grows_beyond_the_limit_and_says_what_it_cuts(tmp_path):
    for benchmarks in (100, 1500):
        text = markdown.report(of(suite(tmp_path, benchmarks))[1])
        assert comment.size(text) <= comment.MOST
        assert f"of {benchmarks:,} rows are shown, the" in text
        assert "rows.csv has all of them" in text
        assert "## Reproduction" in text or "<b>Reproduction</b>" in text


def test_it_is_cut_where_even_short_tables_are_too_long(tmp_path):
    _, document = of(suite(tmp_path, 30), notes="word " * 20_000)
    text = markdown.report(document)
    assert comment.size(text) <= comment.MOST
    assert "does not fit" in text


def test_rows_that_ask_for_action_are_open_and_the_rest_is_folded(made):
    results = made[2].partition("## Results")[2]
    opened, _, folded = results.partition("<details>")
    assert "| Slow " in opened
    assert "| Fast " not in opened
    assert "| Fast " in folded.partition("</details>")[0]


def test_pictures_can_stand_at_another_address(made, tmp_path):
    path = tmp_path / "r.md"
    written = writers.write(made[1], str(path), picture_base="https://example.org/a (b)/")
    links = addresses(path.read_text())
    assert {f"https://example.org/a%20%28b%29/{Path(name).name}" for name in written[1:]} == set(links)


def test_pictures_have_their_own_width_and_those_of_a_card_stand_side_by_side(made, tmp_path):
    path = tmp_path / "r.md"
    markdown.write(made[1], str(path))
    text = path.read_text()
    card = text[text.index("<b>What became worse</b>: 1 with pictures") :].partition("</details>")[0]
    widths = [int(width) for width in re.findall(r'<img src="[^"]+" width="(\d+)" alt="[^"]+">', card)]
    assert len(widths) >= 2
    assert widths[0] + widths[1] < 780
    assert "\n\n<img" not in card.partition("<img")[2].partition("Trace of")[0]
    every = [int(width) for width in re.findall(r'<img src="[^"]+" width="(\d+)"', text)]
    assert max(every) <= 780


def test_the_words_of_a_picture_are_no_markup(made):
    hostile = "\"><script>alert(1)</script> <b onload='x'> **a** [b](c)"
    figure = made[1].figures[0]
    figure = replace(figure, picture=replace(figure.picture, alt=hostile))
    made = model.Document("T", "", "", (model.Section("results", "Results", (figure,)),))
    text = markdown.report(made, {id(figure): markdown.File('a.png?"&b', 300)})
    (image,) = [line for line in text.splitlines() if line.startswith("<img")]
    assert image.count('"') == 6
    assert image.count("<") == image.count(">") == 1


def test_a_heading_is_said_once_and_long_labels_are_short(tmp_path):
    old, new = suite(tmp_path, 6, runs=12)
    first, second = (f"{'build-' * 8}{side}={path}" for side, path in (("a", old), ("b", new)))
    text = markdown.report(of([first, second])[1])
    assert "### sec/op\n\n| benchmark |" in text
    heads = [line for line in text.splitlines() if line.startswith("| benchmark | verdict | change |")]
    assert heads
    assert all(max(map(len, cells(line))) <= pdf.HEAD for line in heads)
    assert all(cells(line)[3] != cells(line)[4] for line in heads)


def test_what_is_the_same_in_all_rows_is_said_once(tmp_path):
    opened = (
        markdown.report(of(suite(tmp_path, 6, runs=12))[1]).partition("## Results")[2].partition("<b>Data quality")[0]
    )
    assert "| Case1 |" in opened
    assert "\nIn all rows: n 12, p (corrected) &lt;0.001.\n" in opened
    assert "| p (corrected) |" not in opened
    assert "| n |" not in opened


def test_what_explains_drawings_in_tables_is_left_out(made):
    _, document, text = made
    drawn = [block.drawn for block in document.blocks if isinstance(block, model.Table) and block.drawn]
    assert drawn
    assert all(note.startswith("Lines beside the changes are their 95 % intervals") for note in drawn)
    assert "Lines beside" not in text
    assert "Lines beside" in html.page(document)
    section = model.Section("a", "A", (model.Prose(("Said.",)), model.Prose(("Of drawings.",), plain=False)))
    made = markdown.report(model.Document("T", "", "", (section,)))
    assert ("Said" in made, "Of drawings" in made) == (True, False)
