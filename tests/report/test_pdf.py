"""The report as PDF: all of the document, the answer first, text that can be read, few pages."""

import re
from dataclasses import replace

import pypdf
import pytest
from material import nine, of, pair, suite
from reading_back import read

from statera.output import plots
from statera.output.report import model, pdf
from statera.output.report.drawn import drawing
from statera.output.views import json
from statera.support.wording import shown
from support import go, noisy, write

# An identity matrix, as PDF writes matrices.
SAME = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def words(page):
    return " ".join(page.extract_text().replace("\u200b", "").split())


def times(first, second):
    a, b, c, d, e, f = first
    u, v, w, x, y, z = second
    return (a * u + b * w, a * v + b * x, c * u + d * w, c * v + d * x, e * u + f * w + y, e * v + f * x + z)


def numbers(values):
    return tuple(float(each) for each in values)


def sizes(reader, content, resources, matrix=SAME):
    """Yield the size in points of each text that is shown, those in pictures too."""
    held, text, font = [], SAME, 0.0
    for values, operator in pypdf.generic.ContentStream(content, reader).operations:
        match operator:
            case b"q":
                held.append(matrix)
            case b"Q":
                matrix = held.pop()
            case b"cm":
                matrix = times(numbers(values), matrix)
            case b"Tf":
                font = float(values[1])
            case b"BT" | b"Tm":
                text = numbers(values) or SAME
            case b"Tj" | b"TJ":
                seen = times(text, matrix)
                yield font * abs(seen[0] * seen[3] - seen[1] * seen[2]) ** 0.5
            case b"Do":
                yield from inside(reader, resources["/XObject"][values[0]].get_object(), matrix)


def inside(reader, form, matrix):
    if form["/Subtype"] == "/Form":
        own = numbers(form.get("/Matrix", SAME))
        yield from sizes(reader, form, form.get("/Resources", {}), times(own, matrix))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nine")
    document = of(nine(folder), by=("build",), within=("cc",), baseline="base")[1]
    return document, read(document)[0]


def test_the_first_page_answers(tmp_path):
    material, document = of(pair(tmp_path))
    first = words(read(document)[0].pages[0])
    assert first.index(material.comparison.answer.line) < first.index("Summary")
    banner = next(block for block in document.blocks if isinstance(block, model.Banner))
    for lead in banner.leads:
        assert lead.name in first
        assert lead.text in first
    for share in banner.shares:
        assert f"{share.count} {share.words}" in first


def test_nine_variants_fit_on_fifteen_pages(made):
    assert len(made[1].pages) <= 15


def slower(folder, benchmarks, values):
    """A document of benchmarks that all became worse."""
    same = {f"Case{n}": noisy(100 * (n + 1), values, seed=n) for n in range(benchmarks)}
    new = {name: [1.3 * value for value in each] for name, each in same.items()}
    return of(write(folder, old=go(same), new=go(new)))[1]


def lowest(page):
    """The height of the lowest text of a page, without its foot, as a part of the page's text."""
    heights = []

    def visit(text, outer, matrix, *_):
        if text.strip():
            heights.append(times(numbers(matrix), numbers(outer))[5])

    page.extract_text(visitor_text=visit)
    foot = pdf.MARGINS["bottom"] * 72 / 25.4
    return (min(height for height in heights if height > foot) - foot) / pdf.HEIGHT


@pytest.fixture(scope="module")
def worse(tmp_path_factory):
    document = slower(tmp_path_factory.mktemp("worse"), 8, 12)
    return document, read(document)[0]


def test_cards_follow_each_other_and_leave_no_page_empty(worse):
    document, reader = worse
    cards = [block for block in document.blocks if isinstance(block, model.Card)]
    found = reader.pages
    pages = [words(page) for page in found]
    assert len(cards) == 8
    on = [next(number for number, page in enumerate(pages) if card.said in page) for card in cards]
    assert on == sorted(on)
    assert len(set(on)) > 1
    assert max(lowest(page) for page in found[: on[-1]]) < 0.25


def test_a_card_that_fits_below_the_answer_begins_on_the_first_page(tmp_path):
    document = of(pair(tmp_path))[1]
    first = read(document)[0].pages[0]
    (card,) = (block for block in document.blocks if isinstance(block, model.Card))
    assert card.said in words(first)
    assert lowest(first) < 0.25


def test_only_pictures_outside_of_cards_have_numbers_without_a_gap(worse):
    document, reader = worse
    found = " ".join(words(page) for page in reader.pages)
    captions = [int(each) for each in re.findall(r"Figure (\d+)\.", found)]
    within = [figure for block in document.blocks if isinstance(block, model.Card) for figure in block.figures]
    assert 0 < len(captions) <= len(document.figures) - len(within)
    assert sorted(captions) == list(range(1, len(captions) + 1))


