"""The words that people read: patterns that were replaced do not come back."""

import ast
import re

import pytest

from support import ROOT

# Each pattern, and what is written instead.
GONE = {
    r"\b(?:a|per|one|each|either|every) side\b": "per build, a build",
    r"\b(?:both|two) sides\b": "both builds",
    r"\bin turns\b|\bby turns\b": "alternate the builds",
    r"\bof (?:its|their) own\b": "separate, another, its own X",
    r"\bat (?:its|their|the) margin\b": "as large as the margin",
    r"\bcould have shown\b|\bcould show\b": "would have detected",
    r"\bundecided\b": "no clear change",
    r"\bequivalent\b": "unchanged",
    r"\bcounts? for\b": "carry as much information as",
    r"\bvanish": "gone",
}
# What somebody is to do is a sentence of its own behind what was found: ``no such column. Name one with --column``.
ORDERS = re.compile(
    r"; (?:add|analyse|check|choose|convert|copy|correct|export|fetch|free|give|install|leave|look|measure|mend|name|"
    r"pass|raise|read|remove|rename|repair|repeat|restore|send|set|start|state|take|try|unpack|use|wait|write) "
)
# The help of options describes in phrases.
PHRASES = ("cli/options.py", "cli/verbs.py")
# Interfaces speak of themselves: a code, or the field of a document.
CODES = re.compile(r"^[a-z0-9-]+$")
# Where the ends of an interval or the codes of documents are meant.
MEANT = ("from both sides; p says", "have codes for them: worse, better")


def prose(path):
    """The literals of a file that are sentences, without docstrings."""
    tree = ast.parse(path.read_text())
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent
        if is_text and " " in node.value and not CODES.match(node.value.strip()):
            yield node.lineno, node.value


def found(path):
    for line, text in prose(path):
        for pattern, instead in GONE.items():
            hit = re.search(pattern, text, re.IGNORECASE)
            if hit and not any(words in text for words in MEANT):
                yield f"{path.relative_to(ROOT)}:{line}: {hit[0]!r}, write: {instead}"


def test_words_that_were_replaced_do_not_come_back():
    paths = sorted((ROOT / "src/statera").rglob("*.py"))
    assert not [said for path in paths for said in found(path)]


def test_an_order_is_a_sentence_of_its_own():
    sources = ROOT / "src/statera"
    paths = [each for each in sorted(sources.rglob("*.py")) if not str(each.relative_to(sources)).startswith(PHRASES)]
    joints = [(each, line, text) for each in paths for line, text in prose(each) if ORDERS.search(f"{text} ")]
    assert not [f"{each.relative_to(ROOT)}:{line}: {text}" for each, line, text in joints]
    assert ORDERS.search("no such column; name one with --column")


@pytest.mark.parametrize("text", ["three runs a side", "Run the builds in turns.", "8 undecided", "it vanished"])
def test_the_patterns_find_what_they_look_for(text):
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in GONE)
