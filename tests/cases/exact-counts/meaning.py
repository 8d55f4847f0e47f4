"""Counts that agree within each side need no test: any difference is real, and none is invented."""


def holds(document, text):
    rows = {row["benchmark"]: row for row in document["rows"]}
    assert {name: row["design"] for name, row in rows.items()} == {
        "Grown": "exact",
        "Same": "exact",
        "Shrunk": "exact",
        "FromNothing": "exact",
        "Varies": "independent",
    }
    assert rows["Grown"]["verdict"] == rows["FromNothing"]["verdict"] == "worse"
    assert (rows["Same"]["verdict"], rows["Shrunk"]["verdict"]) == ("equivalent", "better")
    assert rows["Grown"]["p"] is None
    assert (rows["FromNothing"]["scale"], rows["FromNothing"]["change"]) == ("difference", 2.0)
    assert document["family"] == 1
    assert text.startswith("group,benchmark,metric,unit,")
