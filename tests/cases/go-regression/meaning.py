"""A real regression is named first, with its size; what was gained elsewhere does not hide it."""


def holds(document, text):
    verdicts = {(row["benchmark"], row["metric"]): row["verdict"] for row in document["rows"]}
    assert verdicts["Encode/small-8", "sec/op"] == "worse"
    assert verdicts["Encode/small-8", "allocs/op"] == "worse"
    assert verdicts["Encode/large-8", "sec/op"] == "better"
    assert verdicts["Decode/small-8", "sec/op"] == "equivalent"
    assert verdicts["Decode/small-8", "B/op"] == "equivalent"
    assert (verdicts["Legacy-8", "sec/op"], verdicts["Stream-8", "sec/op"]) == ("missing", "new")
    assert text.startswith("1 of 5 benchmarks slower, Encode/small-8 +17.2%; 1 vanished; 1 faster; 1 new.\n")
    assert document["findings"][0].startswith("Worse: Encode/small-8 (sec/op +17.2%")
    assert document["findings"][1] == "Vanished: Legacy-8."
    assert "+17." in text
