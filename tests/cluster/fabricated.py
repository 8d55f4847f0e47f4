"""Analyses without logs: tables of drawn values, for what reads only the tables of an analysis."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import summaries

from statera.cluster.charts.sorted_samples import TABLES
from statera.cluster.metrics import METRICS

SLOTS, BLOCKS = 300, 60


class Analysis:
    """An analysis whose tables are columns that a test may change before it is written."""

    def __init__(self, folder, *, hosts=3, seed=1, slots=SLOTS, first=0, epoch_length=100):
        self.folder, self.hosts, self.epoch_length = folder, hosts, epoch_length
        self.chance = np.random.default_rng(seed)
        slot = np.tile(np.arange(first, first + slots), hosts)
        host = np.repeat(np.arange(hosts), slots)
        forger = np.arange(BLOCKS) % hosts
        at = {"position": np.arange(BLOCKS), "slot": first + np.arange(BLOCKS) * slots // BLOCKS}
        texts = np.char.mod("%064x", np.arange(BLOCKS))
        self.tables = {
            "host_slots": {"host": host, "slot": slot},
            "usage": {"host": host, "slot": slot, "inside": np.ones(len(slot), bool)},
            "intervals": {
                "host": host, "slot": slot, "inside": np.ones(len(slot), bool), "restart": np.zeros(len(slot), bool),
                "at_ns": slot, "file": np.zeros(len(slot), int), "line": slot,
            },
            "spans": {"host": np.arange(30) % hosts, "first_slot": np.arange(30), "last_slot": np.arange(30)},
            "epoch_spans": {"host": np.arange(9) % hosts},
            "host_facts": {"host": np.arange(hosts), "live": np.ones(hosts, bool)},
            "blocks": {
                **at, "block": texts, "accepted": np.ones(BLOCKS, bool), "forger": forger, "valid_observers": forger,
            },
            "peers": {"position": np.repeat(np.arange(BLOCKS), hosts), "host": np.tile(np.arange(hosts), BLOCKS)},
        }  # fmt: skip
        assert set(self.tables) == set(TABLES)
        for metric in METRICS:
            table = self.tables[metric.source]
            count = len(next(iter(table.values())))
            table[metric.column] = self.chance.uniform(1, 2, count)
            if metric.unit in {"#", "slots", "blocks"}:
                table[metric.column] = self.chance.integers(0, 4, count)

    def write(self):
        """Write the tables and the summary; NaN is not a value."""
        (self.folder / "tables").mkdir(parents=True)
        for name, columns in self.tables.items():
            count = len(next(iter(columns.values())))
            # Nothing may rest on the order of rows.
            order = self.chance.permutation(count)
            table = pa.table(
                {key: pa.array(np.asarray(values)[order], from_pandas=True) for key, values in columns.items()}
            )
            pq.write_table(table, self.folder / "tables" / f"{name}.parquet")
        document = summaries.plain(timing={"slotLength": 1.0, "epochLength": self.epoch_length})
        (self.folder / "summary.json").write_text(json.dumps(document))
        return self.folder


def column(folder, source, *names):
    """Columns of a table, as they stand on disk; null is NaN."""
    table = pq.read_table(folder / "tables" / f"{source}.parquet")
    return [np.array(table[name].to_pandas()) for name in names]
