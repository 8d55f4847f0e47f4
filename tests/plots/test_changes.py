import pytest

from statera.output.plots.changes import ratio_ticks
from statera.output.plots.scaling import number_of, spots_of_names


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0.97, 1.05, 5, [0.98, 1.0, 1.02, 1.04]),
        (0.5, 4.0, 6, [0.5, 0.7, 1.0, 1.5, 2.0, 3.0]),
        (0.001, 1000.0, 7, [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]),
        (0.001, 1000.0, 3, [0.01, 1.0, 100.0]),
    ],
)
def test_ticks_of_ratios_are_round_and_few(low, high, most, ticks):
    found = ratio_ticks(low, high, most)
    assert len(found) <= most
    assert 1.0 in found
    if len(ticks) == len(found):
        assert found == ticks


@pytest.mark.parametrize("low", [1e-12, 1e-3, 0.5, 0.9999])
@pytest.mark.parametrize("high", [1.0001, 1.7, 30.0, 1e12])
@pytest.mark.parametrize("most", [3, 5, 9])
def test_there_are_always_ticks_and_never_too_many(low, high, most):
    found = ratio_ticks(low, high, most)
    assert 1 <= len(found) <= most
    assert all(low <= tick <= high for tick in found)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4", 4), ("n=1_000", 1000), ("64Ki", 65536), ("10k", 10_000), ("192bytes", 192), ("v3", 3), ("0.5", 0.5),
        ("3a791fe1b8243e73", None), ("a", None), ("1-2", None),
    ],
)  # fmt: skip
def test_numbers_of_texts(text, number):
    assert number_of(text) == number


def test_names_that_differ_in_one_number_make_a_family():
    names = ["Sort/n=10-8", "Sort/n=100-8", "Sort/n=1000-8", "Par-1", "Par-2", "Par-4", "Hash/3a791fe1-8", "Alone"]
    spots = spots_of_names(names, go=True)
    assert {name: (spot.panel, spot.parameter, spot.at) for name, spot in spots.items()} == {
        "Sort/n=10-8": ("Sort/n=*-8", "n", 10),
        "Sort/n=100-8": ("Sort/n=*-8", "n", 100),
        "Sort/n=1000-8": ("Sort/n=*-8", "n", 1000),
        "Par-1": ("Par-*", "GOMAXPROCS", 1),
        "Par-2": ("Par-*", "GOMAXPROCS", 2),
        "Par-4": ("Par-*", "GOMAXPROCS", 4),
    }
