import pytest

from statera import Stop
from statera.comparison.codes import chosen
from statera.comparison.verdicts.gate import Gate, examine, in_words, message, parse_gate
from statera.support.settings import Policy
from support import compare, every, go, noisy


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


@every(
    "text",
    ["", " , ", "better", "slower", "tail", "wors", "worse,none", "worse:", "worse:x", "worse:5", "worse:nan", ":5%",
     "missing:5%", "typical-worse:2", "worse,worse:5%"],
)  # fmt: skip
def test_other_words_are_refused(text):
    with pytest.raises(Stop, match="--fail-on"):
        parse_gate(text)


def slow_runs(*places):
    """Forty runs, of which those at some places took twice the time."""
    return [value * (2 if place in places else 1) for place, value in enumerate(noisy(100, 40, seed=len(places)))]


# Two sides in a unit, and how gates end by their words.
ENDS = {
    "worse": (
        ({"X": noisy(100)}, {"X": noisy(110, seed=2)}), "ns/op",
        {1: ["worse", "worse:5%", "worse:0.05", "inconclusive,missing,worse", " worse , missing ", "typical-worse",
             "typical-worse:5%", "changed", "changed:5%", "worse,changed"],
         0: ["worse:20%", "missing", "inconclusive", "missing,inconclusive", "tail-worse", "changed:20%"]},
    ),
    "better": (
        ({"X": noisy(110)}, {"X": noisy(100, seed=2)}), "ns/op",
        {1: ["changed", "changed:5%"], 0: ["worse,missing,inconclusive", "changed:20%"]},
    ),
    "unchanged": (({"X": noisy(100)}, {"X": noisy(100, seed=2)}), "ns/op", {0: ["changed", "worse"]}),
    # The change lies beyond 9.9 %, its whole interval does not.
    "wide": (
        ({"X": noisy(100, spread=0.02)}, {"X": noisy(110, seed=2, spread=0.02)}), "ns/op",
        {1: ["worse:5%"], 0: ["worse:9.9%"]},
    ),
    "slow runs": (
        ({"X": slow_runs(7)}, {"X": slow_runs(1, 4, 9, 12, 16, 18, 23, 27, 30, 34, 38)}), "ns/op",
        {1: ["worse", "worse:5%", "tail-worse", "tail-worse:5%", "typical-worse,tail-worse:5%"],
         0: ["worse:150%", "tail-worse:150%", "typical-worse", "typical-worse:5%", "inconclusive"]},
    ),
    "gone": (
        ({"X": noisy(100), "Y": noisy(9)}, {"X": noisy(100, seed=2)}), "ns/op",
        {1: ["missing", "worse,missing"], 0: ["worse", "inconclusive"]},
    ),
    "open": (
        ({"X": noisy(100, 8, spread=0.3)}, {"X": noisy(100, 8, seed=7, spread=0.3)}), "ns/op",
        {1: ["inconclusive", "worse,inconclusive"], 0: ["worse", "missing"]},
    ),
    "throughput": (
        ({"X": noisy(100)}, {"X": noisy(80, seed=2)}), "MB/s", {1: ["worse", "worse:10%"], 0: ["worse:40%"]},
    ),
    "more throughput": (({"X": noisy(80)}, {"X": noisy(100, seed=2)}), "MB/s", {0: ["worse"]}),
    "count": (({"X": [4] * 5}, {"X": [5] * 5}), "allocs/op", {1: ["worse", "worse:20%"], 0: ["worse:25%"]}),
    # As large as the margin is not larger, however both were rounded.
    "count at the margin": (
        ({"X": [100] * 5, "Y": [100] * 5}, {"X": [110] * 5, "Y": [129] * 5}), "allocs/op",
        {1: ["worse:28.99%", "changed:28.99%"], 0: ["worse:29%", "changed:29%"]},
    ),
    "count from nothing": (({"X": [0] * 5}, {"X": [5] * 5}), "allocs/op", {1: ["worse:50%"]}),
}  # fmt: skip


@every("sides, unit, codes", ENDS.values(), ENDS)
def test_words_decide_which_rows_fail(tmp_path, sides, unit, codes):
    old, new = (go(side, unit=unit) for side in sides)
    found = compare(tmp_path, old, new, policy=Policy())
    expected = {word: code for code, words in codes.items() for word in words}
    assert expected == {word: examine(parse_gate(word), found).code for word in expected}


@every(
    ("lost", "codes"),
    [
        ("--- FAIL: BenchmarkY\n", (2, 0)),
        ("BenchmarkY\tpanic: out of range\n", (2, 0)),
        ("FAIL\texample.com/shop\t0.8s\n", (2, 0)),
        ("PASS\nok  \texample.com/shop\t0.8s\n", (0, 0)),
    ],
)
def test_what_is_gone_may_be_what_was_lost(tmp_path, lost, codes):
    whole, part = go({"X": noisy(100), "Y": noisy(9)}), go({"X": noisy(100, seed=2)}) + lost
    ends = {
        word: tuple(
            examine(parse_gate(word), compare(tmp_path, *sides)).code for sides in [(whole, part), (part, whole)]
        )
        for word in ("worse", "missing")
    }
    assert ends == {"worse": codes, "missing": (1, 0)}


def test_a_gate_is_written_as_it_is_given():
    for words in (
        "worse:5%",
        "changed",
        "changed:3%,missing",
        "typical-worse:2%,tail-worse:20%",
        "suite-worse,changed",
        "worse:17.85%",
        "worse:1500%",
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
    result = examine(gate, found)
    assert message(gate, result, found.weighing, found.observations.words)[1] == "  X  sec/op  +50.0% (exact)  slower"
    assert found.answer.line == "X: slower +50.0% (exact)"
