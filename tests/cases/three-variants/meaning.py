"""Variants inside one file, each against the named baseline; all p-values are one family."""


def holds(document, text):
    assert document["labels"] == ["go1.25", "go1.24", "tip"]
    found = {(row["benchmark"], row["contender"]): row["verdict"] for row in document["rows"]}
    assert found == {(name, contender): "worse" for name in ("Sort", "Hash") for contender in ("go1.24", "tip")}
    assert document["family"] == 4
    assert text.startswith("{")
