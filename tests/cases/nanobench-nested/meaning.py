"""Epochs of one process count as one: five processes a side, whatever the number of epochs."""


def holds(document, text):
    rows = {row["benchmark"]: row for row in document["rows"]}
    for row in rows.values():
        assert (row["design"], row["baseline_n"], row["baseline_values"]) == ("nested", 5, 25)
        assert row["least_p"] == row["p"] or row["p"] > row["least_p"]
    assert rows["Hash"]["verdict"] == "worse"
    assert abs(rows["Hash"]["p"] - 2 / 252) < 1e-12
    assert rows["Parse"]["verdict"] != "worse"
    assert "Mann-Whitney on one value per process, exact" in text
