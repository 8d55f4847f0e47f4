"""Codes stand once: whatever Python says of them says it of each, and unknown ones are refused on either side."""

from typing import get_args

import pytest

from statera import _native
from statera.comparison import codes
from statera.comparison.verdicts import inspection
from statera.comparison.verdicts.findings import _TESTS
from statera.comparison.verdicts.notes import _WARNINGS, TOO_FEW
from statera.output.plots import theme
from statera.output.report.model import Tone
from statera.output.report.sections import method
from support import compare, go, noisy

EVERY = _native.codes()


def test_each_code_has_its_words_and_no_other():
    for of, said in (
        ("warnings", _WARNINGS),
        ("designs", {design for design, _ in _TESTS}),
        ("designs", method._WHY),
        ("defects", inspection.ADVICE),
    ):
        assert sorted(said) == sorted(EVERY[of]), of


def test_each_verdict_has_its_facts():
    for mode in theme.MODES:
        assert len(theme.palette(mode).verdicts) == len(codes.VERDICTS)
    assert tuple(EVERY["verdicts"]) == codes.VERDICTS
    assert all(each.tone in get_args(Tone) and each.word for each in codes.TABLE)
    # What fails a gate for the worse is what asks for somebody's look.
    assert {each.code for each in codes.TABLE if each.gate} - {"inconclusive"} <= {*codes.ASKING}


def test_methods_are_named_for_the_designs_that_are_tested():
    assert {how for _, how in _TESTS} - {None} == set(EVERY["methods"])


def test_codes_that_python_compares_with_exist():
    assert TOO_FEW in EVERY["reasons"]
    assert set(codes.GRADES) == set(EVERY["grades"])


def test_a_code_is_lower_case_words_with_hyphens():
    codes_of_all = [code for each in EVERY.values() for code in each]
    assert codes_of_all
    assert not [code for code in codes_of_all if code != code.lower() or set(code) & set(" _")]


@pytest.fixture
def weighing(tmp_path):
    return compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(2, seed=2)})).weighing


def test_an_unknown_code_is_refused_by_the_compiled_part(weighing):
    for ask in (
        lambda: weighing.with_verdict(["one value"]),
        lambda: weighing.order([0], "size", changed=False),
        lambda: weighing.cell(0, "older"),
    ):
        with pytest.raises(ValueError, match="is named"):
            ask()


def test_an_unknown_verdict_is_refused_with_those_that_there_are(tmp_path):
    comparison = compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(2, seed=2)}))
    with pytest.raises(ValueError, match=r"there are invalid, worse, tail-worse,.* better"):
        comparison.with_verdict("one value")
