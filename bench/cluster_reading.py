"""Measures the reading of a cluster's logs beside other readers of JSON lines, on a generated run.

``python bench/cluster_reading.py RUN`` takes a run that is there; without one it generates 1 GB below bench/data. Each
reader is a process of its own on one thread. All of them see every line; statera alone puts each into its class,
decodes the fields of events and writes them to Parquet. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import peers

ROOT = Path(__file__).parent.parent
SLOTS = 150_000

# Each counts lines by name and kind; it is given the run's files. `out` is an empty directory.
READERS = {
    "statera": """
from statera import _native
_native.set_jobs(1)
from pathlib import Path
from statera.cluster.read import read_run
read_run(Path(run), Path(out))
""",
    "duckdb read_json": """
import duckdb
duckdb.sql("set threads=1")
duckdb.sql("set enable_progress_bar=false")
duckdb.sql(f\"\"\"select "ns", "data"->>'kind', count(*) from read_json({files!r}, format='newline_delimited',
    columns={{"ns": 'JSON', "data": 'JSON'}}, ignore_errors=true) group by all\"\"\").fetchall()
""",
    "polars scan_ndjson": """
import os
os.environ["POLARS_MAX_THREADS"] = "1"
import polars as pl
schema = {"at": pl.String, "ns": pl.String, "data": pl.Struct({"kind": pl.String})}
scan = pl.scan_ndjson(files, schema=schema, ignore_errors=True)
scan.group_by("ns", pl.col("data").struct.field("kind")).len().collect(engine="streaming")
""",
    "orjson, line by line": """
import collections, orjson
names = collections.Counter()
for file in files:
    with open(file, "rb") as lines:
        for line in lines:
            value = orjson.loads(line)
            names[value["ns"], value["data"].get("kind")] += 1
""",
    "msgspec, typed": """
import collections, msgspec
class Data(msgspec.Struct):
    kind: str | None = None
class Line(msgspec.Struct):
    at: str
    ns: str
    data: Data
decoder, names = msgspec.json.Decoder(Line), collections.Counter()
for file in files:
    with open(file, "rb") as lines:
        for line in lines:
            value = decoder.decode(line)
            names[value.ns, value.data.kind] += 1
""",
}

# The processor's time of a child and its largest memory.
_MEASURE = """
import os, resource, sys
run, out, files = sys.argv[1], sys.argv[2], sys.argv[3:]
exec(sys.stdin.read())
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def measured(reader: str, run: Path, out: Path) -> tuple[float, float] | None:
    """Give seconds of processor time and MiB of memory; None if the reader is not installed."""
    files = [str(file) for file in sorted(run.glob("*/*.json"))]
    subprocess.run(["rm", "-rf", str(out)], check=True)
    command = [sys.executable, "-c", _MEASURE, str(run), str(out), *files]
    ended = subprocess.run(command, input=READERS[reader], text=True, capture_output=True, check=False)
    if ended.returncode:
        if "ModuleNotFoundError" in ended.stderr:
            return None
        raise SystemExit(ended.stderr)
    # DuckDB draws its progress on the standard output.
    seconds, memory = map(float, ended.stdout.splitlines()[-1].split())
    return seconds, memory


def generated() -> Path:
    run = peers.DATA / "cluster"
    if not run.exists():
        sys.path.insert(0, str(ROOT / "tests/cluster"))
        from generator.run import generate
        from generator.settings import Settings

        peers.DATA.mkdir(exist_ok=True)
        generate(run, Settings(hosts=4, slots=SLOTS))
    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    run = options.run or generated()
    size = sum(file.stat().st_size for file in run.glob("*/*.json")) / 1e6
    rows = []
    for reader in READERS:
        # The least of some rounds: others on the machine only add.
        rounds = [measured(reader, run, peers.DATA / "cluster-out") for _ in range(options.rounds)]
        found = [one for one in rounds if one is not None]
        if found:
            seconds, memory = min(found)
            rows.append([reader, f"{seconds:.2f} s", f"{size / seconds:.0f} MB/s", f"{memory:.0f} MiB"])
    print(f"{size:.0f} MB of plain text, one thread, processor time\n")
    print("\n".join(peers.table(["reader", "time", "speed", "memory"], rows)))


if __name__ == "__main__":
    main()