def three(folder):
    """Three variants of fifty benchmarks."""
    values = {f"Case{n:02}": noisy(100 + n, 8, seed=n) for n in range(50)}
    factors = {"old": 1.0, "new": 1.2, "third": 1.1}
    sides = {
        side: go({name: [factor * value for value in each] for name, each in values.items()})
        for side, factor in factors.items()
    }
    return of(write(folder, **sides))


def test_the_first_piece_of_a_picture_has_rows(tmp_path):
    found = drawing(plots.draw("forest", three(tmp_path)[0].comparison, most=50))
    rows = sorted(float(y) for y in re.findall(r'translate\([\d.-]+,([\d.]+)\)"[^>]*>Case', found.svg))
    assert len(found.cuts) > 1
    assert sum(height < found.cuts[0] for height in rows) >= 3


def places(reader, pattern):
    """Give where the texts stand that a pattern matches: page, and distance from its upper edge."""
    found = {}
    for number, page in enumerate(reader.pages):

        def visit(text, outer, matrix, *_, at=number):
            for match in re.finditer(pattern, text):
                found.setdefault(match[0], (at, -times(numbers(matrix), numbers(outer))[5]))

        page.extract_text(visitor_text=visit)
    return found


def test_a_picture_stays_in_its_section(tmp_path):
    figure = model.Figure(plots.draw("forest", three(tmp_path)[0].comparison, most=20), "Changes.")
    filling = tuple(model.Prose((f"Paragraph {number}.",)) for number in range(25))
    sections = (
        model.Section("a", "First", (*filling, figure)),
        model.Section("b", "Second", (model.Prose(("Another paragraph.",)),)),
    )
    reader = read(model.Document("A report", "of a picture", "statera", sections))[0]
    assert len(reader.pages) == 2
    found = places(reader, r"Figure 1\.|Paragraph 24\.|Another")
    assert found["Paragraph 24."] < found["Figure 1."] < found["Another"]


def test_a_table_wider_than_the_page_is_divided_by_columns():
    columns = tuple(model.Column(f"variant-{n}") for n in range(10))
    rows = tuple((model.Cell(name), *[model.Cell("e3917f684e8b60e7bfc453d6d8114b800bdf167d")] * 9) for name in "ab")
    wide = model.Table("What differs", columns, rows, ("Below.",))
    parts = pdf.column_parts(wide, pdf.column_lengths(wide))
    assert len(parts) > 1
    assert all(part[0] == 0 for part in parts)
    assert [place for part in parts for place in part if place] == [*range(1, 10)]
    narrow = wide.with_columns([0, 1, 2])
    assert pdf.column_parts(narrow, pdf.column_lengths(narrow)) == [[0, 1, 2]]


def test_names_and_verdicts_of_a_wide_table_keep_their_line():
    columns = (
        model.Column("variant"),
        model.Column("verdict"),
        *[model.Column("n", numeric=True)] * 8,
        model.Column("remark"),
    )
    row = ("SplitUMElem/8.10.7", "no clear change", *["32.20 ms"] * 8, "one process per build, so this is no proof")
    table = model.Table("All", columns, (tuple(map(model.Cell, row)),))
    *others, remark = pdf.column_shares(table, pdf.column_lengths(table))
    assert not any(others)
    assert remark


def test_a_last_page_with_little_on_it_is_drawn_in(monkeypatch):
    document = document_of(*(model.Prose((f"Paragraph {number}.",)) for number in range(42)))
    assert len(read(document)[0].pages) == 1
    monkeypatch.setattr(pdf, "_FILLED", 0)
    assert len(read(document)[0].pages) == 2


def test_a_long_narrow_table_takes_two_columns(tmp_path):
    for rows, kind in ((10, "table"), (30, "tables")):
        made = document_of(replace(numbered(rows), title="Settings", notes=("docs/settings has the reasons.",)))
        (block,) = pdf.typst_data(made, tmp_path)["sections"][0]["blocks"]
        assert block["kind"] == kind
        said = words(read(made)[0].pages[0])
        assert said.count("Settings") == said.count("docs/settings has the reasons.") == 1
        assert all(f"row {number}" in said for number in range(rows))


def holds_its_sizes(reader):
    found = [size for page in reader.pages for size in sizes(reader, page.get_contents(), page["/Resources"])]
    assert len(found) > 1000
    assert min(found) > pdf.LEAST_TEXT - 0.01


def test_no_text_is_smaller_than_six_points(made):
    holds_its_sizes(made[1])


@pytest.mark.later
def test_no_text_of_a_suite_is_smaller(tmp_path):
    holds_its_sizes(read(of(suite(tmp_path, 30, runs=12))[1])[0])


def test_pictures_are_cut_between_their_panels(made):
    cut = [found for found in (drawing(figure.picture) for figure in made[0].figures) if found.cuts]
    assert cut
    for found in cut:
        assert list(found.cuts) == sorted(found.cuts)
        assert found.cuts[0] > 0
        assert found.cuts[-1] < found.height


