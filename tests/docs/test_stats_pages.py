"""The pages of the procedures: complete, true to the code, and their examples print what they show."""

import inspect
import json
import re

import pytest

from statera import _native, stats
from support import ROOT

FOLDER = ROOT / "docs" / "stats"
PAGES = sorted(FOLDER.glob("*.md"))
HEADINGS = ["When to use it", "When not to use it", "Definition", "Source", "Example"]
# Not procedures: the way to run them, and what a comparison uses.
OTHERS = {"Table", "batch", "grid", "weigh"}


def called(page):
    return dict(re.findall(r"^`stats\.(\w+)\((.*)\)` returns `(?:.*)`\.$", page.read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_an_example_prints_what_the_page_shows(page, monkeypatch, capfd):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    for code, shown in blocks:
        exec(compile(code, page.name, "exec"), {"__name__": "__main__"})  # noqa: S102 - an example is code
        assert capfd.readouterr() == (shown, "")


def test_every_procedure_has_a_page_with_all_headings():
    found = {}
    for page in PAGES:
        for name in called(page):
            found[name] = page
            assert re.findall(r"^## (.*)$", page.read_text(), re.MULTILINE) == HEADINGS, page
    assert set(found) == set(stats.__all__) - OTHERS


def test_the_pages_show_the_calls_as_they_are():
    calls = {name: shown for page in PAGES for name, shown in called(page).items()}
    for name in sorted(set(stats.__all__) - OTHERS):
        parameters = inspect.signature(getattr(stats, name)).parameters.values()
        words = [re.match(r"\**\w*", word)[0].lstrip("*") for word in calls[name].split(", ")]
        assert [word for word in words if word] == [parameter.name for parameter in parameters], name
        for parameter in parameters:
            if isinstance(parameter.default, (int, float, str)):
                assert f"{parameter.name}={parameter.default!r}".replace("'", '"') in calls[name], name


def test_the_docstrings_name_the_sources_of_the_pages():
    for page in filter(called, PAGES):
        source = page.read_text().partition("\n## Source\n")[2].partition("\n## ")[0]
        years = set(re.findall(r"\b[12]\d{3}\b", source))
        of_statera = "The definition of statera" in source
        documented = " ".join(inspect.getdoc(getattr(stats, name)) for name in called(page))
        assert of_statera or not years or any(year in documented for year in years), page


def test_the_index_names_every_procedure():
    index = (FOLDER / "index.md").read_text()
    assert set(re.findall(r"\[(\w+)\]\(\w+\.md\)", index)) == set(stats.__all__) - {"Table", "weigh"}
    assert {page.stem for page in PAGES} - {"index"} == set(re.findall(r"\]\((\w+)\.md\)", index))


def test_the_numbers_of_the_examples_are_those_of_the_files():
    checked = 0
    for page in PAGES:
        for numbers, file, command in re.findall(
            r"= (\[.*\])  # (examples/\S+\.json): (.*)$", page.read_text(), re.MULTILINE
        ):
            results = json.loads((ROOT / file).read_text())["results"]
            times = next(result["times"] for result in results if result["command"] == command)
            assert json.loads(numbers) == [round(time * 1000, 1) for time in times]
            checked += 1
    assert checked > 20


def test_the_words_of_the_batch_are_those_of_the_code():
    from statera.stats.calls import WARNINGS  # noqa: PLC0415

    text = (FOLDER / "batch.md").read_text()
    table = text[text.index("| word |") : text.index("## When to use it")]
    assert set(re.findall(r"`([a-z-]+)`", table)) == set(WARNINGS) == set(_native.procedure_warnings())
