"""Programs measured for comparison with ``statera cluster``; each is the source of a Python program.

Each receives the run's directory, its log files, an empty directory and a number of threads. All readers process every
line and count lines by name and kind. WHAT describes what else they do.
"""

from __future__ import annotations

READERS = {
    "statera": """
from statera import _native
_native.set_jobs(threads)
from pathlib import Path
from statera.cluster.run import read_run
read_run(Path(run), Path(out))
""",
    "duckdb read_json": """
import duckdb
duckdb.sql(f"set threads={threads}")
duckdb.sql("set enable_progress_bar=false")
duckdb.sql(f\"\"\"select ns, data.kind, count(*) from read_json({files!r}, format='newline_delimited',
    columns={{"ns": 'VARCHAR', "data": 'STRUCT(kind VARCHAR)'}}, ignore_errors=true) group by all\"\"\").fetchall()
""",
    "polars scan_ndjson": """
import os
os.environ["POLARS_MAX_THREADS"] = str(threads)
import polars as pl
schema = {"ns": pl.String, "data": pl.Struct({"kind": pl.String})}
scan = pl.scan_ndjson(files, schema=schema, ignore_errors=True)
scan.group_by("ns", pl.col("data").struct.field("kind")).len().collect(engine="streaming")
""",
    "orjson, line by line": """
import collections, orjson
names = collections.Counter()
for file in files:
    with open(file, "rb") as lines:
        for line in lines:
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            names[str(value["ns"]), value["data"].get("kind")] += 1
""",
    "msgspec, typed": """
import collections, msgspec
class Data(msgspec.Struct):
    kind: str | None = None
class Line(msgspec.Struct):
    ns: str | list[str]
    data: Data
decoder, names = msgspec.json.Decoder(Line), collections.Counter()
for file in files:
    with open(file, "rb") as lines:
        for line in lines:
            try:
                value = decoder.decode(line)
            except msgspec.DecodeError:
                continue
            names[str(value.ns), value.data.kind] += 1
""",
}

WHAT = {
    "statera": "checks all JSON, classes every line, decodes times and fields, writes Parquet",
    "duckdb read_json": "checks all JSON; decodes name and kind",
    "polars scan_ndjson": "checks all JSON; decodes name and kind",
    "orjson, line by line": "checks all JSON; makes every value a Python object",
    "msgspec, typed": "passes over what is not asked for; decodes name and kind",
}

# Two keys of the line itself, which read_json finds fastest.
GROUP_BY = """
import duckdb
duckdb.sql(f"set threads={threads}")
duckdb.sql("set enable_progress_bar=false")
duckdb.sql(f\"\"\"select ns, host, count(*) from read_json({files!r}, format='newline_delimited',
    columns={{"ns": 'VARCHAR', "host": 'VARCHAR'}}, ignore_errors=true) group by all\"\"\").fetchall()
"""

ANALYSE = """
from statera.cli import main
main(["cluster", "analyse", run, "-o", out, "--jobs", str(threads)])
"""

ANALYSE_ON_SPARK = """
from statera.cli import main
main(["cluster", "analyse", run, "-o", out, "--jobs", str(threads), "--engine", "spark"])
"""
