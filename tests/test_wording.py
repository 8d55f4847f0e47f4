"""Numbers of things and lists in words."""

import re

from statera.support.wording import conjoined, counted, form, listed, sentence, shown, suggestion
from support import ROOT

SOURCES = [path for path in sorted((ROOT / "src/statera").rglob("*.py")) if path.name != "wording.py"]


def test_one_thing_is_one_and_others_are_several():
    assert [counted(n, "row") for n in (0, 1, 2, 1200)] == ["0 rows", "1 row", "2 rows", "1,200 rows"]
    assert [form(n, "is", "are") for n in (1, 2)] == ["is", "are"]


def test_a_list_names_the_first_and_counts_the_others():
    assert listed([]) == ""
    assert listed(["a", "b"], most=2) == "a, b"
    assert listed(["a", "b", "c"], most=2) == "a, b and 1 more"
    assert listed(["a"], total=2001) == "a and 2,000 more"
    assert listed(["a", "b", "c"], most=1, between="; ", last="; and ") == "a; and 2 more"


def test_a_name_that_is_known_twice_is_suggested_once():
    assert suggestion("lane", ["plane", "line", "plane"], 3) == "; did you mean plane or line?"


def test_names_stand_in_a_sentence():
    assert [conjoined("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_a_sentence_begins_with_a_capital_letter_unless_code_or_a_program_does():
    for text in ("the line was cut. Copy it", "known: a, b", "everything before it was read"):
        assert sentence(text) == text[0].upper() + text[1:]
    for text in ("", "perf stat prints: 1", "`a` is", "pyperf's units", "sample.json has it", "--column a=b says"):
        assert sentence(text) == text


def test_nothing_is_a_dash():
    assert [shown(None), shown("x")] == ["-", "x"]


def test_plurals_and_what_is_left_are_made_in_one_place():
    plurals = r"""['"]\w+['"] if \w+ == 1 else ['"]\w+['"]|\w \+ ['"]s['"]"""
    left = r"""and \{len\([^}]*\} more['" ]"""
    found = {path: re.findall(f"{plurals}|{left}", path.read_text()) for path in SOURCES}
    assert not {str(path.relative_to(ROOT)): words for path, words in found.items() if words}
