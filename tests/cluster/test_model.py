"""Random clusters, dirty in every way: the SQL gives what loops over lists give."""

from __future__ import annotations

import random

import pytest
from model import Model
from small import Cluster, hash_of

HOSTS = ("a", "b", "c")
EVENTS = ("Noticed", "Requested", "Fetched", "Announced", "Sending", "Tip", "AdoptedBlock")


def dirty(folder, seed):
    """Blocks with battles, lost and doubled lines, equal times, skewed clocks, restarts and gaps in resources."""
    chance = random.Random(seed)
    cluster = Cluster(folder, *HOSTS[: chance.randint(1, 3)], slot_length=chance.choice([1.0, 0.5]), epoch_length=25)
    hosts = list(cluster.events)
    skew = {host: chance.choice([0, 0, -0.25, 0.4]) for host in hosts}
    slots = chance.randint(30, 60)
    heads = []
    for slot in range(0, slots, 3):
        number = slot // 3
        for rival in range(chance.choice([1, 1, 1, 2])):
            name = f"{number:02x}{rival}f"
            prev = chance.choice(heads) if heads else "9"
            spread(cluster, chance, hosts, skew, (name, slot, number, prev))
        heads = [f"{number:02x}{0}f"] + ([name] if chance.random() < 0.5 else [])
    for host in hosts:
        loops(cluster, chance, host, slots)
        resources(cluster, chance, host, slots)
    return cluster


def log(cluster, chance, host, *words, **fields):
    """Log a line, or lose it, or log it twice or more, perhaps at the same time with other fields."""
    for _ in range(chance.choice([0, 1, 1, 1, 1, 1, 1, 2, 3])):
        cluster.log(host, *words, **fields)
        if "size" in fields:
            fields["size"] = chance.choice([None, fields["size"], 7])


def spread(cluster, chance, hosts, skew, block):
    name, slot, number, prev = block
    begin = slot * cluster.timing.slot_length / 10**9
    forger = chance.choice(hosts)
    if chance.random() < 0.9:
        cluster.forge(forger, name, slot, number, prev, seconds=0.3 + skew[forger])
    if chance.random() < 0.1:
        cluster.forge(chance.choice(hosts), name, slot, number, prev, seconds=0.3)
    for host in hosts:
        moment = begin + 0.3 + skew[host]
        for event in EVENTS:
            moment += chance.choice([0, 0.01, 0.125, 0.25, -0.05])
            fields = {
                "Noticed": {"slot": slot, "block_no": number},
                "Requested": {"length": chance.choice([None, 1, 1, 1, 3])},
                "Tip": {"delta": chance.choice([None, 1, 1, 1, 2])},
                "Fetched": {"size": chance.choice([None, 500, 600])},
                "AdoptedBlock": {"size": chance.choice([None, 500, 600])},
            }.get(event, {})
            log(cluster, chance, host, event, moment, name, **fields)


def loops(cluster, chance, host, slots):
    for slot in range(chance.randint(0, 5), slots):
        moment = slot * cluster.timing.slot_length / 10**9
        for event in (
            "Start",
            "BlkCtx",
            "LgrState",
            "LgrView",
            "Leader",
            "NotLeader",
            "Ticked",
            "MemSnap",
            "LedgerMetrics",
        ):
            moment += chance.choice([0, 0.0625, 0.001])
            fields = {"density": chance.choice([None, 0.25, 0.5])} if event in {"Start", "LedgerMetrics"} else {}
            log(cluster, chance, host, event, moment, slot=slot, **fields)
    chance.shuffle(cluster.events[host])


def resources(cluster, chance, host, slots):
    keys = ("CentiCpu", "CentiGC", "CentiMut", "GcsMajor", "GcsMinor", "Alloc", "FsRd", "FsWr", "RSS", "Heap", "Live")
    moment, counters = -2.0, dict.fromkeys(keys, 1000)
    while moment < (slots + 3) * cluster.timing.slot_length / 10**9:
        step = chance.choice([0, 0.25, 0.5, 1, 1, 2, 4])
        moment += step
        for key in keys:
            counters[key] += round(step * chance.choice([10, 100, 90])) if chance.random() > 0.005 else -50
        stated = {key: value for key, value in counters.items() if chance.random() > 0.03}
        cluster.use(host, moment, **stated)


@pytest.mark.parametrize("seed", range(12))
def test_sql_and_loops_agree(tmp_path, seed):
    cluster = dirty(tmp_path, seed)
    result = cluster.analyse("unitary", "SlotGEq 6")
    model = Model(cluster, 6)
    assert [hash_of(name) for name in result.blocks()] == [block.block for block in model.chain.blocks]
    assert [name for name, row in result.blocks().items() if row["accepted"]] == [
        block.block.rstrip("0") for block in model.accepted
    ]
    assert result.summary["observations"] == model.observed
    assert {name: host["restarts"] for name, host in result.summary["hosts"].items()} == model.restarts
    for key, values in model.samples.items():
        metric = result.metric(key)
        assert (key, metric["n"]) == (key, len(values))
        if values:
            assert (key, metric["mean"]) == (key, pytest.approx(sum(values) / len(values), rel=1e-9, abs=1e-12))
            assert (key, metric["min"], metric["max"]) == (key, pytest.approx(min(values)), pytest.approx(max(values)))
