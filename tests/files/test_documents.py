from math import inf, nan

from statera.support.files.csv_json import document


def test_json_has_a_key_a_line_and_null_for_what_is_no_number():
    lines = ["{", ' "a": [', "  1.5,", "  null,", "  [", "   null,", '   "ß"', "  ]", " ],", ' "b": {}', "}", ""]
    assert document({"a": [1.5, -inf, (nan, "ß")], "b": {}}).splitlines() == lines[:-1]
    assert document({"a": 1}) == '{\n "a": 1\n}\n'
