"""A second, naive reader of host logs: the specification of lines and events as plain Python, right by reading it."""

import gzip
import itertools
import json
import re
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.parquet as pq

HASH = re.compile(r"[0-9a-fA-F]{64}")
AT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?", re.ASCII)
LOOP = {"BlkCtx": "BlockContext", "LgrState": "LedgerState", "LgrView": "LedgerView"}
LOOP |= {"Leader": "NodeIsLeader", "NotLeader": "NodeNotLeader"}
NAMES = {f"Forge.Loop.{name}": event for event, name in LOOP.items()} | {
    "Forge.Loop.StartLeadershipCheck": "Start",
    "Forge.Loop.StartLeadershipCheckPlus": "Start",
    "Forge.Loop.ForgeTickedLedgerState": "Ticked",
    "Forge.Loop.TickedLedgerState": "Ticked",
    "Forge.Loop.ForgingMempoolSnapshot": "MemSnap",
    "Forge.Loop.MempoolSnapshot": "MemSnap",
    "Forge.Loop.ForgedBlock": "Forged",
    "Forge.Loop.AdoptedBlock": "AdoptedBlock",
    "ChainSync.Client.DownloadedHeader": "Noticed",
    "BlockFetch.Client.SendFetchRequest": "Requested",
    "BlockFetch.Client.CompletedBlockFetch": "Fetched",
    "ChainSync.ServerHeader.Update": "Announced",
    "BlockFetch.Server.SendBlock": "Sending",
    "ChainDB.AddBlockEvent.AddedToCurrentChain": "Tip",
    "ChainDB.AddBlockEvent.SwitchedToAFork": "Tip",
    "Resources": "Resources",
    "cardano.node.resources": "Resources",
    "LedgerMetrics": "LedgerMetrics",
}
KINDS = {f"Trace{name}": event for event, name in LOOP.items()} | {
    "TraceStartLeadershipCheck": "Start",
    "TraceForgeTickedLedgerState": "Ticked",
    "TraceForgingMempoolSnapshot": "MemSnap",
    "TraceForgedBlock": "Forged",
    "TraceAdoptedBlock": "AdoptedBlock",
    "ChainSyncClientEvent.TraceDownloadedHeader": "Noticed",
    "SendFetchRequest": "Requested",
    "CompletedBlockFetch": "Fetched",
    "ChainSyncServerEvent.TraceChainSyncServerRead.AddBlock": "Announced",
    "ChainSyncServerEvent.TraceChainSyncServerReadBlocked.AddBlock": "Announced",
    "ChainSyncServerEvent.TraceChainSyncServerUpdate": "Announced",
    "TraceBlockFetchServerSendBlock": "Sending",
    "TraceAddBlockEvent.AddedToCurrentChain": "Tip",
    "TraceAddBlockEvent.SwitchedToAFork": "Tip",
    "Resources": "Resources",
    "ResourceStats": "Resources",
}
COUNTERS = ["CentiCpu", "CentiGC", "CentiMut", "GcsMajor", "GcsMinor", "Alloc"]
COUNTERS += ["FsRd", "FsWr", "NetRd", "NetWr", "RSS", "Heap", "Live"]
# The events of the forge loop, and those of blocks, with their fields.
SLOTS = dict.fromkeys(["Start", "BlkCtx", "LgrState", "LgrView", "Leader", "NotLeader", "Ticked", "MemSnap"], ())
SLOTS |= {"Start": ("density",), "LedgerMetrics": ("density",)}
BLOCKS = {
    "Forged": ("slot", "block_no", "prev"), "AdoptedBlock": ("size",), "Noticed": ("slot", "block_no"),
    "Requested": ("length",), "Fetched": ("size",), "Announced": (), "Sending": (), "Tip": ("delta",),
}  # fmt: skip
TYPES = {"density": pa.float64(), "prev": pa.string()}
HASH_AT = {"AdoptedBlock": ["blockHash"], "Requested": ["head"], "Announced": ["addBlock", "block"], "Tip": ["newtip"]}


def refuse(word):
    raise ValueError(word)


def parsed(line):
    """Give the value of a line, or raise."""
    return json.loads(line.decode("utf-8").strip(" \t\r"), parse_constant=refuse)


