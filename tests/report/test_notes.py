"""The analysts' prose: where it stands, what its values are, and what is wrong with it."""

import pytest
from material import blocks, factorial, of, pair
from reading_back import Page, read

from statera.output.report import html, markdown
from statera.support.errors import Stop


@pytest.fixture
def crossed(tmp_path):
    paths = factorial(tmp_path)
    return lambda notes: of(paths, by=("build",), within=("cc",), notes=notes)


def sources(document):
    return {
        section.key: "".join(block.source for block in section.blocks if type(block).__name__ == "Analysis")
        for section in document.sections
    }


def test_prose_is_a_section_after_the_summary_and_headings_send_it_elsewhere(crossed):
    document = crossed("## Why\n\nWe looked.\n\n# method\n\nWe replayed.\n\n# Results\n\nSee *here*.\n")[1]
    assert [section.key for section in document.sections][:3] == ["summary", "analysis", "suspects"]
    found = sources(document)
    assert "We looked." in found["analysis"]
    assert found["method"].strip() == "We replayed."
    assert found["results"].strip() == "See *here*."
    assert type(next(each for each in document.sections if each.key == "method").blocks[0]).__name__ == "Analysis"


def test_other_headings_and_code_stay_where_they_are(crossed):
    document = crossed("# A title of ours\n\n```\n# summary\n```\n")[1]
    assert sources(document)["analysis"] == "# A title of ours\n\n```\n# summary\n```\n"
    assert not sources(document)["summary"]


def test_values_are_those_of_the_tables(crossed):
    material, document = crossed(
        '{{ effect("value", "split", cc="9") }} {{ verdict("split", cc="9") }} {{ p("split", cc="9") }}'
    )
    weighing = material.comparison.weighing
    row = next(i for i, each in enumerate(material.comparison) if each.group == "cc: 9")
    shown, verdict, p = sources(document)["analysis"].split()
    assert shown == weighing.cell(row, "change")
    assert verdict == material.comparison[row].verdict == "better"
    assert p.replace("&lt;", "<") == weighing.cell(row, "p")


def test_medians_and_counts_are_of_either_side(crossed):
    material, document = crossed(
        '{{ median("split", cc="9") }}|{{ median("base", cc="9") }}|{{ n("base", cc="9") }}'
        '|{{ interval("split", cc="8") }}'
    )
    row = next(i for i, each in enumerate(material.comparison) if each.group == "cc: 9")
    eight = next(i for i, each in enumerate(material.comparison) if each.group == "cc: 8")
    new, old, n, interval = sources(document)["analysis"].strip().split("|")
    weighing = material.comparison.weighing
    assert weighing.cell(row, "contender").startswith(new)
    assert weighing.cell(row, "baseline").startswith(old)
    assert n == "40"
    assert interval.replace("\\", "") == weighing.cell(eight, "interval")


def test_values_of_the_other_questions_are_found_too(crossed):
    material, document = crossed('{{ effect("9", against="8", build="base") }}')
    other = material.questions[1].comparison
    row = next(i for i, each in enumerate(other) if each.group == "build: base")
    assert sources(document)["analysis"].strip() == other.weighing.cell(row, "change")


def test_values_need_no_more_names_than_tell_the_row(tmp_path):
    material, document = of(pair(tmp_path), notes='{{ effect("Slow") }} {{ median("Slow", "old") }}')
    shown, median = sources(document)["analysis"].split(" ", 1)
    assert shown == material.comparison.weighing.cell(0, "change")
    assert material.comparison.weighing.cell(0, "baseline").startswith(median.strip())


def test_an_unknown_name_is_an_error_with_its_line_and_what_there_is(crossed):
    for value, told in (
        ('effect("nothing")', "no metric, variant or benchmark is named 'nothing'; there are metrics: value"),
        ('effect("split", cc="10")', "no level is cc: 10; there are cc: 8, cc: 9"),
        ('effect("split", against="x")', "no variant is named 'x'; there are base, split"),
        ('effect("split")', "2 rows match. Add one of these names"),
        ('speed("split")', "there is no speed(); the functions are effect()"),
        ("1 + 1", "write a call with texts"),
        ('__import__("os").system("true")', "write a call with texts"),
        ('effect(open("x"))', "write a call with texts"),
        ("effect(**{})", "write a call with texts"),
        ("effect(", "write a call with texts"),
    ):
        with pytest.raises(Stop) as stop:
            crossed(f"line\n\n# method\n\nsome {{{{ {value} }}}} here")
        assert stop.value.code == "bad-notes"
        assert str(stop.value).startswith("notes.md:5: {{ " + value)
        assert told in str(stop.value)


def test_html_of_the_prose_is_text_everywhere(crossed):
    notes = (
        "A <b>b</b> <script>alert(1)</script> ![x](http://evil/y.png) [go](javascript:alert(1)) `<i>`\n\n"
        "<div>\n\n* one\n* two\n"
    )
    document = crossed(notes)[1]
    page = Page(html.page(document))
    assert "A <b>b</b> <script>alert(1)</script>" in page.text
    assert not page.all("img")
    assert not any("javascript" in each.get("href", "") for each in page.all("a"))
    text = markdown.report(document)
    assert "<script" not in text
    assert "`<i>`" in text
    _, pages = read(document)
    assert "<script>alert(1)</script>" in "".join(pages)


def test_the_prose_is_set_in_the_pdf(crossed):
    notes = (
        "## Head\n\nSome **strong** and *soft* `code` [link](https://example.com).\n\n1. one\n2. two\n\n> said\n\n"
        "---\n\n```\nx = 1\n```\n\n| a | b |\n| - | - |\n| 1 | {{ n('split', cc='9') }} |\n"
    )
    _, pages = read(crossed(notes)[1])
    text = "\n".join(pages)
    for words in ("Head", "Some strong and soft code link.", "1. one", "said", "x = 1", "1 40"):
        assert words in text
    assert "**" not in text


def test_values_obey_no_name(tmp_path):
    old, new = pair(tmp_path)
    document = of([f"<b>*old*={old}", f"new={new}"], notes='{{ median("Slow", "<b>*old*") }}')[1]
    assert "analysis" in [section.key for section in document.sections]
    assert blocks(document, "analysis", "Analysis")
