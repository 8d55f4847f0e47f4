import pytest

from statera import Stop
from statera.comparison.codes import chosen
from statera.comparison.verdicts.gate import Gate, examine, in_words, message, parse_gate
from support import compare, every, go


def test_words_of_a_gate_say_what_fails_it():
    words = {
        None: Gate(),
        "worse": Gate(worse=True, tail=True),
        "worse:5%": Gate(worse=True, beyond=0.05, tail=True, tail_beyond=0.05),
        "typical-worse:0.1": Gate(worse=True, beyond=0.1),
        "tail-worse:2%": Gate(tail=True, tail_beyond=0.02),
        "missing": Gate(missing=True),
        "changed": Gate(changed=True),
        "changed:3%,suite-worse": Gate(changed=True, changed_beyond=0.03, suite=True),
        " inconclusive , missing,": Gate(inconclusive=True, missing=True),
    }
    assert {text: parse_gate(text) for text in words} == words
    accepted = parse_gate("missing", accept_one_process=True, accept_parametric=True)
    assert accepted == Gate(missing=True, accept_one_process=True, accept_parametric=True)


@every("text", ["", " , ", "better", "worse:x", ":5%", "worse,none"])
def test_other_words_are_refused(text):
    with pytest.raises(Stop, match="--fail-on"):
        parse_gate(text)


def test_a_gate_is_written_as_it_is_given():
    for words in (
        "worse:5%",
        "changed",
        "changed:3%,missing",
        "typical-worse:2%,tail-worse:20%",
        "suite-worse,changed",
    ):
        assert in_words(parse_gate(words)) == words


@every(
    ("words", "codes"),
    [
        (("slower",), ("worse",)),
        (("faster,Slower", "better"), ("better", "worse")),
        (("no clear change", "tail slower"), ("inconclusive", "tail-worse")),
        (("unchanged", "gone", "new", "one-value"), ("equivalent", "missing", "new", "one-value")),
        ((), ()),
        ((" ,",), ()),
    ],
)
def test_verdicts_are_chosen_by_words_and_by_codes(words, codes):
    assert chosen(words) == codes


def test_a_word_that_is_no_verdict_is_refused():
    with pytest.raises(Stop, match=r"--only quicker: there is no such verdict\. There are slower, faster"):
        chosen(["quicker"])


def test_the_message_states_an_exact_change_once(tmp_path):
    found, gate = compare(tmp_path, go({"X": [100] * 10}), go({"X": [150] * 10})), parse_gate("worse")
    result = examine(gate, found.weighing, found.observations)
    assert message(gate, result, found.weighing, found.observations.words)[1] == "  X  sec/op  +50.0% (exact)  slower"
    assert found.answer.line == "X: slower +50.0% (exact)"
