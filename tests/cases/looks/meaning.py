"""Benchmarks that ended at looks of their own: each is judged at the level of its look, and the output says so."""


def holds(document, text):
    rows = {row["benchmark"]: row for row in document["rows"]}
    assert {name: (row["verdict"], row["baseline_n"]) for name, row in rows.items()} == {
        "encode": ("worse", 9),
        "decode": ("equivalent", 19),
        "hash": ("inconclusive", 60),
    }
    assert all(row["design"] == "paired" for row in rows.values())
    assert {name: row["change_level"] >= 0.995 for name, row in rows.items()} == {
        "encode": True,
        "decode": True,
        "hash": False,
    }
    assert "[looks]" in text
    assert "95 % interval" not in text
