"""Eleven of forty new runs take twice as long, one of forty old ones: the typical value hides it, the tail does not."""


def holds(document, text):
    rows = {row["benchmark"]: row for row in document["rows"]}
    parse = rows["Parse-8"]
    assert (parse["verdict"], parse["reason"]) == ("tail-worse", None)
    assert (parse["baseline_slow"], parse["contender_slow"]) == (1, 11)
    assert parse["change_high"] < 0.02 < parse["mean_change_low"]
    assert parse["tail_change_low"] > 0.02
    assert rows["Render-8"]["verdict"] == "equivalent"
    # Two of forty on both sides are not a change.
    assert rows["Query-8"]["verdict"] == "equivalent"
    assert text.startswith("1 TAIL SLOWER (Parse-8)   2 unchanged\n")
    assert "Parse-8: slow runs 1 of 40 → 11 of 40, p = " in text
