"""Values at the ends of what a number can hold: every output is written, and none holds a number that is none."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import statera
from statera import Policy
from support import compare, table

ENDS = [5e-324, 1e-310, 1e308, 1.7e308, 0.0, -0.0, 1.0, -1e308]
EXTREME = st.one_of(st.sampled_from(ENDS), st.floats(allow_nan=False, allow_infinity=False))
POSITIVE = st.one_of(
    st.sampled_from([5e-324, 1e-310, 1.0, 1e308]), st.floats(5e-324, allow_infinity=False, allow_nan=False)
)
SAMPLE = st.one_of(st.lists(EXTREME, min_size=1, max_size=9), st.lists(POSITIVE, min_size=1, max_size=9))
UNITS = st.sampled_from(["s", "B", "1", "widgets", "ops/s"])
NO_NUMBER = re.compile(r"(?<![a-z])-?(inf|nan|NaN|Infinity)(?![a-z])|∞")


def text(values, unit):
    return table([{"benchmark": "X", "metric": "m", "unit": unit, "value": repr(value)} for value in values])


def strict(document):
    def refused(word):
        raise ValueError(f"{word} is not JSON")

    return json.loads(document, parse_constant=refused)


def outputs(result):
    return [repr(result), result.to_markdown(), result.to_csv(), result.to_json(), result._repr_html_()]


def holds_no_infinity(result):
    for output in outputs(result):
        assert not NO_NUMBER.search(output), NO_NUMBER.search(output)
    strict(result.to_json())
    list(result)


@given(SAMPLE, SAMPLE, UNITS, st.sampled_from(["auto", "difference"]))
@example([1e-310] * 5, [1.0] * 5, "s", "auto")
@example([1e-310], [1.0], "s", "auto")
@example([1.7e308, 1e308], [-1e308, 0.0], "widgets", "difference")
def test_a_comparison_is_written_whatever_the_values(tmp_path_factory, old, new, unit, scale):
    folder = tmp_path_factory.mktemp("extreme")
    try:
        found = compare(folder, text(old, unit), text(new, unit), policy=Policy(scale=scale), quantiles=(0.5, 0.95))
    except statera.Stop:
        # A time below 0 is left out of reading.
        return
    holds_no_infinity(found)
    for row in found:
        if None not in (row.change_low, row.change, row.change_high):
            assert row.change_low <= row.change <= row.change_high


@given(SAMPLE, UNITS)
@example([1e-300, 1e300] * 6, "s")
def test_an_inspection_is_written_whatever_the_values(tmp_path_factory, values, unit):
    path = tmp_path_factory.mktemp("extreme") / "values.csv"
    path.write_text(text(values, unit))
    try:
        found = statera.inspect(path)
    except statera.Stop:
        return
    holds_no_infinity(found)


@pytest.mark.parametrize(("old", "new"), [([1e-310] * 6, [1.0] * 6), ([1e-310], [1.0])])
def test_a_ratio_beyond_what_can_be_computed_is_said(tmp_path, old, new):
    found = compare(tmp_path, text(old, "s"), text(new, "s"))
    (row,) = found
    assert (row.change, "beyond-range" in row.warnings) == (None, True)
    assert "×>10^308" in repr(found)
    assert "too large to compute" in repr(found)
    if row.p is not None:
        assert row.verdict == "worse"
    assert strict(found.to_json())["rows"][0]["change"] is None