def classified(line, *, unfinished):
    """Give the class of a line and, for a log object, name, time and values; without an event these are None."""
    try:
        value = parsed(line)
    except (ValueError, RecursionError):
        if unfinished:
            return "cut", None
        return ("broken" if line.lstrip(b" \t\r\x0b\x0c").startswith(b"{") else "noise"), None
    if not isinstance(value, dict):
        return "noise", None
    at, ns, data = time(value.get("at")), value.get("ns"), value.get("data")
    if isinstance(ns, list) and ns and all(isinstance(part, str) for part in ns):
        ns = ".".join(ns)
    if at is None or not isinstance(ns, str) or not isinstance(data, dict):
        return "other", None
    return "emitted", event(at, ns, data)


def time(text):
    match = AT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    date, hour, minute, second, fraction, zone = match.groups()
    try:
        day = datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None
    hour, minute, second = int(hour), int(minute), int(second)
    east = 0
    if zone not in {None, "Z", "UTC"}:
        hours, minutes = int(zone[1:3]), int(zone[-2:])
        if hours > 23 or minutes > 59:
            return None
        east = (hours * 60 + minutes) * (-1 if zone[0] == "-" else 1)
    if hour > 23 or minute > 59 or second > 60:
        return None
    seconds = (day - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    nanos = (seconds + hour * 3600 + minute * 60 + second - east * 60) * 10**9
    nanos += int((fraction or "0")[:9].ljust(9, "0"))
    return nanos if -(2**63) <= nanos < 2**63 else None


def event(at, ns, data):
    inner = data.get("val")
    if isinstance(inner, dict) and "kind" in inner:
        data = inner
    name = NAMES.get(ns.removeprefix("Cardano.Node."))
    kind = data.get("kind")
    if name is None and isinstance(kind, str):
        name = KINDS.get(kind.removeprefix("Cardano.Node."))
    return name, at, None if name is None else values(name, data)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def natural(data, key, inner):
    value = data.get(key)
    value = value.get(inner) if isinstance(value, dict) else value
    return value if is_integer(value) and value >= 0 else None


def hash_of(data, keys):
    for key in keys:
        value = data.get(key)
        if isinstance(value, str) and HASH.fullmatch(value[:64]):
            return value[:64].lower()
    return None


def integer(data, key):
    return data[key] if is_integer(data.get(key)) else None


def values(name, data):
    """Give the values of an event, or none where it is skipped."""
    if name == "Resources":
        found = {key: data[key] for key in COUNTERS if is_integer(data.get(key))}
        return found or None
    if name == "Announced" and (
        data.get("risingEdge") is False or data.get("blockingRead") is False or "rollBackTo" in data
    ):
        return None
    found, wanted = required(name, data)
    if any(found[key] is None for key in wanted):
        return None
    return {key: value for key, value in (found | optional(name, data)).items() if value is not None}


def required(name, data):
    found = {
        "slot": natural(data, "current slot" if name == "BlkCtx" else "slot", "unSlotNo"),
        "block_no": natural(data, "blockNo", "unBlockNo"),
        "block": hash_of(data, HASH_AT.get(name, ["block"])),
    }
    wanted = ["slot"]
    if name in {"Forged", "Noticed"}:
        wanted = ["slot", "block_no", "block"]
    elif name in {"AdoptedBlock", "Requested", "Fetched", "Announced", "Sending", "Tip"}:
        wanted = ["block"]
    return {key: found[key] for key in wanted}, wanted


def optional(name, data):
    if name in {"Start", "LedgerMetrics"}:
        density = data.get("chainDensity")
        is_number = isinstance(density, int | float) and not isinstance(density, bool)
        # One that is too large for a double is not a value.
        return {"density": float(density) if is_number and abs(density) < float("inf") else None}
    of = {
        "Forged": lambda: {"prev": hash_of(data, ["blockPrev"])},
        "AdoptedBlock": lambda: {"size": integer(data, "blockSize")},
        "Fetched": lambda: {"size": integer(data, "size")},
        "Requested": lambda: {"length": integer(data, "length") if "length" in data else 1},
        "Tip": lambda: {"delta": delta(data)},
    }
    return of[name]() if name in of else {}


def delta(data):
    if is_integer(data.get("chainLengthDelta")):
        return data["chainLengthDelta"]
    views = [data.get(key) for key in ("newTipSelectView", "oldTipSelectView")]
    lengths = [view.get("chainLength") if isinstance(view, dict) else None for view in views]
    return lengths[0] - lengths[1] if all(map(is_integer, lengths)) else None


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
            which, found = classified(text, unfinished=at_line == len(lines))
            counts[which] += 1
            if not found:
                continue
            event, at, row = found
            ats.append(at)
            if event is None:
                continue
            counts["mapped"] += 1
            counts["skipped" if row is None else "analysed"] += 1
            if row is not None:
                place = {"at": at, "file": number, "line": at_line, "seq": counts["lines"]}
                (resources if event == "Resources" else events).append({"event": event, **place, **row})
    return events, resources, counts | {"first": min(ats, default=None), "last": max(ats, default=None)}


def folded(rows, key, events):
    """Fold rows: for each value of the key the first line of each event, by time, then in reading order."""
    found = {}
    for row in sorted(rows, key=lambda row: (row["at"], row["seq"])):
        one = found.setdefault(row[key], {key: row[key], "lines": 0, "far": 0, "times": set()})
        one["lines"] += 1
        if not -(2**62) < row["at"] < 2**62:
            one["far"] += 1
            continue
        if row["event"] == "Start":
            one["times"].add(row["at"])
        if f"{row['event']}_at" not in one:
            first = {"at": row["at"], "place": (row["file"] << 40) + row["line"]}
            first |= {field: row.get(field) for field in events[row["event"]]}
            one |= {f"{row['event']}_{name}": value for name, value in first.items()}
    return [one | {"Start_times": len(one["times"])} for one in found.values()]


def table_of(host, rows, key, events, *more):
    """A table as the reader writes it."""
    names = {f"{event}_{field}": TYPES.get(field, pa.int64())
             for event, fields in events.items() for field in ("at", "place", *fields)}  # fmt: skip
    kinds = {"lines": pa.int64(), "far": pa.int64(), **dict.fromkeys(more, pa.int64()), **names}
    columns = {"host": pa.array([host] * len(rows), pa.string()), "key": pa.array([row[key] for row in rows])}
    if not rows:
        columns["key"] = pa.array([], pa.string() if key == "block" else pa.int64())
    return pa.table(columns | {name: pa.array([row.get(name) for row in rows], kind) for name, kind in kinds.items()})


def tables_of(host, events, resources):
    """The three tables of a host, of its rows."""
    loop = [row for row in events if row["event"] in SLOTS]
    slots = folded(loop, "slot", SLOTS)
    blocks = folded([row for row in events if row["event"] in BLOCKS], "block", BLOCKS)
    counters = {"Resources": tuple(COUNTERS)}
    used = folded([{"event": "Resources", **row} for row in resources], "at", counters)
    used.sort(key=lambda row: row["at"])
    above = dict.fromkeys((row["at"] for row in resources), 0)
    for one, other in itertools.pairwise(row for row in resources if -(2**62) < row["at"] < 2**62):
        if one["file"] == other["file"]:
            above[other["at"]] = max(above[other["at"]], one["at"] - other["at"])
    shifted = ["at", *(f"Resources_{name}" for name in COUNTERS)]
    for before, row in zip([{}, *used], list(used), strict=False):
        row.update({"back": above[row["at"]]} | {f"{name}_before": before.get(name) for name in shifted})
    table = table_of(host, used, "at", counters, "back", *(f"{name}_before" for name in shifted))
    table = table.drop_columns(["Resources_at"])
    return {
        "slots": table_of(host, slots, "slot", SLOTS, "Start_times"),
        "blocks": table_of(host, blocks, "block", BLOCKS),
        "resources": table.rename_columns(["at" if name == "key" else name for name in table.column_names]),
    }


def write_host(folder, host, events, resources, *, counts=None, files=()):
    """Write the files of a host as the reader does; return them by table."""
    folder.mkdir(parents=True, exist_ok=True)
    found = tables_of(host, events, resources)
    for name, table in found.items():
        pq.write_table(table, folder / f"{name}.parquet")
    record = {"key": [0, "", [[name, 0, 0] for name in files]], "counts": counts or {}}
    (folder / "host.json").write_text(json.dumps(record))
    return {name: folder / f"{name}.parquet" for name in found}
