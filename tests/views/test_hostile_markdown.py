"""Names are text from strangers: in a comment on GitHub they link, load, mention and refer to nothing."""

import pytest

import statera
from rendered import HOSTILE, acting, shown
from statera._native import code_span, markdown_html, markdown_text, printable
from support import noisy, table

# Spoils a line, so that its file and its text stand among the problems.
BROKEN = "@user #1 ![x](https://evil.invalid/p.png)"


def side(folder, name, centre, names, *, tag=""):
    """A table whose every column is a stranger's, and whose file name is one, too."""
    rows = [
        {"benchmark": benchmark, "metric": f"m {names[0]}", "unit": names[0], "value": value, names[1]: level, "b": tag}
        for benchmark in names
        for level in (f"{names[2]}1", f"{names[2]}2")
        for value in noisy(centre, 5)
    ]
    rows.append({**rows[0], "value": BROKEN})
    path = folder / name
    path.write_text(table(rows), newline="")
    return path


@pytest.fixture(params=range(0, len(HOSTILE), 4))
def names(request):
    return (HOSTILE * 2)[request.param : request.param + 6]


@pytest.fixture
def paths(tmp_path, names):
    word = printable(names[3]).replace("/", "").replace("=", "")
    files = [("one.csv", 1, "a"), ("@user #1 www.evil.invalid GH-2.csv", 2, names[4]), ("three.csv", 1.1, "c")]
    made = [side(tmp_path, name, centre, names, tag=tag) for name, centre, tag in files]
    return [f"{word} @a={made[0]}", str(made[1]), f"{word} #3={made[2]}"]


def test_a_comparison_acts_nowhere(paths, names):
    result = statera.compare(*paths, within=[names[1]], pairs="all", quantiles=[0.5, 0.9])
    text = result.to_markdown()
    assert acting(text) == []
    assert all(printable(name).strip()[:12] in shown(text) for name in names)


@pytest.fixture
def narrow(tmp_path, names):
    """One benchmark of three variants: its rows share a table."""
    made = [side(tmp_path, f"{n}.csv", n, [names[0], "config", names[1]]) for n in (1, 2, 3)]
    return [str(path) for path in made]


def test_tests_over_all_variants_and_interactions_act_nowhere(narrow, names):
    result = statera.compare(*narrow, within=["config"])
    text = result.to_markdown()
    assert result.omnibus
    assert result.interactions
    assert acting(text) == []
    assert printable(names[0]).strip()[:12] in shown(text)


def test_an_inspection_acts_nowhere(paths, narrow, names):
    for inspection in (
        statera.inspect(*narrow),
        statera.inspect(*paths, within=[names[1]]),
        statera.inspect(*narrow, aa=True, splits=20),
    ):
        text = inspection.to_markdown()
        assert acting(text) == []
        assert printable(names[0]).strip()[:12] in shown(text)


def test_a_text_is_shown_and_acts_nowhere():
    for name in map(printable, HOSTILE):
        for text in (
            markdown_text(name),
            f"- {markdown_text(name)}\n",
            f"| a |\n| --- |\n| {markdown_text(name)} |\n",
            f"| a |\n| --- |\n| {code_span(name, in_table=True)} |\n",
            f"### {code_span(name)}\n",
            f"<details><summary>{markdown_html(name)}</summary>\n\nx\n</details>\n",
        ):
            assert acting(text) == [], text
            assert name.strip() in shown(text), text


def test_numbers_stay_as_they_are():
    for number in ("-1.5%", "1234567", "+12.3 ms", "2.5e-7", "[-1.2%, +3.4%]"):
        assert markdown_text(number).replace("\\", "") == number
