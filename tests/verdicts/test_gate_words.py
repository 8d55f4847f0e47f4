import pytest

from statera import Stop
from statera.comparison.verdicts.gate import Gate, parse_gate
from support import every


def test_words_of_a_gate_say_what_fails_it():
    words = {
        None: Gate(),
        "worse": Gate(worse=True, tail=True),
        "worse:5%": Gate(worse=True, beyond=0.05, tail=True, tail_beyond=0.05),
        "typical-worse:0.1": Gate(worse=True, beyond=0.1),
        "tail-worse:2%": Gate(tail=True, tail_beyond=0.02),
        "missing": Gate(missing=True),
        " inconclusive , missing,": Gate(inconclusive=True, missing=True),
    }
    assert {text: parse_gate(text) for text in words} == words
    accepted = parse_gate("missing", accept_one_process=True, accept_parametric=True)
    assert accepted == Gate(missing=True, accept_one_process=True, accept_parametric=True)


@every("text", ["", " , ", "better", "worse:x", ":5%", "worse,none"])
def test_other_words_are_refused(text):
    with pytest.raises(Stop, match="--fail-on"):
        parse_gate(text)
