"""The table that a maintainer made by hand: medians before and after, and the change of each."""


def holds(document, text):
    rows = {row["benchmark"]: row for row in document["rows"] if row["metric"] == "median"}
    want = {
        "BlockToJsonVerbose_1MB": (0.0526412, 0.0505036, -4.06),
        "BlockToJsonVerbose_32MB": (2.27232, 2.04869, -9.84),
        "JsonReadWriteBlock_1MB": (0.049478, 0.0490593, -0.85),
        "JsonReadWriteBlock_32MB": (2.15773, 2.11123, -2.16),
        "RpcMempool": (0.00610431, 0.00412096, -32.49),
        "RpcMempool10k": (0.0749306, 0.0572924, -23.54),
    }
    assert rows.keys() == want.keys()
    for name, (before, after, change) in want.items():
        row = rows[name]
        assert (row["baseline_centre"], row["contender_centre"]) == (before, after)
        assert round(row["change"] * 100, 2) == change
        assert row["verdict"] == "one-value"
    for change in ("−4.06%", "−9.84%", "−0.85%", "−2.16%", "−32.5%", "−23.5%"):
        assert change in text
