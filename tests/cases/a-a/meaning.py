"""One build measured twice: no row is called better or worse."""


def holds(document, text):
    assert {row["verdict"] for row in document["rows"]} <= {"equivalent", "inconclusive"}
    assert not any("worse:" in finding or "better:" in finding for finding in document["findings"])
    (summary,) = document["summaries"]
    mean = summary["geometric_mean"]
    assert mean["low"] < 1 < mean["high"]
    assert "slower" not in text
