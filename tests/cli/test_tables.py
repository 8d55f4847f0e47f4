"""The tables of verbs and options: what they name exists, and a verb honours what it lists."""

import inspect
import re
from importlib import import_module

import pytest

from statera.cli import parser
from statera.cli.options import FLAG, OPTIONS, SET
from statera.cli.verbs import VERBS, below
from statera.cluster.logs.files import MOST_FILES
from statera.support.settings import Limits, Policy
from support import fails

LEAVES = [verb for verb in VERBS if verb.run]
SCREEN = 48


def test_every_option_belongs_to_a_verb_and_every_verb_runs():
    assert {key for verb in VERBS for key in verb.keys} == OPTIONS.keys()
    for verb in LEAVES:
        module, _, name = verb.run.partition(":")
        assert inspect.signature(getattr(import_module(f"statera.cli.{module}"), name)).parameters, verb.name


def sources(verb):
    """The code that can read the options of a verb: that of its module, and of what it imports of the command line."""
    names, open_ones = set(), [f"statera.cli.{verb.run.partition(':')[0]}"]
    while open_ones:
        name = open_ones.pop()
        if name not in names:
            names.add(name)
            text = inspect.getsource(import_module(name))
            for line in re.findall(r"^ *from statera\.cli import ([\w, ]+)", text, re.MULTILINE):
                open_ones += [f"statera.cli.{each.strip()}" for each in line.split(",")]
    return "\n".join(inspect.getsource(import_module(name)) for name in sorted(names))


@pytest.mark.parametrize("module", sorted({verb.run.partition(":")[0] for verb in LEAVES}))
def test_an_option_is_read_where_a_verb_lists_it(module):
    for verb in LEAVES:
        if verb.run.startswith(f"{module}:"):
            text = sources(verb)
            names = {OPTIONS[key].dest for key in verb.keys}
            assert not [name for name in names if f"options.{name}" not in text and f'"{name}"' not in text], verb.name


def test_a_short_help_fits_a_screen_and_a_long_one_explains_every_option():
    for verb in LEAVES:
        short, long = parser.short_help(verb), parser.build(verb).format_help()
        lines = short.splitlines()
        assert len(lines) <= SCREEN, verb.name
        assert max(map(len, lines)) <= 100, verb.name
        for option in (OPTIONS[key] for key in verb.keys if not OPTIONS[key].is_argument):
            assert option.flags.split()[0] in long, (verb.name, option.flag)
            assert option.flag in short, (verb.name, option.flag)


def test_both_helps_are_written(run):
    for flag, said in (("-h", "--help explains all of them."), ("--help", "show all options, each in full")):
        shown = run("convert", flag)
        assert (shown.code, said in shown.out) == (0, True)


def test_the_family_of_a_verb_lists_it_and_an_unknown_one_has_near_names(run):
    assert {verb.name for verb in below(None)} >= {"compare", "report comment", "history"}
    for family in (verb for verb in VERBS if not verb.run):
        shown = run(*family.name.split(), "--help").out
        assert all(verb.name.rpartition(" ")[2] in shown for verb in below(family)), family.name
    fails(run("history", "chek"), "there is no verb 'chek'; did you mean check?")
    assert run("cluster", "analyze", "-h").out == run("cluster", "analyse", "-h").out


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "--top", "3"],
        ["convert", "a", "-o", "b.csv", "--alpha", "0.1"],
        ["history", "expect", "HEAD", "x", "--lane", "cpu"],
        ["report", "a", "b", "-o", "r.html", "--width", "80"],
    ],
    ids=" ".join,
)
def test_an_option_that_a_verb_does_not_honour_is_refused(run, words):
    fails(run(*words), "unrecognized arguments")


def test_what_an_option_says_of_other_tables_is_so():
    assert all(name in OPTIONS["limit"].more for name in Limits._fields)
    assert OPTIONS["most-files"].default == MOST_FILES
    assert parser.said(OPTIONS["alpha"]).endswith(f"({Policy().alpha})")
    of_policy = {option.setting for option in OPTIONS.values() if option.setting in Policy._fields}
    assert of_policy == {"alpha", "correction", "omnibus", "scale", "seed", "mean"}


def test_options_of_one_name_have_one_default():
    for verb in LEAVES:
        options = [OPTIONS[key] for key in verb.keys]
        for option in options:
            others = [each for each in options if each.dest == option.dest and each.kind not in {SET, FLAG}]
            assert len({repr(each.default) for each in others}) <= 1, (verb.name, option.dest)
