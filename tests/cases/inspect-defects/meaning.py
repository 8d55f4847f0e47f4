"""Each benchmark is named after what is wrong with it; one is fit."""


def holds(document, text):
    rows = {row["benchmark"]: row for row in document["rows"]}
    for name, row in rows.items():
        assert name == "fit" or name in row["defects"], row
    assert rows["fit"]["grade"] == "fit"
    assert rows["fit"]["defects"] == []
    assert {name for name, row in rows.items() if row["grade"] == "unfit"} == {"too-few", "constant"}
    assert document["findings"][0].startswith("2 benchmarks are unfit: ")
    assert text.index("`too-few`") < text.index("`drift`") < text.index("`fit`")
