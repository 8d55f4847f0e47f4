from pathlib import Path

import pytest

from statera import _native
from support import fails

# Names, and what stands in place of the verdict on a narrow terminal.
_UNLISTED = ("benchmark", "variant", "short verdict")


def test_every_code_of_the_readers_and_every_warning_is_explained(run):
    listed = run("explain")
    assert listed.code == 0
    words = {line.split()[0] for line in listed.out.splitlines() if line.strip()}
    codes = _native.codes()
    assert {*codes["problems"], *codes["warnings"]} <= words


@pytest.mark.parametrize("word", ["drift", "[drift]", "DRIFT"])
def test_a_code_is_explained_however_it_was_copied(run, word):
    result = run("explain", word)
    assert result.code == 0
    assert "drift" in result.out
    assert len(result.out.splitlines()) >= 3


def test_a_misspelt_code_gets_the_nearest(run):
    fails(run("explain", "drfit"), "did you mean drift")


def test_a_code_like_no_other_points_to_the_list(run):
    fails(run("explain", "zzzzzzzz"), "statera explain lists all", "[no-such-code]")


@pytest.mark.parametrize(
    "word",
    [
        "p",
        "p (corrected)",
        "n",
        "typical change",
        "typical-change",
        "95% interval",
        "99.9% interval",
        "verdict",
        "verdicts:",
    ],
)
def test_the_words_of_the_table_are_explained_as_they_stand_there(run, word):
    result = run("explain", word)
    assert (result.code, result.err) == (0, "")
    assert "What to do" in result.out


def test_the_list_begins_with_the_words_of_the_table(run):
    words = [line.split()[0] for line in run("explain").out.splitlines()]
    assert words[:6] == ["typical-change", "interval", "p", "n", "verdicts", "runs-needed"]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("normal p", "Shapiro-Wilk"),
        ("IQR", "relative to the median"),
        ("runs for 1 / 2 / 5%", "a forecast"),
        ("n", "4×10"),
        ("exact", "In CSV and JSON of statera inspect\n"),
        ("icc_low", "In CSV and JSON of statera inspect (unit: relative)\nlower end"),
    ],
)
def test_the_columns_of_an_inspection_are_explained(run, word, told):
    result = run("explain", word)
    assert (result.code, result.err) == (0, "")
    assert told in result.out


def test_the_documentation_of_an_inspection_has_the_meanings_of_its_columns():
    page = (Path(__file__).parents[2] / "docs" / "inspect.md").read_text()
    shown = [(name, meaning) for name, meaning in _native.Inspection.meanings() if name not in _UNLISTED]
    assert "".join(f"| {name} | {meaning} |\n" for name, meaning in shown) in page
