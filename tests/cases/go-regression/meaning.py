"""A real regression is named first, with its size; what was gained elsewhere does not hide it."""


def holds(document, text):
    verdicts = {(row["benchmark"], row["metric"]): row["verdict"] for row in document["rows"]}
    assert verdicts["Encode/small-8", "sec/op"] == "worse"
    assert verdicts["Encode/small-8", "allocs/op"] == "worse"
    assert verdicts["Encode/large-8", "sec/op"] == "better"
    assert verdicts["Decode/small-8", "sec/op"] == "equivalent"
    assert verdicts["Decode/small-8", "B/op"] == "equivalent"
    assert (verdicts["Legacy-8", "sec/op"], verdicts["Stream-8", "sec/op"]) == ("missing", "new")
    assert text.startswith("1 SLOWER (Encode/small-8 +17.2%)   1 gone   1 faster   1 unchanged   1 new\n")
    assert "Encode/small-8 (sec/op +17.2%" in document["findings"][0]
    assert "Legacy-8" in document["findings"][1]
    assert "1 gone: Legacy\n" in text
