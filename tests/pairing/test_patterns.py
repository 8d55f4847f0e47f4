import pytest

from statera.errors import Stop
from statera.pairing.patterns import matcher, tidy_metric


@pytest.mark.parametrize(
    ("patterns", "name", "fits"),
    [
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
    ],
)
def test_a_pattern_means_the_whole_name_and_a_regex_a_part(patterns, name, fits):
    assert matcher(patterns)(name) is fits


@pytest.mark.parametrize(
    ("printed", "metric"),
    [
        ("ns/op", "sec/op"),
        ("MB/s", "B/s"),
        ("p99-ns/op", "p99-sec/op"),
        ("ns", "sec"),
        ("B/op", "B/op"),
        ("x/ns", "x/ns"),
    ],
)
def test_units_that_go_prints_mean_the_metrics_they_become(printed, metric):
    assert tidy_metric(printed) == metric


def test_a_broken_regex_stops_and_is_named():
    with pytest.raises(Stop, match=r"/\[/ is not a regular expression"):
        matcher(["/[/"])
