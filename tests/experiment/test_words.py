"""Commands in words: as a shell splits them, and with what only a shell replaces named and left as it is."""

import random
import subprocess

import pytest

from statera.experiment.words import split
from support import every


def test_words_and_what_stays_of_a_command_with_everything():
    text = r"""args "a\$b" "c\`d" "e\\f" 'g\h' i\ j "k\l" $'m\tn' ~/x a*b {1,2} $HOME #c"""
    found = split(text)
    assert found.words == [
        "args",
        "a$b",
        "c`d",
        r"e\f",
        r"g\h",
        "i j",
        r"k\l",
        r"$m\tn",
        "~/x",
        "a*b",
        "{1,2}",
        "$HOME",
        "#c",
    ]
    assert found.literal == [r"$'m\tn'", "~/x", "a*b", "{1,2}", "$HOME", "#c"]


@every(
    "literal, text",
    [
        *((True, text) for text in ("$x", '"$x"', '"a $(b)"', "`a`", "a?", "[ab]", "{1..3}", "~", "a$1", "$$")),
        *(
            (False, text)
            for text in ("'$x'", r"\$x", r'"\$x"', "'*'", '"*"', r"\*", "a~", "a#b", "$", "a$", "5$", "{x}")
        ),
        *((False, text) for text in ('"{1,2}"', "'#'", '"~"', "{a b,c}")),
    ],
)
def test_what_a_shell_would_replace_is_named_unless_it_is_quoted(literal, text):
    assert bool(split(text).literal) is literal


def test_words_are_those_of_the_shell():
    chance, texts = random.Random(1), []
    while len(texts) < 300:
        text = "".join(chance.choice("ab\"'\\ $`\t\\\"'") for _ in range(chance.randint(1, 14)))
        try:
            found = split(text)
        except ValueError:
            continue
        if found.words and not found.literal:
            texts.append(text)
    # A line for each: its number of words, then the words.
    script = "\n".join(f"set -- {text}\nprintf '%s\\0' $# \"$@\"" for text in texts)
    printed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert printed == "".join(f"{each}\0" for text in texts for each in (len(split(text).words), *split(text).words))


def test_operators_are_found_outside_of_quotes():
    for text, operator in (("a|b", "|"), ("a && b | c", "&&"), ("a '|' \\; \">\"", ""), ("2>x", ">"), ("(a)", "(")):
        assert split(text).operator == operator, text


@pytest.mark.parametrize("text", ["a 'b", 'a "b', 'a "b\\"', "a\\"])
def test_what_is_not_closed_is_an_error(text):
    with pytest.raises(ValueError, match="no "):
        split(text)


def test_a_line_goes_on_after_a_backslash():
    assert split("a \\\n  b\\\nc").words == ["a", "bc"]


def test_what_stays_is_said_once_and_not_with_a_shell(run, tmp_path):
    done = run("run", "--dry-run", "echo $HOME *.txt", "echo $HOME")
    assert done.err.count("so that $HOME, *.txt stay as they are. -S default") == 1, done.err
    assert "stay" not in run("run", "--dry-run", "-S", "default", "echo $HOME", "echo x", cwd=tmp_path).err
    # It is for the shell that the command itself starts.
    assert "stay" not in run("run", "--dry-run", "bash -c 'echo $HOME'", "/bin/sh -ec 'x $(y)' -c", cwd=tmp_path).err
