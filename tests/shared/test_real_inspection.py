"""Inspection of real results, where they lie beside the repository."""

import pytest

import statera

LEDGER = "ledger-ops-cost-e3917f684e8b60e7bfc453d6d8114b800bdf167d-haskell810-from-63-nr-blocks-100000.csv"


def test_a_replay_of_blocks_is_far_from_normal(shared):
    (row,) = statera.inspect(shared / "data/db-analyser" / LEDGER, metrics=["totalTime"])
    assert row.normality_test == "shapiro-wilk"
    assert row.normality == pytest.approx(0.42007191373538577, rel=1e-9)
    assert row.normality_p == pytest.approx(7.151794601859718e-20, rel=1e-9)
    assert row.sampled == "blocks"
    assert row.defects == ("one-process", "by-block")


def test_one_binary_measured_twice_in_turns(shared):
    folder = shared / "data/go/cadence-rerun"
    paths = [folder / f"clean-interleaved-{name}.txt" for name in ("new", "new-again")]
    tested = statera.inspect(*paths, metrics=["sec/op"], aa=True).self_test
    (pair,) = tested.as_measured
    assert (pair.rows, len(pair.called)) == (14, 0)
    (metric,) = tested.metrics
    assert metric.called.share <= 0.05
