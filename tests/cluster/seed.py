"""What the report has that people made by hand: its charts by group with their titles, its tables and its manifest."""

# Every chart of its appendix, with its title, and every entry of its dictionary.
SEED = {
    "Resources": {
        "CentiCpu": "Process CPU usage", "CentiGC": "RTS GC CPU usage", "CentiMut": "RTS Mutator CPU usage",
        "Alloc": "RTS alloc rate", "GcsMajor": "Major GCs", "GcsMinor": "Minor GCs", "Heap": "RTS heap size",
        "Live": "RTS live GC dateset", "RSS": "Kernel RSS", "FsRd": "Filesystem reads", "FsWr": "Filesystem writes",
        "NetRd": "Network reads", "NetWr": "Network writes",
    },
    "Forge loop": {
        "cdfStarts": "Forge loop starts", "cdfStarted": "Forge loop tardiness",
        "cdfBlkCtx": "Block context acquisition delay", "cdfLgrState": "Ledger state acquisition delay",
        "cdfLgrView": "Ledger view acquisition delay", "cdfLeading": "Leadership check duration",
    },
    "Chain": {
        "cdfDensity": "Chain density", "cdfBlockGap": "Interblock gap", "cdfBlockSize": "Block size",
        "cdfBlockBattle": "Height & slot battles", "cdfBlocksPerHost": "Blocks per host",
        "cdfBlocksChainedRatio": "Chained to forged block ratio",
        "cdfBlocksFilteredRatio": "Filtered to chained block ratio",
    },
    "CPU spans": {"cdfSpanLensCpu": "CPU 85% spans", "cdfSpanLensCpuEpoch": "CPU spans at Ep boundary"},
    "Forging": {
        "cdfForgerStart": "Started forge loop iteration", "cdfForgerBlkCtx": "Acquired block context",
        "cdfForgerLgrState": "Acquired ledger state", "cdfForgerLgrView": "Acquired ledger view",
        "cdfForgerLead": "Leadership check duration", "cdfForgerTicked": "Ledger ticking",
        "cdfForgerMemSnap": "Mempool snapshotting", "cdfForgerForge": "Leadership to forged",
        "cdfForgerAnnounce": "Forged to announced", "cdfForgerSend": "Forged to sending",
        "cdfForgerAdoption": "Forged to self-adopted", "cdfForgerAnnounceCum": "Slot start to announced",
    },
    "Peers": {
        "cdfPeerNoticeFirst": "First peer notice", "cdfPeerFetchFirst": "First peer fetch",
        "cdfPeerRequest": "Notice to fetch request", "cdfPeerFetch": "Fetch duration",
        "cdfPeerAnnounce": "Fetched to announced", "cdfPeerSend": "Fetched to sending",
        "cdfPeerAdoption": "Fetched to adopted",
    },
    "End-to-end": {f"cdf{part}": f"{part} adoption" for part in (
        "0.50", "0.80", "0.90", "0.92", "0.94", "0.96", "0.98", "1.00"
    )},
}  # fmt: skip
TITLES = {key: title for group in SEED.values() for key, title in group.items()}
# Its tables, with the unit of each row.
UNITS = {
    "2.1 Resource Usage": {
        "cdfStarts": "#", "CentiCpu": "%", "CentiGC": "%", "CentiMut": "%", "GcsMajor": "#", "GcsMinor": "#",
        "RSS": "M", "Heap": "M", "Live": "M", "Alloc": "M", "FsRd": "K", "FsWr": "K", "cdfSpanLensCpu": "slots",
    },
    "2.2 Anomaly control": {
        "cdfBlocksPerHost": "blocks", "cdfBlocksFilteredRatio": "/", "cdfBlocksChainedRatio": "/",
        "cdfBlockBattle": "blocks", "cdfBlockSize": "B",
    },
    "2.3 Forging": dict.fromkeys(SEED["Forging"], "s"),
    "2.4 Individual peer propagation": dict.fromkeys(SEED["Peers"], "s"),
    "2.5 End-to-end propagation": dict.fromkeys(SEED["End-to-end"], "s"),
}  # fmt: skip
TABLES = {name: {key: f"{TITLES[key]}, {unit}" for key, unit in rows.items()} for name, rows in UNITS.items()}
# Of the cluster's machines are those of the first table, and what no table has.
MACHINES = {*TABLES["2.1 Resource Usage"], *TITLES} - {key for name in list(TABLES)[1:] for key in TABLES[name]}
