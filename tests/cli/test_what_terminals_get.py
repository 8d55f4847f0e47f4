"""Text of strangers on its way to a terminal: it is seen, and controls nothing."""

import json
import re
import unicodedata

import pytest

from statera import Stop, _native
from support import go, noisy, table

# Controls, marks of direction, ends of lines that are none, and what is invisible.
ACTS = (
    *(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))),
    *"\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060",
    *"\u2061\u2066\u2067\u2068\u2069\u206f\u2800\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9",
    *"\U0001bca0\U0001d173\U000e0001\U000e0041\U000e0100\ud800\udc80\udfff",
)
UNSEEN = re.compile(f"[{''.join(re.escape(each) for each in ACTS if each != chr(10))}]")
EVIL = "a\x1b[31m\x07\x9b2J\u202eb\u2066\u200b\U000e0041\x7f"


def test_a_sign_that_acts_is_shown():
    for sign in ACTS:
        for shown in (_native.printable(f"a{sign}b"), _native.for_terminal(f"a{sign}b\n").rstrip("\n")):
            if sign == "\n" and "\n" in shown:
                continue
            assert shown.isprintable(), f"U+{ord(sign):04X}"
            assert (shown[:2], shown[-1]) == ("a\\", "b"), f"U+{ord(sign):04X}"


def test_what_is_written_is_shown_as_it_is():
    for text in ("µs/größe", "漢字", "🦀", "e\u0301", "ก็", "שָׁ", "a b", "x\u00a0y"):
        assert _native.printable(text) == text


def test_marks_cannot_flood_the_lines_around():
    flood = "e" + "\u0301" * 100
    shown = _native.printable(flood)
    assert sum(unicodedata.combining(sign) > 0 for sign in shown) == 4
    assert shown.count("\\u{301}") == 96


def test_json_says_the_same_and_controls_nothing():
    text = _native.json_safe('{"a": "\u202e\x7f\x9b\U000e0041\ud800µ"}\n')
    assert text == '{"a": "\\u202e\\u007f\\u009b\\udb40\\udc41\\ud800µ"}\n'


def test_json_keeps_bytes_and_halves_of_characters_as_texts_of_json():
    text = _native.json_safe('{"a": "\udcff\ud800µ"}')
    assert text == '{"a": "\\\\xFF\\ud800µ"}'
    assert json.loads(text) == {"a": "\\xFF\ud800µ"}


def test_the_end_of_a_command_says_names_of_files_that_are_no_text():
    assert str(Stop("x", f"{EVIL}\nb\udcff")) == f"{_native.printable(EVIL)}\nb\\xFF"


@pytest.mark.parametrize(
    "shown", [_native.printable, _native.for_terminal, _native.guarded, _native.markdown_html], ids=lambda f: f.__name__
)
def test_every_output_spells_a_byte_that_is_no_text_in_one_way(shown):
    assert shown("a\udc80\udcffµ") == r"a\x80\xFFµ"
    assert shown("a\ud800\udc80\udfff\udc7f") == r"a\ud800\x80\udfff\udc7f"


@pytest.mark.parametrize(
    "words",
    [
        ("compare", f"--{EVIL}"),
        ("compare", "a", "b", f"--co={EVIL}"),
        ("compare", "a", "b", "-f", EVIL),
        ("compare", "a", "b", "--width", EVIL),
        ("compare", EVIL, "b"),
        ("compare", "a", "b", "-o", f"x.{EVIL}"),
        ("plot", EVIL, "-o", "x.svg"),
        ("cluster", "host", EVIL, "x"),
        ("cluster", "analyse", EVIL, "-o", "x"),
        ("cluster", "errors", "a", f"--{EVIL}"),
        ("explain", EVIL),
        ("completion", EVIL),
        ("report", "a", "b", "--notes", EVIL, "-o", "x.md"),
        (EVIL,),
    ],
    ids=lambda words: " ".join(words)[:20].replace(EVIL[:3], "evil"),
)
def test_words_that_cannot_be_are_shown(run, words):
    result = run(*words)
    assert result.code == 2
    assert "x1b" in result.err or "u{1b}" in result.err
    assert not UNSEEN.search(result.out + result.err)


@pytest.fixture
def hostile(tmp_path):
    """Two files of hostile names in every column, under hostile names, each with a line that is left out."""
    for side, centre in ((f"{EVIL}old", 1), ("new", 2)):
        rows = [
            {"benchmark": name, "metric": EVIL, "unit": EVIL, "value": value, EVIL: level, "other": side}
            for name in (EVIL, "x")
            for level in (EVIL, "b")
            for value in noisy(centre)
        ]
        (tmp_path / side).write_text(table([*rows, {**rows[0], "value": EVIL}]), encoding="utf-8", newline="")
    return f"{EVIL}={EVIL}old", "new"


@pytest.mark.parametrize(
    "words",
    [
        ("compare",),
        ("compare", "--within", EVIL, "--quantiles"),
        ("compare", "--by", "other", "-f", "json"),
        ("compare", "-f", "markdown"),
        ("compare", "--pool", EVIL),
        ("inspect", "--pool", EVIL),
        ("compare", "--fail-on", "changed"),
        ("compare", "--width", "60", "--colour", "always"),
        ("inspect",),
        ("inspect", "--within", EVIL, "-f", "json"),
        ("inspect", "-f", "markdown"),
        ("inspect", "--aa", "--splits", "5"),
        ("convert", "-o", f"{EVIL}.csv"),
        ("convert", "-o", "x.ndjson"),
        ("plot", "strip", "-o", "x.svg"),
        ("report", "-o", "x.html"),
    ],
    ids=lambda words: " ".join(words)[:30].replace(EVIL, "evil"),
)
def test_names_are_shown(run, hostile, words, tmp_path):
    verb, *rest = words
    kind = (rest.pop(0),) if verb == "plot" else ()
    result = run(verb, *kind, *hostile, *rest)
    assert result.code in {0, 1}
    out = re.sub(r"\x1b\[\d*m", "", result.out) if "--colour" in rest else result.out
    assert not UNSEEN.search(out.replace("\u2060", "") if "markdown" in rest else out)
    assert not UNSEEN.search(result.err)
    if "x.ndjson" in rest:
        assert not UNSEEN.search((tmp_path / "x.ndjson").read_text(encoding="utf-8"))


@pytest.mark.parametrize("mode", ["--list", "--dry-run"])
def test_what_would_run_is_shown(run, mode):
    result = run("run", mode, "-L", "v", f"1,{EVIL}", "--service", f"{EVIL} x", f"x {EVIL}")
    assert result.code == 0, result.err
    assert _native.printable(EVIL) in result.out
    assert not UNSEEN.search(result.out)


def test_a_terminal_gets_lines_of_csv_that_control_nothing(run, hostile):
    text = run("compare", *hostile, "-f", "csv").out
    assert UNSEEN.search(text)
    shown = _native.for_terminal(text)
    assert not UNSEEN.search(shown)
    assert shown.count("\n") == text.count("\n")


def test_names_of_one_line_are_not_changed_for_a_terminal(run, tmp_path):
    for side in ("old", "new"):
        (tmp_path / side).write_text(go({"µs/größe": noisy(1), "漢字": noisy(2)}))
    for kind in ("csv", "json", "markdown"):
        text = run("compare", "old", "new", "-f", kind).out
        assert _native.for_terminal(text) == text
