"""Small files that mean very much: each is a way in which reading once took a machine's memory or its time."""

from __future__ import annotations

import gzip
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq

ROW = '{"benchmark":"X","value":1}\n'
RESULT = "BenchmarkX 1 1 ns/op\n"


def go_alternating() -> bytes:
    """Many keys stay, one changes before each result."""
    heading = "goos: linux\n" + "".join(f"k{i}: v\n" for i in range(900))
    return (heading + "".join(f"k{i % 900}: {i}\n{RESULT}" for i in range(20_000))).encode()


def go_heading() -> bytes:
    """A heading of more keys than any harness writes."""
    return ("goos: linux\n" + "".join(f"key{i}: value\n" for i in range(60_000)) + RESULT * 4).encode()


def go_units() -> bytes:
    return "".join(f"BenchmarkX 1 1 unit{i}\n" for i in range(90_000)).encode()


def go_long_line() -> bytes:
    return RESULT.encode() + b"x" * 40_000_000 + b"\n" + RESULT.encode()


def go_statements() -> bytes:
    return (RESULT + "Unit ns/op better=lower\nUnit ns/op better=higher\n" * 40_000).encode()


def go_toggled() -> bytes:
    """Two configurations in turn: legitimate, and few."""
    heading = "".join(f"k{i}: v\n" for i in range(20))
    return (heading + "".join(f"pkg: p{i % 2}\n{RESULT}" for i in range(60_000))).encode()


def go_annotated() -> bytes:
    """Each result under a configuration of its own: legitimate."""
    heading = "".join(f"k{i}: v\n" for i in range(10))
    return (heading + "".join(f"note: {i}\nBenchmarkX{i % 100} 1 1 ns/op\n" for i in range(60_000))).encode()


def ndjson_new_keys() -> bytes:
    return "".join(f'{{"benchmark":"X","value":1,"k{i}":"{i}"}}\n' for i in range(30_000)).encode()


def ndjson_thousand_keys() -> bytes:
    """As many keys as may be, a few in each row."""
    return "".join(f'{{"benchmark":"X","value":1,"k{i % 900}":"{i}"}}\n' for i in range(30_000)).encode()


def ndjson_contexts() -> bytes:
    return "".join(f'{{"benchmark":"X{i}","value":1,"seed":{i}}}\n' for i in range(60_000)).encode()


def ndjson_wide_row() -> bytes:
    row = json.dumps({"benchmark": "X", "value": 1, **{f"k{i}": "0" for i in range(15_000)}})
    return (row + "\n").encode() * 2


def csv_rows() -> bytes:
    return ("benchmark,value,size\n" + "".join(f"X,1,{i}\n" for i in range(150_000))).encode()


def csv_wide() -> bytes:
    columns = 10_001  # one more than the limit: their time grows with their square
    return (",".join(["benchmark", *(f"c{i}_s" for i in range(columns))]) + "\nX" + ",1" * columns + "\n").encode()


def csv_long_name() -> bytes:
    return (f"benchmark,value,{'n' * 200_000}\n" + "".join(f"X,1,n{i}\n" for i in range(100_000))).encode()


def csv_metrics() -> bytes:
    return ("benchmark,metric,value\n" + "".join(f"X,m{i},1\n" for i in range(90_000))).encode()


def csv_problems() -> bytes:
    return ("benchmark,value\n" + "X,y\n" * 400_000).encode()


def json_objects() -> bytes:
    return ('{"results":[{"command":"x","times":[1],"a":[' + ",".join(['{"":0}'] * 400_000) + "]}]}").encode()


def json_numbers() -> bytes:
    return ('{"results":[{"command":"x","times":[' + ",".join(["1"] * 1_000_000) + "]}]}").encode()


def json_nested() -> bytes:
    return b'{"results":[{"command":"x","times":' + b"[" * 500_000


def ledger_keys() -> bytes:
    keys = ",".join(f'"k{i}":{i}' for i in range(15_000))
    return (f'{{"ledgerApplicationMode":"x",{keys}}}\n' + '{"slot":1,"totalTime":1,"mut":1,"gc":1}\n').encode()


