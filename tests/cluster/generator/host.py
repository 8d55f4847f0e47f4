"""The life of a host: what it logs, slot by slot."""

from __future__ import annotations

import random
from datetime import datetime
from typing import TYPE_CHECKING

from .lines import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .chain import Block
    from .settings import Settings

SECOND = 1_000_000_000
PEER = '"peer":{"connectionId":"172.31.0.1:3001 172.31.9.%d:3001"}'


class Host:
    """A host; it yields the lines of each slot, about in the order of their times."""

    def __init__(self, settings: Settings, number: int, chain: dict[int, list[Block]]) -> None:
        self.settings, self.number, self.chain = settings, number, chain
        self.name = f"node-{number}"
        self.draw = random.Random(f"{settings.seed}/{number}")
        tracing = settings.tracing[number % len(settings.tracing)]
        styles = ("new", "array", "legacy") if tracing == "mixed" else (tracing,)
        self.writers = [Writer(self.name, style) for style in styles]
        self.start = int(datetime.fromisoformat(settings.system_start).timestamp()) * SECOND
        self.skew = 0
        self.counters = self._fresh()
        # Where a host is started again, and where its clock steps back: anywhere but at the ends.
        anywhere = range(1, max(2, settings.slots - 1))
        self.restarts = {self.draw.choice(anywhere) for _ in range(number < settings.restarts)}
        self.steps = {self.draw.choice(anywhere) for _ in range(number < settings.clock_steps)}

    def _fresh(self) -> dict[str, int]:
        counters = dict.fromkeys(("CentiCpu", "CentiGC", "CentiMut", "GcsMajor", "GcsMinor"), 1)
        return counters | {"Alloc": 160_000_000, "FsRd": 48_230_400, "FsWr": 0, "NetRd": 0, "NetWr": 0}

    def slots(self) -> Iterator[list[str]]:
        for slot in range(self.settings.slots):
            if slot in self.steps:
                self.skew -= 300_000_000
            if slot in self.restarts:
                self.counters = self._fresh()
                continue
            lines = self._forge_loop(slot)
            for block in self.chain.get(slot, ()):
                lines += self._forged(block) if block.forger == self.number else self._received(block)
            lines.sort(key=lambda line: line[0])
            yield [self._written(*line) for line in lines]

    def _written(self, at: int, event: str, data: str) -> str:
        writer = self.draw.choice(self.writers)
        if event == "Announced" and not writer.legacy:
            # New tracing says of an edge only that it rises.
            data = data.replace(',"risingEdge":false', "")
        return writer.line(event, at + self.skew, data)

    def _forge_loop(self, slot: int) -> list[tuple[int, str, str]]:
        start, draw = self.start + slot * SECOND, self.draw.random
        leads = any(block.forger == self.number for block in self.chain.get(slot, ()))
        begun = start + 400_000 + int(draw() * 600_000)
        context = begun + 40_000 + int(draw() * 20_000)
        state = context + 50_000 + int(draw() * 20_000)
        view = state + 12_000 + int(draw() * 8_000)
        density = f'"chainDensity":{round(0.05 + draw() / 1000, 6)}'
        lines = [
            (begun, "Start", f'{density},"delegMapSize":1000000,"slot":{slot},"utxoSize":4000000'),
            (context, "BlkCtx", f'"current slot":{slot},"tip":"{"ab" * 32}@{slot}","tipBlockNo":{slot // 20}'),
            (state, "LgrState", f'"slot":{slot}'),
            (view, "LgrView", f'"slot":{slot}'),
            (start + 270_000_000 + int(draw() * 1e6), "Resources", self._resources(slot)),
        ]
        if not leads:
            lines.append((view + 400_000 + int(draw() * 100_000), "NotLeader", f'"slot":{slot}'))
        if draw() < self.settings.mempool:
            txs = ",".join(f'{{"tx":{{"txid":"{int(draw() * 1e8):08x}"}}}}' for _ in range(6))
            data = f'"mempoolSize":{{"bytes":726519,"numTxs":54}},"txs":[{txs}]'
            lines.append((start + 720_000_000, "Mempool", data))
        return lines

    def _resources(self, slot: int) -> str:
        counters, draw = self.counters, self.draw.random
        busy = 120 if slot % self.settings.epoch_length < self.settings.busy else 0
        counters["CentiCpu"] += busy + int(5 + 30 * draw())
        counters["CentiGC"] += int(3 * draw())
        counters["CentiMut"] += int(4 + 25 * draw())
        counters["GcsMajor"] += draw() < 0.01
        counters["GcsMinor"] += int(3 * draw())
        counters["Alloc"] += int((20 + 5 * draw()) * 2**20 * self.settings.allocation)
        counters["FsWr"] += int(9e4 * draw())
        counters["NetRd"] += int(5e4 * draw())
        counters["NetWr"] += int(5e4 * draw())
        gauges = f'"Heap":9569304576,"Live":{3_590_000_000 + int(9e6 * draw())},"RSS":9775448064,"Threads":12'
        return ",".join(f'"{key}":{value}' for key, value in counters.items()) + "," + gauges

    def _forged(self, block: Block) -> list[tuple[int, str, str]]:
        draw, name, slot = self.draw.random, f'"{block.hash}"', f'"slot":{block.slot}'
        leader = self.start + block.slot * SECOND + 2_000_000 + int(draw() * 1e6)
        ticked = leader + 20_000_000 + int(draw() * 2e6)
        snapped = ticked + 1_500_000 + int(draw() * 2e5)
        forged = snapped + int((120_000 + draw() * 30_000) * self.settings.forging)
        adopted = forged + int((50e6 + draw() * 5e6) * self.settings.adoption)
        told = forged + 500_000 + int(draw() * 9e4)
        lines = [
            (leader, "Leader", slot),
            (ticked, "Ticked", f'"prev":"{block.parent}@{block.slot - 1}",{slot}'),
            (snapped, "MemSnap", f'"mempoolHash":"{block.parent}","mempoolSlot":{block.slot},{slot}'),
            (adopted, "AdoptedBlock", f'"blockHash":{name},"blockSize":{block.size},{slot}'),
            (adopted - 1_000_000, "Tip", f'"chainLengthDelta":1,"newtip":"{block.hash}@{block.slot}"'),
            *self._served(block, told, forged + 2_000_000),
        ]
        if draw() >= self.settings.lost_forged:
            data = f'"block":{name},"blockNo":{block.number},"blockPrev":"{block.parent}",{slot}'
            lines.append((forged, "Forged", data))
        return lines

    def _received(self, block: Block) -> list[tuple[int, str, str]]:
        draw, name, peers = self.draw.random, f'"block":"{block.hash}"', self.settings.peers
        noticed = self.start + block.slot * SECOND + int((60 + 150 * draw()) * 1e6)
        requested = noticed + 600_000 + int(draw() * 1e6)
        fetched = requested + int((30 + 90 * draw()) * 1e6)
        adopted = fetched + int((50e6 + draw() * 6e6) * self.settings.adoption)
        header = f'{name},"blockNo":{block.number},{PEER},"slot":{block.slot}'
        lines = [(noticed + peer * 9_000_000, "Noticed", header % peer) for peer in range(peers)]
        if block.winner is not None:
            return lines
        tip = "Fork" if any(other.forger == self.number for other in self.chain[block.slot]) else "Tip"
        return [
            *lines,
            (requested, "Requested", f'"head":"{block.hash}","length":1,{PEER % 1}'),
            (fetched, "Fetched", f'{name},"delay":0.137732924,{PEER % 1},"size":{block.size}'),
            (adopted, tip, f'"chainLengthDelta":1,"newtip":"{block.hash}@{block.slot}"'),
            *self._served(block, fetched + 700_000, fetched + 20_000_000),
        ]

    def _served(self, block: Block, told: int, sent: int) -> list[tuple[int, str, str]]:
        tip = f'"tip":{{"block":"{block.parent}","blockNo":{block.number - 1},"slot":{block.slot - 1}}}'
        update = f'"addBlock":"{block.hash}@{block.slot}","blockingRead":true,{PEER},"risingEdge":%s,{tip}'
        peers = range(self.settings.peers)
        edges = [(told + peer * 90_000, "Announced", update % (peer, "true")) for peer in peers]
        falls = [(told + peer * 90_000 + 40_000_000, "Announced", update % (peer, "false")) for peer in peers]
        sends = [(sent + peer * 300_000, "Sending", f'"block":"{block.hash}",{PEER % peer}') for peer in peers]
        return edges + falls + sends
