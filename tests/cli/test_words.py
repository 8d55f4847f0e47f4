"""What is understood without argparse is what argparse understands, for every verb and whatever words follow it."""

import contextlib
import io
import random

import pytest

from statera.cli import parser, words
from statera.cli.options import OPTIONS
from statera.cli.verbs import VERBS
from support import every

COMMANDS = 60
VALUES = ["a", "b.json", "-", "--", "", "5", "-5", "0.5", "nan", "1_0", "x=y", "é\udcff", "all", "auto", "json", "html"]
RUNNING = [verb for verb in VERBS if verb.run]


def some_words(chance, flags):
    """Return words of a command: flags with and without values, shortened ones, values and rarities."""
    found = []
    for _ in range(chance.randrange(6)):
        flag, value = chance.choice(flags), chance.choice(VALUES)
        forms = [value], [flag, value], [flag], [f"{flag}={value}"], [flag[:-1], value], [flag + value]
        found += chance.choice([*forms, *forms[:2]])
    return found


def of_argparse(verb, built, given):
    """Return what argparse makes of words; None if it refuses them."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            return sorted(map(repr, vars(words.as_text(verb, built.parse_args(given))).items()))
        except SystemExit:
            return None


def test_a_command_is_understood_as_argparse_does():
    chance, understood = random.Random(1), 0  # noqa: S311 - words of a test
    for verb in RUNNING:
        built = parser.build(verb, explained=False)
        flags = [flag for key in verb.keys if not OPTIONS[key].is_argument for flag in OPTIONS[key].flags.split()]
        for _ in range(COMMANDS):
            given = some_words(chance, [*(flags or ["--none"]), "-h"])
            plain = words.plain(verb, given)
            understood += plain is not None
            if plain is not None:
                assert sorted(map(repr, vars(plain).items())) == of_argparse(verb, built, given)
    assert understood > len(RUNNING)


@every(
    "command",
    [
        "compare old.txt new.txt",
        "compare old=old.txt -f markdown --fail-on worse:5% new=new.txt --margin 5% --margin=sec/op=2%",
        "compare results/ --by toolchain --unpaired --jobs 2 -o - --quantiles=5,50 --alpha 0.01 --sort file",
        "inspect --aa new.txt again.txt --splits 50",
        "report old.txt new.txt -o report.html -o report.pdf --title=Title",
        "run -r 20 ./old ./new",
        "history show",
    ],
)
def test_what_most_commands_are_made_of_is_understood_without_argparse(command):
    verb, options = words.understood(command.split()) or (None, None)
    if command == "history show":
        assert verb is None
        return
    built = parser.build(verb).parse_args(command.split()[1:])
    assert vars(options) == vars(words.as_text(verb, built))


@pytest.mark.parametrize("word", ["--version", "-V", "version"])
def test_the_version(run, word):
    result = run(word)
    assert result.code == 0
    assert result.out.startswith("statera 0.")
