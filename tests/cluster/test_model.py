"""Random clusters, dirty in every way: the SQL gives what loops over lists give."""

import random
from types import SimpleNamespace

import oracle
import pytest
from generator.run import generate
from generator.settings import Settings
from model import Model
from small import Cluster, hash_of

from statera.cluster import analysis
from statera.cluster.run import open_run

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


def agree(summary, model):
    """Hold every value of a summary against the model's."""
    assert summary["chain"]["length"] == len(model.chain.blocks)
    assert summary["chain"]["missing"] == model.chain.missing
    assert summary["manifest"]["blocksAnalysed"] == len(model.accepted)
    assert summary["observations"] == model.observed
    assert {name: host["restarts"] for name, host in summary["hosts"].items()} == model.restarts
    for key, values in model.samples.items():
        metric = summary["metrics"][key]
        assert (key, metric["n"]) == (key, len(values))
        if values:
            assert (key, metric["mean"]) == (key, pytest.approx(sum(values) / len(values), rel=1e-9, abs=1e-12))
            assert (key, metric["min"], metric["max"]) == (key, pytest.approx(min(values)), pytest.approx(max(values)))


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.later) for seed in range(4, 12))])
def test_sql_and_loops_agree(tmp_path, seed):
    cluster = dirty(tmp_path, seed)
    result = cluster.analyse("unitary", "SlotGEq 6")
    model = Model(cluster, 6)
    assert [hash_of(name) for name in result.blocks()] == [block.block for block in model.chain.blocks]
    agree(result.summary, model)


FAULTS = {"noise": 0.02, "broken": 0.02, "duplicates": 0.1, "disorder": 0.2, "battles": 0.2, "epoch_length": 100}


@pytest.mark.parametrize(
    "settings",
    [
        Settings(hosts=4, slots=400, seed=3, tracing=("mixed",), lost_forged=0.15, cut=1, restarts=2, clock_steps=2,
                 missing=1, silent=1, **FAULTS),
        Settings(hosts=1, slots=300, seed=4, tracing=("legacy",), restarts=1, **FAULTS),
        Settings(hosts=5, slots=300, seed=5, tracing=("new", "legacy", "array"), compression=("", ".gz", ".zst"),
                 lost_forged=0.3, files=3, **FAULTS),
    ],
    ids=["mixed", "one legacy host", "many forms"],
)  # fmt: skip
def test_logs_to_summary_agree_with_naive_reading_and_loops(tmp_path, settings):
    generate(tmp_path / "run", settings)
    run = open_run(tmp_path / "run")
    read = {host: oracle.read_host([file.path for file in run.files[host]]) for host in run.hosts}
    options = analysis.Options(filters=("unitary", "SlotGEq 50"))
    summary = analysis.analyse(tmp_path / "run", tmp_path / "out", options)
    events, resources, counts = ({host: found[part] for host, found in read.items()} for part in range(3))
    agree(summary, Model(SimpleNamespace(timing=run.timing, events=events, resources=resources), 50))
    for name in ("lines", "noise", "broken", "cut", "other", "emitted", "analysed", "skipped"):
        assert {host: one[name] for host, one in summary["hosts"].items()} == {
            host: one[name] for host, one in counts.items()
        }
