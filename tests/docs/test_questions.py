"""The questions of users: one click from the index and the README, and answered in the first 150 words of a page."""

import re

import pytest

from support import ROOT

FOLDER = ROOT / "docs/how-to"
# What has to stand in the beginning of the page for the question to be answered.
ANSWERS = {
    "differs": "cannot tell whether the builds do",
    "every-commit": "statera history add",
    "exit-codes": "1: `--fail-on` found",
    "fail-ci": "--fail-on worse:5%",
    "find-commit": "statera history points",
    "how-many-runs": "`statera inspect` names",
    "ignore": "--benchmark '!",
    "noisy": "Alternate the builds",
    "own-csv": "--by build",
    "p99": "--quantiles 50,99",
    "python": "statera.compare(",
    "server": "Name the server as a service",
    "three-versions": "--within size",
    "undecided": "plans the runs that would settle it",
    "verdicts": "larger than the margin",
}
WORDS = 150


def links(page):
    """The pages that a page links to."""
    return {(page.parent / target).resolve() for target in re.findall(r"\]\(([^)\s#]+)", page.read_text())}


def words_before(text, answer):
    """How many words a reader reads until the answer stands there, its own included."""
    plain = " ".join(text.partition("\n")[2].split())
    assert answer in plain
    return len(plain[: plain.index(answer) + len(answer)].split())


def test_every_question_has_an_answer():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(ANSWERS)


@pytest.mark.parametrize("start", ["README.md", "docs/index.md"])
def test_every_question_is_one_click_away(start):
    assert {FOLDER / f"{name}.md" for name in ANSWERS} <= links(ROOT / start)


def test_every_answer_is_in_the_first_words():
    late = {name: words_before((FOLDER / f"{name}.md").read_text(), answer) for name, answer in ANSWERS.items()}
    assert not {name: words for name, words in late.items() if words > WORDS}
