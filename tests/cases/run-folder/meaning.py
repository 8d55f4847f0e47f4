"""A run's folder alone: its variants by the order of the plan, timed commands and printed results, marks, a failure."""


def holds(document, text):
    first, second, *_ = text.splitlines()
    assert first == "1 SLOWER in cpu (build +9.99%)   1 faster in sec/op   1 unchanged"
    assert second == "v1 → v2   statera run, 3 benchmarks, 11 pairs"
    rows = {(row["benchmark"], row["metric"]): row for row in document["rows"]}
    of_build = [("build", metric) for metric in ("cpu", "failed", "time")]
    assert sorted(rows) == [("Parse-8", "sec/op"), ("Print-8", "sec/op"), *of_build]
    # One of twelve runs may fail by chance.
    assert rows["build", "failed"]["verdict"] == "one-value"
    assert rows["build", "time"]["verdict"] == "worse"
    assert rows["Print-8", "sec/op"]["verdict"] == "better"
    # Three values of each start count as one.
    assert (rows["Parse-8", "sec/op"]["baseline_values"], rows["Parse-8", "sec/op"]["baseline_n"]) == (36, 12)
    assert document["left_out"] == {"failed-invocation": 1}
    assert "3 of 12 rounds were disturbed: steal (2), cpu-pressure (1)" in text
    assert "pooled over" not in text
