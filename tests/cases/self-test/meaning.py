"""Values that wander have wider intervals, so that they are not called changed; two results advise no margin."""


def holds(document, text):
    tested = document["self_test"]
    assert (tested["splits"], tested["stretches"]) == (126, 10)
    alarms = {row["benchmark"]: row["significant"] / row["called"]["trials"] for row in tested["rows"]}
    assert set(alarms) == {f"{kind}{number}" for kind in ("Steady", "Wanders") for number in range(3)}
    assert max(alarms.values()) < 0.05
    (metric,) = tested["metrics"]
    assert (metric["gate"], metric["margin"]) == (None, None)
    assert "No margin is advised" in text
    assert "limit this rate" not in text
