"""A second, naive reader of host logs: line by line, with the standard library, for comparison and for small tests."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import re

import pyarrow as pa
import pyarrow.parquet as pq

SECOND = 1_000_000_000
COUNTERS = [
    "CentiCpu", "CentiGC", "CentiMut", "GcsMajor", "GcsMinor", "Alloc", "FsRd", "FsWr", "NetRd", "NetWr", "RSS", "Heap",
    "Live",
]  # fmt: skip
EVENTS = pa.schema([
    ("host", pa.string()), ("event", pa.string()), ("at", pa.int64()), ("slot", pa.int64()), ("block", pa.string()),
    ("block_no", pa.int64()), ("prev", pa.string()), ("delta", pa.int64()), ("length", pa.int64()),
    ("size", pa.int64()), ("density", pa.float64()), ("file", pa.int32()), ("line", pa.int64()), ("seq", pa.int64()),
])  # fmt: skip
RESOURCES = pa.schema([
    ("host", pa.string()), ("event", pa.string()), ("at", pa.int64()), ("seq", pa.int64()), ("file", pa.int32()),
    ("line", pa.int64()), *((name, pa.int64()) for name in COUNTERS),
])  # fmt: skip
NAMES = {
    "Start": "Forge.Loop.StartLeadershipCheck Forge.Loop.StartLeadershipCheckPlus | TraceStartLeadershipCheck",
    "BlkCtx": "Forge.Loop.BlockContext | TraceBlockContext",
    "LgrState": "Forge.Loop.LedgerState | TraceLedgerState",
    "LgrView": "Forge.Loop.LedgerView | TraceLedgerView",
    "Leader": "Forge.Loop.NodeIsLeader | TraceNodeIsLeader",
    "NotLeader": "Forge.Loop.NodeNotLeader | TraceNodeNotLeader",
    "Ticked": "Forge.Loop.ForgeTickedLedgerState Forge.Loop.TickedLedgerState | TraceForgeTickedLedgerState",
    "MemSnap": "Forge.Loop.ForgingMempoolSnapshot Forge.Loop.MempoolSnapshot | TraceForgingMempoolSnapshot",
    "Forged": "Forge.Loop.ForgedBlock | TraceForgedBlock",
    "AdoptedBlock": "Forge.Loop.AdoptedBlock | TraceAdoptedBlock",
    "Noticed": "ChainSync.Client.DownloadedHeader | ChainSyncClientEvent.TraceDownloadedHeader",
    "Requested": "BlockFetch.Client.SendFetchRequest | SendFetchRequest",
    "Fetched": "BlockFetch.Client.CompletedBlockFetch | CompletedBlockFetch",
    "Announced": "ChainSync.ServerHeader.Update | ChainSyncServerEvent.TraceChainSyncServerRead.AddBlock "
    "ChainSyncServerEvent.TraceChainSyncServerReadBlocked.AddBlock ChainSyncServerEvent.TraceChainSyncServerUpdate",
    "Sending": "BlockFetch.Server.SendBlock | TraceBlockFetchServerSendBlock",
    "Tip": "ChainDB.AddBlockEvent.AddedToCurrentChain ChainDB.AddBlockEvent.SwitchedToAFork | "
    "TraceAddBlockEvent.AddedToCurrentChain TraceAddBlockEvent.SwitchedToAFork",
    "Resources": "Resources cardano.node.resources | Resources ResourceStats",
    "LedgerMetrics": "LedgerMetrics |",
}
OF_NS = {ns: event for event, text in NAMES.items() for ns in text.partition("|")[0].split()}
OF_KIND = {kind: event for event, text in NAMES.items() for kind in text.partition("|")[2].split()}
AT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?\s?(?:(Z|UTC)|([+-])(\d\d):?(\d\d))?", re.ASCII)
HEX = re.compile("[0-9a-fA-F]{64}")


def instant(text):
    """Nanoseconds since the epoch; None where it is not a time."""
    found = AT.fullmatch(text) if isinstance(text, str) else None
    if not found:
        return None
    day, hours, minutes, seconds, digits, _, sign, off_hours, off_minutes = found.groups()
    if int(hours) > 23 or int(minutes) > 59 or int(seconds) > 60:
        return None
    try:
        days = dt.date.fromisoformat(day).toordinal() - dt.date(1970, 1, 1).toordinal()
    except ValueError:
        return None
    offset = (int(sign + "1") * (int(off_hours) * 60 + int(off_minutes)) * 60) if sign else 0
    whole = days * 86400 + int(hours) * 3600 + int(minutes) * 60 + int(seconds) - offset
    return whole * SECOND + int((digits or "0")[:9].ljust(9, "0"))


def integer(value, key=None):
    if key and isinstance(value, dict):
        value = value.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def natural(value, key):
    number = integer(value, key)
    return number if number is not None and number >= 0 else None


def block(value):
    found = HEX.match(value) if isinstance(value, str) else None
    return found.group().lower() if found else None


def chain_length(data, key):
    view = data.get(key)
    return integer(view.get("chainLength")) if isinstance(view, dict) else None


def delta(data):
    if integer(data.get("chainLengthDelta")) is not None:
        return data["chainLengthDelta"]
    old, new = chain_length(data, "oldTipSelectView"), chain_length(data, "newTipSelectView")
    return new - old if old is not None and new is not None else None


def fields(event, data):  # noqa: C901, PLR0912 - one branch an event
    """The columns of an event; None where it lacks what it must have or is to be skipped."""
    slot = natural(data.get("slot"), "unSlotNo")
    number = natural(data.get("blockNo"), "unBlockNo")
    if event in {"Start", "LedgerMetrics"}:
        density = data.get("chainDensity")
        plain = isinstance(density, (int, float)) and not isinstance(density, bool)
        found, needed = {"slot": slot, "density": float(density) if plain else None}, ["slot"]
    elif event == "BlkCtx":
        found, needed = {"slot": natural(data.get("current slot"), "unSlotNo")}, ["slot"]
    elif event in {"Forged", "Noticed"}:
        found, needed = {"slot": slot, "block_no": number, "block": block(data.get("block"))}, None
        needed = list(found)
        if event == "Forged":
            found["prev"] = block(data.get("blockPrev"))
    elif event in {"AdoptedBlock", "Fetched", "Sending", "Requested"}:
        key = {"AdoptedBlock": "blockHash", "Requested": "head"}.get(event, "block")
        found, needed = {"block": block(data.get(key))}, ["block"]
        if event == "Requested":
            found["length"] = integer(data.get("length"))
        size = {"AdoptedBlock": "blockSize", "Fetched": "size"}.get(event)
        if size:
            found["size"] = integer(data.get(size))
    elif event == "Announced":
        if data.get("risingEdge") is False or data.get("blockingRead") is False or "rollBackTo" in data:
            return None
        found, needed = {"block": block(data.get("addBlock")) or block(data.get("block"))}, ["block"]
    elif event == "Tip":
        found, needed = {"block": block(data.get("newtip")), "delta": delta(data)}, ["block"]
    elif event == "Resources":
        found, needed = {name: integer(data.get(name)) for name in COUNTERS}, []
        if all(value is None for value in found.values()):
            return None
    else:
        found, needed = {"slot": slot}, ["slot"]
    return None if any(found[key] is None for key in needed) else found


def no_json(constant):
    """Refuse NaN and Infinity, which Python takes and the standard does not know."""
    raise ValueError(constant)


def classify(text, *, cut):
    """The class of a line and, of an emitted one, (event, at, data)."""
    try:
        value = json.loads(text.decode(), parse_constant=no_json)
    except (ValueError, RecursionError):
        if cut:
            return "cut", None
        return ("broken" if text.lstrip().startswith(b"{") else "noise"), None
    if not isinstance(value, dict):
        return "noise", None
    at, ns, data = instant(value.get("at")), value.get("ns"), value.get("data")
    names = [ns] if isinstance(ns, str) else ns
    if at is None or not isinstance(names, list) or not names or not isinstance(data, dict):
        return "other", None
    if not all(isinstance(name, str) for name in names):
        return "other", None
    if isinstance(data.get("val"), dict) and "kind" in data["val"]:
        data = data["val"]
    name = ".".join(names).removeprefix("Cardano.Node.")
    kind = data.get("kind")
    kind = kind.removeprefix("Cardano.Node.") if isinstance(kind, str) else None
    return "emitted", (OF_NS.get(name) or OF_KIND.get(kind), at, data)


def read_bytes(path):
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zst":
        with pa.OSFile(str(path)) as file, pa.CompressedInputStream(file, "zstd") as stream:
            return stream.read()
    return path.read_bytes()


def read_host(files):
    """Rows of events, rows of resources, and counts."""
    events, resources, ats = [], [], []
    names = ("lines", "noise", "broken", "cut", "other", "emitted", "mapped", "analysed", "skipped")
    counts = dict.fromkeys(names, 0)
    for number, path in enumerate(files):
        data = read_bytes(path)
        lines = data.split(b"\n")
        for at_line, text in enumerate(lines, 1):
            if not text.strip():
                continue
            counts["lines"] += 1
            which, found = classify(text, cut=at_line == len(lines))
            counts[which] += 1
            if not found:
                continue
            event, at, values = found
            ats.append(at)
            if event is None:
                continue
            counts["mapped"] += 1
            row = fields(event, values)
            counts["skipped" if row is None else "analysed"] += 1
            if row is not None:
                place = {"at": at, "file": number, "line": at_line, "seq": counts["lines"]}
                (resources if event == "Resources" else events).append({"event": event, **place, **row})
    return events, resources, counts | {"first": min(ats, default=None), "last": max(ats, default=None)}


def write_host(folder, host, events, resources, *, counts=None, files=()):
    """Write the files of a host as the reader does."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows, schema in (("events", events, EVENTS), ("resources", resources, RESOURCES)):
        named = [{"host": host, "event": "Resources", **row} for row in rows]
        columns = [pa.array([row.get(column.name) for row in named], column.type) for column in schema]
        pq.write_table(pa.Table.from_arrays(columns, schema=schema), folder / f"{name}.parquet")
    record = {"key": [0, "", [[name, 0, 0] for name in files]], "counts": counts or {}}
    (folder / "host.json").write_text(json.dumps(record))
