import pytest

from statera.support.errors import Stop
from statera.support.patterns import matcher, tidy_metric
from support import every

# Patterns, a name, and whether they fit it.
FITTING = [
    ([], "anything", True),
    (["Add"], "Add", True),
    (["Add"], "BigAdd", False),
    (["Add"], "Address", False),
    (["s"], "B/s", False),
    (["Add*"], "Add/same", True),
    (["Add*"], "BigAdd/same", False),
    (["*Add"], "BigAdd", True),
    (["a.b"], "axb", False),
    (["[ab]"], "b", True),
    (["?"], "ab", False),
    (["/Add/"], "BigAdd/same", True),
    (["/^Add$/"], "BigAdd", False),
    (["/"], "/", True),
    (["!Add*"], "Add", False),
    (["!Add*"], "Sub", True),
    (["!/dd/"], "Add", False),
    (["A*", "!*d"], "Add", False),
    (["A*", "!*d"], "Ape", True),
    (["A*", "B*"], "Bee", True),
    (["a\nb"], "a\nb", True),
    (["a*"], "a\nb", True),
    (["add"], "Add", False),
]


def test_a_pattern_means_the_whole_name_and_a_regex_a_part():
    assert not [case for case in FITTING if matcher(case[0])(case[1]) is not case[2]]


def test_units_that_go_prints_mean_the_metrics_they_become():
    become = {"ns/op": "sec/op", "MB/s": "B/s", "p99-ns/op": "p99-sec/op", "ns": "sec", "B/op": "B/op", "x/ns": "x/ns"}
    assert {printed: tidy_metric(printed) for printed in become} == become


@every(
    "regex",
    [
        "[",
        "(",
        "a{99999999999}",
        "a{1000}{1000}{1000}",
        "(" * 5000 + "a" + ")" * 5000,
        "a**b(",
        "\\",
        "(?=a)",
        r"(a)\1",
    ],
    ids=lambda regex: regex[:20],
)
def test_a_regex_that_is_none_stops_and_is_named(regex):
    with pytest.raises(Stop, match=r"^/.{1,80}/ is not a regular expression: .") as stop:
        matcher([f"/{regex}/"])
    assert len(str(stop.value)) < 300


def test_a_regex_takes_no_more_time_than_the_name_is_long():
    """Python's own would not end: names are from strangers."""
    for regex in ("(a+)+$", "^(a|a)*$", "(.*a){20}$", "^(([a-z])+.)+[A-Z]([a-z])+$"):
        assert not matcher([f"/{regex}/"])("a" * 5000 + "!"), regex


def test_a_shell_pattern_takes_no_more_time_than_that():
    for pattern in ("*a" * 200, "[!" * 200, "?*" * 200 + "b", "[a-" * 200):
        assert not matcher([pattern])("a" * 5000 + "!"), pattern
