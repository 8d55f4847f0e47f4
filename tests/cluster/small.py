"""Clusters made by hand: events of a few hosts, from which an analysis is made as from a reader's."""

import json

import oracle
import pyarrow.parquet as pq

from statera.cluster import analysis
from statera.cluster.logs.directories import directory_name
from statera.cluster.logs.events import Counts, HostEvents
from statera.cluster.logs.mapping import Mapping
from statera.cluster.run import COMPONENTS, WORKLOAD, Run, RunEvents, Timing

SECOND = 10**9
START = 1_739_558_458 * SECOND
FACTS = {
    "identifier": "10.2", "batch": "10.2", "profile": "p", "era": "conway", "ghcVersion": None, "analysisDate": None,
    "systemStart": "2025-02-14T18:40:58Z", "securityParam": 10, "activeSlotsCoeff": 0.05, "maxBlockBodySize": 1000,
}  # fmt: skip
COUNTERS = ("Alloc", "CentiCpu", "CentiMut", "GcsMajor", "GcsMinor")


def hash_of(name):
    """A hash that begins with the digits of a name, for instance ``a1``."""
    return name.ljust(64, "0")


def at(seconds):
    """Nanoseconds of so many seconds since system start."""
    return START + round(seconds * SECOND)


class Cluster:
    """A run made by hand."""

    def __init__(self, folder, *hosts, slot_length=1.0, epoch_length=100, filters=(), **facts):
        self.folder = folder
        self.events = {host: [] for host in hosts}
        self.resources = {host: [] for host in hosts}
        self.timing = Timing(START, round(slot_length * SECOND), epoch_length)
        self.facts = FACTS | facts
        self.filters = list(filters)
        self.silent = set()

    def log(self, host, event, seconds, block=None, **fields):
        """Log an event of a block or slot, so many seconds after system start."""
        rows = self.events[host]
        named = {"block": hash_of(block)} if block else {}
        if "prev" in fields:
            fields["prev"] = hash_of(fields["prev"])
        rows.append({"event": event, "at": at(seconds), "file": 0, "line": len(rows) + 1, "seq": len(rows) + 1}
                    | named | fields)  # fmt: skip

    def use(self, host, seconds, **counters):
        """Log a Resources event."""
        rows = self.resources[host]
        rows.append({"at": at(seconds), "file": 0, "line": len(rows) + 1, "seq": len(rows) + 1, **counters})

    def forge(self, host, block, slot, number, prev, *, seconds=0.5):
        """Forge a block, so many seconds after its slot began."""
        self.log(host, "Forged", slot * self.timing.slot_length / SECOND + seconds, block, slot=slot, block_no=number,
                 prev=prev)  # fmt: skip

    def adopt(self, host, seconds, block, delta=1):
        """Adopt a block."""
        self.log(host, "Tip", seconds, block, delta=delta)

    def start(self, host, *slots, after=0.1):
        """Begin the forge loop in slots."""
        for slot in slots:
            self.log(host, "Start", slot * self.timing.slot_length / SECOND + after, slot=slot)

    def run_events(self):
        hosts = []
        for host, rows in self.events.items():
            folder = self.folder / "events" / directory_name(host)
            every = sorted(row["at"] for row in [*rows, *self.resources[host]])
            emitted = len(every)
            counts = {"lines": emitted, "emitted": emitted, "analysed": emitted, "mapped": emitted}
            counts |= {"first": every[0], "last": every[-1]} if every else {}
            lists = {"others": [], "skips": [], "events": [], "unmapped": [], "examples": []}
            tables = oracle.write_host(
                folder, host, rows, self.resources[host], counts=counts | lists, files=[f"{host}.json"]
            )
            hosts.append(HostEvents(host, tables, (f"{host}.json",), Counts.of(counts | lists)))
        return RunEvents(Mapping("cardano", {}, (), "", ""), tuple(hosts), (), self._run())

    def _run(self):
        return Run(
            path=self.folder, timing=self.timing, facts=self.facts,
            components={name: {"version": None, "commit": None} for name in COMPONENTS},
            workload=dict.fromkeys(WORKLOAD), filters=self.filters, hosts=tuple(self.events),
            files=dict.fromkeys(self.events, ()),
        )  # fmt: skip

    def analyse(self, *filters, ahead=()):
        """Analyse; filters replace those of the run, and ``ahead`` is by how many ns clocks of hosts are ahead."""
        options = analysis.Options(filters=filters or None)
        analysis.analyse_events(self.run_events(), self.folder, options, dict(ahead))
        return Result(self.folder)


class Result:
    """What an analysis wrote."""

    def __init__(self, folder):
        self.folder = folder
        self.summary = json.loads((folder / "summary.json").read_text())
        self.csv = (folder / "blocks.csv").read_text()

    def table(self, name):
        """The rows of a table."""
        return pq.read_table(self.folder / "tables" / f"{name}.parquet").to_pylist()

    def metric(self, key):
        return self.summary["metrics"][key]

    def blocks(self):
        """The main chain, oldest first: by the name of its hash."""
        return {row["block"].rstrip("0"): row for row in sorted(self.table("blocks"), key=lambda row: row["position"])}
