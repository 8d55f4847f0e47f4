"""Values that wander are called changed far more often than values that do not; two results advise no margin."""


def holds(document, text):
    tested = document["self_test"]
    assert (tested["splits"], tested["stretches"]) == (126, 10)
    alarms = {row["benchmark"]: row["significant"] / row["called"]["trials"] for row in tested["rows"]}
    steady = [alarms[name] for name in alarms if name.startswith("Steady")]
    wanders = [alarms[name] for name in alarms if name.startswith("Wanders")]
    assert max(steady) < min(wanders)
    assert max(steady) < 0.15
    (metric,) = tested["metrics"]
    assert (metric["gate"], metric["margin"]) == (None, None)
    assert "No margin is advised" in text
    assert "limit this rate" not in text
