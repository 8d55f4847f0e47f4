"""A second, naive computation of chain and metrics, loop by loop, from lists of events: an oracle for the SQL."""

from itertools import pairwise

from small import SECOND

from statera.cluster.chain import Block, walk

SLOT = ("Start", "BlkCtx", "LgrState", "LgrView", "Leader", "NotLeader", "Ticked", "MemSnap", "LedgerMetrics")
RESTARTING = ("CentiCpu", "CentiMut", "GcsMajor", "GcsMinor", "Alloc")
UNIT = {
    "Alloc": 2**20, "FsRd": 1024, "FsWr": 1024, "NetRd": 1024, "NetWr": 1024, "RSS": 2**20, "Heap": 2**20,
    "Live": 2**20,
}  # fmt: skip


def minus(later, earlier):
    return None if later is None or earlier is None else (later - earlier) / SECOND


def firsts(rows, key):
    """The first event by (event, key): smallest time, then reading order."""
    found = {}
    for row in sorted(rows, key=lambda row: (row["at"], row["seq"])):
        found.setdefault((row["event"], row.get(key)), row)
    return found


class Model:
    """The metrics of a cluster: timing, events and resources by host; filters BUnitaryChainDelta and SlotGEq."""

    def __init__(self, cluster, least_slot):
        self.origin = cluster.timing.system_start
        self.length = cluster.timing.slot_length
        self.epoch = cluster.timing.epoch_length
        self.least = least_slot
        self.hosts = sorted(cluster.events)
        self.rows, self.resources = cluster.events, cluster.resources
        self.slots = {h: firsts([r for r in self.rows[h] if r["event"] in SLOT], "slot") for h in self.hosts}
        self.blocks = {h: firsts([r for r in self.rows[h] if r.get("block")], "block") for h in self.hosts}
        self.samples = {}
        self.chain = walk(self.known())
        self.accepted = [b for b in self.chain.blocks if self.accepts(b)]
        self.loop()
        self.usage()
        self.observed = dict.fromkeys(
            ("missingNotice", "missingRequest", "missingFetch", "missingAdoption", "nonUnitary", "negative", "valid"), 0
        )
        for block in self.accepted:
            self.forging(block)
            self.peers(block)

    def add(self, key, value):
        self.samples.setdefault(key, [])
        if value is not None:
            self.samples[key].append(value)

    def start(self, slot):
        return self.origin + slot * self.length

    def at(self, host, event, name, *, of="blocks"):
        row = getattr(self, of)[host].get((event, name))
        return row["at"] if row else None

    def adopted(self, host, name):
        return min(
            (t for t in (self.at(host, e, name) for e in ("Tip", "AdoptedBlock")) if t is not None), default=None
        )

    def known(self):
        names = {name for h in self.hosts for event, name in self.blocks[h] if event in {"Forged", "Noticed"}}
        of = {}
        for name in names:
            forged, noticed = (
                sorted((self.blocks[h][e, name]["at"], h) for h in self.hosts if (e, name) in self.blocks[h])
                for e in ("Forged", "Noticed")
            )
            event, (_, host) = ("Forged", forged[0]) if forged else ("Noticed", noticed[0])
            row = self.blocks[host][event, name]
            of[name] = (row, host if forged else None, len(forged))
        heights = [row["block_no"] for row, *_ in of.values()]
        return [
            Block(name, row["slot"], row["block_no"], row.get("prev") if host else None,
                  None if host is None else self.hosts.index(host), forgers,
                  sum(self.adopted(h, name) is not None for h in self.hosts), heights.count(row["block_no"]) - 1,
                  self.size(name))
            for name, (row, host, forgers) in of.items()
        ]  # fmt: skip

    def size(self, name):
        for event in ("AdoptedBlock", "Fetched"):
            stated = [
                (row["at"], h, row["size"])
                for h in self.hosts
                if (row := self.blocks[h].get((event, name))) and row.get("size") is not None
            ]
            if stated:
                return min(stated)[2]
        return None

    def delta(self, host, name):
        row = self.blocks[host].get(("Tip", name))
        return row.get("delta") if row else None

    def accepts(self, block):
        forger = None if block.forger is None else self.hosts[block.forger]
        return block.slot >= self.least and (forger is None or self.delta(forger, block.block) in {None, 1})

    def loop(self):
        self.population = {}
        for host in self.hosts:
            starts = [row for row in self.rows[host] if row["event"] == "Start"]
            if not starts:
                continue
            low, high = min(row["slot"] for row in starts), max(row["slot"] for row in starts)
            self.population[host] = range(max(low, self.least), high + 1)
            for slot in self.population[host]:
                self.add("cdfStarts", len({row["at"] for row in starts if row["slot"] == slot}))
                got = {event: self.at(host, event, slot, of="slots") for event in SLOT}
                leading = min((got[e] for e in ("Leader", "NotLeader") if got[e] is not None), default=None)
                self.add("cdfStarted", minus(got["Start"], self.start(slot)))
                self.add("cdfBlkCtx", minus(got["BlkCtx"], got["Start"]))
                self.add("cdfLgrState", minus(got["LgrState"], got["BlkCtx"]))
                self.add("cdfLgrView", minus(got["LgrView"], got["LgrState"]))
                self.add("cdfLeading", minus(leading, got["LgrView"]))
                stated = [
                    self.slots[host].get((event, slot), {}).get("density") for event in ("Start", "LedgerMetrics")
                ]
                self.add("cdfDensity", stated[0] if stated[0] is not None else stated[1])

    def usage(self):
        self.restarts = dict.fromkeys(self.hosts, 0)
        for host, rows in self.resources.items():
            once = {}
            for row in sorted(rows, key=lambda row: (row["at"], row["seq"])):
                once.setdefault(row["at"], row)
            ordered = list(once.values())
            inside = self.population.get(host, ())
            cpu = {}
            for row in ordered:
                if self.slot_at(row) in inside:
                    for key in ("RSS", "Heap", "Live"):
                        self.add(key, row[key] / UNIT[key] if row.get(key) is not None else None)
            for old, new in pairwise(ordered):
                self.interval(host, old, new, inside, cpu)
            self.spans(host, sorted(slot for slot, rate in cpu.items() if rate is not None and rate > 85))

    def slot_at(self, row):
        return (row["at"] - self.origin) // self.length

    def interval(self, host, old, new, inside, cpu):
        both = [
            k
            for k in UNIT | dict.fromkeys((*RESTARTING, "CentiGC"))
            if old.get(k) is not None and new.get(k) is not None
        ]
        restart = any(new[key] < old[key] for key in both if key in RESTARTING)
        self.restarts[host] += restart
        rates = {
            key: (new[key] - old[key]) / ((new["at"] - old["at"]) / SECOND) / UNIT.get(key, 1)
            for key in both
            if not restart and new[key] >= old[key]
        }
        for slot in range(max(self.slot_at(old) + 1, 0), min(self.slot_at(new), 10_000)):
            if slot in inside:
                cpu[slot] = rates.get("CentiCpu")
        if self.slot_at(new) in inside:
            cpu[self.slot_at(new)] = rates.get("CentiCpu")
            for key in ("CentiCpu", "CentiGC", "CentiMut", "GcsMajor", "GcsMinor", "Alloc", "FsRd", "FsWr"):
                self.add(key, rates.get(key))

    def spans(self, _host, busy):
        runs = []
        for slot in busy:
            if runs and runs[-1][1] == slot - 1:
                runs[-1][1] = slot
            else:
                runs.append([slot, slot])
        for first, last in runs:
            self.add("cdfSpanLensCpu", last - first + 1)
            for boundary in range(self.epoch, last + 1, self.epoch):
                if any(first <= slot <= last for slot in range(boundary, boundary + 4)):
                    end = boundary + self.epoch - 1
                    self.add("cdfSpanLensCpuEpoch", sum(boundary <= slot <= end for slot in range(first, last + 1)))

    def forging(self, block):
        self.add("cdfBlockBattle", block.battles)
        self.add("cdfBlockSize", block.size)
        if block.forger is None:
            return
        host, name = self.hosts[block.forger], block.block
        got = {event: self.at(host, event, block.slot, of="slots") for event in SLOT}
        got |= {e: self.at(host, e, name) for e in ("Forged", "Announced", "Sending", "AdoptedBlock", "Tip")}
        got["slot"] = self.start(block.slot)
        for key, later, earlier in (
            ("Start", "Start", "slot"), ("BlkCtx", "BlkCtx", "Start"), ("LgrState", "LgrState", "BlkCtx"),
            ("LgrView", "LgrView", "LgrState"), ("Lead", "Leader", "LgrView"), ("Ticked", "Ticked", "Leader"),
            ("MemSnap", "MemSnap", "Ticked"), ("Forge", "Forged", "MemSnap"), ("Announce", "Announced", "Forged"),
            ("Send", "Sending", "Forged"), ("Adoption", "AdoptedBlock", "Forged"), ("AnnounceCum", "Announced", "slot"),
        ):  # fmt: skip
            self.add(f"cdfForger{key}", minus(got[later], got[earlier]))
        self.add("xForgerLeadToForged", minus(got["Forged"], got["Leader"]))
        self.add("xForgerAddedToChain", minus(got["Tip"], got["Forged"]))

    def peers(self, block):
        name, begin = block.block, self.start(block.slot)
        observers = [h for number, h in enumerate(self.hosts) if number != block.forger]
        notices = [minus(self.at(h, "Noticed", name), begin) for h in observers]
        fetches = [minus(self.at(h, "Fetched", name), begin) for h in observers]
        for key, values in (("cdfPeerNoticeFirst", notices), ("cdfPeerFetchFirst", fetches)):
            self.add(key, min((value for value in values if value is not None and value >= 0), default=None))
        for host in observers:
            self.observe(block, host, name, begin)
        times = sorted(t for h in self.hosts if (t := minus(self.adopted(h, name), begin)) is not None)
        for percent in (50, 80, 90, 92, 94, 96, 98, 100):
            place = -(-percent * len(self.hosts) // 100)
            self.add(f"cdf{percent / 100:.2f}", times[place - 1] if place <= len(times) else None)

    def observe(self, _block, host, name, begin):
        at = {
            event: self.at(host, event, name) for event in ("Noticed", "Requested", "Fetched", "Announced", "Sending")
        }
        adopted = self.adopted(host, name)
        phases = {
            "Request": minus(at["Requested"], at["Noticed"]), "Fetch": minus(at["Fetched"], at["Requested"]),
            "Announce": minus(at["Announced"], at["Fetched"]), "Send": minus(at["Sending"], at["Fetched"]),
            "Adoption": minus(adopted, at["Fetched"]),
        }  # fmt: skip
        missing = [
            word
            for word, stamp in (("missingNotice", at["Noticed"]), ("missingRequest", at["Requested"]),
                                ("missingFetch", at["Fetched"]), ("missingAdoption", adopted))
            if stamp is None
        ]  # fmt: skip
        length = self.blocks[host].get(("Requested", name), {}).get("length")
        if missing:
            word = missing[0]
        elif length not in {None, 1} or self.delta(host, name) not in {None, 1}:
            word = "nonUnitary"
        elif min(minus(at["Noticed"], begin), phases["Request"], phases["Fetch"], phases["Adoption"]) < 0:
            word = "negative"
        else:
            word = "valid"
            for key, value in phases.items():
                self.add(f"cdfPeer{key}", value if value is not None and value >= 0 else None)
        self.observed[word] += 1
