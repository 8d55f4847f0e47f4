"""Placeholders become values, and values never become anything else."""

from hypothesis import given
from hypothesis import strategies as st

from statera.experiment.words import filled, literal, parametrized, template, templates
from support import stopped

LATER = {"out": "/o", "round": "7"}
HOSTILE = ["{rev}", "{{rev}}", "{", "}", "}}", "{out}", "$(rm -rf /)", "`id`", "a b", "'\"", "-rf", "", "\n", "\udcff"]


def test_a_placeholder_becomes_its_value():
    assert filled("{build}/bench-{rev}", {"build": "/b", "rev": "main"}) == "/b/bench-main"


def test_double_braces_are_braces():
    for text, means in (("{{rev}}", "{rev}"), ("{{{rev}}}", "{main}"), ("{{}}", "{}"), ("a{{b", "a{b"), ("}}", "}")):
        assert filled(text, {"rev": "main"}) == means
        assert filled(template(text, {"rev": "main"}), LATER) == means


def test_what_is_no_placeholder_is_named():
    for text, why in {
        "x{gocg}": "there is no placeholder {gocg}; did you mean gogc?; there are {gogc}, {out}, {round}",
        "{}": "there is no placeholder {};",
        "{a b}": "there is no placeholder {a b};",
        "{gogc": "a { is not closed. Write {{ for",
        "gogc}": "a } closes nothing. Write }} for",
        "{go{gc}": "a { is not closed",
    }.items():
        assert why in stopped(template, text, {"gogc": "100"}), text
    assert "there are none here" in stopped(filled, "{rev}", {})


def test_a_value_is_never_expanded():
    for value in HOSTILE:
        done = template("<{value}{out}>", {"value": value, "rev": "main"})
        assert filled(done, LATER) == f"<{value}/o>"
        assert templates(["{value}"], {"value": value}) == (literal(value),)


def test_words_become_arguments_where_they_stand_alone():
    flags = {"flags": ("-O3", "-march={x}"), "none": ()}
    assert templates(["cc", "{flags}", "{none}", "a.c"], flags) == ("cc", "-O3", "-march={{x}}", "a.c")
    assert templates(["F={flags}"], flags) == ("F=-O3 -march={{x}}",)


def test_a_text_for_people_without_braces_of_its_own_keeps_those_it_has():
    done = parametrized("awk '{print $1}' {n} {out} {{n}}", {"n": "{out}"})
    assert filled(done, LATER) == "awk '{print $1}' {out} /o {{out}}"


@given(st.text())
def test_a_literal_means_itself(text):
    assert filled(literal(text), {}) == text
    assert filled(parametrized(text, {}, ()), {}) == text


@given(st.dictionaries(st.sampled_from("abc"), st.text(), min_size=3), st.text())
def test_two_passes_are_one(values, later):
    text = "{a}{{{b}}}{out}{c}"
    assert filled(template(text, values), {"out": later}) == filled(text, {**values, "out": later})
