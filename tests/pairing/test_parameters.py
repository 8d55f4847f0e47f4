"""The values of a benchmark's parameter are different work, whatever the parameter is called."""

import json

import statera
from support import every, write


def results(name, times):
    """Give JMH results of one benchmark with a parameter: six forks at each of its values."""
    raw = {level: [[time * (1 + fork / 1000)] for fork in range(6)] for level, time in times.items()}
    fields = {"benchmark": "X", "mode": "avgt"}
    return json.dumps(
        [
            fields | {"params": {name: level}, "primaryMetric": {"scoreUnit": "s/op", "rawData": forks}}
            for level, forks in raw.items()
        ]
    )


# `time` and `run` are names of keys over which runs are pooled, `n` is no other key's name.
@every(("name", "key"), [("n", "n"), ("time", "param.time"), ("run", "param.run")])
def test_values_of_a_parameter_are_compared_separately(tmp_path, name, key):
    old, new = results(name, {"1": 1.0, "2": 10.0}), results(name, {"1": 2.0, "2": 30.0})
    found = statera.compare(*write(tmp_path, old=old, new=new))
    assert [(row.group, round(row.change, 6)) for row in found] == [(f"{key}: 1", 1.0), (f"{key}: 2", 2.0)]


def test_values_that_the_variants_do_not_share_are_not_pooled(tmp_path):
    old, new = results("n", {"1": 1.0, "2": 10.0}), results("n", {"3": 2.0, "4": 30.0})
    found = statera.compare(*write(tmp_path, old=old, new=new))
    assert not [row for row in found if row.baseline_values and row.contender_values]
