from statera.comparison.verdicts.inspection import _as_measured
from statera.comparison.weighing.self_test import AsMeasured, Called


def test_rows_called_changed_are_named_with_their_change_if_it_is_a_ratio():
    rows = (("A", "ratio", 0.5), ("B", "difference", 0.5), ("C", "ratio", None), ("D", "ratio", 1.0))
    called = tuple(Called("", name, "m", 0, scale, "worse", change) for name, scale, change in rows)
    pair = AsMeasured("a", "b", 9, 4, called)
    calm = AsMeasured("a", "c", 9, 0, ())
    assert [_as_measured(pairs) for pairs in ((pair,), (calm,), (pair, calm))] == [
        "As measured, a against b: 4 of 9 comparisons called changed (A m +50.0%, B m, C m, and 1 more).",
        "As measured, a against c: 0 of 9 comparisons called changed.",
        "As measured: 1 of 2 pairs of results have something called changed, 4 of 18 comparisons (22%).",
    ]