def test_pieces_together_are_the_picture_and_rows_fit_the_page(made):
    for row in pdf.picture_rows(made[0].figures):
        room = sum(placed.width for placed in row.placed) + pdf.GUTTER * (len(row.placed) - 1)
        assert room <= pdf.WIDTH + 0.01
        for placed in row.placed:
            assert placed.pieces[0]["top"] == 0
            assert sum(piece["height"] for piece in placed.pieces) == pytest.approx(placed.height, abs=0.1)


def numbered(rows):
    columns = (model.Column("name"), model.Column("value", numeric=True))
    body = tuple((model.Cell(f"row {number}"), model.Cell(str(number))) for number in range(rows))
    return model.Table("Rows", columns, body)


def folded(rows):
    file = model.Attachment("all.csv", b"name\n", "text/csv", "all rows")
    return model.Fold("All rows", (numbered(rows), file))


def document_of(*blocks):
    return model.Document("A report", "of blocks", "statera", (model.Section("results", "Results", blocks),))


def test_a_short_fold_is_open_and_a_long_one_is_left_to_the_page():
    short, long = (read(document_of(folded(rows)))[0] for rows in (20, 400))
    assert "row 19" in " ".join(map(words, short.pages))
    left = " ".join(map(words, long.pages))
    assert "All rows: 1 table, which the HTML report shows." in left
    assert "row 1" not in left
    assert "all.csv" in long.attachments


def test_links_lead_only_to_what_paper_has(tmp_path):
    columns = (model.Column("benchmark"),)
    body = tuple((model.Cell(f"b{number}", link=f"row-{number}"),) for number in range(pdf.MOST_ROWS + 20))
    anchors = tuple(f"row-{number}" for number in range(len(body)))
    rows = model.Table("Rows", columns, body, (), len(body), "rows.csv", anchors)
    leads = (model.Lead("cut", "+1%", "worse", None, f"row-{len(body) - 1}"),)
    banner = model.Banner("One is slower", (), leads, "")
    data = pdf.typst_data(document_of(banner, rows, rows), tmp_path)
    cells = [row[0] for block in data["sections"][0]["blocks"] for row in block["rows"]]
    named = [cell["anchor"] for cell in cells if cell["anchor"]]
    assert named == [f"row-{number}" for number in range(pdf.MOST_ROWS)]
    assert {cell["link"] for cell in cells} == {*named}
    assert data["first"][0]["leads"][0]["link"] == ""


def test_values_for_exploration_leave_no_trace(tmp_path):
    _, document = of(pair(tmp_path))
    assert document.samples
    bare = model.Document(document.title, document.subtitle, document.byline, document.sections, document.date)
    assert pdf.content(document) == pdf.content(bare)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    material, document = of(pair(tmp_path_factory.mktemp("pair")), title="Two builds")
    return material, document, *read(document)


def test_it_has_a_title_contents_and_numbered_pages(two):
    _, document, reader, pages = two
    assert reader.metadata.title == "Two builds: old → new"
    assert "Two builds" in pages[0]
    for section in document.sections:
        assert section.title in pages[0]
    for number, page in enumerate(pages, 1):
        assert f"{number} / {len(pages)}" in page
    assert 4 <= len(pages) <= 12


def test_its_outline_names_every_section(two):
    _, document, reader, _ = two
    named = [each.title for each in reader.outline if not isinstance(each, list)]
    assert named == [section.title for section in document.sections]


def test_pages_run_under_the_title_and_the_section(two):
    _, document, _, pages = two
    places = {f"Two builds: old → new {section.title}" for section in document.sections}
    assert all(page.splitlines()[0] in places for page in pages[1:])


def test_every_number_of_the_results_stands_in_it(two):
    material, _, _, pages = two
    text = " ".join(pages).replace("\n", " ")
    for index in range(len(material.comparison)):
        for column in ("benchmark", "change", "interval"):
            assert shown(material.comparison.weighing.cell(index, column)) in text


def test_the_full_data_is_attached(two):
    material, _, reader, _ = two
    held = {name: content[0] for name, content in reader.attachments.items()}
    assert held["rows.csv"].decode() == json.comparison_table(material.comparison)


def test_heads_repeat_and_limits_are_said(tmp_path):
    _, pages = read(of(suite(tmp_path, 400), metrics=("sec/op",))[1])
    text = "\n".join(pages)
    assert "100 of 400 rows are shown" in text
    with_rows = [page for page in pages if re.search(r"^Case\d+ slower ", page, re.MULTILINE)]
    assert len(with_rows) >= 3
    assert all("benchmark verdict change" in page for page in with_rows)


def test_pictures_are_vectors_with_text(two):
    _, document, reader, pages = two
    assert document.figures
    assert any(f"Figure {1}." in page for page in pages)
    assert not any(page.images for page in reader.pages)
