"""One run a side: the suite is described by quantiles and its worst offenders, and nothing is judged."""

import statistics


def holds(document, text):
    times = [row for row in document["rows"] if row["metric"] == "time_secs"]
    assert len(times) == 24
    assert {row["verdict"] for row in document["rows"]} == {"one-value"}
    assert all(row["p"] is None for row in document["rows"])
    summary = next(s for s in document["summaries"] if s["metric"] == "time_secs")
    changes = [row["contender_centre"] / row["baseline_centre"] - 1 for row in times]
    assert abs(summary["mean_change"] - statistics.mean(changes)) < 1e-12
    assert abs(summary["change_quantiles"]["0.50"] - statistics.median(changes)) < 1e-12
    worst = max(times, key=lambda row: row["change"])["benchmark"]
    assert worst == "bench05.10"
    table = next(block for block in text.split("\n\n") if block.startswith("time_secs"))
    assert table.splitlines()[1].startswith("bench05.10")
    assert "12 more not judged (one value per build): " in text
    assert "not judged" in text
