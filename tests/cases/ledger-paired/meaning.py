"""Blocks differ a hundredfold in size, so that only pairing by slot can see 3 per cent; one process a side differs."""


def holds(document, text):
    (row,) = document["rows"]
    assert (row["design"], row["verdict"], row["baseline_n"]) == ("paired", "differs", 40)
    assert 0.02 < row["change_low"] < row["change"] < row["change_high"] < 0.04
    assert "one-process" in row["warnings"]
    assert text.startswith("ledger-ops: differs +2.61% [")
    assert "Run at least four per build." in text
    assert "Paired by slot. [paired]" in text
