"""Blocks differ a hundredfold in size, so that only pairing by slot can see 3 per cent; one process a side differs."""


def holds(document, text):
    (row,) = document["rows"]
    assert (row["design"], row["verdict"], row["baseline_n"]) == ("paired", "differs", 40)
    assert 0.02 < row["change_low"] < row["change"] < row["change_high"] < 0.04
    assert "one-process" in row["warnings"]
    assert "differs (one process each)" in text
    assert "ledger-ops (totalTime +2.61%, 54.93 ms → 56.11 ms). Four or more processes a side decide" in text
    assert "paired by slot [paired]" in text
