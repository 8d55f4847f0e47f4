"""Which characters can be shown: the table is that of the fonts that are installed."""

import runpy

import pytest

from statera.output.report import drawn
from support import ROOT


def test_what_no_font_has_stands_as_its_code_point():
    assert drawn.shown("größe → χ² ≤ ∞ ⁴ ± µs") == "größe → χ² ≤ ∞ ⁴ ± µs"
    assert drawn.shown("漢🦀") == "U+6F22U+1F980"
    assert drawn.shown("a\u202eb\x1b") == "a\\u{202e}b\\u{1b}"
    assert drawn.shown("→漢", "pictures") == "→U+6F22"


def test_texts_in_a_tree_are_shown_and_the_rest_is_kept():
    assert drawn.shown_in({"a": ["漢", 1, None, {"b": "x"}]}) == {"a": ["U+6F22", 1, None, {"b": "x"}]}


def test_the_table_is_that_of_the_fonts():
    pytest.importorskip("fontTools")
    written = runpy.run_path(str(ROOT / "bench/glyphs.py"))
    assert written["table"]() == written["OUTPUT"].read_text()
