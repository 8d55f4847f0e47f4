"""Two of ten new runs take twice as long: too few to decide, but not equivalent; fewer than before may be."""


def holds(document, text):
    rows = {row["benchmark"]: row for row in document["rows"]}
    assert (rows["Serve-8"]["verdict"], rows["Serve-8"]["reason"]) == ("inconclusive", "tail-undecided")
    assert rows["Index-8"]["verdict"] == rows["Load-8"]["verdict"] == "equivalent"
    assert "Serve-8" in document["findings"][0]
    assert "2 of 10 new runs are slow, 0 of 10 old: too few to decide" in text