def ledger_columns() -> bytes:
    names = "\t".join(f"mut_{i}" for i in range(60_000))
    return (f"slot\tslotGap\ttotalTime\tmut\tgc\t{names}\n1\t1" + "\t1" * 60_003 + "\n").encode()


def sandmark_hosts() -> bytes:
    lines = [
        f'{{"hostname":"{i}","kernel":"k","arch":"a"}}\n{{"name":"a","time_secs":1,"maxrss_kB":1}}\n'
        for i in range(20_000)
    ]
    return "".join(lines).encode()


def zstd_of_nothing() -> bytes:
    return pa.Codec("zstd", 3).compress(b"\n" * 10_000_000, asbytes=True) * 100


def gzip_of_results() -> bytes:
    return gzip.compress(RESULT.encode() * 5_000_000, 1)


def gzip_members() -> bytes:
    return gzip.compress(RESULT.encode()) + gzip.compress(b"") * 100_000


def utf16() -> bytes:
    return (RESULT * 500_000).encode("utf-16")


def parquet_runs() -> bytes:
    """Equal values, which take no room."""
    rows = 10_000_000
    table = pa.table({"benchmark": pa.repeat("X", rows), "value": pa.repeat(1.0, rows)})
    return _parquet(table)


def parquet_long_text() -> bytes:
    """One long text, in every row."""
    rows = 200_000
    text = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), rows), pa.array(["n" * 900_000]))
    return _parquet(pa.table({"benchmark": text, "value": pa.repeat(1.0, rows)}), store_schema=False)


def parquet_nothing() -> bytes:
    rows = 10_000_000
    return _parquet(pa.table({"benchmark": pa.repeat("X", rows), "value": pa.nulls(rows, pa.float64())}))


def parquet_wide(count: int = 3000) -> bytes:
    columns = {f"c{i} (s)": pa.array([1.0] * 3) for i in range(count)}
    return _parquet(pa.table({"benchmark": pa.array(["X"] * 3), **columns}))


def parquet_nested() -> bytes:
    """A column that plays no role is not decoded."""
    rows = 1000
    lists = pa.array([list(range(2000))] * rows)
    return _parquet(pa.table({"benchmark": pa.repeat("X", rows), "value": pa.repeat(1.0, rows), "l": lists}))


def _parquet(table: pa.Table, *, store_schema: bool = True) -> bytes:
    into = io.BytesIO()
    pq.write_table(table, into, compression="zstd", store_schema=store_schema)
    return into.getvalue()


# What is refused, with the limit that the message names.
REFUSED = {
    go_alternating: "inherited",
    go_heading: "keys",
    go_units: "metrics",
    ndjson_new_keys: "keys",
    ndjson_wide_row: "keys",
    ndjson_thousand_keys: "groups",
    csv_rows: "contexts",
    csv_wide: "metrics",
    csv_long_name: "contexts",
    csv_metrics: "metrics",
    ledger_keys: "keys",
    ledger_columns: "metrics",
    sandmark_hosts: "groups",
    zstd_of_nothing: "expansion",
    gzip_of_results: "expansion",
    parquet_runs: "expansion",
    parquet_long_text: "expansion",
    parquet_nothing: "expansion",
}

# What is read, with its memory in proportion; and how many values it gives.
READ = {
    go_long_line: 2,
    go_statements: 1,
    go_toggled: 60_000,
    go_annotated: 60_000,
    ndjson_contexts: 60_000,
    csv_problems: 0,
    json_objects: 1,
    json_numbers: 1_000_000,
    json_nested: 0,
    gzip_members: 1,
    utf16: 500_000,
    parquet_wide: 9_000,
    parquet_nested: 1_000,
}

# What is also converted: very many configurations, values and metrics.
CONVERTED = (ndjson_contexts, json_numbers, parquet_wide)

# What takes seconds; other tables of too many columns are refused at once.
LONG = (csv_wide, go_annotated, json_numbers)
