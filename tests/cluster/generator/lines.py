"""Log lines in the shapes of cardano-node: legacy tracing, and new tracing with names as texts or arrays."""

from __future__ import annotations

import json
from datetime import UTC, datetime

# New name, legacy name, legacy kind, whether legacy data stand under "val", new kind.
SHAPES = {
    "Start": ("Forge.Loop.StartLeadershipCheckPlus", "LeadershipCheck", "TraceStartLeadershipCheck", False, None),
    "BlkCtx": ("Forge.Loop.BlockContext", "Forge", "TraceBlockContext", True, None),
    "LgrState": ("Forge.Loop.LedgerState", "Forge", "TraceLedgerState", True, None),
    "LgrView": ("Forge.Loop.LedgerView", "Forge", "TraceLedgerView", True, None),
    "Leader": ("Forge.Loop.NodeIsLeader", "Forge", "TraceNodeIsLeader", True, None),
    "NotLeader": ("Forge.Loop.NodeNotLeader", "Forge", "TraceNodeNotLeader", True, None),
    "Ticked": ("Forge.Loop.ForgeTickedLedgerState", "Forge", "TraceForgeTickedLedgerState", True, None),
    "MemSnap": ("Forge.Loop.ForgingMempoolSnapshot", "Forge", "TraceForgingMempoolSnapshot", True, None),
    "Forged": ("Forge.Loop.ForgedBlock", "Forge", "TraceForgedBlock", True, None),
    "AdoptedBlock": ("Forge.Loop.AdoptedBlock", "Forge", "TraceAdoptedBlock", True, None),
    "Noticed": (
        "ChainSync.Client.DownloadedHeader",
        "ChainSyncClient",
        "ChainSyncClientEvent.TraceDownloadedHeader",
        False,
        "DownloadedHeader",
    ),
    "Requested": ("BlockFetch.Client.SendFetchRequest", "BlockFetchClient", "SendFetchRequest", False, None),
    "Fetched": ("BlockFetch.Client.CompletedBlockFetch", "BlockFetchClient", "CompletedBlockFetch", False, None),
    "Announced": (
        "ChainSync.ServerHeader.Update",
        "ChainSyncHeaderServer",
        "ChainSyncServerEvent.TraceChainSyncServerUpdate",
        False,
        "ChainSyncServer.Update",
    ),
    "Sending": (
        "BlockFetch.Server.SendBlock",
        "BlockFetchServer",
        "TraceBlockFetchServerSendBlock",
        False,
        "BlockFetchServer",
    ),
    "Tip": (
        "ChainDB.AddBlockEvent.AddedToCurrentChain",
        "ChainDB",
        "TraceAddBlockEvent.AddedToCurrentChain",
        False,
        "AddedToCurrentChain",
    ),
    "Fork": (
        "ChainDB.AddBlockEvent.SwitchedToAFork",
        "ChainDB",
        "TraceAddBlockEvent.SwitchedToAFork",
        False,
        "TraceAddBlockEvent.SwitchedToAFork",
    ),
    "Resources": ("Resources", "resources", "Resources", False, "ResourceStats"),
    "Mempool": ("Mempool.AddedTx", "Mempool", "TraceMempoolAddedTx", False, None),
}


class Writer:
    """Writes the lines of a host in one kind of tracing. A line is a head, a time, a middle, data and an end."""

    def __init__(self, host: str, tracing: str) -> None:
        self.legacy = tracing == "legacy"
        self._parts = {event: self._shape(host, tracing, shape) for event, shape in SHAPES.items()}
        self._second, self._prefix = -1, ""

    def _shape(self, host: str, tracing: str, shape: tuple) -> tuple:
        name, old, kind, inner, new = shape
        if self.legacy:
            head, end = ('"data":{"credentials":"Cardano","val":{', "}}") if inner else ('"data":{', "}")
            tail = f'{end},"env":"8.1.1:ea2c0","host":"{host[:8]}","loc":null,"msg":"",'
            tail += f'"ns":["cardano.node.{old}"],"pid":"1662080","sev":"Info","thread":"214"}}'
            return '{"app":[],"at":"', f'",{head}"kind":"{kind}",', tail
        ns = json.dumps(name.split(".") if tracing == "array" else name, separators=(",", ":"))
        tail = f'}},"sev":"Info","thread":"52","host":"{host}"}}'
        return '{"at":"', f'","ns":{ns},"data":{{"kind":"{new or kind}",', tail

    def line(self, event: str, at: int, data: str) -> str:
        head, middle, tail = self._parts[event]
        second, nanos = divmod(at, 1_000_000_000)
        if second != self._second:
            self._second = second
            self._prefix = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        fraction = f"{nanos // 10_000_000:02d}" if self.legacy else f"{nanos:09d}"
        return f"{head}{self._prefix}.{fraction}Z{middle}{data}{tail}"
